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
  /// Facts that the backend has deleted.
  package internal(set) var deleted: Set<Int> = []
  /// Facts that were gone before the request came.
  package internal(set) var goneAlready: Set<Int> = []
  /// Facts that are not known to be deleted, and why, as one sentence each.
  package internal(set) var problems: [Int: String] = [:]
  /// What went wrong on the wire with a fact of `problems`, where that is the reason.
  package internal(set) var failures: [Int: RequestFailure] = [:]

  package init(id: Int, facts: [Fact], dueNs: UInt64, state: State = .held) {
    self.id = id
    self.facts = facts
    self.dueNs = dueNs
    self.state = state
  }

  /// Whether its requests are still to come or under way.
  package var isPending: Bool { state == .held || state == .sending }

  /// How it went, as one sentence.
  package var sentence: String {
    switch state {
    case .held: "\(Self.count(facts.count)) to be deleted."
    case .sending: "\(Self.count(facts.count)) being deleted; it cannot be taken back any more."
    case .failed(let sentence): sentence
    case .done:
      goneAlready.isEmpty
        ? "\(Self.count(facts.count)) deleted."
        : goneAlready.count == facts.count
          ? "\(Self.count(facts.count)) had been deleted by somebody else already."
          : "\(Self.count(facts.count)) deleted; \(goneAlready.count) had been gone already."
    }
  }

  /// The sentence when it is too late to take a deletion back.
  package static let cannotRestore =
    "What is deleted cannot be brought back, the backend has no way to store a fact anew; its words "
    + "are in the journal, so that you can tell the bot again."

  /// Ends it: what is still there keeps it from being done.
  mutating func end() {
    guard !problems.isEmpty else {
      state = .done
      return
    }
    let reasons = Set(problems.values).sorted()
    let more = reasons.count > 1 ? " (and \(reasons.count - 1) other reasons)" : ""
    state = .failed(
      "\(problems.count) of \(Self.count(facts.count)) not deleted: \(reasons[0])\(more)")
  }

  private static func count(_ count: Int) -> String { count == 1 ? "1 fact" : "\(count) facts" }
}
