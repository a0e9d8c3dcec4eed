/// The ground truth of the scenario: the reference for everything derived from rows.
///
/// Recorded while the story is generated, never by reading rows back. `docs/demo.md` describes the
/// file.
struct Truth: Sendable {
  /// Start and end of the covered time, in ms since 1970.
  var fromMs: Int64 = 0
  var toMs: Int64?
  var exchanges: [TruthExchange] = []
  var troubles: [TruthTrouble] = []
  var changes: [TruthChange] = []
  var spikes: [TruthSpike] = []
  var learned: [TruthFact] = []
  var forgotten: [TruthForgotten] = []
  var sessions: [TruthSession] = []
  /// Cost of all that was done, in US dollars; nil where it is not added up.
  var cost: Double?
  /// Changes with the content, so that the file is written only when it differs.
  private(set) var revision = 0

  mutating func change(_ body: (inout Truth) -> Void) {
    body(&self)
    revision += 1
  }

  /// Something is wrong from `ms` on, or once more; a trouble that lasts is added to.
  mutating func trouble(_ kind: String, at ms: Int64, _ rows: [TruthRow], next: String) {
    change { truth in
      let index =
        truth.troubles.lastIndex { $0.kind == kind && $0.endMs == nil }
        ?? {
          truth.troubles.append(TruthTrouble(kind: kind, onsetMs: ms, next: next))
          return truth.troubles.count - 1
        }()
      truth.troubles[index].add(at: ms, rows)
    }
  }

  /// Ends a trouble; `rows` show it.
  mutating func isOver(_ kind: String, at ms: Int64, _ rows: [TruthRow] = []) {
    guard let index = troubles.lastIndex(where: { $0.kind == kind && $0.endMs == nil }) else {
      return
    }
    change { truth in
      truth.troubles[index].endMs = ms
      truth.troubles[index].rows += rows.map { .init(reference: $0.reference, what: "end") }
    }
  }

  /// Replaces references to rows being written by their final ids.
  mutating func resolve(_ id: (TruthRow.Reference) -> Int64) {
    for index in exchanges.indices { exchanges[index].rows.resolve(id) }
    for index in troubles.indices { troubles[index].rows.resolve(id) }
    for index in changes.indices { changes[index].rows.resolve(id) }
    for index in spikes.indices { spikes[index].rows.resolve(id) }
    for index in sessions.indices { sessions[index].rows.resolve(id) }
    for index in learned.indices { learned[index].rows.resolve(id) }
  }
}

/// One row that is evidence of something.
struct TruthRow: Sendable {
  /// Which row: by its place while the past is written, by its id when it is stored.
  enum Reference: Sendable {
    case place(Int)
    case id(Int64)
  }

  var reference: Reference
  /// What the row shows: `admission`, `gate`, `call`, `outcome` and the like.
  var what: String
}

extension [TruthRow] {
  fileprivate mutating func resolve(_ id: (TruthRow.Reference) -> Int64) {
    for index in indices { self[index].reference = .id(id(self[index].reference)) }
  }
}

/// A message, a spoken turn, or an action of the bot's own accord, with its outcome.
struct TruthExchange: Sendable {
  enum Medium: String, Sendable { case text, voice, thought, automation, initiative }

  /// The outcome. The raw values are the words of the file.
  enum Outcome: String, Sendable, CaseIterable {
    /// Answered: by a reply, a separate message, or sound.
    case replied, posted, spoken
    /// Answered by an emoji alone.
    case reacted
    /// The model, or the pipeline before it, decided to say nothing.
    case skipped
    /// Not let in: not addressed, a closed gate, a full queue.
    case notAdmitted = "not_admitted"
    case gateClosed = "gate_closed"
    case queueRejected = "queue_rejected"
    /// Words that were never understood.
    case unheard
    /// Something newer took its place.
    case superseded
    /// An answer was generated and not delivered.
    case notSent = "not_sent"
    /// The model gave no answer.
    case modelFailed = "model_failed"
    /// The message left no row at all.
    case noRow = "no_row"
    /// An automation that was due: not run, or failed.
    case missed, failed
    /// A thought or an initiative that was dropped.
    case dropped
  }

  struct Step: Sendable {
    var name: String
    var ms: Int
  }

  var medium: Medium
  var outcome: Outcome
  /// The reason code of the wire; nil if the wire has none.
  var reason: String?
  /// The message; nil in voice and where the bot began.
  var trigger: String?
  var session: String?
  var place: Place
  var author: Person?
  var words: String?
  var answer: String?
  var atMs: Int64
  var endedMs: Int64?
  var isAddressed = false
  var rows: [TruthRow] = []
  /// Cost of all rows that it caused, in US dollars.
  var cost = 0.0
  /// Cost of those among them that name the message or the session.
  var linkedCost = 0.0
  var steps: [Step] = []
  /// The facts that stood in the last prompt, by id.
  var facts: [Int64] = []
  var model: String?
  var promptVersion: Int?

  /// The step to blame; nil without steps.
  var slowest: String? { steps.max { $0.ms < $1.ms }?.name }
}

/// Something that was wrong with the bot.
struct TruthTrouble: Sendable {
  /// `models`, `search`, `embeddings`, `browser`, `mcp`, `recognition`, `speech`, `gateway`, `tunnel`,
  /// `automation_failed`, `automation_missed`, `queue`, `voice_provider`; `model_error` for a single one that
  /// is no trouble.
  var kind: String
  var onsetMs: Int64
  /// When it became more than a single failure: the third failure in a row for counted troubles,
  /// the onset for states. nil before that.
  var confirmedMs: Int64?
  /// nil while it lasts.
  var endMs: Int64?
  var count = 0
  var rows: [TruthRow] = []
  var next: String

  /// Kinds of which a single failure is no trouble yet.
  static let counted: Set = [
    "models", "search", "embeddings", "browser", "recognition", "speech",
  ]

  /// This many consecutive failures count as one trouble.
  static let enough = 3

  /// One more of it, at `ms`.
  mutating func add(at ms: Int64, _ rows: [TruthRow]) {
    count += 1
    self.rows += rows
    let isEnough = !Self.counted.contains(kind) || count >= Self.enough
    if isEnough, confirmedMs == nil { confirmedMs = ms }
  }
}

/// A change of the bot itself.
struct TruthChange: Sendable {
  /// `prompt` or `model`.
  var kind: String
  var atMs: Int64
  var from: String
  var to: String
  /// The change from then on.
  var effect: String
  var rows: [TruthRow] = []
}

/// An answer that cost many times the usual.
struct TruthSpike: Sendable {
  var atMs: Int64
  var cost: Double
  var trigger: String
  var why: String
  var rows: [TruthRow] = []
}

/// A fact learned in the covered time.
struct TruthFact: Sendable {
  var id: Int64
  var atMs: Int64
  var person: Person
  var text: String
  var trigger: String
  var rows: [TruthRow] = []
}

/// A voice session that began and ended in the covered time.
struct TruthSession: Sendable {
  var id: String
  var place: Place
  var startMs: Int64
  var endMs: Int64
  /// The wire's code.
  var reason: String
  /// The rows of its beginning and end.
  var rows: [TruthRow] = []
}

/// A person whose facts were deleted; the backend writes no row about it.
struct TruthForgotten: Sendable {
  var person: Person
  var atMs: Int64
  var facts: [Int64]
}
