import CockpitDomain
import Testing

/// What lists of rows prove (wire contract 2.4 and 3.2).
@MainActor
@Suite struct RowClaimTests {
  @Test("D1: a snapshot with fewer rows than it could have is the whole log")
  func aShortSnapshot() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...219)
    #expect(rig.sink.claims == [RowClaim(fromMs: .min)])
  }

  @Test("D1: a full snapshot proves what is newer than its oldest millisecond")
  func aFullSnapshot() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(801...1_020)
    #expect(rig.sink.claims == [RowClaim(fromMs: rig.sink.timeOfID(801) + 1)])
  }

  @Test("D1: rows that are being fetched after a loss are a hole until they are here")
  func aHole() throws {
    let rig = try Rig(streams: [.activity])
    let start = rig.clock.wallMs
    rig.sink.timeOfID = { start + Int64($0) * 100 }
    rig.goLive(1...10)
    rig.clock.advance(ms: 3_000)
    rig.transport.activity.end()
    for _ in 0..<40 where rig.transport.activity.isOver { rig.clock.advance(ms: 1_000) }
    rig.transport.activity.head(200)
    rig.transport.activity.event("activity_snapshot", rows(40...60))
    #expect(rig.sink.openHole?.lowerBound == start)
    rig.transport.open("/api/actions")?.answer(200, rows(8...61))
    #expect(rig.sink.openHole == nil)
    // The requested range of the fill, without its margin.
    #expect(rig.sink.claims.last == RowClaim(fromMs: start))
  }
}
