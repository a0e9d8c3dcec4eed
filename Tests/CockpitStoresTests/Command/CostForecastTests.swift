import ClankyWire
import Testing

@testable import CockpitStores

/// The forecast against evenings whose midnight is known.
@Suite struct CostForecastTests {
  private static let day: Int64 = 86_400_000
  /// The first of the two days.
  private static let start: Int64 = 20_000 * day
  private static let midnight = start + 2 * day

  /// What a cockpit knows in an evening, and what will have been.
  private struct Evening {
    var nowMs: Int64
    var today: Double
    var rates: CostRates
    var earlierFromMs: Int64
    var truth: Double

    var rate: CostSummary.Rate? { rates.rate(overMs: CostSummary.Rate.shortMs) }
    var forecast: CostSummary.Forecast? {
      CostForecaster(
        today: today, days: [], nowMs: nowMs, slots: rates.slots(earlierFromMs: earlierFromMs),
        rate: rate
      ).forecast
    }
  }

  /// A cockpit that was started some hours ago and got the rows of some hours before; once or twice
  /// since its connection was lost, and the rows of that time with it.
  private func evening(_ kind: SimulatedEvening, seed: UInt64) -> Evening {
    let costs = kind.costs(seed: seed)
    var dice = Dice(seed)
    let now = 1440 + 17 * 60 + Int(dice.unit() * 415)
    let start = now - 10 - Int(dice.unit() * 600)
    let earlier = max(now - 1440, start - 360 - Int(dice.unit() * 1000))
    var outages: [Range<Int>] = []
    for _ in 0..<dice.poisson(1) {
      let lost = start + Int(dice.unit() * Double(now - start))
      outages.append(lost..<min(now - 2, lost + 5 + Int(dice.unit() * 35)))
    }
    func ms(_ minute: Int) -> Int64 { Self.start + Int64(minute) * 60_000 }
    var windows = CostWindows()
    for minute in earlier..<now where !outages.contains(where: { $0.contains(minute) }) {
      windows.add(Int64(costs[minute] * 1e9), atMs: ms(minute) + 25_000)
    }
    // What the day had cost up to each minute.
    var sofar = [0.0]
    for (minute, usd) in costs.enumerated() {
      sofar.append((minute == 1440 ? 0 : sofar[minute]) + usd)
    }
    var totals = CostTotals()
    for minute in start...now where !outages.contains(where: { $0.contains(minute) }) {
      guard minute % 3 == 0 || minute == now else { continue }
      let days = minute <= 1440 ? [sofar[minute]] : [sofar[1440], sofar[minute]]
      totals.take(
        days.enumerated().map { DailyCost(day: CostDay.name(20_000 + $0), usd: $1) },
        atMs: ms(minute))
    }
    return Evening(
      nowMs: ms(now), today: costs[1440..<now].reduce(0, +),
      rates: CostRates(
        windows: windows, coveredFromMs: outages.map { ms($0.upperBound) }.max() ?? ms(earlier),
        totals: totals, nowMs: ms(now)),
      earlierFromMs: ms(earlier), truth: costs[1440...].reduce(0, +))
  }

  @Test(
    "D2: in 70 to 90 % of 200 evenings the truth at midnight lies inside the 80 % interval",
    arguments: SimulatedEvening.allCases)
  func coverage(kind: SimulatedEvening) throws {
    var inside = 0
    var below = 0
    for seed in UInt64(1)...200 {
      let evening = evening(kind, seed: seed)
      let forecast = try #require(evening.forecast)
      let interval = try #require(forecast.interval, "seed \(seed)")
      #expect(interval.lowerBound >= evening.today)
      let rate = try #require(evening.rate)
      let left = Double(Self.midnight - evening.nowMs) / 3_600_000
      #expect(forecast.usd >= evening.today + rate.usdPerHour * left - 1e-9, "seed \(seed)")
      if interval.contains(evening.truth) { inside += 1 }
      if evening.truth < interval.lowerBound { below += 1 }
    }
    print("\(kind.rawValue): \(inside) of 200 inside, \(below) below")
    #expect((140...180).contains(inside), "\(inside) of 200")
  }

  @Test(
    "D2: traffic at $0.18 a minute, a cockpit that has just come: no interval, and never too little"
  )
  func burningWithoutHours() throws {
    for left in [7.0, 3.5, 0.5] {
      let sofar = 2.68 - left * 0.18
      let now = Self.midnight - Int64(left * 60_000)
      // Some days at $1 are known, and four minutes of rows.
      let days: [Double?] = Array(repeating: 1.0, count: 13) + [sofar]
      let forecast = try #require(
        CostForecaster(
          today: sofar, days: days, nowMs: now, slots: [],
          rate: .init(usdPerHour: 10.8, overMs: 240_000)
        ).forecast)
      #expect(abs(forecast.usd - 2.68) < 1e-9)
      #expect(forecast.interval == nil && forecast.basis == .rate(overMs: 240_000))
    }
  }

  @Test("D2: a burst after hours of quiet lifts the forecast to what its rate gives")
  func burstAfterHours() throws {
    let slots = [0.9, 0.9, 0.9] + [Double](repeating: 0.01, count: 120)
    let now = Self.midnight - 1_800_000
    let forecast = try #require(
      CostForecaster(
        today: 3, days: [], nowMs: now, slots: slots,
        rate: .init(usdPerHour: 10.8, overMs: 900_000)
      ).forecast)
    let interval = try #require(forecast.interval)
    #expect(forecast.usd >= 3 + 5.4 - 1e-9 && forecast.basis == .rate(overMs: 900_000))
    #expect(interval.contains(8.4) && interval.lowerBound < 8.4)
  }

  @Test func nothingKnownIsNoForecast() {
    func forecast(_ today: Double?, _ slots: [Double]) -> CostSummary.Forecast? {
      CostForecaster(today: today, days: [], nowMs: Self.midnight - 1, slots: slots, rate: nil)
        .forecast
    }
    #expect(forecast(nil, Array(repeating: 1, count: 100)) == nil)
    #expect(forecast(1, Array(repeating: 1, count: 71)) == nil)
    #expect(forecast(1, Array(repeating: 1, count: 72))?.interval != nil)
    // Hours that cost nothing: as much as now, and no interval.
    let idle = forecast(1, Array(repeating: 0, count: 288))
    #expect(idle?.usd == 1 && idle?.interval == nil && idle?.basis == .hours(24))
  }
}
