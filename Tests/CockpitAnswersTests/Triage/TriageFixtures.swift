import ClankyWire
import CockpitAnswers
import CockpitDomain

/// One for each rule, in the order of the table.
extension TriageFixture {
  private static let well = Runtime(
    isReady: true, gateway: Gateway(hasConnectedAtLeastOnce: true, reconnectInFlight: false),
    publicHttps: PublicHttps(enabled: true, status: .ready))

  private static func changed(_ change: (inout Runtime) -> Void) -> Runtime {
    var runtime = well
    change(&runtime)
    return runtime
  }

  static let all: [TriageFixture] = [
    TriageFixture(
      rule: "discord",
      states: [
        runtime(0, well),
        runtime(
          3,
          changed {
            $0.gateway.reconnectInFlight = true
            $0.gateway.reconnectAttempts = 3
          }),
      ], second: 9, sentence: "The bot is reconnecting to Discord (attempt 3)."),
    TriageFixture(
      rule: "models",
      rows: rows(
        [1, 20, 40], "llm_error",
        #"529 {\"type\":\"error\",\"error\":{\"message\":\"Overloaded\"}}"#
      ), second: 41, sentence: "Model calls fail: 529 Overloaded."),
    TriageFixture(
      rule: "voice_provider",
      rows: rows(
        [5], "voice_error", "openai_realtime_socket_closed",
        #"{"code":1006,"reason":"abnormal closure"}"#),
      second: 6, sentence: "Voice has lost its provider: abnormal closure."),
    TriageFixture(
      rule: "tunnel",
      states: [
        runtime(0, well),
        runtime(
          3,
          changed {
            $0.publicHttps?.status = .error
            $0.publicHttps?.lastError = "cloudflared exited with code 1"
          }),
      ], second: 9, sentence: "The bot's tunnel has failed: cloudflared exited with code 1."),
    TriageFixture(
      rule: "queue",
      states: [runtime(0, well), runtime(3, changed { $0.replyQueue.pending = 5 })],
      second: 34, sentence: "Replies do not get through: 5 wait."),
    TriageFixture(
      rule: "errors",
      states: [
        State(second: 2) { input, _ in
          input.failuresPerHour = 52
          input.actionsPerHour = 220
        }
      ], second: 3, sentence: "The last 60 min have at least 52 errors."),
    TriageFixture(
      rule: "search", rows: rows([1, 60, 120], "search_error", "Brave Search HTTP 503"),
      second: 121, sentence: "Web search fails: Brave Search HTTP 503."),
    TriageFixture(
      rule: "embeddings",
      rows: rows([1, 60, 120], "memory_embedding_error", "[openai] 429 Rate limit reached"),
      second: 121, sentence: "Embeddings fail: [openai] 429 Rate limit reached."),
    TriageFixture(
      rule: "browser",
      rows: rows(
        [1, 60, 120], "browser_browse_failed", "look up the hut",
        #"{"errorMessage":"page.goto: Timeout 30000ms exceeded."}"#),
      second: 121, sentence: "The bot's browser fails: page.goto: Timeout 30000ms exceeded."),
    TriageFixture(
      rule: "mcp",
      states: [
        voice(0, #""mcpStatus":[{"serverName":"trail-notes","connected":true}]"#),
        voice(3, failing("2026-05-09T18:00:03.000Z")),
        voice(10, failing("2026-05-09T18:00:10.000Z")),
      ], second: 10,
      sentence: "Tool server trail-notes fails in voice: Unable to connect."),
    TriageFixture(
      rule: "recognition", rows: rows([1, 60, 120], "asr_error", "500 The server had an error"),
      second: 121, sentence: "Speech recognition fails: 500 The server had an error."),
    TriageFixture(
      rule: "speech", rows: rows([1, 60, 120], "tts_error", "500 The server had an error"),
      second: 121, sentence: "Speech synthesis fails: 500 The server had an error."),
    TriageFixture(
      rule: "turns_waiting",
      states: [
        voice(0, #""realtime":{"pendingTurns":0}"#), voice(3, #""realtime":{"pendingTurns":3}"#),
      ], second: 9, sentence: "3 turns wait for an answer in voice."),
    TriageFixture(
      rule: "automation_failed",
      rows: rows(
        [1], "automation_error", "automation #6: LLM timed out",
        #"{"automationId":6,"runStatus":"error","statusAfterRun":"paused"}"#),
      second: 302, sentence: "Automation #6 failed and is paused: LLM timed out."),
    TriageFixture(
      rule: "automation_missed",
      states: [
        State(second: 2) { input, ms in
          let due = WireTime(milliseconds: ms - 180_000)
          input.automations = .init(
            [Automation(id: 2, title: "night check-in", nextRunAt: due, status: .active)],
            atMs: ms)
        }
      ], second: 3,
      sentence: "Automation #2 \"night check-in\" was due and did not run."),
    TriageFixture(
      rule: "budget", states: [State(second: 2) { input, _ in input.costTodayUSD = 5.25 }],
      second: 3, sentence: "Today's cost, UTC, is over the budget: $5.25 of $5.00.",
      settings: TriageSettings(words: [:], budgetUSD: 5)),
    TriageFixture(
      rule: "slo",
      states: [
        State(second: 2) { input, ms in
          let promise = Promise(
            kind: .skip, verdict: .broken, objective: .range(0.2...0.6), value: .share(0.81),
            n: 100,
            missed: 81, fromMs: ms - 86_400_000, toMs: ms, isComplete: true)
          input.promises = PromiseReport(promises: [promise])
        }
      ], second: 3,
      sentence: "The bot skipped 81% of 100 messages of 24h; 20% to 60% is promised."),
    TriageFixture(
      rule: "unanswered",
      states: [
        State(second: 2) { input, ms in
          input.unanswered = [
            .init(
              sentence: "A message to the bot was to be answered, and nothing came for 1m00s",
              fromMs: ms - 60_000, toMs: ms, isCritical: false, count: 1)
          ]
        }
      ], second: 2,
      sentence: "A message to the bot was to be answered, and nothing came for 1m00s."),
    TriageFixture(
      rule: "connection",
      states: [
        State(second: 2) { input, _ in
          input.connection = .init(state: .stale, sentence: "Nothing was heard for 12 s.")
        }
      ], second: 3, sentence: "Nothing was heard for 12 s."),
  ]

  private static func failing(_ call: String) -> String {
    """
    "mcpStatus":[{"serverName":"trail-notes","connected":false,"lastError":"Unable to connect.",\
    "lastCallAt":"\(call)"}]
    """
  }
}
