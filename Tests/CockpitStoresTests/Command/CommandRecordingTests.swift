import CockpitDomain
import Networking
import ClankyWire
import Foundation
import LenientJSON
import Testing

@testable import CockpitStores

/// What the real backend has answered, which lies beside the repository and is not part of it.
@MainActor
@Suite(.enabled(if: Shared.exists)) struct CommandRecordingTests {
  private let store = OperationsStore()
  private let backend = ScriptedBackend()
  private let service: OperationsService

  init() { service = OperationsService(store: store, requester: backend, clock: HandClock()) }

  private func body(_ name: String) throws -> String {
    String(decoding: try Shared.bytes("wire/captures/rest/\(name).json"), as: UTF8.self)
  }

  @Test func everyListIsRead() throws {
    let guild = "900000000000000101"
    service.perform(.loadGuilds)
    backend.answer(try body("GET_api_guilds"))
    #expect(store.guilds.value?.contains { $0.id == guild && $0.name != nil } == true)
    service.perform(.loadChannels(guild: guild))
    backend.answer(try body("GET_api_guilds_ID_channels"))
    let types = Set(store.channels[guild]?.value?.compactMap(\.type) ?? [])
    #expect(types == [.text, .voice])
    service.perform(.loadAutomations(guild: guild))
    backend.answer(try body("GET_api_automations__guildId"))
    #expect(store.automations[guild]?.value?.rows.count == 4)
    service.perform(.loadRuns(guild: guild, automation: 1))
    backend.answer(try body("GET_api_automations_runs"))
    #expect(store.runs[1]?.value?.rows.allSatisfy { $0.id != nil && $0.status != nil } == true)
    service.perform(.loadBrowserSessions)
    backend.answer(try body("GET_api_agents_browser-sessions"))
    #expect(store.browserSessions.value?.sessions.isEmpty == false)
    #expect(store.browserSessions.value?.omitted == 0)
    service.perform(.loadAutomations(guild: ""))
    backend.answer(400, try body("GET_api_automations__no-guild"))
    #expect(store.automations[""]?.problem?.contains("guildId is required") == true)
  }

  @Test(arguments: [
    ("already-in-channel", true, JoinReason.alreadyInChannel),
    ("requester-not-in-voice", false, .requesterNotInVoice),
    ("guild-not-found", false, .guildNotFound),
  ])
  func everyAnswerToJoinIsRead(name: String, ok: Bool, reason: JoinReason) throws {
    service.perform(.join(JoinRequest()))
    backend.answer(try body("POST_api_voice_join__\(name)"))
    guard case .ended(let result, _) = store.join else {
      Issue.record("\(store.join)")
      return
    }
    #expect(result.ok == ok && result.reason == reason)
  }

  @Test func theCostsOfTheRecordedDay() throws {
    let stats = try #require(
      StatsEnvelope(try JSONValue.parse(Array(try body("GET_api_stats").utf8))))
    let log = ActionLog()
    var sum = 0.0
    for (_, data) in try Shared.events(["action_event"], in: "wire/captures/activity.sse") {
      let json = try JSONValue.parse(data)
      sum += json["usdCost"]?.double ?? 0
      try log.live(String(decoding: data, as: UTF8.self))
    }
    let now = try #require(WireTime(iso: "2026-11-21T01:25:00.000Z")).milliseconds
    let accumulator = CostAccumulator()
    var summary = CostSummary()
    repeat {
      summary = accumulator.summary(of: log, coveredFromMs: nil, stats: stats.stats, nowMs: now)
    } while !accumulator.isComplete
    #expect(summary.today == 0.10595600000000001)
    #expect(summary.days[11] == 0.0153 && summary.days[12] == 0)
    // The browser runs of the recording cost nothing, so nothing is left out.
    #expect(abs(summary.byKind.reduce(0) { $0 + $1.usd } - sum) < 1e-6)
    #expect(summary.byModel.contains { $0.name == "claude-opus-4-6" && $0.tokens.input > 0 })
    #expect(summary.byModel.contains { $0.name == "gpt-realtime" && $0.usd > 0 })
    #expect(summary.freeCalls > 0)
    #expect(summary.forecast?.basis == .days(9))
  }
}
