import Testing

@testable import CockpitStatistics

/// Every function against SciPy, to nine digits.
@Suite struct ReferenceTests {
  private let vectors: Vectors

  init() throws { vectors = try Vectors() }

  @Test func ranksOfQuantileIntervals() {
    for item in vectors.ranks {
      let ranks = Quantile.ranks(of: item.n, item.p, confidence: 0.95)
      #expect(ranks.map { [$0.lowerBound, $0.upperBound] } == item.ranks, "\(item.p) of \(item.n)")
    }
  }

  @Test func quantiles() {
    for item in vectors.quantiles {
      #expect(isNear(Quantile.value(ofSorted: item.sample.sorted(), item.p), item.value))
    }
  }

  @Test func normal() {
    for item in vectors.normal {
      #expect(isNear(Normal.quantile(item.p), item.z))
      #expect(abs(Normal.cumulative(item.z) - item.back) <= 1e-12 * item.back)
    }
  }

  @Test func shares() throws {
    for item in vectors.wilson {
      let interval = try #require(Share(item.hits, of: item.n).interval())
      #expect(isNear(interval.low, item.low) && isNear(interval.high, item.high))
    }
    for item in vectors.newcombe {
      let found = try #require(
        Share.difference(Share(item.a[0], of: item.a[1]), Share(item.b[0], of: item.b[1])))
      #expect(isNear(found.value, item.value))
      #expect(isNear(found.interval.low, item.low) && isNear(found.interval.high, item.high))
    }
    for item in vectors.fisher {
      let p = FisherExact.p(Share(item.a[0], of: item.a[1]), Share(item.b[0], of: item.b[1]))
      #expect(isNear(p, item.p))
    }
  }

  @Test func rates() throws {
    for item in vectors.garwood {
      let interval = try #require(EventRate(item.count, per: 1).interval())
      #expect(isNear(interval.low, item.low) && isNear(interval.high, item.high), "\(item.count)")
    }
    for item in vectors.rates {
      let found = try #require(
        EventRate.compare(EventRate(item.x, per: item.t), EventRate(item.y, per: item.u)))
      #expect(isNear(found.p, item.p))
      #expect(isNear(found.interval.low, item.low))
      #expect(
        item.high < 0 ? found.interval.high == .infinity : isNear(found.interval.high, item.high))
    }
  }

  @Test func rankTests() throws {
    for item in vectors.mannwhitney {
      let plain = try #require(MannWhitney(item.a, item.b))
      #expect(plain.u == item.u)
      #expect(isNear(plain.p, item.p))
      #expect(isNear(try #require(MannWhitney(item.a, item.b, widening: 1.4)).p, item.widened))
    }
    for item in vectors.lag { #expect(isNear(Ranks.lagOne(item.series), item.rho)) }
  }

  @Test func shifts() throws {
    for item in vectors.hodges {
      let plain = try #require(HodgesLehmann(item.a, item.b))
      #expect(isNear(plain.ratio, item.ratio))
      let widened = try #require(HodgesLehmann(item.a, item.b, widening: 1.3))
      for (found, wanted) in [(plain, item.plain), (widened, item.widened)] {
        guard wanted.count == 2 else {
          #expect(found.interval == nil)
          continue
        }
        let interval = try #require(found.interval)
        #expect(isNear(interval.low, wanted[0]) && isNear(interval.high, wanted[1]))
      }
    }
  }

  @Test func changePoints() throws {
    for item in vectors.pettitt {
      let found = try #require(ChangePoint.strongest(in: item.series, item.series.indices))
      #expect(found.index == item.index)
      #expect(isNear(found.p, item.p))
    }
  }

  @Test func bootstrapIntervals() throws {
    for item in vectors.bca {
      func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
      func without(_ values: [Double]) -> [Double] {
        values.indices.map { place in
          var rest = values
          rest.remove(at: place)
          return mean(rest)
        }
      }
      let means = item.samples.map(mean)
      let isRatio = means.count == 2
      let jackknife =
        isRatio
        ? [
          without(item.samples[0]).map { means[1] / $0 },
          without(item.samples[1]).map { $0 / means[0] },
        ] : [without(item.samples[0])]
      let interval = try #require(
        Bootstrap.interval(
          of: item.drawn, around: isRatio ? means[1] / means[0] : means[0], jackknife: jackknife,
          confidence: 0.95))
      #expect(isNear(interval.low, item.low), "\(interval.low) for \(item.low)")
      #expect(isNear(interval.high, item.high), "\(interval.high) for \(item.high)")
    }
  }
}
