package import ClankyWire

/// Facts that are to be deleted once their time has run out, unless somebody takes it back: the
/// backend cannot undo a deletion (contract 6.3).
package struct HeldDeletion: Hashable, Sendable, Identifiable {
  package enum State: Hashable, Sendable {
    case held
    /// Requests are under way; it cannot be taken back any more.
    case sending
    case done
    /// Some or all facts are still there, for reasons said as one sentence.
    case failed(String)
  }

  package let id: Int
  /// The facts as they were when they were deleted: their words are all that can be had afterwards.
  package var facts: [Fact]
  /// When the requests go out, on the monotonic clock in ns.
  package var dueNs: UInt64
  package var state: State

  package init(id: Int, facts: [Fact], dueNs: UInt64, state: State = .held) {
    self.id = id
    self.facts = facts
    self.dueNs = dueNs
    self.state = state
  }
}
