internal import ClankyWire
internal import CockpitStores
internal import CockpitText
internal import TerminalCore

/// The words of a digest.
@MainActor
enum DigestWords {
  /// Something was said or done.
  static let answers: Set<WhyRule.Outcome> = [.replied, .posted, .spoken, .reacted, .interrupted]
  /// The bot was silent on purpose, by the model's decision or by its rules.
  static let silences: Set<WhyRule.Outcome> = [
    .skipped, .dropped, .notAdmitted, .gateClosed, .superseded,
  ]
  /// It failed to answer: no rule and no model chose silence.
  static let failures: Set<WhyRule.Outcome> = [
    .queueRejected, .unheard, .notSent, .modelFailed, .failed,
  ]
  /// No row says how it ended.
  static let unknown: Set<WhyRule.Outcome> = [.open, .unknown, .contradicted]

  static func answer(_ why: Why) -> String {
    switch (why.exchange.medium, why.outcome) {
    case (_, .replied): "replies"
    case (.automation, .posted): "automation posts"
    case (.initiative, .posted): "own posts"
    case (_, .posted): "messages"
    case (.thought, .spoken): "spoken thoughts"
    case (_, .spoken): "spoken"
    case (_, .interrupted): "interrupted"
    default: "reactions"
    }
  }

  /// The code of the reason; what a model gives as its reason for a thought or a post of its own is no code.
  static func silence(_ why: Why) -> String {
    switch (why.exchange.medium, why.outcome) {
    case (.thought, .dropped): "thoughts kept back"
    case (.initiative, .dropped): "no own post"
    case (.automation, .skipped): "automation without words"
    default: why.reason ?? outcome(why)
    }
  }

  static func outcome(_ why: Why) -> String {
    switch why.outcome {
    case .queueRejected: "turned away at the queue"
    case .unheard: "never understood"
    case .notSent: "made and never sent"
    case .modelFailed: "model failed"
    case .failed: why.exchange.medium == .automation ? "automation failed" : "voice failed"
    case .open: "not over"
    case .unknown: "end not on record"
    case .contradicted: "rows contradict"
    default: why.outcome.rawValue.replacing("_", with: " ")
    }
  }

  /// `12 llm_skip, 5 cooldown, 9 others of 3 kinds`
  static func list(_ parts: [(count: Int, name: String)], limit: Int = 6) -> String {
    func words(_ part: (count: Int, name: String)) -> String {
      "\(Figures.count(part.count)) \(part.count == 1 ? singular[part.name] ?? part.name : part.name)"
    }
    guard parts.count > limit else { return parts.map(words).joined(separator: ", ") }
    let shown = parts.prefix(limit - 1).map(words)
    let rest = parts.dropFirst(limit - 1)
    let count = rest.reduce(0) { $0 + $1.count }
    return shown.joined(separator: ", ") + ", \(Figures.count(count)) others of \(rest.count) kinds"
  }

  private static let singular = [
    "replies": "reply", "messages": "message", "reactions": "reaction", "own posts": "own post",
    "automation posts": "automation post", "spoken thoughts": "spoken thought",
    "thoughts kept back": "thought kept back",
  ]

  static func count(_ count: Int, _ word: String) -> String {
    count == 1 ? "one \(word)" : "\(Figures.count(count)) \(word)s"
  }

  static func times(_ count: Int) -> String {
    switch count {
    case 0: "never"
    case 1: "once"
    case 2: "twice"
    default: "\(Figures.count(count)) times"
    }
  }

  /// A time of day, with the date where it is of another day than the end.
  static func moment(_ ms: Int64, _ toMs: Int64, _ clock: ClockFormat) -> String {
    let time = "\(clock.time(ms: ms).prefix(columns: 5))"
    return clock.day(ms: ms) == clock.day(ms: toMs) ? time : "\(clock.monthDay(ms: ms)) \(time)"
  }

  /// The newest of several exchanges, and when.
  static func example(_ exchanges: [Why], _ clock: ClockFormat) -> String {
    guard let last = exchanges.max(by: { $0.exchange.startMs < $1.exchange.startMs }) else {
      return ""
    }
    let at = "last \(clock.time(ms: last.exchange.startMs).prefix(columns: 5))"
    let words = last.exchange.words.map {
      " \(last.exchange.authorName): \(WhyWords.quote($0, limit: 40))"
    }
    return at + (words ?? "")
  }

  // MARK: Troubles

  /// The name of a group of failures on screen.
  static func name(of group: TriageBoard.Failures) -> String {
    guard let rule = group.rule else { return group.event }
    return rule.replacing("_", with: " ")
  }

  /// `22:35 to 22:44, 4 times: Web search fails: Brave Search HTTP 503.`
  static func trouble(_ trouble: TriageTrouble, _ clock: ClockFormat) -> String {
    func time(_ ms: Int64) -> String { "\(clock.time(ms: ms).prefix(columns: 5))" }
    let end = trouble.endedMs.map { "to \(time($0))" } ?? "and no end on record"
    let count = trouble.count > 1 ? ", \(times(trouble.count))" : ""
    return "\(time(trouble.sinceMs)) \(end)\(count): \(trouble.answer.sentence)"
  }

  /// When rows without a trouble were.
  static func single(_ rows: [ActionRowView], _ clock: ClockFormat) -> String {
    guard let last = rows.last else { return "" }
    let text = last.content(limit: 80).map { ": " + WhyWords.quote($0, limit: 50) } ?? ""
    return "no lasting trouble, last \(clock.time(ms: last.timeMs).prefix(columns: 5))\(text)"
  }

  // MARK: Sessions, automations

  /// `Ridge Runners 31m00s, ended: nl_leave`
  static func session(
    _ record: VoiceSessionRecord, _ names: any NameDirectory, toMs: Int64
  ) -> String {
    let place = record.guildID.map { names.guildName($0) ?? "guild …\($0.suffix(5))" }
    let begin = record.startedAt ?? record.span?.lowerBound ?? toMs
    let last = record.span?.upperBound ?? toMs
    let length = "\(Figures.duration(ms: Double(max(0, (record.endedAt ?? last) - begin))))"
    let from = record.startedAt == nil ? ", beginning not on record" : ""
    let end =
      record.endedAt != nil
      ? record.endReason.map { "ended: \($0.prefix(40))" } ?? "ended" : "no end on record"
    return "\(place ?? "voice") \(length)\(from), \(end)"
  }

  static func automations(_ runs: [Why]) -> String {
    var counts: [String: Int] = [:]
    for why in runs { counts["#\(why.exchange.run?.automationID ?? "?")", default: 0] += 1 }
    return counts.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }
      .map { $0.value > 1 ? "\($0.key) \(times($0.value))" : $0.key }.joined(separator: ", ")
  }

  static func automation(_ id: Int, _ title: String?) -> String {
    let title = title.map { " " + WhyWords.quote($0, limit: 30) } ?? ""
    return "#\(id)\(title)"
  }

  // MARK: Cost

  /// Fewer earlier days are no usual.
  private static let enoughDays = 3

  private static func median(_ costs: [DigestInput.EarlierCost]) -> Double {
    let sorted = costs.map(\.usd).sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// What the same hours cost before.
  static func usual(_ usd: Double, _ earlier: [DigestInput.EarlierCost]) -> String {
    guard !earlier.isEmpty else { return "no earlier days here to compare with" }
    let days = earlier.count == 1 ? "the day before" : "\(earlier.count) earlier days"
    guard earlier.count >= enoughDays else {
      let costs = earlier.map { "\(Figures.cost($0.usd))" }.joined(separator: ", ")
      return "the same hours of \(days): \(costs), too few to call it usual"
    }
    let (low, high) = (earlier.map(\.usd).min() ?? 0, earlier.map(\.usd).max() ?? 0)
    let verdict = usd > high ? "more than ever" : usd < low ? "less than ever" : "within it"
    return
      "usual \(Figures.cost(median(earlier))) (same hours of \(days): \(Figures.cost(low)) to \(Figures.cost(high))), \(verdict)"
  }

  static func usualShort(_ usd: Double, _ earlier: [DigestInput.EarlierCost]) -> String {
    guard earlier.count >= enoughDays else { return "" }
    return ", usual \(Figures.cost(median(earlier)))"
  }

  /// Whether it cost more than it did on any earlier day.
  static func isDear(_ usd: Double, _ earlier: [DigestInput.EarlierCost]) -> Bool {
    earlier.count >= enoughDays && usd > (earlier.map(\.usd).max() ?? 0)
  }
}
