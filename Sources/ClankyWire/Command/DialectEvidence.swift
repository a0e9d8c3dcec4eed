/// What has been learned so far about the backend.
package struct DialectEvidence: Hashable, Sendable {
  /// The dialect of the latest evidence; nil without any.
  package private(set) var told: BackendDialect?

  /// Memberwise.
  package init(told: BackendDialect? = nil) { self.told = told }

  /// March is assumed until something tells otherwise (contract 9.8).
  package var dialect: BackendDialect { told ?? .march }

  /// Takes in what a reply tells. The backend may be replaced while the cockpit runs, so the last
  /// word counts.
  package mutating func note(_ dialect: BackendDialect?) { told = dialect ?? told }

  /// Takes in what a voice state tells.
  package mutating func note(_ state: VoiceState) { note(state.dialect) }

  /// Takes in what facts tell.
  package mutating func note(_ facts: some Sequence<Fact>) {
    note(facts.lazy.compactMap(\.dialect).first)
  }
}
