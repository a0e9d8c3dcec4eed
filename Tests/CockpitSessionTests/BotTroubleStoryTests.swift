import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import CockpitPanes
import CockpitShell
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore
import Testing

@testable import CockpitDemo

/// The demo's stories at a speed of their own, second by second, and what every tab says of the bot
/// meanwhile. The truth is the demo's own world, not what was read of it.
@MainActor @Suite struct BotTroubleStoryTests {
  /// What was so and what was said in one second.
  private struct Second {
    var isGatewayLost: Bool
    var isTunnelDown: Bool
    /// Of each tab: its header, and all that is on it.
    var screens: [(header: String, text: String)] = []
    var troubles: [BotTrouble] = []
  }

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

  /// - Parameter draws: whether screens are drawn; else only what is wrong is noted.
  private func play(
    _ scenario: DemoScenario, seconds: Int, seed: UInt64, size: Size, draws: Bool
  ) throws -> [Second] {
    let demo = ManualDemoClock()
    let world = World(
      options: DemoOptions(seed: seed, scenario: scenario, token: "t", clock: demo), token: "t")
    Director.begin(world)
    let clock = Clock(demo)
    let (activity, voice, memory) = (ActivityStore(), VoiceStore(), MemoryStore())
    let connection = ConnectionStore(address: "http://127.0.0.1")
    let actions = ActionCache()
    let sink = StoreSink(
      activity: activity, voice: voice, memory: memory, connection: connection, actions: actions)
    var status = LinkStatus(overall: .live)
    status.activity.state = .live
    status.voice.state = .live
    connection.apply(status)
    var log: [Second] = []
    for second in 0..<seconds {
      demo.advance(byMs: 1000)
      world.run(until: demo.nowMs)
      if second % 3 == 0 {
        world.activitySnapshot().serialized().withUnsafeBytes {
          _ = sink.ingest(
            RowBatch($0, source: .snapshot, carriesStats: true), at: ReceiveTime(clock))
        }
        world.voiceState.serialized().withUnsafeBytes {
          sink.receive(.document(.voiceState, $0), at: ReceiveTime(clock))
        }
      }
      var feed = FilteredLog()
      _ = feed.sync(with: activity.log, names: connection.names, nowMs: clock.wallMs)
      let facts = ViewContext(
        activity: activity, voice: voice, memory: memory, connection: connection, status: status,
        feed: feed, actions: actions, names: Names(connection.names), nowMs: clock.wallMs,
        monotonicNs: clock.nowNs, clock: ClockFormat(zone: .gmt), profile: "demo")
      var entry = Second(
        isGatewayLost: world.gateway.reconnecting, isTunnelDown: world.tunnel.status == "error")
      entry.troubles = facts.bot.troubles
      if draws {
        entry.screens = Tab.allCases.map { tab in
          let canvas = CockpitShell(tab: tab, size: size).render(facts, size: size).canvas
          return (canvas.text(row: 0), canvas.text)
        }
      }
      log.append(entry)
    }
    return log
  }

  @Test(
    "D4: in the failing story every onset of gateway or tunnel trouble is a word on every tab within 10 s",
    arguments: [Size(width: 80, height: 24), Size(width: 120, height: 40)])
  func failing(size: Size) throws {
    let log = try play(.failing, seconds: 150, seed: 1, size: size, draws: true)
    var onsets = 0
    func check(
      _ isSo: (Second) -> Bool, _ words: (header: [String], row: String), _ what: String
    ) {
      for second in log.indices.dropLast(12)
      where isSo(log[second]) && (second == 0 || !isSo(log[second - 1])) {
        onsets += 1
        let after = log[second...min(second + 10, log.count - 1)]
        for tab in Tab.allCases.indices {
          let isHeaded = after.contains { entry in
            words.header.contains { entry.screens[tab].header.contains($0) }
          }
          let hasRow = after.contains { $0.screens[tab].text.contains(words.row) }
          #expect(
            isHeaded && hasRow,
            "\(what) at \(second) s, tab \(tab + 1):\n\(after.last?.screens[tab].text ?? "")")
        }
      }
    }
    check(\.isGatewayLost, (["bot offline"], "reconnecting to Discord"), "gateway")
    // While Discord is lost too, that is the word.
    check(\.isTunnelDown, (["tunnel down", "bot offline"], "tunnel"), "tunnel")
    #expect(onsets >= 4, "the story has \(onsets)")
  }

  @Test(
    "D4: in the story of a bot that is well no tab says a word in 10 minutes",
    arguments: [1, 2] as [UInt64])
  func story(seed: UInt64) throws {
    let size = Size(width: 80, height: 24)
    let log = try play(.story, seconds: 600, seed: seed, size: size, draws: false)
    for (second, entry) in log.enumerated() {
      #expect(entry.troubles.isEmpty, "after \(second) s: \(entry.troubles)")
      if !entry.troubles.isEmpty { break }
    }
  }
}
