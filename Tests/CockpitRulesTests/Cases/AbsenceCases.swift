import CockpitRules

/// Recordings for the rules about what should have come.
enum AbsenceCases {
  static let all = ignored + unsent + automations + deaf + silent

  // MARK: ignored_in_thread

  private static func admit(
    _ tape: inout RuleTape, _ at: Double, _ message: String = "m1", allow: String = "true",
    answers reference: String? = "b1", latest: String? = nil, reason: String? = "ambient_allowed",
    more: String = ""
  ) {
    let members = [
      ("triggerReferenceMessageId", reference), ("latestBotMessageId", latest), ("reason", reason),
    ].compactMap { key, value in value.map { #","\#(key)":"\#($0)""# } }.joined()
    tape.row(
      "text_runtime", at, #""triggerMessageId":"\#(message)","allow":\#(allow)"# + members + more,
      content: "reply_admission_decision", user: "ada", message: message)
  }
  private static func bot(_ tape: inout RuleTape, _ at: Double, _ message: String = "b1") {
    tape.row(
      "sent_reply", at, #""triggerMessageId":"old \#(message)""#, content: "hello",
      message: message)
  }
  private static func outcome(
    _ tape: inout RuleTape, _ kind: String, _ at: Double, _ message: String = "m1",
    more: String = "", content: String = "x"
  ) {
    tape.row(kind, at, #""triggerMessageId":"\#(message)""# + more, content: content)
  }
  private static let direct =
    #","addressSignal":{"direct":true,"reason":"name_exact"}"#

  static let ignored: [RuleCase] = [
    .fires(.ignoredThread, "a reply to the bot, and nothing", [.warning]) {
      bot(&$0, 0)
      admit(&$0, 10)
    },
    .fires(.ignoredThread, "a reply to the latest message of the bot", [.warning]) {
      admit(&$0, 10, answers: "b7", latest: "b7")
    },
    .fires(.ignoredThread, "admitted by its reason, without a signal", [.warning]) {
      admit(&$0, 0, answers: nil, reason: "hard_address")
    },
    .fires(.ignoredThread, "the admission is not on record", [.warning]) {
      outcome(
        &$0, "text_runtime", 0, more: #","allow":true,"addressed":true"#,
        content: "reply_pipeline_gate")
    },
    .fires(.ignoredThread, "refused without a reason", [.warning]) {
      bot(&$0, 0)
      admit(&$0, 10, allow: "false", reason: nil)
    },
    .fires(.ignoredThread, "the model failed", [.warning]) {
      bot(&$0, 0)
      admit(&$0, 10)
      $0.row("llm_error", 13, #""status":529"#, content: "529 overloaded", user: "ada")
    },
    .fires(.ignoredThread, "a direct address, and the model failed", [.warning]) {
      admit(&$0, 10, answers: nil, more: direct)
      $0.row("llm_error", 13, #""status":529"#, content: "529 overloaded", user: "ada")
    },
    .quiet(.ignoredThread, "the model failed once and answered then") {
      admit(&$0, 10, answers: nil, more: direct)
      $0.row("llm_error", 13, #""status":529"#, content: "529 overloaded", user: "ada")
      outcome(&$0, "sent_reply", 19)
    },
    .fires(.ignoredThread, "lost by a restart", [.info]) {
      bot(&$0, 0)
      admit(&$0, 10)
      $0.row("bot_lifecycle", 20, content: "bot_logged_in")
    },
    .quiet(.ignoredThread, "answered") {
      bot(&$0, 0)
      admit(&$0, 10)
      outcome(&$0, "sent_reply", 15)
    },
    .quiet(.ignoredThread, "skipped: it meant to be silent") {
      bot(&$0, 0)
      admit(&$0, 10)
      outcome(&$0, "reply_skipped", 15, content: "llm_skip")
    },
    .quiet(.ignoredThread, "refused with a reason") {
      bot(&$0, 0)
      admit(&$0, 10, allow: "false", reason: "cooldown_active")
    },
    .quiet(.ignoredThread, "the gate was closed with a reason") {
      bot(&$0, 0)
      admit(&$0, 10)
      outcome(
        &$0, "text_runtime", 12, more: #","allow":false,"reason":"send_budget_exhausted""#,
        content: "reply_pipeline_gate")
    },
    .quiet(.ignoredThread, "a reply to somebody else") {
      bot(&$0, 0)
      admit(&$0, 10, answers: "m0")
    },
    .quiet(.ignoredThread, "talk between people") { admit(&$0, 0, answers: nil) },
    .quiet(.ignoredThread, "rule 15 judges direct addresses with a signal") {
      bot(&$0, 0)
      admit(&$0, 10, more: direct)
    },
    .quiet(.ignoredThread, "answered together with another message") {
      bot(&$0, 0)
      admit(&$0, 10)
      outcome(&$0, "sent_reply", 15, "m2", more: #","triggerMessageIds":["m2","m1"]"#)
    },
    .quiet(.ignoredThread, "a reaction") {
      bot(&$0, 0)
      admit(&$0, 10)
      outcome(&$0, "reacted", 15)
    },
    .quiet(.ignoredThread, "the answer is perhaps not on record") {
      bot(&$0, 0)
      admit(&$0, 10)
      $0.outage(20, 40)
    },
    .quiet(.ignoredThread, "the queue is not empty yet") {
      bot(&$0, 0)
      admit(&$0, 10)
      $0.health(20) { $0.queuedReplies = 3 }
      $0.health(80) { $0.queuedReplies = 0 }
      outcome(&$0, "sent_reply", 90)
    },
  ]

  // MARK: generated_not_sent

  private static func call(
    _ tape: inout RuleTape, _ at: Double, _ message: String = "m1", tools: Int = 0,
    says: String = "Here it is.", more: String = ""
  ) {
    admit(&tape, at - 0.3, message, answers: nil)
    tape.row(
      "llm_call", at,
      #""messageId":"\#(message)","source":"message_event","event":"reply_pipeline:message_create","#
        + #""toolCallCount":\#(tools),"transcript":"\#(says)""# + more,
      content: "a:m \(at)", user: "ada")
  }

  static let unsent: [RuleCase] = [
    .fires(.generatedNotSent, "nothing after the call", [.critical]) { call(&$0, 0) },
    .fires(.generatedNotSent, "an error of sending right after", [.critical]) {
      call(&$0, 0)
      $0.row(
        "bot_error", 0.4, #""source":"message_event""#,
        content: "discord_send_failed: Missing Permissions")
    },
    .fires(.generatedNotSent, "after a tool", [.critical]) {
      call(&$0, 0, tools: 1, says: "Let me look.")
      call(&$0, 9)
    },
    .fires(.generatedNotSent, "another message was answered", [.critical]) {
      call(&$0, 0)
      outcome(&$0, "sent_reply", 3, "m2")
    },
    .fires(.generatedNotSent, "lost by a restart", [.info]) {
      call(&$0, 0)
      $0.row("bot_lifecycle", 20, content: "bot_logged_in")
    },
    .quiet(.generatedNotSent, "sent") {
      call(&$0, 0)
      outcome(&$0, "sent_reply", 2)
    },
    .quiet(.generatedNotSent, "sent as a message of its own") {
      call(&$0, 0)
      outcome(&$0, "sent_message", 2)
    },
    .quiet(.generatedNotSent, "only the call is on record") {
      $0.row(
        "llm_call", 0,
        #""messageId":"m1","source":"message_event","toolCallCount":0,"transcript":"Here it is.""#,
        content: "a:m")
    },
    .quiet(.generatedNotSent, "skipped") {
      call(&$0, 0)
      outcome(&$0, "reply_skipped", 2, content: "llm_skip")
    },
    .quiet(.generatedNotSent, "the model chose to be silent") { call(&$0, 0, says: "[SKIP]") },
    .quiet(.generatedNotSent, "an error that names the message") {
      call(&$0, 0)
      $0.row("bot_error", 1, #""messageId":"m1""#, content: "discord_send_failed: Forbidden")
    },
    .quiet(.generatedNotSent, "a call of a voice session") {
      call(&$0, 0, more: #","sessionId":"s1""#)
    },
    .quiet(.generatedNotSent, "the tool is still at work") {
      call(&$0, 0, tools: 1, says: "Let me look.")
    },
    .quiet(.generatedNotSent, "a call after the answer") {
      outcome(&$0, "sent_reply", 0)
      call(&$0, 1)
    },
    .quiet(.generatedNotSent, "the answer is perhaps not on record") {
      call(&$0, 0)
      $0.outage(1, 9)
    },
  ]

  // MARK: automation_missed

  private static func run(
    _ tape: inout RuleTape, _ at: Double, next: Double?, kind: String = "automation_run",
    status: String = "active", id: String = "7"
  ) {
    let due = next.map { #""\#(RuleTape.iso($0))""# } ?? "null"
    tape.row(
      kind, at,
      #""automationId":\#(id),"runStatus":"ok","statusAfterRun":"\#(status)","nextRunAt":\#(due)"#,
      content: "automation #\(id): posted")
  }

  static let automations: [RuleCase] = [
    .fires(.automationMissed, "the next run did not come", [.warning]) { run(&$0, 0, next: 1800) },
    .fires(.automationMissed, "the first run did not come", [.warning]) {
      run(&$0, 0, next: 1800, kind: "automation_created")
    },
    .fires(.automationMissed, "the third run did not come", [.warning]) {
      for at in 0..<3 { run(&$0, Double(at) * 600 + 5, next: Double(at + 1) * 600) }
    },
    .fires(.automationMissed, "only the other one ran", [.warning]) {
      run(&$0, 0, next: 600)
      run(&$0, 1, next: 600, id: "8")
      run(&$0, 603, next: nil, id: "8")
    },
    .fires(.automationMissed, "the bot was restarted when it was due", [.warning]) {
      run(&$0, 0, next: 600)
      $0.row("bot_lifecycle", 650, content: "bot_logged_in")
    },
    .quiet(.automationMissed, "it ran") {
      run(&$0, 0, next: 600)
      run(&$0, 605, next: nil)
    },
    .quiet(.automationMissed, "it ran a minute late") {
      run(&$0, 0, next: 600)
      run(&$0, 660, next: nil)
    },
    .quiet(.automationMissed, "paused") {
      run(&$0, 0, next: 600)
      $0.row(
        "automation_updated", 100, #""operation":"pause","updatedIds":[7]"#, content: "pause: #7")
    },
    .quiet(.automationMissed, "paused after its run") { run(&$0, 0, next: 600, status: "paused") },
    .quiet(.automationMissed, "it failed and is paused") {
      run(&$0, 0, next: 600)
      run(&$0, 604, next: 1200, kind: "automation_error", status: "paused")
    },
    .quiet(.automationMissed, "it ran once, and never again") { run(&$0, 0, next: nil) },
    .quiet(.automationMissed, "due tomorrow") { run(&$0, 0, next: 86_400) },
    .quiet(.automationMissed, "the run is perhaps not on record") {
      run(&$0, 0, next: 600)
      $0.outage(500, 900)
    },
    .quiet(.automationMissed, "its post is there") {
      run(&$0, 0, next: 600)
      $0.row("automation_post", 604, #""automationId":7"#, content: "Good morning!")
    },
  ]

  // MARK: speech_without_turns

  private static func speak(_ tape: inout RuleTape, _ times: [Double]) {
    for at in times { tape.voice("voice_activity_started", at) }
  }

  static let deaf: [RuleCase] = [
    .fires(.speechWithoutTurns, "three captures, and nothing", [.critical]) {
      speak(&$0, [0, 20, 40])
    },
    .fires(.speechWithoutTurns, "recognised, and no turn of it", [.critical]) {
      speak(&$0, [0, 20, 40])
      $0.voice("openai_realtime_asr_final_segment", 42, #""transcript":"are you there""#)
    },
    .fires(.speechWithoutTurns, "ten captures are one incident", [.critical]) {
      speak(&$0, (0..<10).map { Double($0) * 10 })
    },
    .fires(.speechWithoutTurns, "of two people", [.critical]) {
      speak(&$0, [0, 30])
      $0.voice("voice_activity_started", 60, user: "bo")
      $0.voice("voice_turn_finalized", 62, user: "bo")
    },
    .quiet(.speechWithoutTurns, "two captures") { speak(&$0, [0, 20]) },
    .quiet(.speechWithoutTurns, "a decision") {
      speak(&$0, [0, 20, 40])
      $0.voice("voice_turn_addressing", 43, #""allow":false,"reason":"model_no""#)
    },
    .quiet(.speechWithoutTurns, "dropped with a reason") {
      speak(&$0, [0, 20, 40])
      $0.voice("voice_turn_dropped_silence_gate", 43, #""peak":0.1"#)
    },
    .quiet(.speechWithoutTurns, "held for the room") {
      speak(&$0, [0, 20, 40])
      $0.voice("realtime_turn_held_room_coalesce", 43)
    },
    .quiet(.speechWithoutTurns, "the bot speaks") {
      speak(&$0, [0, 20, 40])
      $0.voice("bot_audio_started", 45)
    },
    .quiet(.speechWithoutTurns, "the session ended") {
      speak(&$0, [0, 20, 40])
      $0.voice("voice_session_end", 50)
    },
    .quiet(.speechWithoutTurns, "far apart") { speak(&$0, [0, 200, 400, 600]) },
    .quiet(.speechWithoutTurns, "in three sessions") {
      for (at, session) in [(0.0, "s1"), (5, "s2"), (9, "s3")] {
        $0.voice("voice_activity_started", at, in: session)
      }
    },
    .quiet(.speechWithoutTurns, "ignored because music plays") {
      speak(&$0, [0, 20, 40])
      $0.voice("voice_music_turn_ignored_not_awake", 42)
    },
  ]

  // MARK: unusual_silence

  /// In three weeks, the bot spoke in each hour of the working days from noon on.
  private static func weeks(silent: Set<Int> = [], from hour: Int64 = 12, days: Int = 21)
    -> RuleSettings
  {
    var outputs: [Int64] = []
    let start = RuleTape.base - 22 * 86_400_000 - 12 * HourTable.hourMs
    for day in 0..<Int64(days) {
      for each in hour..<24 where !silent.contains(Int(day)) {
        outputs.append(start + day * 86_400_000 + each * HourTable.hourMs + 1000)
      }
    }
    let covered = start..<(start + Int64(days) * 86_400_000)
    return RuleSettings(hours: HourTable(outputs: outputs, covered: [covered]))
  }
  /// The streams are alive for an hour and a half.
  private static func alive(_ tape: inout RuleTape, _ range: ClosedRange<Int> = -10...90) {
    for minute in range { tape.health(Double(minute) * 60) { $0.isReady = true } }
  }

  static let silent: [RuleCase] = [
    .fires(.unusualSilence, "silent at noon, which it never was", [.warning], weeks()) {
      alive(&$0)
    },
    .fires(.unusualSilence, "people wrote, and nothing came", [.warning], weeks()) {
      alive(&$0)
      admit(&$0, 600, answers: nil)
    },
    .fires(.unusualSilence, "two hours", [.warning], weeks()) { alive(&$0, -10...130) },
    .quiet(.unusualSilence, "it spoke", weeks()) {
      alive(&$0)
      outcome(&$0, "sent_reply", 1200)
    },
    .quiet(.unusualSilence, "no recorded weeks") { alive(&$0) },
    .quiet(.unusualSilence, "it was silent at that hour once", weeks(silent: [3])) { alive(&$0) },
    .quiet(.unusualSilence, "the streams were down", weeks()) { alive(&$0, -10...20) },
    .quiet(.unusualSilence, "nothing was recorded for a while", weeks()) {
      alive(&$0)
      $0.outage(600, 1200)
    },
    .quiet(.unusualSilence, "two recorded days are too few", weeks(days: 3)) { alive(&$0) },
    .quiet(.unusualSilence, "the cockpit was started within the hour", weeks()) {
      alive(&$0, 10...70)
    },
    .quiet(.unusualSilence, "it is quiet at that hour anyway", weeks(from: 14)) { alive(&$0) },
  ]
}
