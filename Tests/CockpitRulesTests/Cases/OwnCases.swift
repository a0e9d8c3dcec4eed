import CockpitRules

/// Recordings for rules of ours.
enum OwnCases {
  static let all =
    watchdog + recogniser + gateway + tunnel + BudgetCases.all + burst + silence + prompts
    + recording

  // MARK: generation_watchdog

  static let watchdog: [RuleCase] = [
    .fires(.generationWatchdog, "the backend gave up", [.critical]) {
      $0.voice("voice_generation_watchdog_timeout", 0, #""timeoutMs":20000,"phase":"reply""#)
    },
    .fires(.generationWatchdog, "without figures", [.critical]) {
      $0.voice("voice_generation_watchdog_timeout", 0)
    },
    .fires(.generationWatchdog, "in two sessions", [.critical, .critical]) {
      $0.voice("voice_generation_watchdog_timeout", 0)
      $0.voice("voice_generation_watchdog_timeout", 4, in: "s2")
    },
    .fires(.generationWatchdog, "twice within five minutes", [.critical]) {
      $0.voice("voice_generation_watchdog_timeout", 0)
      $0.voice("voice_generation_watchdog_timeout", 60)
    },
    .quiet(.generationWatchdog, "a slow stage") {
      $0.voice("voice_generation_prep_stage", 0, #""state":"timeout","timeoutMs":3000"#)
    },
    .quiet(.generationWatchdog, "a failed generation is another thing") {
      $0.voice("realtime_generation_failed", 0, #""error":"fetch failed""#)
    },
    .quiet(.generationWatchdog, "an answer") {
      $0.voice("realtime_reply_requested", 0, #""requestId":1,"replyText":"It is noon.""#)
      $0.voice("bot_audio_started", 1)
    },
    .quiet(.generationWatchdog, "the model skipped") { $0.voice("realtime_reply_skipped", 0) },
    .quiet(.generationWatchdog, "a silent retry") {
      $0.voice("response_silent_retry", 0, #""trigger":"watchdog","requestId":4"#)
    },
  ]

  // MARK: recogniser_gone

  private static func speech(
    _ tape: inout RuleTape, _ at: Double, began: Double?, isConnected: Bool?
  ) {
    tape.state(at) { sample in
      if let began { sample.captures["ada"] = RuleTape.ms(began) }
      if let isConnected { sample.recognisers["ada"] = isConnected }
    }
  }

  static let recogniser: [RuleCase] = [
    .fires(.recogniserGone, "gone in two states", [.warning]) {
      speech(&$0, 3, began: 0, isConnected: false)
      speech(&$0, 6, began: 0, isConnected: false)
    },
    .fires(.recogniserGone, "gone for long is one incident", [.warning]) {
      for at in 1..<9 { speech(&$0, Double(at) * 3, began: 0, isConnected: false) }
    },
    .fires(.recogniserGone, "gone, back, and gone much later", [.warning, .warning]) {
      for at in [3.0, 6] { speech(&$0, at, began: 0, isConnected: false) }
      speech(&$0, 9, began: nil, isConnected: true)
      for at in [903.0, 906] { speech(&$0, at, began: 900, isConnected: false) }
    },
    .quiet(.recogniserGone, "one state") { speech(&$0, 3, began: 0, isConnected: false) },
    .quiet(.recogniserGone, "the speech has just begun") {
      speech(&$0, 1, began: 0, isConnected: false)
      speech(&$0, 4, began: 3, isConnected: false)
    },
    .quiet(.recogniserGone, "connected") {
      speech(&$0, 3, began: 0, isConnected: true)
      speech(&$0, 6, began: 0, isConnected: true)
    },
    .quiet(.recogniserGone, "connected in the second state") {
      speech(&$0, 3, began: 0, isConnected: false)
      speech(&$0, 6, began: 0, isConnected: true)
    },
    .quiet(.recogniserGone, "nobody speaks") {
      for at in [3.0, 6, 9] { speech(&$0, at, began: nil, isConnected: false) }
    },
    .quiet(.recogniserGone, "not told") {
      for at in [3.0, 6, 9] { speech(&$0, at, began: 0, isConnected: nil) }
    },
  ]

  // MARK: gateway_flapping

  private static func ticks(
    _ tape: inout RuleTape, _ range: ClosedRange<Int>, _ change: (inout HealthSample) -> Void
  ) {
    for tick in range { tape.health(Double(tick) * 3, change) }
  }

  static let gateway: [RuleCase] = [
    .fires(.gatewayFlapping, "in flight for half a minute", [.warning]) {
      ticks(&$0, 0...11) { $0.isReconnecting = true }
    },
    .fires(.gatewayFlapping, "in flight for five minutes is one", [.warning]) {
      ticks(&$0, 0...100) { health in
        health.isReconnecting = true
        health.reconnectAttempts = 4
      }
    },
    .fires(.gatewayFlapping, "twice in an hour", [.warning, .warning]) {
      ticks(&$0, 0...20) { $0.isReconnecting = true }
      ticks(&$0, 21...30) { $0.isReconnecting = false }
      ticks(&$0, 901...920) { $0.isReconnecting = true }
    },
    .quiet(.gatewayFlapping, "back after twenty seconds") {
      ticks(&$0, 0...6) { $0.isReconnecting = true }
      ticks(&$0, 7...30) { $0.isReconnecting = false }
    },
    .quiet(.gatewayFlapping, "connected") { ticks(&$0, 0...30) { $0.isReconnecting = false } },
    .quiet(.gatewayFlapping, "not told") { ticks(&$0, 0...30) { _ in } },
    .quiet(.gatewayFlapping, "one document, and nothing more") {
      $0.health(0) { $0.isReconnecting = true }
    },
    .quiet(.gatewayFlapping, "two documents with ten minutes between") {
      for at in [0.0, 600] { $0.health(at) { $0.isReconnecting = true } }
    },
    .quiet(.gatewayFlapping, "logged in between") {
      ticks(&$0, 0...6) { $0.isReconnecting = true }
      $0.row("bot_lifecycle", 19, content: "bot_logged_in")
      ticks(&$0, 7...14) { $0.isReconnecting = true }
    },
  ]

  // MARK: tunnel_not_ready

  static let tunnel: [RuleCase] = [
    .fires(.tunnelNotReady, "an error for over a minute", [.warning]) {
      ticks(&$0, 0...22) { health in
        health.isTunnelEnabled = true
        health.tunnelStatus = "error"
      }
    },
    .fires(.tunnelNotReady, "starting for ten minutes", [.warning]) {
      ticks(&$0, 0...200) { health in
        health.isTunnelEnabled = true
        health.tunnelStatus = "starting"
      }
    },
    .fires(.tunnelNotReady, "error, then starting, never ready", [.warning]) {
      ticks(&$0, 0...15) { health in
        health.isTunnelEnabled = true
        health.tunnelStatus = "error"
      }
      ticks(&$0, 16...30) { health in
        health.isTunnelEnabled = true
        health.tunnelStatus = "starting"
      }
    },
    .quiet(.tunnelNotReady, "switched off") {
      ticks(&$0, 0...40) { $0.tunnelStatus = "stopped" }
    },
    .quiet(.tunnelNotReady, "ready") {
      ticks(&$0, 0...40) { health in
        health.isTunnelEnabled = true
        health.tunnelStatus = "ready"
      }
    },
    .quiet(.tunnelNotReady, "ready after half a minute") {
      ticks(&$0, 0...10) { health in
        health.isTunnelEnabled = true
        health.tunnelStatus = "starting"
      }
      ticks(&$0, 11...40) { health in
        health.isTunnelEnabled = true
        health.tunnelStatus = "ready"
      }
    },
    .quiet(.tunnelNotReady, "the status is not told") {
      ticks(&$0, 0...40) { $0.isTunnelEnabled = true }
    },
    .quiet(.tunnelNotReady, "two documents with an hour between") {
      for at in [0.0, 3600] {
        $0.health(at) { health in
          health.isTunnelEnabled = true
          health.tunnelStatus = "error"
        }
      }
    },
  ]

  // MARK: error_burst

  private static func failure(_ tape: inout RuleTape, _ at: Double) {
    tape.row("llm_error", at, #""status":529"#, content: "529 overloaded \(at)", user: "ada")
  }
  private static func day(_ tape: inout RuleTape, failures: Int = 0) {
    for hour in 0...24 {
      tape.row("llm_call", Double(hour) * 3600, #""model":"m""#, content: "a:m \(hour)")
    }
    for index in 0..<failures {
      failure(&tape, Double(index) * 86_400 / Double(max(1, failures)) + 7)
    }
  }

  static let burst: [RuleCase] = [
    .fires(.errorBurst, "three after a clean day", [.critical]) {
      day(&$0)
      for at in [86_410.0, 86_420, 86_430] { failure(&$0, at) }
    },
    .fires(.errorBurst, "nine after a day with one every hour", [.critical]) {
      day(&$0, failures: 24)
      for at in 0..<9 { failure(&$0, 86_500 + Double(at) * 10) }
    },
    .fires(.errorBurst, "thirty in a row are one incident", [.critical]) {
      day(&$0)
      for at in 0..<30 { failure(&$0, 86_500 + Double(at) * 10) }
    },
    .fires(.errorBurst, "four after three quiet hours", [.critical]) {
      for hour in 0...3 {
        $0.row("llm_call", Double(hour) * 3600, #""model":"m""#, content: "a:m \(hour)")
      }
      for at in 0..<4 { failure(&$0, 10_900 + Double(at) * 10) }
    },
    .quiet(.errorBurst, "two") {
      day(&$0)
      for at in [86_410.0, 86_420] { failure(&$0, at) }
    },
    .quiet(.errorBurst, "three within an hour") {
      day(&$0)
      for at in [86_410.0, 87_410, 88_410] { failure(&$0, at) }
    },
    .quiet(.errorBurst, "as many as always") { day(&$0, failures: 600) },
    .quiet(.errorBurst, "nothing is known of before") {
      for at in 0..<9 { failure(&$0, Double(at) * 10) }
    },
    .quiet(.errorBurst, "the day before was not recorded") {
      $0.row("llm_call", 0, #""model":"m""#, content: "a:m")
      $0.outage(60, 86_000)
      for at in 0..<4 { failure(&$0, 86_400 + Double(at) * 10) }
    },
    .quiet(.errorBurst, "groups of three are usual") {
      day(&$0)
      for group in 0..<30 {
        for at in 0..<3 { failure(&$0, 2000 + Double(group) * 2800 + Double(at) * 5) }
      }
      for at in 0..<4 { failure(&$0, 86_420 + Double(at) * 5) }
    },
  ]

  // MARK: silent_backend

  static let silence: [RuleCase] = [
    .fires(.silentBackend, "the link says so", [.warning]) { $0.link(12, silentSince: 0) },
    .fires(.silentBackend, "the deadline passes", [.warning]) { $0.link(3, silentSince: 0) },
    .fires(.silentBackend, "told again and again", [.warning]) {
      for at in 1..<20 { $0.link(Double(at) * 3, silentSince: 0) }
    },
    .quiet(.silentBackend, "bytes came in time") {
      $0.link(6, silentSince: 0)
      $0.link(9, silentSince: nil)
    },
    .quiet(.silentBackend, "bytes come") { $0.link(0, silentSince: nil) },
    .quiet(.silentBackend, "no link is told") { $0.health(60) },
    .quiet(.silentBackend, "silent from another time on each time") {
      for at in 1..<9 { $0.link(Double(at) * 3, silentSince: Double(at) * 3 - 2) }
      $0.link(27, silentSince: nil)
    },
    .quiet(.silentBackend, "an outage of the recorder is another thing") { $0.outage(0, 600) },
  ]

  // MARK: prompt_jump

  private static func call(
    _ tape: inout RuleTape, _ at: Double, system: String, user: String = "hello",
    event: String = "reply_pipeline:message_create"
  ) {
    tape.row(
      "llm_call", at,
      #""source":"message_event","event":"\#(event)","systemPrompt":"\#(system)","userPrompt":"\#(user)""#,
      content: "a:m \(at)", user: "ada")
  }
  private static let system =
    #"You are a bot.\n=== IDENTITY ===\n\#(String(repeating: "words ", count: 200))\n=== MEMORY ===\nNone."#
  private static func long(_ count: Int) -> String { String(repeating: "word ", count: count) }

  static let prompts: [RuleCase] = [
    .fires(.promptJump, "a part is new", [.info]) {
      for at in 0..<12 { call(&$0, Double(at) * 60, system: system) }
      for at in 12..<15 {
        call(&$0, Double(at) * 60, system: system + #"\n=== TONIGHT ===\nSay nothing."#)
      }
    },
    .fires(.promptJump, "a part changed", [.info]) {
      for at in 0..<12 { call(&$0, Double(at) * 60, system: system) }
      call(&$0, 900, system: system.replacing("None.", with: "Much."))
    },
    .fires(.promptJump, "a prompt of much more words", [.info]) {
      for at in 0..<12 {
        call(&$0, Double(at) * 60, system: system, user: "\(at) " + long(600))
      }
      call(&$0, 900, system: system, user: "x " + long(1200))
    },
    .fires(.promptJump, "between parts that vary", [.info]) {
      for at in 0..<12 {
        call(&$0, Double(at) * 60, system: #"One.\n\nNow \#(at).\n\n=== RULES ===\nTwo."#)
      }
      call(&$0, 900, system: #"One.\n\nNow 12.\n\n=== RULES ===\nThree."#)
    },
    .quiet(.promptJump, "always the same") {
      for at in 0..<30 { call(&$0, Double(at) * 60, system: system) }
    },
    .quiet(.promptJump, "a part that always varies") {
      for at in 0..<30 {
        call(&$0, Double(at) * 60, system: #"One.\n\nNow \#(at).\n\n=== RULES ===\nTwo."#)
      }
    },
    .quiet(.promptJump, "five prompts say nothing of the sixth") {
      for at in 0..<5 { call(&$0, Double(at) * 60, system: system) }
      call(&$0, 900, system: system + #"\n=== TONIGHT ===\n\#(long(3000))"#)
    },
    .quiet(.promptJump, "of another role") {
      for at in 0..<12 { call(&$0, Double(at) * 60, system: system) }
      call(&$0, 900, system: long(4000), event: "reply_pipeline:followup")
    },
    .quiet(.promptJump, "short ones grow") {
      for at in 0..<12 { call(&$0, Double(at) * 60, system: system, user: "hi \(at)") }
      call(&$0, 900, system: system, user: "hi " + long(100))
    },
    .quiet(.promptJump, "a third longer") {
      for at in 0..<12 {
        call(&$0, Double(at) * 60, system: system, user: "\(at) " + long(600))
      }
      call(&$0, 900, system: system, user: "x " + long(800))
    },
  ]

  // MARK: not_recorded

  static let recording: [RuleCase] = [
    .fires(.notRecorded, "ten minutes are missing", [.info]) { $0.outage(0, 600) },
    .fires(.notRecorded, "rows were lost", [.info]) { $0.outage(0, 5, rows: 40) },
    .fires(.notRecorded, "two stretches", [.info, .info]) {
      $0.outage(0, 600)
      $0.outage(700, 1900, rows: 12)
    },
    .quiet(.notRecorded, "five seconds") { $0.outage(0, 5) },
    .quiet(.notRecorded, "a stretch that had no rows") { $0.outage(0, 600, rows: 0) },
    .quiet(.notRecorded, "a silent link is another thing") { $0.link(60, silentSince: 0) },
    .quiet(.notRecorded, "all is recorded") { $0.health(0) },
    .quiet(.notRecorded, "rows far apart") {
      for at in [0.0, 7200] {
        $0.row("llm_call", at, #""model":"m""#, content: "a:m \(at)")
      }
    },
  ]
}
