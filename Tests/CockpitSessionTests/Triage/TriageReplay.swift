import ClankyWire
import CockpitAnswers
import CockpitDomain
import CockpitStores
import Foundation
import LenientJSON
import Networking

@testable import CockpitDemo

/// A story of the demo at a speed of its own, judged second by second as the program does it. Rows and states
/// come as bytes; what really happened is the demo's own truth.
@MainActor final class TriageReplay {
  let demo = ManualDemoClock()
  let world: World
  private(set) var board: TriageBoard
  let activity = ActivityStore()
  let voice = VoiceStore()
  let connection = ConnectionStore(address: "http://127.0.0.1")
  let startMs: Int64
  private let clock: Clock
  private let sink: StoreSink
  private let settings: TriageSettings
  private var lastID: Int64 = 0
  /// Rows of the told time that were not handed over yet.
  private lazy var past = world.store.actions(
    ActionQuery(limit: .max, since: world.startMs, oldestFirst: true))[...]
  private var automations: TriageInput.Heard<[Automation]>?

  @MainActor private final class Clock: LinkClock {
    let demo: ManualDemoClock
    let startMs: Int64
    init(_ demo: ManualDemoClock) { (self.demo, startMs) = (demo, demo.nowMs) }
    var wallMs: Int64 { demo.nowMs }
    var nowNs: UInt64 { UInt64(demo.nowMs - startMs + 1_000_000) * 1_000_000 }
    final class Timer: LinkTimer { func cancel() {} }
    func schedule(
      afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
    ) -> any LinkTimer { Timer() }
  }

  init(_ scenario: DemoScenario, seed: UInt64, settings: TriageSettings = TriageSettings()) {
    world = World(
      options: DemoOptions(seed: seed, scenario: scenario, token: "t", clock: demo), token: "t")
    Director.begin(world)
    self.settings = settings
    board = TriageBoard(settings: settings)
    clock = Clock(demo)
    startMs = demo.nowMs
    sink = StoreSink(
      activity: activity, voice: voice, memory: MemoryStore(), connection: connection,
      actions: ActionCache())
    var status = SourceStatus(overall: .live)
    status[.activity].state = .live
    status[.voice].state = .live
    connection.apply(status)
  }

  /// Rows up to a time are there, and nothing else: the past as the log tells it.
  func replayPast(to ms: Int64) {
    ingest(Array(past.prefix { $0.createdMs <= ms }))
    past.removeFirst(past.prefix { $0.createdMs <= ms }.count)
    var input = TriageInput(nowMs: ms)
    let rates = activity.log.rate.perMinute(nowMs: ms)
    input.failuresPerHour = rates.reduce(0) { $0 + $1.failures }
    input.actionsPerHour = rates.reduce(0) { $0 + $1.actions }
    board.judge(input, rows: activity.log)
  }

  /// One second passes, or several.
  func step(_ second: Int, seconds: Int64 = 1) {
    demo.advance(byMs: 1000 * seconds)
    world.run(until: demo.nowMs)
    let rows = world.store.actions(ActionQuery(limit: 500)).filter { $0.id > lastID }
    ingest(rows.reversed())
    let time = ReceiveTime(clock)
    if second % 3 == 0 {
      world.statsEnvelope().serialized().withUnsafeBytes {
        sink.receive(.document(.stats, $0), at: time)
      }
      world.voiceState.serialized().withUnsafeBytes {
        sink.receive(.document(.voiceState, $0), at: time)
      }
    }
    if second % 60 == 0 { loadAutomations() }
    var input = TriageInput(
      activity: activity, voice: voice, operations: OperationsStore(), connection: connection,
      status: connection.status, settings: settings, nowMs: clock.wallMs, nowNs: clock.nowNs)
    input.automations = automations
    board.judge(input, rows: activity.log)
  }

  private func ingest(_ rows: [ActionRow]) {
    guard let last = rows.last else { return }
    lastID = last.id
    DemoJSON.array(rows.map(\.json)).serialized().withUnsafeBytes {
      _ = sink.ingest(
        RowBatch($0, source: .fill), at: ReceiveTime(wallMs: last.createdMs, ns: clock.nowNs))
    }
  }

  /// The demo runs automations by its script; a bot that is well runs them when they are due.
  func runDueAutomations() {
    for guild in Cast.guilds {
      let rows = world.store.automations.list(guild: guild.id, statuses: ["active"], limit: 120)
      for row in rows where row.nextRunMs.map({ $0 <= demo.nowMs }) ?? false {
        world.store.automations.set(
          id: row.id, status: "active", nextRunMs: demo.nowMs + 86_400_000, now: demo.nowMs)
      }
    }
  }

  private func loadAutomations() {
    var rows: [Automation] = []
    for guild in Cast.guilds {
      let list = world.store.automations.list(
        guild: guild.id, statuses: ["active", "paused"], limit: 120)
      let json: DemoJSON = ["rows": .array(list.map(\.json))]
      let page = (try? JSONValue.parse(json.serialized())).flatMap(AutomationPage.init)
      rows += page?.rows ?? []
    }
    automations = .init(rows, atMs: clock.wallMs)
  }

  /// The rule that finds a kind of trouble of the truth file.
  static func rule(for kind: String) -> String {
    kind == "gateway" ? "discord" : kind
  }
}
