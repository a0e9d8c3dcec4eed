/// The evidence about the backend's dialect so far.
package struct DialectEvidence: Hashable, Sendable {
  /// The dialect of the latest evidence; nil without any.
  package private(set) var told: BackendDialect?

  /// Memberwise.
  package init(told: BackendDialect? = nil) { self.told = told }

  /// March is assumed until something tells otherwise (contract 9.8).
  package var dialect: BackendDialect { told ?? .march }

  /// Records a reply's evidence. The backend may be replaced while the cockpit runs, so the latest
  /// evidence counts.
  package mutating func note(_ dialect: BackendDialect?) { told = dialect ?? told }

  /// Records a voice state's evidence.
  package mutating func note(_ state: VoiceState) { note(state.dialect) }

  /// Records the evidence in facts.
  package mutating func note(_ facts: some Sequence<Fact>) {
    note(facts.lazy.compactMap(\.dialect).first)
  }
}
