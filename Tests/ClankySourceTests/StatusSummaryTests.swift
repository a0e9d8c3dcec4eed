import ClankySource
import CockpitDomain
import Testing

struct StatusSummaryTests {
  /// The rule, said for any number of streams.
  private func overall(_ states: [LinkState], restFails: Bool) -> LinkState {
    guard let first = states.first else { return .stopped }
    if states.allSatisfy({ $0 == .live }) { return restFails ? .degraded : .live }
    if states.allSatisfy({ $0 == first }) { return first }
    if states.contains(.live) {
      return states.contains { $0 != .live && $0 != .connecting } ? .degraded : .connecting
    }
    return [.polling, .stale, .reconnecting, .connecting].first { states.contains($0) } ?? .stopped
  }

  @Test("two states are folded by the rule, whichever stream has which")
  func folded() {
    let states = LinkState.allCases.map(Optional.some) + [nil]
    for activity in states {
      for voice in states {
        for restFails in [false, true] {
          #expect(
            StatusSummary.overall(activity: activity, voice: voice, restFails: restFails)
              == overall([activity, voice].compactMap(\.self), restFails: restFails),
            "\(String(describing: activity)), \(String(describing: voice)), \(restFails)")
        }
      }
    }
  }
}
