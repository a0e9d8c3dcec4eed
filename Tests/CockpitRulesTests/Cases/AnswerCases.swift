import CockpitRules

/// Recordings for the rules about answers, and for two of ours.
enum AnswerCases {
  static let all = latency + missing + piling + servers

  private static func latency(
    _ tape: inout RuleTape, _ at: Double, _ ms: Int, queue: Int = 0, stage: String = "audio_started"
  ) {
    tape.voice(
      "voice_latency_stage", at,
      #""stage":"\#(stage)","finalizedToAsrStartMs":10,"asrToGenerationStartMs":90,"#
        + #""generationToReplyRequestMs":\#(ms - 200),"replyRequestToAudioStartMs":100,"queueWaitMs":\#(queue),"#
        + #""mode":"openai_realtime""#)
  }

  private static func reply(_ tape: inout RuleTape, _ at: Double, _ ms: Int, model: String = "m1") {
    tape.row(
      "sent_reply", at,
      #""performance":{"totalMs":\#(ms),"queueMs":5,"llm1Ms":\#(ms - 300)},"llm":{"model":"\#(model)"}"#,
      content: "answer \(at)")
  }

  static let latency: [RuleCase] = [
    .fires(.highLatency, "over twice the median", [.info]) {
      for at in 0..<6 { latency(&$0, Double(at) * 10, 1000 + at * 10) }
      latency(&$0, 100, 9708)
    },
    .fires(.highLatency, "the queue is to blame", [.info]) {
      for at in 0..<6 { latency(&$0, Double(at) * 10, 1000) }
      latency(&$0, 100, 5000, queue: 4000)
    },
    .fires(.highLatency, "a written answer among twenty", [.info]) {
      for at in 0..<20 { reply(&$0, Double(at) * 60, 2500) }
      reply(&$0, 2000, 9000)
    },
    .quiet(.highLatency, "the first turn of a session") { latency(&$0, 0, 9000) },
    .quiet(.highLatency, "four turns say nothing") {
      for at in 0..<4 { latency(&$0, Double(at) * 10, 1000) }
      latency(&$0, 100, 9000)
    },
    .quiet(.highLatency, "under two seconds") {
      for at in 0..<6 { latency(&$0, Double(at) * 10, 500) }
      latency(&$0, 100, 1900)
    },
    .quiet(.highLatency, "not twice") {
      for at in 0..<6 { latency(&$0, Double(at) * 10, 3000) }
      latency(&$0, 100, 5900)
    },
    .quiet(.highLatency, "without audio it is not complete") {
      for at in 0..<6 { latency(&$0, Double(at) * 10, 1000) }
      latency(&$0, 100, 9000, stage: "reply_requested")
    },
    .quiet(.highLatency, "a written answer of another model") {
      for at in 0..<20 { reply(&$0, Double(at) * 60, 2500) }
      reply(&$0, 2000, 9000, model: "m2")
    },
    .quiet(.highLatency, "one slow turn of twelve does not raise the median") {
      for at in 0..<6 { latency(&$0, Double(at) * 10, 1500) }
      latency(&$0, 100, 2900)
    },
  ]

  private static func admit(
    _ tape: inout RuleTape, _ at: Double, _ message: String = "m1", direct: Bool = true,
    allow: Bool = true
  ) {
    tape.row(
      "text_runtime", at,
      #""triggerMessageId":"\#(message)","allow":\#(allow),"addressSignal":{"direct":\#(direct)}"#,
      content: "reply_admission_decision", user: "ada")
  }

  private static func outcome(
    _ tape: inout RuleTape, _ kind: String, _ at: Double, _ message: String = "m1",
    more: String = "",
    content: String = "x"
  ) {
    tape.row(kind, at, #""triggerMessageId":"\#(message)""# + more, content: content)
  }

  static let missing: [RuleCase] = [
    .fires(.replyMissing, "nothing for a minute", [.critical]) { admit(&$0, 0) },
    .fires(.replyMissing, "an answer to another message", [.critical]) {
      admit(&$0, 0)
      outcome(&$0, "sent_reply", 5, "m2")
    },
    .fires(.replyMissing, "spoken, and nothing for thirty seconds", [.critical]) {
      $0.voice(
        "voice_turn_addressing", 0, #""allow":true,"directAddressed":true,"heard":"clanky?""#)
    },
    .fires(.replyMissing, "the model skipped though addressed", [.info]) {
      admit(&$0, 0)
      outcome(&$0, "reply_skipped", 5, content: "[SKIP]")
    },
    .fires(.replyMissing, "lost by a restart", [.info]) {
      admit(&$0, 0)
      $0.row("bot_lifecycle", 20, content: "bot_logged_in")
    },
    .quiet(.replyMissing, "it was answered") {
      admit(&$0, 0)
      outcome(&$0, "sent_reply", 5)
    },
    .quiet(.replyMissing, "a reaction is an answer") {
      admit(&$0, 0)
      outcome(&$0, "reacted", 5)
    },
    .quiet(.replyMissing, "among the triggers of another answer") {
      admit(&$0, 0)
      outcome(&$0, "sent_reply", 5, "m2", more: #","triggerMessageIds":["m2","m1"]"#)
    },
    .quiet(.replyMissing, "not admitted") { admit(&$0, 0, allow: false) },
    .quiet(.replyMissing, "not addressed") { admit(&$0, 0, direct: false) },
    .quiet(.replyMissing, "the error has a row of its own") {
      admit(&$0, 0)
      $0.row("llm_error", 5, #""messageId":"m1""#, content: "timeout")
    },
    .quiet(.replyMissing, "the model failed in that channel, and names no message") {
      admit(&$0, 0)
      $0.row("llm_error", 5, content: "overloaded_error")
    },
    .quiet(.replyMissing, "a gate closed") {
      admit(&$0, 0)
      $0.row(
        "text_runtime", 2,
        #""triggerMessageId":"m1","allow":false,"reason":"send_budget_exhausted""#,
        content: "reply_pipeline_gate")
    },
    .fires(.replyMissing, "an open gate is no answer", [.critical]) {
      admit(&$0, 0)
      $0.row(
        "text_runtime", 2, #""triggerMessageId":"m1","allow":true"#, content: "reply_pipeline_gate")
    },
    .quiet(.replyMissing, "the queue is not empty yet") {
      admit(&$0, 0)
      $0.health(10) { $0.queuedReplies = 2 }
      $0.health(70) { $0.queuedReplies = 0 }
      outcome(&$0, "sent_reply", 80)
    },
    .quiet(.replyMissing, "slow answers are usual here") {
      for index in 0..<20 {
        outcome(
          &$0, "sent_reply", Double(index), "old\(index)",
          more: #","performance":{"totalMs":50000}"#)
      }
      admit(&$0, 100)
      outcome(&$0, "sent_reply", 190)
    },
    .quiet(.replyMissing, "spoken and answered") {
      $0.voice(
        "voice_turn_addressing", 0, #""allow":true,"directAddressed":true,"heard":"clanky?""#)
      $0.voice("bot_audio_started", 4)
    },
  ]

  static let piling: [RuleCase] = [
    .fires(.turnsPilingUp, "three wait in two states", [.warning]) {
      for at in [0.0, 3] { $0.state(at) { $0.pendingTurns = 3 } }
    },
    .fires(.turnsPilingUp, "deferred turns rise", [.warning]) {
      for (at, count) in [(0.0, 1), (3, 2), (6, 3)] { $0.state(at) { $0.deferredTurns = count } }
    },
    .fires(.turnsPilingUp, "ten states are one incident", [.warning]) {
      for at in 0..<10 { $0.state(Double(at) * 3) { $0.pendingTurns = 3 + at } }
    },
    .quiet(.turnsPilingUp, "one state") { $0.state(0) { $0.pendingTurns = 9 } },
    .quiet(.turnsPilingUp, "two wait") {
      for at in [0.0, 3] { $0.state(at) { $0.pendingTurns = 2 } }
    },
    .quiet(.turnsPilingUp, "it drained in between") {
      for (at, count) in [(0.0, 3), (3, 0), (6, 3)] { $0.state(at) { $0.pendingTurns = count } }
    },
    .quiet(.turnsPilingUp, "deferred turns fall") {
      for (at, count) in [(0.0, 3), (3, 2), (6, 1)] { $0.state(at) { $0.deferredTurns = count } }
    },
    .quiet(.turnsPilingUp, "deferred turns stay") {
      for at in [0.0, 3, 6, 9] { $0.state(at) { $0.deferredTurns = 1 } }
    },
  ]

  static let servers: [RuleCase] = [
    .fires(.mcpDown, "a server failed", [.warning]) {
      $0.state(0) { $0.failedServers = ["files": "ECONNREFUSED"] }
    },
    .fires(.mcpDown, "two servers", [.warning, .warning]) {
      $0.state(0) { $0.failedServers = ["files": "a", "notes": "b"] }
    },
    .fires(.mcpDown, "down, well, and down an hour later", [.warning, .warning]) {
      for at in [0.0, 3, 6] { $0.state(at) { $0.failedServers = ["files": "a"] } }
      $0.state(9)
      $0.state(3600) { $0.failedServers = ["files": "a"] }
    },
    .quiet(.mcpDown, "no server failed") { $0.state(0) },
    .quiet(.mcpDown, "no session") { $0.health(0) },
    .quiet(.mcpDown, "an empty recording") { _ in },
    .quiet(.mcpDown, "another document") { $0.health(0) { $0.isReady = false } },
    .quiet(.mcpDown, "rows of tools") { call in
      call.voice("realtime_tool_call_started", 0, #""callId":"a","toolName":"x""#)
    },
  ]
}
