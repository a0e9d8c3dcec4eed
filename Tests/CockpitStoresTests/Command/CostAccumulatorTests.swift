import ClankyWire
import Testing

@testable import CockpitStores

@MainActor
@Suite struct CostAccumulatorTests {
  /// 18:00 UTC of a day.
  private static let now: Int64 = 20_000 * 86_400_000 + 18 * 3_600_000
  private let log = ActionLog(memory: 8 << 20)
  private let accumulator = CostAccumulator()

  private func row(
    _ id: Int, minutesAgo: Double, kind: String = "llm_call", content: String = "anthropic:opus",
    cost: String? = "0.5", metadata: String = "{}", channel: String? = "c", user: String? = "u"
  ) -> Fact {
    Fact(
      id: id, timeMs: Self.now - Int64(minutesAgo * 60_000), kind: kind, content: content,
      user: user, channel: channel, metadata: metadata, cost: cost)
  }

  /// - Parameter minutes: so far back all rows are here; nil for as far as there are any.
  private func summary(
    _ stats: Stats? = nil, now: Int64 = Self.now, covered minutes: Double? = nil,
    totals: CostTotals = CostTotals()
  ) -> CostSummary {
    let oldest = log.isEmpty ? nil : log.row(at: log.count - 1).timeMs
    let from = minutes.map { now - Int64($0 * 60_000) } ?? oldest
    func next() -> CostSummary {
      accumulator.summary(of: log, coveredFromMs: from, totals: totals, stats: stats, nowMs: now)
    }
    var summary = next()
    while !accumulator.isComplete { summary = next() }
    return summary
  }

  private func usage(_ input: Int, _ output: Int, cached: Int = 0) -> String {
    #"{"systemPrompt":"long","usage":{"inputTokens":\#(input),"outputTokens":\#(output),"cacheReadTokens":\#(cached),"cacheWriteTokens":1}}"#
  }

  @Test func nothingIsKnownOfAnEmptyLog() {
    let summary = summary()
    #expect(summary == CostSummary())
    #expect(
      summary.today == nil && summary.rate == nil && summary.forecast == nil && !summary.coversToday
    )
  }

  @Test func daysAreUTCAndEndToday() {
    let days = [
      DailyCost(day: "2024-10-04", usd: 2.5), DailyCost(day: "2024-10-03", usd: 3),
      DailyCost(day: "2024-09-21", usd: 1), DailyCost(day: "2024-09-20", usd: 9),
      DailyCost(day: "nonsense", usd: 9), DailyCost(day: "2024-10-02", usd: .nan),
    ]
    let summary = summary(Stats(totalCostUsd: 61.2, dailyCost: days))
    #expect(summary.days.count == 14)
    #expect(summary.days[13] == 2.5 && summary.days[12] == 3 && summary.days[0] == 1)
    #expect(summary.days[11] == nil && summary.days[5] == nil)
    #expect(summary.today == 2.5 && summary.retained == 61.2)
  }

  @Test func aDayWithoutARowCostsNothingAndABrokenOneIsUnknown() {
    #expect(summary(Stats(dailyCost: [])).today == 0)
    #expect(summary(Stats(dailyCost: nil)).today == nil)
    #expect(summary(Stats(dailyCost: [DailyCost(day: "2024-10-04", usd: .infinity)])).today == nil)
  }

  @Test func ratesNameTheWindowThatIsKnown() {
    log.rows([row(1, minutesAgo: 14), row(2, minutesAgo: 3, cost: "0.25")])
    #expect(summary().rate == .init(usdPerHour: 0.75 * 60 / 14, overMs: 840_000))
    log.rows([row(3, minutesAgo: 16, cost: "7")])
    #expect(summary().rate == .init(usdPerHour: 3, overMs: 900_000))
    #expect(summary().longRate?.overMs == 960_000)
    log.rows([row(4, minutesAgo: 361, kind: "sent_reply", cost: "0")])
    let long = summary().longRate
    #expect(abs((long?.usdPerHour ?? 0) - 7.75 / 6) < 1e-9 && long?.overMs == 21_600_000)
  }

  @Test("missing rows end what is covered, however far back the rows that are here go")
  func missingRows() {
    log.rows([row(1, minutesAgo: 400), row(2, minutesAgo: 10)])
    log.rows([row(9, minutesAgo: 1)])
    let summary = summary(covered: 9)
    #expect(summary.rate?.overMs == 540_000 && summary.longRate == nil)
    #expect(!summary.coversToday)
    #expect(abs((summary.rate?.usdPerHour ?? 0) - 0.5 / 9 * 60) < 1e-9)
  }

  @Test("D3: where rows are missing the rate is that of the backend's own sums, with its window")
  func ratesOfTheSums() throws {
    var totals = CostTotals()
    let day = CostDay.name(UTCDay.number(ofMs: Self.now))
    // $0.155 a minute, for the last 7 minutes.
    for second in stride(from: -420, through: 0, by: 3) {
      totals.take(
        [DailyCost(day: day, usd: 2 + 0.155 * Double(second + 420) / 60)],
        atMs: Self.now + Int64(second) * 1000)
    }
    // The rows begin after a gap, half a minute ago.
    log.rows([row(1, minutesAgo: 30), row(2, minutesAgo: 0.2, cost: "0.01")])
    let stats = Stats(dailyCost: [DailyCost(day: day, usd: 3.085)])
    let summary = summary(stats, covered: 0.5, totals: totals)
    let rate = try #require(summary.rate)
    #expect(abs(rate.usdPerHour - 9.3) < 1e-6 && rate.overMs == 420_000)
    // And since midnight, which is exact too.
    let long = try #require(summary.longRate)
    #expect(long.window == .today && abs(long.usdPerHour - 3.085 / 18) < 1e-9)
    #expect(try #require(summary.forecast).usd >= 3.085 + 6 * rate.usdPerHour)
  }

  @Test("D3: without a minute of anything there is no rate, and it says since when one is measured")
  func noRateYet() {
    log.rows([row(1, minutesAgo: 0.1, cost: "0.3")])
    let summary = summary(covered: 0.5)
    #expect(summary.rate == nil && summary.longRate == nil)
    #expect(summary.measuredFromMs == Self.now - 30_000)
  }

  @Test func sharesAreOfTodayDearestFirst() {
    log.rows([
      row(1, minutesAgo: 19 * 60, cost: "99"),  // yesterday
      row(2, minutesAgo: 60, metadata: usage(100, 10, cached: 40)),
      row(3, minutesAgo: 50, content: "openai:mini", cost: "0.1", metadata: usage(7, 1)),
      row(4, minutesAgo: 40, cost: "0", metadata: usage(1000, 100)),
      row(5, minutesAgo: 30, kind: "memory_embedding_call", content: "embed-3", cost: "0.000001"),
      row(6, minutesAgo: 20, kind: "sent_reply", content: "hi", cost: "0"),
      row(
        7, minutesAgo: 10, kind: "voice_runtime", content: "openai_realtime_response_done",
        cost: "0.2",
        metadata:
          #"{"responseModel":"gpt-realtime","responseUsage":{"inputTokens":120,"outputTokens":80}}"#
      ),
    ])
    let summary = summary()
    #expect(summary.coversToday)
    #expect(summary.byModel.map(\.name) == ["opus", "gpt-realtime", "mini", "embed-3"])
    #expect(summary.byModel.map(\.calls) == [2, 1, 1, 1])
    #expect(summary.byModel[0].usd == 0.5 && summary.byModel[0].tokens.input == 1100)
    #expect(summary.byModel[1].usd == 0.2 && summary.byModel[1].tokens.output == 80)
    #expect(summary.byKind.map(\.name) == ["llm_call", "voice_runtime", "memory_embedding_call"])
    #expect(
      summary.tokens.input == 1227 && summary.tokens.output == 191 && summary.tokens.cacheRead == 40
    )
    #expect(summary.freeCalls == 1)
  }

  @Test func whatNamesNoModelIsAShareToo() {
    log.rows([
      row(
        1, minutesAgo: 3, kind: "voice_runtime", content: "openai_realtime_response_done",
        cost: "0.3"),
      row(2, minutesAgo: 2, kind: "voice_runtime", content: "voice_music_stop_check", cost: "0.2"),
      row(3, minutesAgo: 1, kind: "browser_browse_call", content: "read", cost: "0.1"),
    ])
    let models = summary().byModel
    #expect(models.map(\.name) == ["no model named", "openai_realtime"])
    #expect(abs(models.reduce(0) { $0 + $1.usd } - 0.6) < 1e-9)
  }

  @Test("what the content does not name, the metadata does: code agents, reflections, browser runs")
  func modelsOfTheMetadata() {
    func used(_ model: String, _ input: Int) -> String {
      #"{"model":"\#(model)","usage":{"inputTokens":\#(input),"outputTokens":1}}"#
    }
    log.rows([
      row(
        1, minutesAgo: 9, kind: "code_agent_call", content: "fix: the flaky test", cost: "0.3",
        metadata: used("coder", 42_000)),
      row(
        2, minutesAgo: 8, kind: "memory_reflection_complete", content: "Reflection finished.",
        cost: "0.2", metadata: used("haiku", 9000)),
      row(
        3, minutesAgo: 7, kind: "browser_browse_call", content: "read", cost: "0.1",
        metadata: #"{"model":"surfer"}"#),
      row(
        4, minutesAgo: 6, kind: "memory_embedding_call", content: "embed-3", cost: "0.01",
        metadata: used("embed-3", 14)),
      row(
        5, minutesAgo: 5, kind: "some_new_call", content: "x", cost: "0.001",
        metadata: used("new", 3)),
      // On an account that pays a flat rate.
      row(
        6, minutesAgo: 4, kind: "code_agent_call", content: "tidy", cost: "0",
        metadata: used("coder", 5)),
    ])
    let summary = summary()
    #expect(summary.byModel.map(\.name) == ["coder", "haiku", "surfer", "embed-3", "new"])
    #expect(summary.byModel.map(\.calls) == [2, 1, 1, 1, 1])
    #expect(summary.tokens.input == 51_022 && summary.tokens.output == 5)
    #expect(summary.byModel[0].tokens.input == 42_005)
  }

  @Test("the share of the cache is that of the calls, whether a provider counts it as input or not")
  func cacheShare() {
    log.rows([
      row(1, minutesAgo: 3, metadata: usage(100, 1, cached: 50)),
      row(2, minutesAgo: 2, metadata: usage(10, 1, cached: 90)),
      row(3, minutesAgo: 1, metadata: #"{"usage":{"inputTokens":1000,"outputTokens":1}}"#),
    ])
    #expect(summary().tokens.cacheShare == 140.0 / 200)
    #expect(CostSummary().tokens.cacheShare == nil)
  }

  @Test func nothingCountsTwiceWhicheverWayItComes() throws {
    let call = row(1, minutesAgo: 5, metadata: usage(10, 1))
    try log.live(call.live)
    #expect(summary().byKind.first?.calls == 1)
    log.rows([call])
    #expect(summary().byKind.first?.calls == 1 && summary().tokens.input == 10)
  }

  @Test func aBrowserRunCountsByItsStepsOrByItsTotal() {
    log.rows([
      row(1, minutesAgo: 20, kind: "llm_tool_call", cost: "0.01"),
      row(2, minutesAgo: 19, kind: "llm_tool_call", cost: "0.02"),
      row(
        3, minutesAgo: 18.9, kind: "browser_browse_call", content: "find it", cost: "0.03",
        metadata: #"{"durationMs":90000,"model":"opus"}"#),
      // Another person's run in the same minutes, whose steps are not on record.
      row(
        4, minutesAgo: 18.9, kind: "browser_agent_session_turn", content: "read", cost: "0.5",
        metadata: #"{"durationMs":90000}"#, user: "other"),
    ])
    let kinds = summary().byKind
    #expect(
      kinds.map(\.name) == ["browser_agent_session_turn", "llm_tool_call", "browser_browse_call"])
    #expect(kinds[0].usd == 0.5 && abs(kinds[1].usd - 0.03) < 1e-9)
    #expect(kinds[2].usd == 0 && kinds[2].calls == 1)
  }

  @Test func aNewDayBeginsEmpty() {
    log.rows([row(1, minutesAgo: 10)])
    #expect(summary().byModel.count == 1)
    #expect(summary(now: Self.now + 6 * 3_600_000).byModel.isEmpty)
  }

  @Test func hostileNumbersEndNothing() {
    log.rows([
      row(1, minutesAgo: 3, cost: "1e300", metadata: usage(.max / 1000, .max)),
      row(2, minutesAgo: 2, cost: "-5", metadata: usage(.max / 1000, -4)),
      row(3, minutesAgo: 1, cost: "NaN", metadata: #"{"usage":[1,{"inputTokens":"x"}]}"#),
      row(4, minutesAgo: 1, content: "", metadata: #"{"usage":{"inputTokens":1e99}}"#),
    ])
    log.rows((0..<500).map { row(10 + $0, minutesAgo: 1, content: "p:model \($0)", cost: "1") })
    let summary = summary()
    #expect(summary.byModel.count == 201 && summary.tokens.input == .max / 1000 * 2)
  }

  @Test func aForecastFromTheHours() throws {
    log.rows((0..<84).map { row(1 + $0, minutesAgo: Double($0) * 5 + 2.5, cost: "0.5") })
    let stats = Stats(dailyCost: [DailyCost(day: "2024-10-04", usd: 42)])
    let forecast = try #require(summary(stats, covered: 420).forecast)
    // Seven hours at $6 each, six left, which never differed.
    #expect(forecast.basis == .hours(7) && forecast.hours == 7)
    let interval = try #require(forecast.interval)
    #expect(abs(forecast.usd - 78) < 1e-6)
    #expect(abs(interval.lowerBound - 78) < 1e-6 && abs(interval.upperBound - 78) < 1e-6)
  }

  @Test func aForecastFromEarlierDaysWhileTheLogIsShort() throws {
    let list = (0..<6).map { DailyCost(day: CostDay.name(20_000 - $0), usd: $0 == 0 ? 3 : 4) }
    let forecast = try #require(summary(Stats(dailyCost: list)).forecast)
    // The oldest day is usually a part; a quarter of the day is left. Days are no hours: no interval.
    #expect(forecast.basis == .days(4))
    #expect(forecast.usd == 4 && forecast.interval == nil)
    let few = Array(list.prefix(4))
    #expect(summary(Stats(dailyCost: few)).forecast == nil)
  }

  @Test("what names no model and cost nothing takes no line of BY MODEL")
  func noModelNoMoney() {
    log.rows([
      row(1, minutesAgo: 3),
      row(
        2, minutesAgo: 2, kind: "memory_reflection_complete", content: "Done.", cost: "0",
        metadata: #"{"usage":{"inputTokens":5}}"#),
    ])
    #expect(summary().byModel.map(\.name) == ["opus"])
  }

  /// One row in twenty is a call of a model.
  private func usualRow(_ number: Int) -> Fact {
    let minutesAgo = Double(120_000 - number) / 100
    if number % 20 == 0 { return row(number + 1, minutesAgo: minutesAgo, metadata: usage(9, 1)) }
    return row(
      number + 1, minutesAgo: minutesAgo, kind: "voice_runtime",
      content: "openai_realtime_asr_partial_segment", cost: "0")
  }

  @Test func aFullLogIsReadQuicklyAndThenInSteps() {
    let log = ActionLog(memory: 128 << 20)
    for start in stride(from: 0, to: 120_000, by: 4000) {
      log.rows((start..<start + 4000).map(usualRow))
    }
    let clock = ContinuousClock()
    var summary = CostSummary()
    let first = clock.measure {
      summary = accumulator.summary(of: log, coveredFromMs: 0, stats: nil, nowMs: Self.now)
    }
    while !accumulator.isComplete {
      summary = accumulator.summary(of: log, coveredFromMs: 0, stats: nil, nowMs: Self.now)
    }
    #expect(summary.byModel.first?.calls ?? 0 > 5000 && summary.longRate != nil)
    let next = clock.measure {
      _ = accumulator.summary(of: log, coveredFromMs: 0, stats: nil, nowMs: Self.now + 1000)
    }
    // A debug build is some twenty times slower than what people run.
    #expect(first < .seconds(2), "\(first)")
    #expect(next < .milliseconds(50), "\(next)")
    print("120,000 rows: \(first), then \(next)")
  }
}
