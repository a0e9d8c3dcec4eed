/// 2: somebody addressed the bot, and its own output kept it from answering.
struct DeniedByLock: RuleState {
  static let rule = Rule(
    id: .deniedByLock, level: .critical,
    condition: "a turn addressed to the bot is denied because its output is locked",
    advice: "See what held the output at that time; shorter answers or barge-in would let it hear.",
    input: RuleInput(
      names: [
        "voice_turn_addressing", "voice_barge_in_interrupt", "realtime_reply_requested",
        "bot_audio_started",
      ],
      keys: [
        "allow", "directAddressed", "directedConfidence", "outputLockReason", "reason", "heard",
        "requestId",
      ]),
    limits: [
      RuleLimit(
        name: "confidence", unit: .ratio, standard: 0.8,
        meaning: "from here on it counts as addressed"),
      RuleLimit(
        name: "answer_ms", unit: .ms, standard: 10_000,
        meaning: "the same words allowed within this time were answered late"),
    ],
    begin: { DeniedByLock($0) })

  private let confidence: Double
  private let answerMs: Int64
  private var denied = Waiting<Citation, (row: RuleRow, holder: Citation?)>()
  /// The newest reply of each session, which holds its output.
  private var holders: [String: Citation] = [:]
  /// The newest interruption of each session.
  private var interruptions: [String: Int64] = [:]

  init(_ values: RuleValues) {
    confidence = values["confidence"]
    answerMs = values.ms("answer_ms")
  }

  var deadlineMs: Int64? { denied.deadlineMs }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row, let session = row.sessionID else { return }
    switch row.name {
    case "realtime_reply_requested", "bot_audio_started":
      holders[session] = row.cite
    case "voice_barge_in_interrupt":
      interruptions[session] = row.timeMs
      denied.removeAll {
        $1.row.sessionID == session && row.timeMs - $1.row.timeMs <= 2000
          && (row.userID == nil || row.userID == $1.row.userID)
      }
    default:
      if row.bool("allow") == true { return takeAllowed(row, &found) }
      guard row.bool("allow") == false,
        row.bool("directAddressed") == true || (row.double("directedConfidence") ?? 0) > confidence,
        row.string("outputLockReason") != nil || row.string("reason") == "bot_turn_open",
        row.timeMs - (interruptions[session] ?? .min / 2) > 2000
      else { return }
      denied.wait(row.cite, (row, holders[session]), untilMs: row.timeMs + answerMs)
    }
  }

  private mutating func takeAllowed(_ row: RuleRow, _ found: inout Findings) {
    guard let heard = row.string("heard") else { return }
    let later = denied.keys.compactMap { denied[$0] }.filter {
      $0.row.sessionID == row.sessionID && Self.isSame($0.row.string("heard"), heard)
    }
    for (before, holder) in later {
      denied.remove(before.cite)
      found.report(
        .init(
          .info,
          "Answered \(RuleWords.duration(row.timeMs - before.timeMs)) late: the output was locked",
          [before.cite, holder, row.cite].compactMap { $0 }, about: before, subject: "late"))
    }
  }

  /// Words of several people are joined with a bar.
  private static func isSame(_ left: String?, _ right: String) -> Bool {
    guard let left else { return false }
    return left == right || right.contains(left)
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (_, (row, holder)) in denied.due(nowMs) {
      let lock = row.string("outputLockReason") ?? row.string("reason") ?? "?"
      let words = RuleWords.quoted(row.string("heard")).map { "\($0) " } ?? ""
      found.report(
        .init(
          .critical, "\(words)was addressed to the bot and denied: the output was locked (\(lock))",
          [row.cite] + [holder].compactMap { $0 }, about: row, toMs: row.timeMs,
          missing: "the same words allowed within \(RuleWords.duration(answerMs))",
          cause: holder.map { "the output was held since \($0.name)" }))
    }
  }
}
