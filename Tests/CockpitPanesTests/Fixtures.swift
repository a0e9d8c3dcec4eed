import CockpitAnswers
import CockpitText
import CockpitDomain
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore

@testable import CockpitPanes

/// A minute in the life of an invented bot, at a fixed time, in both shapes of the wire.
@MainActor
struct Fixture {
  /// 2026-03-01T14:32:09Z
  static let nowMs: Int64 = 1_772_375_529_000
  static let monotonicNs: UInt64 = 1_000_000_000_000

  let activity = ActivityStore(memory: 8 << 20)
  let voice = VoiceStore()
  let memory = MemoryStore()
  let connection: ConnectionStore
  let actions = ActionCache()
  var feed = FilteredLog()
  let outline = FeedOutline()
  /// What the feed folds; nil leaves the turns of rows unknown.
  var folding: FeedFolding?
  var context: Set<RowID> = []
  /// What the feed and the verdict are about; the shell says what panes are.
  var scope = GuildScope.all
  /// Whether the rows of voice sessions are read before a frame, as they are but for the newest.
  var readsVoice = true

  /// - Parameters:
  ///   - hasVoiceState: false when nothing was heard yet.
  ///   - hasStats: false when no statistics came either.
  init(
    rows: [String] = Fixture.story, state: LinkState = .live, hasVoiceState: Bool = true,
    hasStats: Bool = true
  ) {
    var status = SourceStatus()
    status.overall = state
    status[.activity].state = state
    status[.activity].lastByteAtNs = Self.monotonicNs - 400_000_000
    status[.voice].state = state
    status.restLatencyMs = 45
    if !hasVoiceState { status.detail = "Nothing answers at http://127.0.0.1:8787." }
    connection = ConnectionStore(address: "http://127.0.0.1:8787", status: status)
    connection.learn(guilds: [Guild(id: "500000000000000001", name: "The Workshop")])
    connection.learn(channels: [
      Channel(id: "600000000000000001", name: "general", type: .text),
      Channel(id: "600000000000000009", name: "voice-chat", type: .voice),
    ])
    let people = """
      {"activeCount":1,"sessions":[{"sessionId":"s-1","guildId":"500000000000000001",\
      "voiceChannelId":"600000000000000009","startedAt":"2026-03-01T14:10:09.000Z",\
      "mode":"openai_realtime","assistantOutput":{"phase":"speaking_live"},\
      "participants":[{"userId":"700000000000000001","displayName":"james"},\
      {"userId":"700000000000000002","displayName":"作者 Ada"}],\
      "latency":{"recentTurns":[],"averages":{"totalMs":7830},"turnCount":7},\
      "recentTurns":[{"kind":"speech","role":"user","speakerName":"james",\
      "text":"hey clanky what's the latest on the rust compiler?","at":"2026-03-01T14:32:05.000Z"}]}]}
      """
    if hasVoiceState { Self.withBytes(people) { voice.apply($0, atNs: Self.monotonicNs) } }
    if let state = voice.state { connection.learn(state) }
    if hasStats { Self.withBytes(Self.stats) { activity.applyStats($0, atMs: 0) } }
    guard hasVoiceState else { return }
    Self.withBytes("[\(rows.joined(separator: ","))]") {
      _ = activity.applyRows($0, nowMs: Self.nowMs)
    }
    // As after a snapshot: what is older has not been fetched.
    guard !activity.log.isEmpty else { return }
    activity.apply(RowClaim(fromMs: activity.log.row(at: activity.log.count - 1).timeMs))
  }

  static func withBytes(_ text: String, _ body: (UnsafeRawBufferPointer) -> Void) {
    Array(text.utf8).withUnsafeBytes(body)
  }

  /// A live action, as the stream brings it.
  func live(_ json: String) throws {
    var failure: ActionRejection?
    Self.withBytes(json) { bytes in
      do throws(ActionRejection) {
        let row = try activity.applyLive(bytes, from: .activity, nowMs: Self.nowMs)
        if let row { actions.noteArrival(row, atNs: Self.monotonicNs) }
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// What was judged before the frame; nil judges what the stores hold.
  var triage: TriageReport?
  var promises = PromiseReport()
  var silences = AlarmSilences()
  /// What `:mute` and `:snooze` know.
  var alarmRules = ["models", "search", "automation_missed", "watch.slow"]

  private func judged() -> TriageReport {
    let receivedNs = activity.statsReceivedNs
    activity.statsReceivedNs = Self.monotonicNs
    defer { activity.statsReceivedNs = receivedNs }
    var board = TriageBoard(scope: scope)
    let input = TriageInput(
      scope: scope, activity: activity, voice: voice, operations: OperationsStore(),
      connection: connection,
      status: connection.status, settings: TriageSettings(), nowMs: Self.nowMs,
      nowNs: Self.monotonicNs)
    while !board.judge(input, rows: activity.log) {}
    return board.report
  }

  mutating func facts(query: Query = .everything, zone: String = "UTC") -> ViewContext {
    if feed.query != query { feed.setQuery(query) }
    feed.setScope(scope)
    feed.setContext(context)
    repeat {
      _ = feed.sync(with: activity.log, names: connection.names, nowMs: Self.nowMs)
    } while !feed.isComplete
    var context = ViewContext(
      activity: activity, voice: voice, memory: memory, connection: connection,
      status: connection.status, feed: feed,
      actions: actions, names: Names(connection.names), nowMs: Self.nowMs,
      monotonicNs: Self.monotonicNs, clock: ClockFormat(zone: TimeZone(identifier: zone) ?? .gmt),
      profile: "prod")
    context.scope = scope
    context.triage = triage ?? judged()
    context.promises = promises
    context.silences = silences
    context.alarmRules = alarmRules
    if readsVoice { voice.follow(activity.log) }
    if let folding {
      while outline.sync(
        with: activity.log, voice: voice, folding: folding, scope: scope)
      {}
      context.outline = outline
    }
    return context
  }

  /// One stored row.
  static func row(
    _ id: Int, _ time: String, _ kind: String, content: String? = nil, user: String? = nil,
    channel: String? = "600000000000000001", cost: Double = 0, metadata: String = "null",
    guild: String? = "500000000000000001"
  ) -> String {
    func text(_ value: String?) -> String {
      value.map { String(decoding: JSONText.quote($0), as: UTF8.self) } ?? "null"
    }
    return """
      {"id":\(id),"created_at":"2026-03-01T\(time)Z","guild_id":\(text(guild)),\
      "channel_id":\(text(channel)),"message_id":null,"user_id":\(text(user)),"kind":"\(kind)",\
      "content":\(text(content)),"metadata":\(metadata),"usd_cost":\(cost)}
      """
  }

  static let story: [String] = [
    row(
      1, "14:32:08.120", "llm_call", content: "claude-oauth:claude-opus-4-6",
      user: "700000000000000001", cost: 0.0084,
      metadata: """
        {"provider":"claude-oauth","model":"claude-opus-4-6","usage":{"inputTokens":1247,\
        "outputTokens":340,"cacheWriteTokens":0,"cacheReadTokens":892},"toolCallCount":3,\
        "toolNames":"web_search, memory_search, play_soundboard","stopReason":"tool_use",\
        "source":"voice_full_brain","systemPrompt":"You are Clanky.\\nBe brief.",\
        "userPrompt":"james: hey clanky what's the latest?","transcript":"Let me look that up."}
        """),
    row(
      2, "14:32:07.000", "voice_runtime", content: "voice_brain_tool_call",
      user: "700000000000000001",
      metadata: """
        {"sessionId":"s-1","toolName":"web_search","toolInput":{"query":"latest rust news"},\
        "durationMs":1204,"isError":false,"toolResultSummary":{"ok":true,"resultCount":5}}
        """),
    row(
      3, "14:32:05.000", "voice_runtime", content: "openai_realtime_asr_final_segment",
      user: "700000000000000001",
      metadata: """
        {"sessionId":"s-1","speakerName":"james","transcript":"hey clanky what's the latest on the \
        rust compiler"}
        """),
    row(
      4, "14:32:04.000", "voice_turn_in", content: "voice_activity_started",
      user: "700000000000000002",
      metadata: """
        {"sessionId":"s-1","promotionReason":"server_vad_confirmed","promotionDelayMs":212}
        """),
    row(
      5, "14:32:01.000", "bot_error", content: "gateway_reconnect_failed: socket hang up",
      channel: nil, metadata: "{\"attempt\":2,\"nextRetryMs\":10000}"),
    row(
      6, "14:31:51.000", "sent_reply", content: "Rust 1.90 is out.\nIt is faster.",
      user: "900000000000000001",
      metadata: """
        {"webSearch":{"used":true},"performance":{"totalMs":6120,"queueMs":12,"ingestMs":40,\
        "memorySliceMs":220,"llm1Ms":2100,"followupMs":2600,"typingDelayMs":900,"sendMs":160},\
        "replyPrompts":{"systemPrompt":"You are Clanky.","initialUserPrompt":"james: hi",\
        "followupUserPrompts":["tool results"],"tools":[{"name":"web_search",\
        "description":"Search the web"}]}}
        """),
    row(
      7, "14:31:44.000", "memory_fact", content: "james likes \u{1B}[31mshort\u{202E} answers",
      user: "700000000000000001",
      metadata: """
        {"subject":"700000000000000001","factType":"preference","confidence":0.92,\
        "reason":"added_new"}
        """),
    row(
      8, "14:31:30.000", "reply_skipped", content: "llm_skip",
      metadata: "{\"addressing\":{\"confidence\":0.21}}"),
    row(
      9, "14:31:22.000", "llm_error", content: "529 overloaded_error",
      metadata: "{\"provider\":\"anthropic\",\"model\":\"claude-haiku-4-5\",\"status\":529}"),
    row(
      10, "14:30:58.000", "search_call", content: "rust compiler news",
      metadata: """
        {"query":"rust compiler news","returnedResults":5,"providerUsed":"brave","latencyMs":1240}
        """),
    row(
      11, "14:30:40.000", "browser_tool_step", content: "browser_open",
      metadata: "{\"step\":1,\"tool\":\"browser_open\",\"input\":{\"url\":\"https://example.org\"}}"
    ),
    row(12, "14:30:20.000", "hologram_started", content: "作者 sagt: 👩‍👩‍👧 hello"),
    row(
      13, "14:29:00.000", "automation_run", content: "automation #7: posted",
      metadata: "{\"automationId\":7,\"runStatus\":\"ok\"}"),
  ]

  static let stats = """
    {"stats":{"last24h":{"llm_call":132,"sent_reply":41},"totalCostUsd":18.4471,\
    "dailyCost":[{"day":"2026-03-01","usd":2.4712},{"day":"2026-02-28","usd":3.0021}],\
    "performance":{"windowHours":24,"sampleCount":52,"totalMs":{"count":52,"p50Ms":4100,\
    "p95Ms":9800}}},"runtime":{"isReady":true,"userTag":"clanky#0001","guildCount":2,\
    "publicHttps":{"status":"ready"}}}
    """
}
