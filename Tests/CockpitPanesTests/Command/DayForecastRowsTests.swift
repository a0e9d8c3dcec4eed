import CockpitAnswers
import CockpitStatistics
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// The forecast by recorded days in CMD: no width cuts off what a figure rests on.
@MainActor
@Suite struct DayForecastRowsTests {
  private func forecast(held: Int = 134, unitUSD: Bool = true) throws -> DayForecast {
    let days = (0..<8).map {
      SpendDay(
        number: $0, usd: Array(repeating: unitUSD ? 1 : 0, count: 24),
        tokens: Array(repeating: 1, count: 24))
    }
    let profile = SpendProfile(day: 8, days) { _ in Set(0..<24) }
    var forecast = try #require(
      DayForecast(
        profile, nowMs: 8 * 86_400_000 + 43_200_000, usd: unitUSD ? 12 : 0, tokens: 12,
        budget: unitUSD ? 20 : nil))
    let scale: Double = unitUSD ? 1 : 1_000_000
    (forecast.outlook.low, forecast.outlook.middle) = (16.52 * scale, 21.54 * scale)
    (forecast.outlook.high, forecast.outlook.days) = (38.5 * scale, 28)
    forecast.outlook.reached =
      unitUSD ? .init(early: 18.84, middle: 21.67, late: nil) : nil
    forecast.trial = .init(held: held, tries: 168)
    return forecast
  }

  private static func columns(_ row: CommandRow) -> Int {
    row.line.spans.reduce(-1) { $0 + $1.columns + 1 }
  }

  @Test("value, days, range, tries and budget, whole at every width", arguments: 34...96)
  func whole(width: Int) throws {
    for isUSD in [true, false] {
      let rows = DayForecastRows(forecast: try forecast(unitUSD: isUSD), width: width).rows
      let text = rows.map(\.text).joined(separator: "\n")
      #expect(rows.allSatisfy { Self.columns($0) <= width }, "\(text)")
      for words in isUSD
        ? ["$21.54", "28 days", "$16.52 to $38.50", "held 80%", "168", "21:40", "18:50-not today"]
        : ["22M tokens", "28 days", "17M to 39M tokens", "held 80%", "168"]
      { #expect(text.contains(words), "\(words):\n\(text)") }
      #expect(rows.allSatisfy { $0.item != nil })
    }
  }

  @Test("irregular days: the panel says so, one row alone keeps what the last hours cost")
  func irregular() throws {
    var fixture = CommandFixture.rich()
    let shell = CockpitShell(tab: .cmd, size: Size(width: 80, height: 24))
    var facts = fixture.facts(shell)
    var panel = CostPanel(facts: facts, width: 38, chartRows: 0)
    let ofHours = panel.forecastOrRate.text
    facts.dayForecast = try forecast(held: 90)
    panel = CostPanel(facts: facts, width: 38, chartRows: 0)
    #expect(panel.forecastOrRate.text == ofHours)
    let text = panel.rows.map(\.text).joined(separator: "\n")
    #expect(text.contains("BY MIDNIGHT too irregular to say"), "\(text)")
    #expect(text.contains("held 54% of 168 tries") && text.contains(ofHours), "\(text)")
    facts.dayForecast = try forecast()
    panel = CostPanel(facts: facts, width: 38, chartRows: 0)
    #expect(panel.forecastOrRate.text.contains("of 28 days"))
  }

  @Test("until recorded days are read the forecast says so, at every width", arguments: 34...96)
  func provisional(width: Int) throws {
    var fixture = CommandFixture.rich()
    let shell = CockpitShell(tab: .cmd, size: Size(width: 80, height: 24))
    var facts = fixture.facts(shell)
    func panel() -> CostPanel { CostPanel(facts: facts, width: width, chartRows: 0) }
    func text() -> String { panel().rows.map(\.text).joined(separator: "\n") }
    try #require(text().contains("FORECAST"))
    #expect(!text().contains("reading") && !panel().forecastOrRate.text.contains("provisional"))
    facts.isReadingDays = true
    #expect(text().contains(width < 54 ? "reading recorded days" : "days are being read"))
    let row = try #require(panel().rows.first { $0.text.contains("recorded days") })
    #expect(Self.columns(row) <= width, "\(text())")
    #expect(Self.columns(panel().forecastOrRate) <= width)
    // Its own window stands there all the same.
    #expect(panel().forecastOrRate.text.contains("as "), "\(panel().forecastOrRate.text)")
    if width >= 40 { #expect(panel().forecastOrRate.text.contains("provisional")) }
    facts.dayForecast = try forecast()
    facts.isReadingDays = false
    #expect(!text().contains("reading recorded days"))
  }
}
