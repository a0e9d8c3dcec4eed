import CockpitStores
import LenientJSON
import Testing

@testable import CockpitSession

@MainActor
@Suite struct AttentionMonitorTests {
  private static let nowMs: Int64 = 1_800_000_000_000

  /// What the monitor says a number of seconds after the start.
  private func look(
    _ monitor: inout AttentionMonitor, seconds: Int64, isLive: Bool, _ board: ControlBoard? = nil
  ) -> AlertPolicy.Outcome {
    monitor.look(
      at: board, isLive: isLive, alarms: [], log: nil, names: NameTable(),
      nowNs: UInt64(1_000 + seconds) * 1_000_000_000,
      at: AttentionEngine.Moment(nowMs: Self.nowMs + seconds * 1_000, minuteOfDay: 720))
  }

  @Test("a connection asks for somebody when it was there and is away for 30 s")
  func lost() {
    var monitor = AttentionMonitor(AttentionRules())
    var levels: [AttentionLevel] = []
    let course: [(Int64, Bool)] = [
      (0, false), (60, false), (61, true), (70, false), (99, false), (100, false), (101, true),
      (131, false), (140, false),
    ]
    for (seconds, isLive) in course {
      _ = look(&monitor, seconds: seconds, isLive: isLive)
      levels.append(monitor.state.level)
    }
    #expect(
      levels == [
        .passive, .passive, .passive, .passive, .passive, .notify, .passive, .passive, .passive,
      ])
  }

  @Test("what waited before a reconnect and still does rings once")
  func reconnect() throws {
    let text =
      #"{"waiting":[{"id":"a","kind":"exec","subject":"make","fingerprint":"f","heard":true}]}"#
    let board = ControlBoard(try JSONValue.parse(Array(text.utf8)))
    var monitor = AttentionMonitor(AttentionRules())
    #expect(look(&monitor, seconds: 0, isLive: true, board).rings)
    #expect(!look(&monitor, seconds: 10, isLive: false, board).rings)
    #expect(monitor.state.level == .passive && monitor.state.cards.isEmpty)
    #expect(!look(&monitor, seconds: 20, isLive: true, board).rings)
    #expect(monitor.state.cards == ["a"])
  }
}
