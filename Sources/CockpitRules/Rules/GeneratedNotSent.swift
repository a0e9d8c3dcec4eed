/// Absence: the model wrote an answer, and it never reached the channel.
struct GeneratedNotSent: RuleState {
  static let rule = Rule(
    id: .generatedNotSent, level: .critical,
    condition: "a written answer is generated, and no row of sending or skipping within 2 min",
    advice: "Check the bot's right to post in that channel and its log; answer by hand.",
    input: RuleInput(
      names: [
        "llm_call", "reply_admission_decision", "reply_pipeline_gate", "sent_reply", "sent_message",
        "reply_skipped", "reacted", "bot_logged_in",
      ], failures: true,
      keys: [
        "messageId", "sessionId", "source", "event", "toolCallCount", "transcript",
        "triggerMessageId", "triggerMessageIds",
      ], outages: true),
    limits: [
      RuleLimit(
        name: "within_ms", unit: .ms, standard: 120_000, meaning: "the time from model to channel")
    ],
    begin: { GeneratedNotSent($0) })

  private struct Answer: Sendable {
    var row: RuleRow
    /// The error right after it.
    var error: RuleRow?
  }

  private let withinMs: Int64
  private var waiting = Waiting<String, Answer>()
  private var settled = RecentIDs()
  /// Messages whose way to the model is on record: of others the end may be missing too.
  private var admitted = RecentIDs()
  private var outages = Outages()
  /// An error later than this is about something else.
  private static let errorMs: Int64 = 10_000

  init(_ values: RuleValues) { withinMs = values.ms("within_ms") }

  var deadlineMs: Int64? { waiting.deadlineMs }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row else { return outages.add(event) }
    switch row.name {
    case "llm_call": call(row)
    case "reply_admission_decision", "reply_pipeline_gate":
      for id in row.triggers { admitted.insert(id) }
    case "sent_reply", "sent_message", "reply_skipped", "reacted":
      for id in row.triggers {
        settled.insert(id)
        waiting.remove(id)
      }
    case "bot_logged_in":
      for id in waiting.keys {
        guard let answer = waiting.remove(id) else { continue }
        found.report(
          .init(
            .info, "A generated answer was lost by the bot's restart",
            [answer.row.cite, row.cite], about: answer.row, subject: "lost",
            cause: "the bot was restarted"))
      }
    default:
      if let id = row.string("messageId") ?? row.triggers.first {
        // That row tells of it.
        waiting.remove(id)
      } else if row.kind == "bot_error" {
        blame(row)
      }
    }
  }

  private mutating func call(_ row: RuleRow) {
    guard let id = row.string("messageId"), row.sessionID == nil, Self.isAnswer(row) else { return }
    // With calls of tools it is not the answer yet.
    guard admitted.contains(id), !settled.contains(id), row.int("toolCallCount") ?? 0 == 0,
      RuleWords.hasWords(row.string("transcript")) || row.string("transcript") == nil
    else {
      waiting.remove(id)
      return
    }
    waiting.wait(id, Answer(row: row), untilMs: row.timeMs + withinMs)
  }

  private static func isAnswer(_ row: RuleRow) -> Bool {
    row.string("event")?.hasPrefix("reply_pipeline") == true
      || row.string("source") == "message_event" || row.string("source") == "reply_pipeline"
  }

  /// An error of sending names no message: it belongs to the newest answer just before it.
  private mutating func blame(_ row: RuleRow) {
    let newest = waiting.keys.compactMap { id in waiting[id].map { (id, $0) } }
      .filter { $0.1.error == nil && row.timeMs - $0.1.row.timeMs <= Self.errorMs }
      .max { $0.1.row.timeMs < $1.1.row.timeMs }
    if let newest { waiting.change(newest.0) { $0.error = row } }
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (dueMs, answer) in waiting.due(nowMs) {
      guard !outages.touch(answer.row.timeMs, dueMs) else { continue }
      let id = answer.row.string("messageId") ?? "?"
      var cause = "nothing on record: see the bot's own log at that time"
      if let error = answer.error {
        cause = "as it seems \(RuleWords.quoted(error.content) ?? "an error"), right after it"
      }
      found.report(
        .init(
          .critical,
          "An answer was generated, and for \(RuleWords.duration(withinMs)) no row says that it was "
            + "sent or skipped",
          [answer.row.cite] + [answer.error?.cite].compactMap { $0 }, about: answer.row,
          subject: id, toMs: dueMs,
          missing: "sent_reply or reply_skipped for message \(id)", cause: cause, fault: id))
    }
  }
}
