import Networking
import Testing

@Suite struct ReconnectPolicyTests {
  @Test("the backoff grows to its cap and is forgiven after a minute of health (promise P5)")
  func growsToTheCapAndIsForgivenAfterAMinute() {
    var policy = ReconnectPolicy()
    let delays = (0..<6).map { _ in
      policy.delayNs(nowNs: 0, retryAfterMs: nil, random: 0.5) / 1_000_000
    }
    #expect(delays == [3_375, 6_750, 13_500, 27_000, 27_000, 27_000])
    policy.wentLive(nowNs: 0)
    let short = policy.delayNs(nowNs: 59_000_000_000, retryAfterMs: nil, random: 0)
    #expect(short == 24_000_000_000)
    policy.wentLive(nowNs: 0)
    let healthy = policy.delayNs(nowNs: 60_000_000_000, retryAfterMs: nil, random: 0)
    #expect(healthy == 3_000_000_000)
  }

  @Test(
    "no wait is shorter than a second or longer than five minutes, whatever is asked (promise P5)")
  func staysWithinBoundsForAnyInput() {
    var random = SplitMix(seed: 3)
    var policy = ReconnectPolicy()
    for _ in 0..<1_000 {
      let retry = Int.random(in: -5...1_000_000, using: &random)
      if Bool.random(using: &random) { policy.serverAsked(retryMs: retry) }
      let delay = policy.delayNs(
        nowNs: 0, retryAfterMs: Bool.random(using: &random) ? retry : nil,
        random: .random(in: 0..<1, using: &random))
      #expect((1_000_000_000...300_000_000_000).contains(delay))
    }
  }
}
