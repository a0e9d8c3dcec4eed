package import LenientJSON

/// What waits for the owner and what runs, as a source states it. Text in it is remote.
package struct ControlBoard: Hashable, Sendable {
  /// Something that waits for an answer.
  package struct Card: Hashable, Sendable {
    package struct Detail: Hashable, Sendable {
      package var name: String
      package var value: String
    }

    package struct Question: Hashable, Sendable {
      package var id: String
      package var header: String
      package var question: String
      package var options: [String]
      /// More than one option may be chosen.
      package var isMultiple: Bool
      /// A text of one's own is taken too.
      package var takesText: Bool
      /// What is typed must not be shown or kept.
      package var isSecret: Bool
    }

    package var id: String
    /// Its source; nil in a profile with one source.
    package var source: String?
    /// `exec`, `plugin`, `question`, `pairing`, `mcp`, `capability`.
    package var kind: String
    package var subject: String
    package var details: [Detail]
    package var agent: String?
    /// By the source's clock, ms since 1970.
    package var createdMs: Int64?
    package var expiresMs: Int64?
    /// The allowed answers, as the source spells them. No other answer is offered.
    package var choices: [String]
    package var questions: [Question]
    /// Of everything that is shown; an answer is bound to it.
    package var fingerprint: String
    /// Whether it was announced while we were connected, and not only listed.
    package var isHeard: Bool
  }

  /// A run that has control now, or a grant.
  package struct Run: Hashable, Sendable {
    /// Of a grant, to revoke it.
    package var id: String?
    /// Whether it is a grant: its `tool` is the capability of this machine that an agent may use.
    package var isGrant = false
    /// When a grant ends, by the source's clock, ms since 1970; nil for one of the whole session.
    package var endsMs: Int64?
    /// Its source; nil in a profile with one source.
    package var source: String?
    package var agent: String?
    package var session: String?
    package var startedMs: Int64?
    package var phase: String?
    /// The tool that it runs.
    package var tool: String?
  }

  /// Something that waited, and how it ended.
  package struct Ended: Hashable, Sendable {
    /// Its source; nil in a profile with one source.
    package var source: String?
    package var id: String
    package var words: String
    package var atMs: Int64
  }

  /// The next to expire first.
  package var waiting: [Card]
  package var runs: [Run]
  /// The newest last.
  package var over: [Ended]
  /// Lists that could not be read, with the reason: more may wait.
  package var unknown: [String]
  /// What this profile is not shown.
  package var notes: [String]
  package var canAnswer: Bool
  package var canStop: Bool

  package var grants: [Run] { runs.filter(\.isGrant) }
  /// Whether an agent may use something of this machine now.
  package var hasControl: Bool { runs.contains { $0.isGrant && $0.phase == "granted" } }

  package init?(_ value: JSONValue) {
    guard value.object != nil else { return nil }
    waiting = (value["waiting"]?.array ?? []).compactMap(Card.init).sorted {
      ($0.expiresMs ?? .max, $0.id) < ($1.expiresMs ?? .max, $1.id)
    }
    runs = (value["runs"]?.array ?? []).map(Run.init)
    over = (value["over"]?.array ?? []).compactMap { entry in
      guard let id = entry["id"]?.string else { return nil }
      return Ended(
        id: id, words: entry["words"]?.string ?? "", atMs: Int64(entry["at_ms"]?.int ?? 0))
    }
    unknown = (value["unknown"]?.array ?? []).compactMap(\.string)
    notes = (value["notes"]?.array ?? []).compactMap(\.string)
    canAnswer = value["can_answer"]?.bool ?? false
    canStop = value["can_stop"]?.bool ?? false
  }
}

extension ControlBoard.Card {
  /// What it is, such as `a command`.
  package var kindWords: String {
    switch kind {
    case "exec": "a command"
    case "plugin": "a plugin's request"
    case "question": "a question"
    case "pairing": "a device"
    case "mcp": "a tool"
    case "capability": "a capability request"
    default: "something"
    }
  }

  init?(_ value: JSONValue) {
    guard let id = value["id"]?.string, let fingerprint = value["fingerprint"]?.string else {
      return nil
    }
    self.id = id
    self.fingerprint = fingerprint
    kind = value["kind"]?.string ?? ""
    subject = value["subject"]?.string ?? ""
    details = (value["details"]?.array ?? []).map {
      Detail(name: $0["name"]?.string ?? "", value: $0["value"]?.string ?? "")
    }
    agent = value["agent"]?.string
    createdMs = value["created_ms"]?.int.map(Int64.init)
    expiresMs = value["expires_ms"]?.int.map(Int64.init)
    isHeard = value["heard"]?.bool ?? false
    choices = (value["choices"]?.array ?? []).compactMap(\.string)
    questions = (value["questions"]?.array ?? []).compactMap { item in
      guard let id = item["id"]?.string else { return nil }
      return Question(
        id: id, header: item["header"]?.string ?? "", question: item["question"]?.string ?? "",
        options: (item["options"]?.array ?? []).compactMap(\.string),
        isMultiple: item["multi"]?.bool ?? false, takesText: item["other"]?.bool ?? false,
        isSecret: item["secret"]?.bool ?? false)
    }
  }
}

extension ControlBoard.Run {
  init(_ value: JSONValue) {
    agent = value["agent"]?.string
    session = value["session"]?.string
    startedMs = value["started_ms"]?.int.map(Int64.init)
    phase = value["phase"]?.string
    tool = value["tool"]?.string
    id = value["id"]?.string
    isGrant = value["grant"]?.bool ?? false
    endsMs = value["ends_ms"]?.int.map(Int64.init)
  }
}
