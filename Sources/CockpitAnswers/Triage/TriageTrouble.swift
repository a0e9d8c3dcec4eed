/// Something that is or was wrong with the bot, or with our connection to it. Times are in ms since 1970
/// on the backend's clock.
package struct TriageTrouble: Hashable, Sendable {
  /// Which rule found it, and about which of several things: an automation, a tool server.
  package struct ID: Hashable, Sendable {
    package var rule: String
    package var subject: String?

    package init(rule: String, subject: String? = nil) {
      self.rule = rule
      self.subject = subject
    }
  }

  package var id: ID
  package var level: TriageLevel
  /// The word for it where there is room for no more; printable ASCII, eleven columns at most.
  package var word: StaticWord
  /// When it began.
  package var sinceMs: Int64
  /// It was there when the bot was first heard of: it began then or before.
  package var mayBeOlder = false
  /// When it ended; nil while it lasts.
  package var endedMs: Int64?
  /// How often it happened; 1 for a state that lasts.
  package var count: Int
  /// The trouble as an answer, with its rows and the next step.
  package var answer: Answer
  /// The sentence for when it is over.
  package var recovery: String

  package init(
    id: ID, level: TriageLevel, word: StaticWord, sinceMs: Int64, mayBeOlder: Bool = false,
    endedMs: Int64? = nil, count: Int, answer: Answer, recovery: String
  ) {
    self.id = id
    self.level = level
    self.word = word
    self.sinceMs = sinceMs
    self.mayBeOlder = mayBeOlder
    self.endedMs = endedMs
    self.count = count
    self.answer = answer
    self.recovery = recovery
  }

  package var rule: String { id.rule }

  /// Whether it is about our connection, not about the bot.
  package var isOfConnection: Bool { rule == TriageRule.connectionName }

  /// Worst first; of one level in the order of the table, then the older one.
  package static func isWorse(_ left: TriageTrouble, _ right: TriageTrouble) -> Bool {
    if left.level != right.level { return left.level > right.level }
    let (first, second) = (TriageRule.place(of: left.rule), TriageRule.place(of: right.rule))
    if first != second { return first < second }
    return (left.sinceMs, left.id.subject ?? "") < (right.sinceMs, right.id.subject ?? "")
  }
}

/// A word of this program. `StaticString` that can be compared.
package struct StaticWord: Hashable, Sendable, ExpressibleByStringLiteral {
  package let text: StaticString

  package init(stringLiteral text: StaticString) { self.text = text }

  package static func == (left: StaticWord, right: StaticWord) -> Bool {
    left.text.description == right.text.description
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text.description) }
}

/// Current and recently ended troubles as of one moment: the value that every output shows.
package struct TriageReport: Hashable, Sendable {
  /// Whether the backend has said how the bot is.
  package var isKnown: Bool
  /// Open troubles, worst first.
  package var open: [TriageTrouble]
  /// Troubles that ended within the last hour (`TriageBoard.keptMs`), newest end first.
  package var over: [TriageTrouble]
  /// States that fail and have not lasted long enough to be a trouble, worst first. Only the list of many bots has them.
  package var suspected: [TriageTrouble]
  /// When what is known of the bot ends, in ms since 1970; nil while it is of now.
  package var asOfMs: Int64?
  /// The moment of the report, in ms since 1970 on the backend's clock.
  package var atMs: Int64

  package init(
    isKnown: Bool = false, open: [TriageTrouble] = [], over: [TriageTrouble] = [],
    asOfMs: Int64? = nil, atMs: Int64 = 0, suspected: [TriageTrouble] = []
  ) {
    self.isKnown = isKnown
    self.open = open.sorted(by: TriageTrouble.isWorse)
    self.over = over.sorted { ($0.endedMs ?? 0) > ($1.endedMs ?? 0) }
    self.suspected = suspected.sorted(by: TriageTrouble.isWorse)
    self.asOfMs = asOfMs
    self.atMs = atMs
  }

  /// Open troubles of the bot itself, worst first.
  package var ofBot: [TriageTrouble] { open.filter { !$0.isOfConnection } }

  /// A trouble that ended so recently that the line still shows it if nothing is open.
  package var recovered: [TriageTrouble] {
    guard open.isEmpty else { return [] }
    return over.filter { atMs - ($0.endedMs ?? 0) < TriageBoard.holdMs && !$0.isOfConnection }
  }
}
