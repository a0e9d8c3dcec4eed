internal import ClankyWire
internal import LenientJSON

/// A part of the bot's memory that is deleted as a whole.
package enum MemoryPart: Hashable, Sendable {
  /// Facts, stored messages and reflection runs of a guild. `name` is the backend's, which wants it back.
  case guild(id: String, name: String)
  /// The record of a reflection run; what it saved stays.
  case run(id: String, day: String?)

  /// The word to be typed before it is deleted.
  package var word: String {
    switch self {
    case .guild(_, let name): name.trimmingBlanks
    case .run(_, let day): day.map(\.trimmingBlanks).flatMap { $0.isEmpty ? nil : $0 } ?? "delete"
    }
  }

  /// What it is called in a sentence.
  package var title: String {
    switch self {
    case .guild(_, let name): "the memory of \(name.trimmingBlanks)"
    case .run(let id, let day): "the reflection run of \(day ?? "an unknown day") (\(id))"
    }
  }

  /// Whether no other run of the program may delete this one at the same time: by name.
  var turnName: String {
    switch self {
    case .guild(let id, _): "purge@\(id)"
    case .run(let id, _): "reflection@\(id)"
    }
  }

  var verb: JournalEntry.Verb {
    switch self {
    case .guild: .purge
    case .run: .deleteRun
    }
  }
}

extension String {
  /// The backend ignores blanks around a guild's name.
  fileprivate var trimmingBlanks: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

/// How much of a part of the memory the backend lists.
package struct MemoryPartCount: Hashable, Sendable {
  /// Facts that a deletion takes with it.
  package var facts = 0
  /// Facts that are listed with them and stay: of a guild those about people, of a run those it saved.
  package var staying = 0
  package var runs = 0
  /// Whether a list was full, so that there may be more.
  package var isAtLeast = false

  package init(facts: Int = 0, staying: Int = 0, runs: Int = 0, isAtLeast: Bool = false) {
    self.facts = facts
    self.staying = staying
    self.runs = runs
    self.isAtLeast = isAtLeast
  }

  /// Whether nothing of it is listed.
  package var isEmpty: Bool { facts == 0 && runs == 0 }

  /// What goes, in words: `34 facts and 2 reflection runs`.
  package var words: String {
    let more = isAtLeast ? "at least " : ""
    return more + Self.count(facts, "fact") + " and " + Self.count(runs, "reflection run")
  }

  static func count(_ count: Int, _ what: String) -> String {
    count == 1 ? "1 \(what)" : "\(count) \(what)s"
  }
}

/// A part of the memory in a `HeldDeletion`: what was counted before, and what came of it.
package struct WholeDeletion: Hashable, Sendable {
  package let part: MemoryPart
  /// What the user was shown before the question.
  package let counted: MemoryPartCount
  /// The outcome in words; nil until there is one.
  package internal(set) var outcome: String?
  /// Whether it is gone, and was read again to see that.
  package internal(set) var isSeenGone = false
  /// The failure on the wire, if that is the reason.
  package internal(set) var failure: RequestFailure?

  package init(part: MemoryPart, counted: MemoryPartCount) {
    self.part = part
    self.counted = counted
  }
}

/// What the backend says that it deleted with a guild's memory, as it counts.
struct PurgeReply {
  let facts: Int?
  let messages: Int?
  let reflectionRows: Int?

  init(_ json: JSONValue) {
    let deleted = json["deleted"]
    facts = deleted?["durableFacts"]?.int
    messages = deleted?["conversationMessages"]?.int
    reflectionRows = deleted?["reflectionEvents"]?.int
  }

  /// `34 facts, 35 stored messages, 2 reflection rows`, as far as it says.
  var words: String {
    let parts = [
      facts.map { MemoryPartCount.count($0, "fact") },
      messages.map { MemoryPartCount.count($0, "stored message") },
      reflectionRows.map { MemoryPartCount.count($0, "reflection row") },
    ].compactMap { $0 }
    return parts.isEmpty ? "it does not say how much" : parts.joined(separator: ", ")
  }
}
