import Testing

@testable import CockpitStatistics

/// Against figures that the sources print.
@Suite struct TableTests {
  private func rounded(_ interval: Interval?, _ digits: Double = 10_000) -> [Double] {
    guard let interval else { return [] }
    return [interval.low, interval.high].map { ($0 * digits).rounded() / digits }
  }

  /// Newcombe 1998, table II, method 10. There the difference is the first minus the second.
  @Test func newcombe() {
    let cases: [(Share, Share, [Double])] = [
      (Share(56, of: 70), Share(48, of: 80), [0.0524, 0.3339]),
      (Share(9, of: 10), Share(3, of: 10), [0.1705, 0.8090]),
      (Share(6, of: 7), Share(2, of: 7), [0.0582, 0.8062]),
      (Share(5, of: 56), Share(0, of: 29), [-0.0381, 0.1926]),
      (Share(0, of: 10), Share(0, of: 20), [-0.1611, 0.2775]),
      (Share(10, of: 10), Share(0, of: 20), [0.6791, 1]),
    ]
    for (first, second, wanted) in cases {
      #expect(rounded(Share.difference(second, first)?.interval) == wanted)
    }
  }

  /// Garwood 1936, the 95 % limits of a count.
  @Test func garwood() {
    let wanted: [Int: [Double]] = [
      0: [0, 3.69], 1: [0.03, 5.57], 2: [0.24, 7.22], 5: [1.62, 11.67], 10: [4.8, 18.39],
    ]
    for (count, limits) in wanted {
      #expect(rounded(EventRate(count, per: 1).interval(), 100) == limits)
    }
  }

  /// The ranks of the sign test's interval of the median, as tables print them.
  @Test func median() {
    let wanted = [6: 1...6, 8: 1...8, 9: 2...8, 10: 2...9, 20: 6...15, 30: 10...21, 50: 18...33]
    for (n, ranks) in wanted { #expect(Quantile.ranks(of: n, 0.5, confidence: 0.95) == ranks) }
  }

  @Test func leastCounts() {
    #expect(Quantile.leastCount(0.5) == 6)
    #expect(Quantile.leastCount(0.9) == 29)
    #expect(Quantile.leastCount(0.95) == 59)
    #expect(Quantile([1, 2, 3, 4, 5], 0.5) == nil)
    #expect(Quantile([1, 2, 3, 4, 5, 6], 0.5)?.interval == Interval(1, 6))
  }

  /// Of all 12,870 orders of 8 and 8 values two set them wholly apart.
  @Test func rankSums() throws {
    let a = (1...8).map { Double($0) }
    let apart = try #require(MannWhitney(a, a.map { $0 + 100 }))
    #expect(apart.u == 64)
    #expect(isNear(apart.p, 2.0 / 12_870))
  }

  /// The tea-tasting experiment of Fisher 1935.
  @Test func teaTasting() {
    #expect(isNear(FisherExact.p(Share(4, of: 4), Share(0, of: 4)), 2.0 / 70))
    #expect(isNear(FisherExact.p(Share(3, of: 4), Share(1, of: 4)), 34.0 / 70))
  }

  /// What the numbers of a quiet evening mean.
  @Test func smallNumbers() {
    #expect(rounded(Share(30, of: 43).interval(), 100) == [0.55, 0.81])
    #expect(rounded(Share(1, of: 5).interval(), 100) == [0.04, 0.62])
    #expect(rounded(Share(0, of: 20).interval(), 100) == [0, 0.16])
    #expect(Share(0, of: 0).interval() == nil)
  }

  @Test func clusteredEventsTellLess() throws {
    #expect(EventRate.dispersion(of: [2, 2, 2, 2]) == 0)
    #expect(isNear(EventRate.dispersion(of: [0, 0, 8, 0]), 8))
    #expect(EventRate.dispersion(of: [0, 0]) == 1)
    let alone = try #require(EventRate.compare(EventRate(10, per: 100), EventRate(30, per: 100)))
    let clustered = try #require(
      EventRate.compare(
        EventRate(10, per: 100, dispersion: 4), EventRate(30, per: 100, dispersion: 4)))
    #expect(alone.p < 0.01 && clustered.p > 0.05)
    #expect(clustered.ratio == 3)
    #expect(clustered.interval.low < alone.interval.low)
    #expect(clustered.interval.high > alone.interval.high)
  }

  @Test func bootstrapIsRepeatable() throws {
    var one = SplitMix64(seed: 7)
    var two = SplitMix64(seed: 7)
    let sample = (0..<40).map { _ in one.unit() }
    _ = (0..<40).map { _ in two.unit() }
    let first = Bootstrap.mean(sample, using: &one)
    #expect(first == Bootstrap.mean(sample, using: &two))
    let mean = sample.reduce(0, +) / 40
    #expect(try #require(first).contains(mean))
    #expect(Bootstrap.mean([1], using: &one) == nil)
    #expect(Bootstrap.ratio([0, 0], [1, 2], using: &one) == nil)
  }

  /// The first values of the reference program, Vigna's splitmix64.c, with the state 1234567.
  @Test func generator() {
    var random = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }
}
