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

  @Test("the states of one, two or three channels are folded by the rule, in any order")
  func folded() {
    let states = LinkState.allCases.map(Optional.some) + [nil]
    for first in states {
      for second in states {
        for third in states {
          for restFails in [false, true] {
            let wanted = [first, second, third].compactMap(\.self)
            #expect(
              StatusSummary.overall(wanted, restFails: restFails)
                == overall(wanted, restFails: restFails),
              "\(wanted), \(restFails)")
          }
        }
      }
    }
  }
}
