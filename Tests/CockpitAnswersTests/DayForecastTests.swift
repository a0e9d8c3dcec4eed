import CockpitAnswers
import CockpitStatistics
import CockpitStores
import LenientJSON
import TerminalCore
import Testing

/// The words of the forecast by recorded days.
@Suite struct DayForecastTests {
  private static let today = 20_000

  private func profile(usd: Double, tokens: Double, days: Int = 40) -> SpendProfile {
    var random = SplitMix64(seed: 11)
    let past = (Self.today - days..<Self.today).map { number in
      let level = 0.5 + random.unit()
      let hours = (0..<24).map { _ in level * (0.5 + random.unit()) }
      return SpendDay(
        number: number, usd: hours.map { $0 * usd }, tokens: hours.map { $0 * tokens })
    }
    return SpendProfile(day: Self.today, past) { _ in Set(0..<24) }
  }

  private let noonMs = Int64(today) * 86_400_000 + 43_200_000

  @Test("value, range, days and tries, and when the budget is reached")
  func dollars() throws {
    let forecast = try #require(
      DayForecast(profile(usd: 0.1, tokens: 5), nowMs: noonMs, usd: 1.5, budget: 2))
    #expect(forecast.unit == .usd && forecast.isRegular)
    let sentence = forecast.sentence.description
    #expect(sentence.hasPrefix("by midnight UTC $2."), "\(sentence)")
    #expect(sentence.contains("from 28 recorded days; held "), "\(sentence)")
    let budget = try #require(forecast.budgetSentence?.description)
    #expect(budget.hasPrefix("budget $2.00 reached at 1"), "\(budget)")
    #expect(forecast.json["state"]?.string == "tried")
    #expect(
      DayForecast(profile(usd: 0.1, tokens: 5), nowMs: noonMs, usd: 2.5, budget: 2)?.budgetSentence
        == "budget $2.00 is reached")
  }

  @Test("days without a price are foretold in tokens, and only where today's are known")
  func tokens() throws {
    let free = profile(usd: 0, tokens: 1000)
    let forecast = try #require(
      DayForecast(free, nowMs: noonMs, usd: 0, tokens: 12_000, budget: 2))
    #expect(forecast.unit == .tokens)
    #expect(forecast.sentence.description.contains("tokens"))
    #expect(!forecast.low.description.contains("tokens") && "\(forecast.high)".contains("tokens"))
    #expect(forecast.budgetSentence == nil)
    #expect(DayForecast(free, nowMs: noonMs, usd: 0) == nil)
  }

  @Test("few days, another day, an unknown cost: none; a little tried one says so")
  func unknown() throws {
    #expect(DayForecast(profile(usd: 1, tokens: 1, days: 6), nowMs: noonMs, usd: 1) == nil)
    #expect(DayForecast(profile(usd: 1, tokens: 1), nowMs: noonMs + 86_400_000, usd: 1) == nil)
    #expect(DayForecast(profile(usd: 1, tokens: 1), nowMs: noonMs, usd: nil) == nil)
    let short = try #require(
      DayForecast(profile(usd: 1, tokens: 1, days: 8), nowMs: noonMs, usd: 1))
    #expect(short.sentence.description.hasSuffix("tried 8 times, 30 would tell)"))
    #expect(short.json["state"]?.string == "untried")
  }

  @Test("irregular days: no range, and how often it held")
  func irregular() throws {
    let past = (0..<42).map { number in
      let level = [1.0, 3, 9, 27, 81, 243][number / 7]
      return SpendDay(
        number: Self.today - 42 + number,
        usd: (0..<24).map { level * (1 + Double(($0 + number) % 5)) },
        tokens: Array(repeating: 0, count: 24))
    }
    let profile = SpendProfile(day: Self.today, past) { _ in Set(0..<24) }
    let forecast = try #require(DayForecast(profile, nowMs: noonMs, usd: 5, budget: 10))
    let sentence = forecast.sentence.description
    #expect(sentence.hasPrefix("by midnight UTC: too irregular to say (held "), "\(sentence)")
    #expect(forecast.budgetSentence == nil)
    #expect(forecast.json["low"] == .null)
  }
}
