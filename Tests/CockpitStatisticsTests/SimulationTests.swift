import Foundation
import Testing

@testable import CockpitStatistics

/// How often verdicts are wrong, over simulated turns: lognormal with σ 0.5 that follow each other as a first-order
/// autoregression. `CLANKY_LONG_TESTS=1` takes ten times as many and prints the figures of docs/compare.md.
@Suite struct SimulationTests {
  private static let isLong = ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] == "1"
  private static let draws = isLong ? 10_000 : 1000

  private static func turns(
    _ n: Int, rho: Double, _ random: inout SplitMix64
  ) -> [Double] {
    func normal() -> Double {
      (-2 * log(1 - random.unit())).squareRoot() * cos(2 * .pi * random.unit())
    }
    var x = normal()
    return (0..<n).map { place in
      if place > 0 { x = rho * x + (1 - rho * rho).squareRoot() * normal() }
      return exp(7 + 0.5 * x)
    }
  }

  /// At most 1.5 of 100 comparisons of equals say "worse", over all of them; a single cell of fewer draws may stray.
  @Test("false alarms of two series", .timeLimit(.minutes(10)))
  func falseAlarms() {
    var random = SplitMix64(seed: 27)
    var (worse, all) = (0, 0)
    for (n, m) in [(10, 10), (20, 20), (20, 60), (60, 60)] {
      for rho in [0, 0.3, 0.5] {
        var (greater, covered, known, half, double) = (0, 0, 0, 0, 0)
        let draws = Self.isLong ? Self.draws : 100
        for _ in 0..<draws {
          let a = Self.turns(n, rho: rho, &random)
          let b = Self.turns(m, rho: rho, &random)
          guard let test = SeriesComparison(a, b) else { continue }
          if test.isGreater { greater += 1 }
          if let interval = test.interval {
            known += 1
            if interval.contains(1) { covered += 1 }
          }
          guard Self.isLong else { continue }
          if SeriesComparison(a, b.map { $0 * 1.5 })?.isGreater == true { half += 1 }
          if SeriesComparison(a, b.map { $0 * 2 })?.isGreater == true { double += 1 }
        }
        worse += greater
        all += draws
        guard Self.isLong else { continue }
        let percent = { (count: Int, of: Int) in
          (1000 * Double(count) / Double(max(1, of))).rounded() / 10
        }
        print(
          "\(n) / \(m) | \(rho) | worse \(percent(greater, draws)) % | covered \(percent(covered, known)) %",
          "| 1.5 x \(percent(half, draws)) % | 2 x \(percent(double, draws)) %")
        #expect(Double(greater) / Double(draws) <= 0.015, "\(n) \(m) \(rho)")
        // Ten turns have an interval only where they do not seem to follow each other, which misleads.
        #expect(Double(covered) / Double(max(1, known)) >= (n < 20 ? 0.9 : 0.97))
      }
    }
    #expect(Double(worse) / Double(all) <= 0.015)
  }

  @Test("false change points", .timeLimit(.minutes(10)))
  func falseChanges() {
    var random = SplitMix64(seed: 28)
    var (found, all) = (0, 0)
    for n in [60, 120, 200] {
      for rho in [0, 0.3, 0.5] {
        let draws = Self.isLong ? 2000 : 100
        var (wrong, step, double, near) = (0, 0, 0, 0)
        for _ in 0..<draws {
          let series = Self.turns(n, rho: rho, &random)
          if !ChangePoint.all(in: series).isEmpty { wrong += 1 }
          guard Self.isLong else { continue }
          func changed(_ factor: Double) -> [Double] {
            series.enumerated().map { $0.offset < n / 2 ? $0.element : $0.element * factor }
          }
          if !ChangePoint.all(in: changed(1.5)).isEmpty { step += 1 }
          let points = ChangePoint.all(in: changed(2))
          if !points.isEmpty { double += 1 }
          if points.contains(where: { abs($0.index - n / 2) <= 5 }) { near += 1 }
        }
        found += wrong
        all += draws
        if Self.isLong {
          print(
            "n \(n) | \(rho) | false \(100 * Double(wrong) / Double(draws)) % | 1.5 x \(100 * step / draws) %",
            "| 2 x \(100 * double / draws) % | within 5 turns \(100 * near / max(1, double)) %")
        }
      }
    }
    #expect(Double(found) / Double(all) <= 0.016)
  }

  @Test("intervals of values hold what they say", .timeLimit(.minutes(10)))
  func coverage() {
    var random = SplitMix64(seed: 29)
    let draws = Self.isLong ? 10_000 : 1000
    let truth = exp(7.0)
    var (median, share, rate, mean) = (0, 0, 0, 0)
    for draw in 0..<draws {
      let turns = Self.turns(20, rho: 0, &random)
      if Quantile(turns, 0.5)?.interval.contains(truth) == true { median += 1 }
      let hits = (0..<30).count { _ in random.unit() < 0.3 }
      if Share(hits, of: 30).interval()?.contains(0.3) == true { share += 1 }
      // Four failures in 20 replies on average, each minute by itself.
      let events = (0..<400).count { _ in random.unit() < 0.01 }
      if EventRate(events, per: 400).interval()?.contains(0.01) == true { rate += 1 }
      guard draw < draws / 5 else { continue }
      let costs = Self.turns(40, rho: 0, &random)
      var seeded = SplitMix64(seed: UInt64(draw))
      if Bootstrap.mean(costs, draws: 500, using: &seeded)?.contains(exp(7 + 0.125)) == true {
        mean += 1
      }
    }
    let all = Double(draws)
    if Self.isLong {
      print(
        "coverage | median of 20 \(100 * Double(median) / all) % | share of 30 \(100 * Double(share) / all) %",
        "| rate \(100 * Double(rate) / all) % | mean cost of 40 \(500 * Double(mean) / all) %")
    }
    #expect(Double(median) / all > 0.94)
    #expect(Double(share) / all > 0.93)
    #expect(Double(rate) / all > 0.94)
    // BCa falls a little short for 40 skewed values.
    #expect(5 * Double(mean) / all > 0.9)
  }

  /// The table of `Power`, made anew where it is asked for; else two of its entries.
  @Test("power", .timeLimit(.minutes(10)))
  func power() {
    var random = SplitMix64(seed: 30)
    for (row, rho) in Power.rhos.enumerated() {
      for (column, count) in Power.counts.enumerated() {
        guard Self.isLong || row == column, count <= 100 else { continue }
        let draws = Self.isLong ? 3000 : 500
        let found = (0..<draws).count { _ in
          let a = Self.turns(Int(count), rho: rho, &random)
          let b = Self.turns(Int(count), rho: rho, &random).map { $0 * Power.ratio }
          return SeriesComparison(a, b)?.isGreater == true
        }
        let share = Double(found) / Double(draws)
        #expect(abs(share - Power.table[row][column]) < 0.05, "\(rho) \(count): \(share)")
      }
    }
  }

  @Test func powerBetweenTheEntries() {
    #expect(Power(20, 20, rho: 0).probability == 0.32)
    #expect(Power(20, 20, rho: 0.2).words == "one time in four")
    #expect(Power(20, 60, rho: 0).probability == Power(30, 30, rho: 0).probability)
    #expect(Power(3, 3, rho: 0).words == "hardly ever")
    #expect(Power(500, 500, rho: 0.9).probability > 0.9)
    // Twice the spread asks for four times as many.
    #expect(Power(80, 80, rho: 0, spread: 1).probability == Power(20, 20, rho: 0).probability)
    #expect(Power(0, 3, rho: 0).probability == 0)
  }
}
