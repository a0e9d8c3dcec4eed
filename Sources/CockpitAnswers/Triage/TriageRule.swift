package import CockpitStores

/// One way in which a bot can be unwell: what shows it, and what to do. Pure: rows and states go in, findings
/// come out.
package struct TriageRule: Sendable {
  /// The meaning of a row for a rule.
  package enum Outcome: Hashable, Sendable {
    /// Of one of several things where a rule is about more than one; `reason` is the backend's, not sanitised.
    /// `isForPeople`: a person's request failed; the row has that user and the channel.
    case failure(subject: String? = nil, reason: String, isForPeople: Bool = false)
    case success(subject: String? = nil)
  }

  /// How rows are judged.
  package struct Rows: Sendable {
    /// The kinds that the rule reads.
    package var kinds: Set<String>
    /// Failures in a row that make a trouble.
    package var threshold = 3
    /// Minimum duration of a trouble in ms, regardless of its count.
    package var lastsMs: Int64 = 0
    /// Minimum time from the first to the last failure, in ms, for troubles that a state reports sooner
    /// and better.
    package var spanMs: Int64 = 0
    /// The trouble ends after this time without a failure, in ms; the next failure starts a new one.
    package var quietMs: Int64 = 30 * 60_000
    /// This many failures within a minute are a trouble even if other calls succeed; nil for no limit.
    package var perMinute: Int?
    package var read: @Sendable (ActionRowView) -> Outcome?

    package init(
      _ kinds: Set<String>, threshold: Int = 3, lastsMs: Int64 = 0, spanMs: Int64 = 0,
      quietMs: Int64 = 30 * 60_000, perMinute: Int? = nil,
      read: @escaping @Sendable (ActionRowView) -> Outcome?
    ) {
      self.kinds = kinds
      self.threshold = threshold
      self.lastsMs = lastsMs
      self.spanMs = spanMs
      self.quietMs = quietMs
      self.perMinute = perMinute
      self.read = read
    }
  }

  /// A trouble found in a state.
  package struct Sign: Hashable, Sendable {
    package var subject: String?
    /// The backend's words, not sanitised.
    package var reason: String
    /// Onset in ms since 1970, if the state has it.
    package var sinceMs: Int64?
    package var count = 1
    package var level: TriageLevel?
    /// A changed mark means another occurrence.
    package var mark: Int64?
    /// Too little to begin a trouble, too much to end one.
    package var onlyKeeps = false
    /// The rows that the state was made of; empty for one that the backend sent.
    package var evidence: [Answer.Evidence] = []

    package init(
      subject: String? = nil, reason: String = "", sinceMs: Int64? = nil, count: Int = 1,
      level: TriageLevel? = nil, mark: Int64? = nil, onlyKeeps: Bool = false,
      evidence: [Answer.Evidence] = []
    ) {
      self.subject = subject
      self.reason = reason
      self.sinceMs = sinceMs
      self.count = count
      self.level = level
      self.mark = mark
      self.onlyKeeps = onlyKeeps
      self.evidence = evidence
    }
  }

  /// How a state is judged.
  package struct State: Sendable {
    /// Troubles in the state and its receive time; nil before the first state.
    package var read: @Sendable (TriageInput) -> (signs: [Sign], atMs: Int64)?
    /// Minimum duration in ms, shown by two states at least this far apart.
    package var lastsMs: Int64 = 0
    /// So many different marks it must have had within a minute.
    package var marks = 1
    /// Whether a trouble in the first state may be older than that state.
    package var mayBeOlder = true
    /// Whether it begins a trouble, or only keeps and ends one of the rows.
    package var opens = true

    package init(
      lastsMs: Int64 = 0, marks: Int = 1, mayBeOlder: Bool = true, opens: Bool = true,
      read: @escaping @Sendable (TriageInput) -> (signs: [Sign], atMs: Int64)?
    ) {
      self.lastsMs = lastsMs
      self.marks = marks
      self.mayBeOlder = mayBeOlder
      self.opens = opens
      self.read = read
    }
  }

  /// The data that a trouble's texts are made from.
  package struct Case: Sendable {
    package var subject: String?
    /// The backend's words, not sanitised.
    package var reason: String
    package var count: Int
    package var sinceMs: Int64
    package var names: any NameDirectory
    /// How many people asked for what failed, in how many channels; 0 if unknown.
    package var people = 0
    package var channels = 0

    /// ` for 8 people in 5 channels`; empty for fewer than two people.
    var whom: String {
      guard people > 1 else { return "" }
      return " for \(people) people" + (channels > 1 ? " in \(channels) channels" : "")
    }
  }

  /// Stable; the key in `[triage]` and the value in `--json`.
  package let name: String
  package let level: TriageLevel
  package let word: StaticWord
  /// When it fires, in one sentence.
  package let condition: String
  package let rows: Rows?
  package let state: State?
  /// The trouble as one sentence with its full stop.
  package let sentence: @Sendable (Case) -> String
  /// That it is over, one sentence with its full stop.
  package let recovery: String
  /// The next step: one imperative sentence of at most 43 columns, and the target of Enter.
  package let next: @Sendable (Case) -> Answer.NextStep

  package init(
    _ name: String, _ level: TriageLevel, word: StaticWord, condition: String,
    rows: Rows? = nil, state: State? = nil, recovery: String,
    next: @escaping @Sendable (Case) -> Answer.NextStep,
    sentence: @escaping @Sendable (Case) -> String
  ) {
    self.name = name
    self.level = level
    self.word = word
    self.condition = condition
    self.rows = rows
    self.state = state
    self.recovery = recovery
    self.next = next
    self.sentence = sentence
  }
}

extension TriageRule {
  /// Every rule; of one level the first is the worst. A new one is added here, with a fixture in
  /// `TriageRuleTests`.
  package static let all: [TriageRule] =
    [discord, models, voiceProvider] + [tunnel, queue, errors]
    + [search, embeddings, browser, mcp, recognition, speech] + [turnsWaiting]
    + [automationFailed, automationMissed, budget, slo, unanswered, connection]

  /// The names in `[triage]`.
  package static let names = all.map(\.name)

  static let connectionName = "connection"

  private static let places = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })

  static func place(of name: String) -> Int { places[name] ?? all.count }

  /// `Head: reason.`, the reason short and with one full stop; not sanitised.
  static func sentence(_ head: String, because reason: String) -> String {
    let line = reason.split { $0.isNewline }.first.map(String.init) ?? ""
    var text = String(line.unicodeScalars.prefix(120).map(Character.init))
    while let last = text.last, last == " " || last == "." { text.removeLast() }
    return text.isEmpty ? head + "." : head + ": " + text + "."
  }
}
