import Observation
import Testing

@testable import CockpitApp

@MainActor
@Suite struct FrameTrackingTests {
  @Observable
  final class Store {
    var first = 0
    var second = 0
  }

  @Test func aChangeAfterManyFramesIsHeardOnce() {
    let store = Store()
    var changes = 0
    let tracking = FrameTracking { changes += 1 }
    for _ in 0..<100 { tracking.read { _ = store.first } }
    #expect(changes == 0)
    store.first += 1
    store.first += 1
    #expect(changes == 1)
    tracking.read { _ = store.first }
    store.first += 1
    #expect(changes == 2)
  }

  @Test func whatAnEarlierFrameReadIsOfNoInterest() {
    let store = Store()
    var changes = 0
    let tracking = FrameTracking { changes += 1 }
    tracking.read { _ = store.first }
    tracking.read { _ = store.second }
    store.first += 1
    #expect(changes == 0)
    store.second += 1
    #expect(changes == 1)
  }

  @Test func aFrameThatReadsTheSameKeepsTheObservation() {
    let store = Store()
    var (changes, reads) = (0, 0)
    let tracking = FrameTracking { changes += 1 }
    // Nothing is observed yet, so this one has to.
    tracking.read(isSame: true) { _ = store.first }
    tracking.read(isSame: true) { reads += 1 }
    store.first += 1
    #expect((changes, reads) == (1, 1))
    tracking.read(isSame: true) { _ = store.second }
    store.second += 1
    #expect(changes == 2)
  }
}
