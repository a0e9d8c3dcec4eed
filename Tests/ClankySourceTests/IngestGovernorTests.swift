import ClankySource
import Networking
import Testing

@Suite struct IngestGovernorTests {
  @Test func aQuietStreamIsNeverPaused() {
    var governor = IngestGovernor()
    for step in 0..<200 {
      let now = UInt64(step) * 15_000_000
      let change = governor.worked(events: 1, fromNs: now, toNs: now + 100_000)
      #expect(change == .none)
    }
    #expect(governor.phase == .free)
  }

  @Test func workIsBoundedAndABacklogIsTakenUpSoon() {
    var governor = IngestGovernor()
    var now: UInt64 = 1_000_000_000
    var working: UInt64 = 0
    let start = now
    // A backlog without end: a millisecond of work per chunk.
    for _ in 0..<2_000 {
      if governor.isPaused {
        now = governor.deadlineNs ?? now
        let change = governor.timeUp(nowNs: now)
        #expect(change == .resume)
      }
      let change = governor.worked(events: 5, fromNs: now, toNs: now + 1_000_000)
      now += 1_000_000
      working += 1_000_000
      #expect((change == .pause) == governor.isPaused)
    }
    let share = Double(working) / Double(now - start)
    #expect(share > 0.2 && share < 0.32)
  }
}
