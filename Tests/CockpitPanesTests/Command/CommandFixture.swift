import LenientJSON
import TerminalUI
import CockpitDomain
import Networking
import ClankyWire
import Foundation
import TerminalCore

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// A backend in the states that CMD shows, and what drives a shell over it.
@MainActor
struct CommandFixture {
  static let workshop = MemoryFixture.workshop
  static let crew = MemoryFixture.crew

  var base: Fixture
  var store = OperationsStore()
  var costs = CostSummary()
  var client = ClientFigures()
  var setup = SetupFacts()
  var status: SourceStatus?
  var fetcher = Fetcher()
  var isReadOnly = false

  static func ago(_ seconds: Double) -> WireTime {
    WireTime(milliseconds: Fixture.nowMs - Int64(seconds * 1000))
  }

  /// The rows of the story with names that are known.
  static let known = Fixture.story.map {
    $0.replacing("hologram_started", with: "stream_discovery")
      .replacing("voice_full_brain", with: "stream_discovery")
  }

  /// Nothing was fetched yet.
  init(base: Fixture = Fixture(rows: Self.known)) {
    self.base = base
    setup.current = "prod"
  }

  static func rich() -> CommandFixture {
    var fixture = CommandFixture()
    fixture.fillStatus()
    fixture.fillRuntime(
      tunnel: """
        "enabled":true,"status":"ready","pid":4242,"startedAt":"2026-03-01T02:00:00.000Z",\
        "publicUrl":"https://abc-xyz.trycloudflare.com","lastError":""
        """)
    fixture.fillLists()
    fixture.fillCosts()
    fixture.client.cpuPercent = 0.31
    fixture.client.residentBytes = 19_400_000
    fixture.client.receivedBytesPerSecond = 2140
    fixture.client.writtenBytesPerSecond = 310
    fixture.setup.profiles = [
      .init(name: "", url: "http://127.0.0.1:8787", isReadOnly: false),
      .init(name: "prod", url: "https://abc-xyz.trycloudflare.com", isReadOnly: false),
      .init(name: "staging", url: "https://staging.example", isReadOnly: true),
    ]
    fixture.setup.tokenPlace = "Secret Service"
    fixture.setup.configPath = "/home/james/.config/clanky-cockpit/config.toml"
    return fixture
  }

  /// What the backend says of itself, with a tunnel in some state, and that the bot logged in.
  func fillRuntime(tunnel: String) {
    let stats = """
      {"stats":{"last24h":{"llm_call":132,"sent_reply":41,"voice_turn_in":88,"asr_call":60},\
      "totalCostUsd":18.4471,"dailyCost":[{"day":"2026-03-01","usd":2.4712}],\
      "performance":{"windowHours":24,"sampleCount":52,\
      "byKind":{"sent_reply":41,"sent_message":3,"reply_skipped":8},\
      "totalMs":{"count":52,"p50Ms":4100,"p95Ms":9800,"avgMs":4620.4},\
      "processingMs":{"count":52,"p50Ms":4060,"p95Ms":9700,"avgMs":4590.1},"phases":{\
      "queueMs":{"count":52,"p50Ms":6,"p95Ms":120,"avgMs":22.3},\
      "ingestMs":{"count":52,"p50Ms":20,"p95Ms":80,"avgMs":26},\
      "memorySliceMs":{"count":52,"p50Ms":180,"p95Ms":420,"avgMs":200.8},\
      "llm1Ms":{"count":52,"p50Ms":2100,"p95Ms":5200,"avgMs":2380.2},\
      "followupMs":{"count":12,"p50Ms":2600,"p95Ms":4400,"avgMs":2711.5},\
      "typingDelayMs":{"count":44,"p50Ms":900,"p95Ms":1800,"avgMs":980.5},\
      "sendMs":{"count":44,"p50Ms":160,"p95Ms":400,"avgMs":190.2}}}},"runtime":{"isReady":true,\
      "userTag":"clanky#0001","guildCount":3,"lastBotMessageAt":"2026-03-01T14:31:51.000Z",\
      "replyQueue":{"channels":1,"pending":2},"gateway":{"hasConnectedAtLeastOnce":true,\
      "reconnectInFlight":false,"reconnectAttempts":0,\
      "lastGatewayEventAt":"2026-03-01T14:32:03.000Z"},"publicHttps":{\(tunnel)},\
      "screenShare":{"activeCount":0,"newestExpiresAt":null}}}
      """
    Fixture.withBytes(stats) { base.activity.applyStats($0, atMs: 0) }
    let login = Fixture.row(400, "02:00:09.000", "bot_lifecycle", content: "bot_logged_in")
    Fixture.withBytes("[\(login)]") { _ = base.activity.applyRows($0, nowMs: Fixture.nowMs) }
  }

  mutating func fillStatus() {
    var status = base.connection.status
    status[.activity].eventsPerMinute = 14
    status[.activity].bytes = 2_140_000
    status[.voice].eventsPerMinute = 20
    status[.voice].bytes = 812_000
    status[.voice].lastByteAtNs = Fixture.monotonicNs - 1_100_000_000
    status.restP50Ms = 44
    status.restP95Ms = 120
    status.restRequests = 212
    status.restFailures = 1
    status.reconnects = 2
    status.reconnectAttempts = 5
    status.reconnectedAtNs = Fixture.monotonicNs - 67_000_000_000
    status.gapsFilled = 31
    status.rowsMissing = 4
    status.skewMs = 2_610
    self.status = status
  }

  private mutating func fillLists() {
    let at = Fixture.nowMs
    store.guilds = .loaded(
      [
        Guild(id: Self.workshop, name: "The Workshop"), Guild(id: Self.crew, name: "Game Dev Crew"),
        Guild(id: "500000000000000003", name: nil),
      ], atMs: at)
    store.channels[Self.workshop] = .loaded(
      [
        Channel(id: "600000000000000001", name: "general", type: .text, category: "Text"),
        Channel(id: "600000000000000002", name: "bot-lab", type: .text, category: "Text"),
        Channel(id: "600000000000000009", name: "voice-chat", type: .voice, category: "Voice"),
      ], atMs: at)
    let digest = Automation(
      id: 7, guildID: Self.workshop, title: "daily digest", instruction: "Sum up the day.",
      schedule: .daily(hour: 18, minute: 0), nextRunAt: Self.ago(-12_471), status: .active,
      lastRunAt: Self.ago(73_929))
    let scan = Automation(
      id: 8, guildID: Self.workshop, title: "news scan", schedule: .interval(everyMinutes: 30),
      nextRunAt: Self.ago(-720), status: .active, isRunning: true, runningStartedAt: Self.ago(12),
      lastRunAt: Self.ago(1080))
    let meme = Automation(
      id: 9, guildID: Self.crew, title: "meme friday", schedule: .other(.null), status: .paused,
      lastRunAt: Self.ago(190_000), lastError: "Missing Permissions")
    store.automations = [
      Self.workshop: .loaded(AutomationPage(rows: [digest, scan]), atMs: at),
      Self.crew: .loaded(AutomationPage(rows: [meme]), atMs: at),
      "500000000000000003": .loaded(AutomationPage(), atMs: at),
    ]
    store.runs[7] = .loaded(
      AutomationRunPage(rows: [
        AutomationRun(
          id: 70, automationID: 7, startedAt: Self.ago(73_929), finishedAt: Self.ago(73_921),
          status: .ok, summary: "posted 240 characters"),
        AutomationRun(
          id: 69, automationID: 7, startedAt: Self.ago(160_329), status: .error,
          error: "no channel"),
      ]), atMs: at)
    store.browserSessions = .loaded(
      BrowserSessionPage(sessions: [
        BrowserSession(
          sessionID: "b-1", startedAt: Self.ago(720), userID: MemoryFixture.james,
          instruction: "research the rust compiler", totalCostUsd: 0.04, totalSteps: 9,
          durationMs: 42_000, model: "claude-opus-4-6", currentURL: "https://example.org/rust",
          failed: false,
          toolSteps: [
            BrowserStep(tool: "browser_open", step: 1, timestamp: Self.ago(720)),
            BrowserStep(tool: "browser_click", step: 2, timestamp: Self.ago(700)),
          ]),
        BrowserSession(
          sessionID: "b-2", startedAt: Self.ago(7200), instruction: "find a cello teacher",
          totalCostUsd: 0, totalSteps: 2, durationMs: 3100, failed: true, errorName: "TimeoutError",
          errorMessage: "page did not load"),
      ]), atMs: at)
    store.accounts = .loaded(OAuthStatus(claudeOauth: true, openaiOauth: false), atMs: at)
    store.settings = .loaded(
      SettingsEnvelope(
        bindings: SettingsBindings(providerAuth: [
          "claude_oauth": true, "openai": true, "xai": false,
        ])
      ), atMs: at)
    store.canLeave = false
    history()
    for (secondsAgo, severity, text) in Self.events {
      store.log.append(.init(atMs: at - secondsAgo * 1000, severity: severity, text: text))
    }
  }

  private static let events: [(Int64, ClientHistory.Entry.Severity, String)] = [
    (1167, .info, "PUT fact 1042 ok 88ms"),
    (67, .warning, "activity stream lost (EOF), retry in 3s"),
    (64, .info, "31 of 31 rows filled in"),
    (9, .error, "GET /api/automations failed: 500 database is locked"),
  ]

  private func history() {
    func session(_ id: String, _ began: String, _ ended: String, _ seconds: Int, _ why: String)
      -> String
    {
      """
      {"sessionId":"\(id)","guildId":"\(Self.workshop)","mode":"openai_realtime",\
      "startedAt":"\(began)","endedAt":"\(ended)","durationSeconds":\(seconds),"endReason":"\(why)"}
      """
    }
    let list = [
      session("h-1", "2026-03-01T09:12:00.000Z", "2026-03-01T09:57:12.000Z", 2712, "nl_leave"),
      session("h-2", "2026-02-28T22:40:00.000Z", "2026-03-01T00:50:33.000Z", 7833, "max_duration"),
    ]
    Fixture.withBytes("[\(list.joined(separator: ","))]") { base.voice.applyHistory($0) }
    var summary = SessionSummary(sessionID: "h-1")
    summary.rows = 210
    summary.peopleCount = 4
    summary.turnCount = 43
    summary.anomalyCount = 3
    base.voice.note(summary)
  }

  mutating func fillCosts() {
    let days: [Double?] = [nil, 2.1, 3, 3.2, 5, 2.2, 1, 2, 3.3, 5.4, 7, 0, 3.0021, 2.4712]
    costs.days = days
    costs.today = 2.4712
    costs.retained = 61.2
    costs.rate = .init(usdPerHour: 0.18, overMs: 900_000)
    costs.longRate = .init(usdPerHour: 0.11, overMs: 21_600_000)
    costs.forecast = CostSummary.Forecast(
      usd: 3.9, interval: 3.3...4.8, hours: 14, basis: .hours(14))
    var tokens = CostSummary.Tokens()
    tokens.input = 1_200_000
    tokens.output = 88_000
    tokens.cacheRead = 3_100_000
    tokens.cacheWrite = 66_000
    tokens.cacheableInput = 4_366_000
    costs.byModel = [
      .init(name: "claude-opus-4-6", usd: 2.0, calls: 212, tokens: tokens),
      .init(name: "gpt-5.4-mini", usd: 0.3, calls: 88), .init(name: "asr", usd: 0.1712, calls: 31),
    ]
    costs.byKind = [
      .init(name: "llm_call", usd: 2.3, calls: 300),
      .init(name: "asr_call", usd: 0.1712, calls: 31),
    ]
    costs.tokens = tokens
    costs.freeCalls = 43
  }

  mutating func facts(_ shell: CockpitShell) -> ViewContext {
    var facts = base.facts(query: shell.pulse.feedQuery)
    facts.command = store
    facts.costs = costs
    facts.client = client
    facts.setup = setup
    facts.isReadOnly = isReadOnly
    if let status { facts.status = status }
    return facts
  }

  /// What the program does for each frame: update, requests, drawing.
  mutating func draw(_ shell: inout CockpitShell) -> (frame: Frame, requests: [Need]) {
    let facts = facts(shell)
    _ = shell.update(facts, size: shell.size)
    let requests = fetcher.due(shell.needs(facts), connection: facts.status.returns)
    return (shell.render(facts, size: shell.size), requests.filter(\.isOfOperations))
  }

  @discardableResult
  mutating func send(_ event: InputEvent, _ shell: inout CockpitShell) -> [Effect] {
    let frame = draw(&shell).frame
    return shell.handle(event, on: facts(shell), frame: frame)
  }

  /// Presses keys written as in the key table, separated by spaces.
  @discardableResult
  mutating func type(_ keys: String, _ shell: inout CockpitShell) -> [Effect] {
    var effects: [Effect] = []
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses {
        effects += send(.key(press.key, press.modifiers), &shell)
      }
    }
    return effects
  }

  mutating func write(_ text: String, _ shell: inout CockpitShell) {
    for character in text { send(.key(.char(character), []), &shell) }
  }

  mutating func screen(_ shell: inout CockpitShell) -> String { draw(&shell).frame.canvas.text }
}

extension Need {
  /// Whether it is one of CMD's own, and not about voice sessions.
  fileprivate var isOfOperations: Bool { if case .command = self { true } else { false } }
}
