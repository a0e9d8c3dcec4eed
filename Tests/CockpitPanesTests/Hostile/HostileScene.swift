import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// Everything a backend answers, each answer as JSON, and a shell over what comes of it.
@MainActor
struct HostileScene {
  private static let workshop = MemoryFixture.workshop

  /// The answers by the names of their routes.
  static let payloads: [(name: String, json: String)] = [
    (
      "stats",
      """
      {"stats":{"last24h":{"llm_call":132,"sent_reply":41,"voice_turn_in":88},"totalCostUsd":18.4,\
      "dailyCost":[{"day":"2026-03-01","usd":2.4},{"day":"2026-02-28","usd":3.0}],"performance":\
      {"windowHours":24,"sampleCount":52,"totalMs":{"count":52,"p50Ms":4100,"p95Ms":9800}}},\
      "runtime":{"isReady":true,"userTag":"clanky#0001","guildCount":3,\
      "lastBotMessageAt":"2026-03-01T14:31:51.000Z","replyQueue":{"channels":1,"pending":2},\
      "gateway":{"hasConnectedAtLeastOnce":true,"reconnectInFlight":false,"reconnectAttempts":4,\
      "lastGatewayEventAt":"2026-03-01T14:32:03.000Z"},"publicHttps":{"enabled":true,\
      "status":"error","pid":42,"publicUrl":"https://x.example","lastError":"tunnel exited"},\
      "screenShare":{"activeCount":1,"newestExpiresAt":"2026-03-01T15:00:00.000Z"}}}
      """
    ),
    (
      "voice",
      "{\"activeCount\":2,\"sessions\":[\(VoiceFixture.richSession),\(session)]}"
    ),
    ("rows", "[\((Fixture.brainRows + VoiceFixture.events).joined(separator: ","))]"),
    (
      "facts",
      """
      {"facts":[{"id":7,"created_at":"2026-02-01T10:00:00.000Z",\
      "updated_at":"2026-02-20T10:00:00.000Z","scope":"user","guild_id":null,\
      "channel_id":"600000000000000001","user_id":"700000000000000001",\
      "subject":"700000000000000001","fact":"Prefers short answers.","fact_type":"preference",\
      "evidence_text":"be brief","source_message_id":"1182000000000000001","confidence":0.92},\
      {"id":8,"created_at":"2026-02-01T10:00:00.000Z","updated_at":"2026-02-20T10:00:00.000Z",\
      "scope":"guild","guild_id":"\(workshop)","subject":"__lore__","fact":"Friday is game night.",\
      "fact_type":"other","evidence_text":null,"confidence":0.5}]}
      """
    ),
    (
      "reflections",
      """
      {"runs":[{"runId":"r-1","dateKey":"2026-03-01","guildId":"\(workshop)","status":"completed",\
      "startedAt":"2026-03-01T12:00:00.000Z","completedAt":"2026-03-01T12:00:08.000Z",\
      "durationMs":8100,"provider":"claude","model":"opus","usdCost":0.02,"journalEntryCount":31,\
      "maxFacts":20,"factsExtracted":15,"factsSelected":12,"factsAdded":12,"factsSaved":12,\
      "factsSkipped":3,"savedFacts":[{"subject":"author","subjectName":"james",\
      "fact":"Writes Rust.","type":"profile","confidence":0.85,"status":"saved",\
      "saveReason":"added_new"}],"skippedFacts":[],"rawResponseText":"[]"}]}
      """
    ),
    (
      "automations",
      """
      {"rows":[{"id":7,"guild_id":"\(workshop)","channel_id":"600000000000000001",\
      "created_by_user_id":"700000000000000001","created_by_name":"james","title":"daily digest",\
      "instruction":"Sum up the day.","schedule":{"kind":"daily","hour":18,"minute":0},\
      "next_run_at":"2026-03-01T18:00:00.000Z","status":"active","is_running":0,\
      "last_run_at":"2026-02-28T18:00:00.000Z","last_error":"no channel","last_result":"posted"},\
      {"id":8,"guild_id":"\(workshop)","title":"scan","schedule":{"kind":"interval",\
      "everyMinutes":30},"status":"active","is_running":1}]}
      """
    ),
    (
      "runs",
      """
      {"rows":[{"id":70,"automation_id":7,"started_at":"2026-02-28T18:00:00.000Z",\
      "finished_at":"2026-02-28T18:00:08.000Z","status":"error","summary":"posted",\
      "error":"no channel","message_id":"1182000000000000001","metadata":{"a":1}}]}
      """
    ),
    (
      "browser",
      """
      {"sessions":[{"sessionId":"b-1","startedAt":"2026-03-01T14:20:00.000Z",\
      "userId":"700000000000000001","instruction":"research","totalCostUsd":0.04,"totalSteps":9,\
      "durationMs":42000,"model":"opus","currentUrl":"https://example.org","failed":true,\
      "errorName":"TimeoutError","errorMessage":"page did not load","toolSteps":[{"tool":"open",\
      "step":1,"timestamp":"2026-03-01T14:20:00.000Z","input":{"url":"https://example.org"}}]}]}
      """
    ),
    ("guilds", "[{\"id\":\"\(workshop)\",\"name\":\"The Workshop\"}]"),
    (
      "history",
      """
      [{"sessionId":"h-1","guildId":"\(workshop)","mode":"openai_realtime",\
      "startedAt":"2026-03-01T09:12:00.000Z","endedAt":"2026-03-01T09:57:12.000Z",\
      "durationSeconds":2712,"endReason":"nl_leave"}]
      """
    ),
  ]

  /// A session with captures of prompts and a generation, for BRAIN.
  private static let session: String = {
    let state = try? JSONValue.parse(Fixture.voiceState(second: 3, user: "james: hello"))
    return state?["sessions"]?.array?.first?.serialized() ?? "{}"
  }()

  private let base = Fixture(rows: [])
  private let command = OperationsStore()
  private var feed = FilteredLog()
  private var view = FactView()

  /// - Parameter payload: the bytes to take for an answer, by its name and its JSON.
  init(_ payload: (_ name: String, _ json: String) throws -> [UInt8]) rethrows {
    for (name, json) in Self.payloads { take(name, try payload(name, json)) }
    base.voice.follow(base.activity.log)
  }

  private func take(_ name: String, _ bytes: [UInt8]) {
    let at = Fixture.nowMs
    let json = (try? JSONValue.parse(bytes)) ?? .null
    bytes.withUnsafeBytes { bytes in
      switch name {
      case "stats": base.activity.applyStats(bytes, atMs: 0)
      case "rows": _ = base.activity.applyRows(bytes, nowMs: at)
      case "voice":
        base.voice.apply(bytes, atNs: Fixture.monotonicNs)
        if let state = base.voice.state { base.connection.learn(state) }
      case "facts":
        let page = FactPage(json)
        base.memory.guilds = [Self.workshop]
        base.memory.facts.merge(page?.facts ?? [], guild: Self.workshop)
      case "reflections":
        if let page = ReflectionPage(json) { base.memory.reflections = .loaded(page, atMs: at) }
      case "automations":
        if let page = AutomationPage(json) {
          command.automations[Self.workshop] = .loaded(page, atMs: at)
        }
      case "runs":
        if let page = AutomationRunPage(json) { command.runs[7] = .loaded(page, atMs: at) }
      case "browser":
        if let page = BrowserSessionPage(json) { command.browserSessions = .loaded(page, atMs: at) }
      case "guilds":
        let guilds = WireList<Guild>(json)?.rows ?? []
        command.guilds = .loaded(guilds, atMs: at)
        base.connection.learn(guilds: guilds)
      case "history": base.voice.applyHistory(bytes)
      default: break
      }
    }
  }

  mutating func facts(_ shell: CockpitShell) -> ViewContext {
    if feed.query != shell.pulse.feedQuery { feed.setQuery(shell.pulse.feedQuery) }
    repeat {
      _ = feed.sync(with: base.activity.log, names: base.connection.names, nowMs: Fixture.nowMs)
    } while !feed.isComplete
    view.sync(
      with: base.memory, query: shell.memory.query, names: base.connection.names,
      nowMs: Fixture.nowMs)
    var facts = ViewContext(
      activity: base.activity, voice: base.voice, memory: base.memory,
      connection: base.connection, status: base.connection.status, feed: feed,
      actions: base.actions, names: Names(base.connection.names), nowMs: Fixture.nowMs,
      monotonicNs: Fixture.monotonicNs, clock: ClockFormat(zone: .gmt), profile: "prod")
    facts.command = command
    facts.factView = view
    return facts
  }

  /// What the program does for each frame, after some keys.
  mutating func draw(_ shell: inout CockpitShell, keys: String) -> Canvas {
    func frame(_ scene: inout HostileScene) -> Frame {
      for _ in 0..<2 { _ = shell.update(scene.facts(shell), size: shell.size) }
      return shell.render(scene.facts(shell), size: shell.size)
    }
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses {
        let frame = frame(&self)
        _ = shell.handle(.key(press.key, press.modifiers), on: facts(shell), frame: frame)
      }
    }
    return frame(&self).canvas
  }
}
