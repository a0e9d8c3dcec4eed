import ClankyWire
import CockpitRules
import Foundation
import LenientJSON

@testable import CockpitDemo

/// A story of the demo, told as events for the rules: rows as bytes of the wire, and the documents beside them.
final class DemoTape {
  let world: World
  let startMs: Int64
  private(set) var events: [RuleEvent] = []
  private let clock: ManualDemoClock
  private var router: RuleRouter
  private var lastID: Int64 = 0

  init(
    _ scenario: DemoScenario, seed: UInt64 = 1, dialect: DemoDialect = .may,
    settings: RuleSettings = RuleSettings()
  ) {
    clock = ManualDemoClock()
    startMs = clock.nowMs
    world = World(
      options: DemoOptions(
        seed: seed, scenario: scenario, token: "t", dialect: dialect, clock: clock, history: 0),
      token: "t")
    Director.begin(world)
    router = RuleEngine(settings).router
  }

  /// The rows of the told past.
  func takePast() { takeRows(ActionQuery(limit: .max, oldestFirst: true)) }

  /// Goes on; a voice state and stats come every `tickMs`.
  func run(ms: Int64, tickMs: Int64 = 3000) {
    let end = clock.nowMs + ms
    while clock.nowMs < end {
      clock.advance(byMs: tickMs)
      world.run(until: clock.nowMs)
      takeRows(ActionQuery(limit: 2000))
      let voice = world.voiceState.serialized()
      let stats = world.statsEnvelope().serialized()
      if let json = try? JSONValue.parse(voice), let state = VoiceState(json) {
        events.append(RuleEvent(state, atMs: clock.nowMs))
      }
      let envelope = try? stats.withUnsafeBytes { try StatsEnvelope.withoutVoice($0) }
      if let envelope = envelope.flatMap({ $0 }) {
        events.append(RuleEvent(envelope, atMs: clock.nowMs))
      }
    }
  }

  private func takeRows(_ query: ActionQuery) {
    let rows = world.store.actions(query).filter { $0.id > lastID }.sorted { $0.id < $1.id }
    for row in rows {
      lastID = row.id
      if let event = Self.event(row, &router) { events.append(event) }
    }
  }

  static func event(_ row: ActionRow, _ router: inout RuleRouter) -> RuleEvent? {
    row.json.serialized().withUnsafeBytes { RuleRow($0, router: &router) }.map { RuleEvent($0) }
  }

  /// A row of a test, read as the wire's.
  static func event(
    _ kind: String, atMs: Int64, content: String? = nil, metadata: String = "{}",
    channel: String? = nil, user: String? = nil, message: String? = nil
  ) -> RuleEvent? {
    var router = RuleEngine().router
    return event(
      ActionRow(
        createdMs: atMs, guild: "1", channel: channel, message: message, user: user, kind: kind,
        content: content.map { "\"\($0)\"" } ?? "null", metadata: metadata, cost: 0), &router)
  }
}
