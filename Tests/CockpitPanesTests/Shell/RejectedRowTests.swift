import CockpitDomain
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The alert line about what could not be read.
@MainActor @Suite struct RejectedRowTests {
  private func alert(after rows: [String]) -> String? {
    var fixture = Fixture()
    let sink = StoreSink(
      activity: fixture.activity, voice: fixture.voice, memory: fixture.memory,
      connection: fixture.connection, actions: fixture.actions)
    let time = ReceiveTime(wallMs: Fixture.nowMs, ns: Fixture.monotonicNs)
    for row in rows {
      Fixture.withBytes(row) { sink.receive(.row($0, from: .activity), at: time) }
    }
    let shell = CockpitShell(size: Size(width: 120, height: 40))
    return shell.alert(fixture.facts()).map(\.text.description)
  }

  @Test("an unreadable live row counts once")
  func live() throws {
    #expect(alert(after: []) == nil)
    let one = try #require(alert(after: ["{broken"]))
    #expect(one.hasPrefix("1 event could not be read and were left out: activity stream: "))
    let two = try #require(alert(after: ["{broken", "{}"]))
    #expect(two.hasPrefix("2 events could not be read"))
  }

  @Test("an event that is no row, and a row, count as two")
  func both() throws {
    var fixture = Fixture()
    let sink = StoreSink(
      activity: fixture.activity, voice: fixture.voice, memory: fixture.memory,
      connection: fixture.connection, actions: fixture.actions)
    let time = ReceiveTime(wallMs: Fixture.nowMs, ns: Fixture.monotonicNs)
    sink.receive(.rejected(.activity, name: "action_event", reason: "too large"), at: time)
    Fixture.withBytes("{broken") { sink.receive(.row($0, from: .activity), at: time) }
    let shell = CockpitShell(size: Size(width: 120, height: 40))
    let alert = try #require(shell.alert(fixture.facts())).text.description
    #expect(alert.hasPrefix("2 events could not be read"))
  }
}
