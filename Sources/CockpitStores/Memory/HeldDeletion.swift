package import ClankyWire

/// Facts, or a part of the memory, to delete after a delay, unless the user undoes it: the backend cannot undo a deletion
/// (contract 6.3).
package struct HeldDeletion: Hashable, Sendable, Identifiable {
  package enum State: Hashable, Sendable {
    case held
    /// Requests are in flight; it can no longer be undone.
    case sending
    case done
    /// Some or all facts are still there, for reasons said as one sentence.
    case failed(String)
  }

  package let id: Int
  /// The facts at the time of deletion: the only copy of their text afterwards.
  package var facts: [Fact]
  /// When the requests go out, on the monotonic clock in ns.
  package var dueNs: UInt64
  package var state: State
  /// Facts that the backend has deleted.
  package internal(set) var deleted: Set<Int> = []
  /// Facts that were gone before the request arrived.
  package internal(set) var goneAlready: Set<Int> = []
  /// Facts whose deletion is unconfirmed, and why, as one sentence each.
  package internal(set) var problems: [Int: String] = [:]
  /// The failures on the wire behind `problems`.
  package internal(set) var failures: [Int: RequestFailure] = [:]
  /// The part that is deleted as a whole; nil for single facts.
  package internal(set) var whole: WholeDeletion?

  package init(
    id: Int, facts: [Fact] = [], dueNs: UInt64, state: State = .held, whole: WholeDeletion? = nil
  ) {
    self.id = id
    self.facts = facts
    self.whole = whole
    self.dueNs = dueNs
    self.state = state
  }

  /// Whether its requests are pending or in flight.
  package var isPending: Bool { state == .held || state == .sending }

  /// Number of things that it deletes.
  package var count: Int { whole == nil ? facts.count : 1 }

  /// The outcome as one sentence.
  package var sentence: String {
    if let whole {
      let title = whole.part.title
      return switch state {
      case .held: "\(title) to be deleted."
      case .sending: "\(title) being deleted; it cannot be taken back any more."
      case .done: whole.outcome ?? "\(title) deleted."
      case .failed(let sentence): sentence
      }
    }
    return switch state {
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

  /// The sentence when it is too late to undo a deletion.
  package static let cannotRestore =
    "What is deleted cannot be brought back, the backend has no way to store a fact anew; its words "
    + "are in the journal, so that you can tell the bot again."

  /// Ends the deletion; remaining problems mean it failed.
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
