import CockpitDomain
@testable import ClankySource
import Testing

@testable import Networking

@MainActor @Suite("our clock is set (promise P10)") struct ClockStepTests {
  nonisolated private static let date = HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
  nonisolated private static let dateMs: Int64 = 784_111_777_000
  nonisolated private static let day: Int64 = 86_400_000

  /// A link that is live and has heard the time, with a newest row of that age.
  private func live(rowsMs ageMs: Int64 = 3_000) throws -> Rig {
    let rig = try Rig(streams: [.activity])
    rig.sink.timeOfID = { Self.dateMs - ageMs + Int64($0) }
    rig.clock.wallMs = Self.dateMs + 500
    rig.start()
    rig.transport.activity.head(200, [Self.date])
    rig.transport.activity.event("activity_snapshot", rows([1, 2]))
    return rig
  }

  private func serverMs(_ rig: Rig) -> Int64 { rig.link.status.serverMs(rig.clock.wallMs) }

  @Test(
    "the time of the server goes on as if nothing had been",
    arguments: [7_200_000, -7_200_000, 3 * day, -3 * day, 400 * day, -400 * day, 20_000])
  func steps(stepMs: Int64) throws {
    for ageMs in [3_000, 2 * Self.day, 300 * Self.day] {
      let rig = try live(rowsMs: ageMs)
      let before = serverMs(rig)
      rig.clock.wallMs += stepMs
      rig.clock.stall(ms: 1000)
      rig.link.tick()
      #expect(serverMs(rig) == before + 1000, "\(ageMs)")
      #expect(rig.sink.statuses.last?.skewMs == -Int(stepMs), "it is told at once")
      // The next answer says nothing new, and the way back is as short.
      rig.link.heard(
        HTTPHead(
          status: 200, reason: "OK", headers: [HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:38 GMT")]),
        latencyMs: nil)
      #expect(serverMs(rig) == before + 1000)
      rig.clock.wallMs -= stepMs
      rig.link.tick()
      #expect(serverMs(rig) == before + 1000)
      #expect(rig.link.status.skewMs == 0)
      #expect(!rig.link.status.isClockDoubted)
    }
  }

  @Test("an answer that comes before the tick does not count the step twice")
  func answerFirst() throws {
    let rig = try live()
    rig.clock.wallMs += 7_200_000
    rig.link.heard(HTTPHead(status: 200, reason: "OK", headers: [Self.date]), latencyMs: nil)
    rig.link.tick()
    #expect(rig.link.status.skewMs == -7_200_000)
  }

  @Test("a sleep is no step, and neither is what lies below a second")
  func sleep() throws {
    let rig = try live()
    rig.clock.sleep(ms: 3_600_000)
    rig.link.tick()
    #expect(rig.link.status.skewMs == 0)
    rig.clock.wallMs += 900
    rig.link.tick()
    #expect(rig.link.status.skewMs == 0)
  }

  @Test("while nobody has said what time it is there, ages are those of our clock")
  func unknown() throws {
    let rig = try Rig(streams: [.activity])
    rig.start()
    rig.clock.wallMs += 7_200_000
    rig.link.tick()
    #expect(rig.link.status.skewMs == nil)
    #expect(serverMs(rig) == rig.clock.wallMs)
  }

  @Test("a header that the rows contradict stays doubted when our clock is set")
  func doubted() throws {
    let rig = try live()
    let far = HTTPHeader("Date", "Sun, 06 Nov 2044 08:49:37 GMT")
    rig.link.heard(HTTPHead(status: 200, reason: "OK", headers: [far]), latencyMs: nil)
    #expect(rig.link.status.isClockDoubted)
    rig.clock.wallMs += 60_000
    rig.link.tick()
    #expect(rig.link.status.isClockDoubted)
  }
}
