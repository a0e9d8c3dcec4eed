import Foundation
import LenientJSON
import Testing

@testable import OpenClawSource

/// Days of faults on a clock that the test moves.
@MainActor
@Suite struct GatewayDayTests {
  /// `CLANKY_LONG_TESTS=1` takes a month.
  private static let days =
    ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] == nil ? 1 : 30

  /// The longest way back: 60 s of silence until a dead connection is noticed, 36 s until the next attempt, 15 s
  /// without a challenge and 36 s more, three lists that hang for 30 s each, and 30 s until they are asked for again.
  private static let recoveryS = 270

  @Test("24 hours of faults lose no approval, and show none that does not wait")
  func day() throws {
    for seed in 0..<Self.days { try day(UInt64(seed)) }
  }

  private func day(_ seed: UInt64) throws {
    let desk = try Desk()
    let gateway = FaultyGateway(desk, seed: seed)
    var seen: Set<String> = []
    var calm = 0
    while gateway.second < 86_400 {
      gateway.pass()
      let shown = Set((desk.control["waiting"]?.array ?? []).compactMap { $0["id"]?.string })
      seen.formUnion(shown)
      // Cards follow their events within 100 ms.
      guard gateway.second - gateway.faultyUntilS > Self.recoveryS, gateway.second % 7 == 0 else {
        continue
      }
      calm += 1
      gateway.wait()
      let settled = Set((desk.control["waiting"]?.array ?? []).compactMap { $0["id"]?.string })
      let waiting = Set(gateway.pending.keys)
      let isRight = settled.subtracting(gateway.justExpired) == waiting
      #expect(isRight, "seed \(seed), second \(gateway.second): \(settled), truth \(waiting)")
      guard isRight else { return }
    }
    #expect(gateway.faults.count == FaultyGateway.Fault.allCases.count, "\(gateway.faults)")
    #expect(calm > 1_000, "\(calm)")
    print("a day: \(gateway.faults), \(gateway.asked.count) approvals, \(calm) looks at rest")
    // An approval waits for half an hour: it is seen, whatever happened meanwhile, unless a restart or somebody
    // else's answer ended it before the way back did.
    let unseen = gateway.asked.filter { !seen.contains($0.key) && gateway.wasLong($0.key) }
    #expect(unseen.isEmpty, "seed \(seed): \(unseen)")
  }
}
