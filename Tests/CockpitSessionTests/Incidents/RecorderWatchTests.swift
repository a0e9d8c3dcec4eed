import CockpitHistory
import CockpitRules
import Testing

@testable import CockpitSession

@Suite struct RecorderWatchTests {
  @Test("each loss is told once; a standstill after a minute, and when it is over")
  func losses() {
    var watch = RecorderWatch()
    var state = RecorderState()
    #expect(watch.events(nil, nowMs: 0).isEmpty)
    state.note(RecordedOutage(fromMs: 1000, toMs: 2000, reason: .lost, rows: 3))
    #expect(watch.events(state, nowMs: 3000).map(\.timeMs) == [1000])
    #expect(watch.events(state, nowMs: 4000).isEmpty)
    state.failingSinceMs = 10_000
    #expect(watch.events(state, nowMs: 69_000).isEmpty)
    let standing = watch.events(state, nowMs: 70_000)
    #expect(standing.map(\.timeMs) == [10_000])
    #expect(standing.map(\.isOfRecorder) == [true])
    #expect(watch.events(state, nowMs: 80_000).isEmpty)
    state.failingSinceMs = nil
    state.note(RecordedOutage(fromMs: 10_000, toMs: 90_000, reason: .diskFull))
    // Both are one incident, with what is known at the end.
    var engine = RuleEngine()
    engine.take(standing + watch.events(state, nowMs: 95_000))
    let incidents = engine.incidents
    #expect(incidents.map(\.rule) == [.notRecorded])
    #expect(incidents.map(\.toMs) == [90_000])
    #expect(incidents.map(\.count) == [1])
  }

  @Test("of many losses none is told twice, also where the oldest are gone") func many() {
    var (watch, state, told) = (RecorderWatch(), RecorderState(), [Int64]())
    for number in 0..<230 {
      state.note(RecordedOutage(fromMs: Int64(number), toMs: 500, reason: .lost, rows: 1))
      if number % 7 == 0 { told += watch.events(state, nowMs: 600).map(\.timeMs) }
    }
    told += watch.events(state, nowMs: 600).map(\.timeMs)
    #expect(told == (0..<230).map { Int64($0) })
  }
}
