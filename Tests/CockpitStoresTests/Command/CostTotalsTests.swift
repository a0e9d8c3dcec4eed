import ClankyWire
import Testing

@testable import CockpitStores

/// The daily sums of the backend, followed from one statistics to the next.
@Suite struct CostTotalsTests {
  private static let midnight: Int64 = 20_000 * 86_400_000

  private func days(_ sums: [Int: Double]) -> [DailyCost] {
    sums.sorted { $0.key > $1.key }.map { DailyCost(day: CostDay.name($0.key), usd: $0.value) }
  }

  private func seconds(_ count: Int64) -> Int64 { Self.midnight + count * 1000 }

  @Test func differencesAreExact() throws {
    var totals = CostTotals()
    #expect(totals.firstMs == nil && totals.spent(overMs: 1) == nil)
    totals.take(days([20_000: 2]), atMs: seconds(100))
    totals.take(days([20_000: 2.5]), atMs: seconds(200))
    totals.repeats(atMs: seconds(300))
    totals.take(days([20_000: 2.75]), atMs: seconds(303))
    #expect(totals.spent(atMs: seconds(99)) == nil)
    #expect(totals.spent(atMs: seconds(250)) == 0.5)
    #expect(totals.spent(atMs: seconds(300)) == 0.5)
    #expect(totals.spent(atMs: seconds(400)) == 0.75)
    // 100 s ago the sum stood still, so that the window may begin anywhere in it.
    let spent = try #require(totals.spent(overMs: 100_000))
    #expect(spent.usd == 0.25 && spent.overMs == 100_000)
  }

  @Test("an outage of ours is a window as well, as long as it was")
  func outage() throws {
    var totals = CostTotals()
    totals.take(days([20_000: 1]), atMs: seconds(0))
    totals.take(days([20_000: 4]), atMs: seconds(1000))
    totals.take(days([20_000: 4.1]), atMs: seconds(1003))
    let spent = try #require(totals.spent(overMs: 600_000))
    #expect(abs(spent.usd - 3.1) < 1e-9 && spent.overMs == 1_003_000)
  }

  @Test("the UTC midnight loses nothing: what yesterday had last and what today has so far")
  func midnight() throws {
    var totals = CostTotals()
    totals.take(days([19_998: 5, 19_999: 2]), atMs: seconds(-60))
    totals.take(days([19_998: 5, 19_999: 2.2]), atMs: seconds(-30))
    // The day has no entry before its first row.
    totals.take(days([19_998: 5, 19_999: 2.25]), atMs: seconds(1))
    totals.take(days([19_999: 2.25, 20_000: 0.1]), atMs: seconds(30))
    let spent = try #require(totals.spent(overMs: 90_000))
    #expect(abs(spent.usd - 0.35) < 1e-9)
  }

  @Test("retention takes from old days; what it takes from today begins the counting anew")
  func retention() {
    var totals = CostTotals()
    totals.take(days([19_987: 3, 20_000: 1]), atMs: seconds(0))
    totals.take(days([19_987: 0.5, 20_000: 1.5]), atMs: seconds(60))
    totals.take(days([20_000: 2]), atMs: seconds(120))
    #expect(totals.spent(atMs: seconds(120)) == 1)
    totals.take(days([20_000: 1.9]), atMs: seconds(180))
    #expect(totals.firstMs == seconds(180) && totals.spent(atMs: seconds(180)) == 0)
  }

  @Test("another log begins anew: a smaller sum, or none of the day")
  func replacedStore() {
    var totals = CostTotals()
    totals.take(days([20_000: 2]), atMs: seconds(0))
    totals.take([], atMs: seconds(60))
    #expect(totals.firstMs == seconds(60))
    totals.take(days([20_000: 0.5]), atMs: seconds(120))
    #expect(totals.spent(atMs: seconds(120)) == 0.5)
  }

  @Test func whatCannotBeReadChangesNothing() {
    var totals = CostTotals()
    totals.take(days([20_000: 2]), atMs: seconds(0))
    let before = totals
    totals.take(nil, atMs: seconds(60))
    totals.take([DailyCost(day: "today", usd: 3)], atMs: seconds(60))
    totals.take([DailyCost(day: CostDay.name(20_000), usd: .nan)], atMs: seconds(60))
    #expect(totals == before)
  }

  @Test func aStepOfTheClockBeginsAnew() {
    var totals = CostTotals()
    totals.take(days([20_000: 2]), atMs: seconds(600))
    totals.take(days([20_000: 3]), atMs: seconds(10))
    #expect(totals.firstMs == seconds(10))
    totals.repeats(atMs: seconds(5))
    #expect(totals.firstMs == seconds(5))
  }

  @Test func thousandsOfStatisticsAreFewSamples() throws {
    var totals = CostTotals()
    for second in Int64(0)..<40_000 {
      totals.take(days([20_000: Double(second) / 1000]), atMs: seconds(second))
    }
    let spent = try #require(totals.spent(overMs: 900_000))
    #expect(abs(spent.usd - Double(spent.overMs) / 1e6) < 1e-6)
    #expect(abs(spent.overMs - 900_000) <= 10_000)
  }
}
