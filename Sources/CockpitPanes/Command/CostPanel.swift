import CockpitAnswers
import CockpitText
import ClankyWire
import CockpitStores
import Foundation
import TerminalCore

/// The bot's costs by UTC day, as the backend counts them, labelled as such. Tokens are shown
/// instead if calls have no price.
@MainActor
struct CostPanel {
  let facts: ViewContext
  /// Columns.
  var width: Int
  /// Rows of the chart; 0 for a chart in the row of today.
  var chartRows: Int

  private var costs: CostSummary { facts.costs }
  /// Until the book is filled the backend's own numbers are there.
  private var today: Double? { costs.today ?? facts.costToday }
  private var retained: Double? { costs.retained ?? facts.stats?.stats?.totalCostUsd }

  var rows: [CommandRow] {
    (chartRows > 0 ? chart : []) + [todayRow, kept, rate] + forecasts
      + PromiseRows(facts: facts, width: width).rows + shares + [tokens] + free
  }

  /// Whether nothing that was done had a price: then tokens say more.
  private var isFree: Bool { (today ?? 0) == 0 && costs.freeCalls > 0 }

  private var todayRow: CommandRow {
    var row = CommandRow.labelled(
      "TODAY UTC", .init(text: Figures.cost(today), role: .cost, attributes: .bold))
    row.item = behind("")
    if chartRows == 0, !costs.days.isEmpty, width >= 34 { row.chart = bars(of: 1).first ?? [] }
    return row
  }

  /// The backend keeps rows of 14 days at most (contract 4.1), so this is no all-time total.
  private var kept: CommandRow {
    var row = CommandRow.labelled(
      "ALL STORED", .init(text: Figures.cost(retained), role: .cost), .label("at the backend"))
    row.item = .rows(
      "is:costed",
      remark: "the backend's sum of what it keeps; these are the rows of it that are here")
    return row
  }

  /// Today and the whole, in one row.
  var sums: CommandRow {
    var row = CommandRow.labelled(
      "COST", .init(text: Figures.cost(today), role: .cost, attributes: .bold), .label("today"),
      .init(text: Figures.cost(retained), role: .cost), .label("stored"))
    row.item = behind("")
    return row
  }

  /// One row about the forecast, for panels with room for only one.
  var forecastOrRate: CommandRow {
    if facts.dayForecast?.isRegular == true { return forecasts[0] }
    return costs.forecast == nil ? rate : ofHours(isAlone: true)[0]
  }

  private var rate: CommandRow {
    guard let rate = costs.rate else {
      // Show the reason instead: a rate over a few seconds is meaningless.
      guard let from = costs.measuredFromMs else {
        return .labelled("RATE", .init(text: "-", role: .muted), .label("no rows yet"))
      }
      return .labelled(
        "RATE", .init(text: "-", role: .muted),
        .label("measured since " + facts.clock.time(ms: from).prefix(columns: 8)))
    }
    var row = CommandRow.labelled(
      "RATE", .init(text: perHour(rate), role: .cost), .label(window(rate)))
    if let long = costs.longRate {
      row.line.spans += [.init(text: perHour(long), role: .cost), .label(window(long))]
    }
    row.item = .rows("is:costed since:" + since(rate))
    return row
  }

  /// Where the rows of a rate begin, to the minute.
  private func since(_ rate: CostSummary.Rate) -> String {
    let minutes = (rate.overMs + 30_000) / 60_000
    return facts.clock.queryZone.text(ms: facts.minuteMs - minutes * 60_000)
  }

  private func perHour(_ rate: CostSummary.Rate) -> PlainText {
    rate.usdPerHour.isFinite ? Self.money(rate.usdPerHour) + "/h" : "-"
  }

  private func window(_ rate: CostSummary.Rate) -> PlainText {
    switch rate.window {
    case .last: (width >= 44 ? "last " : "") + Self.span(rate.overMs)
    case .today: width >= 44 ? "since 00:00 UTC" : "today"
    }
  }

  /// A window, to the minute.
  private static func span(_ ms: Int64) -> PlainText {
    let minutes = max(1, (ms + 30_000) / 60_000)
    guard minutes >= 60 else { return PlainText("\(minutes)m") }
    let rest = minutes % 60
    return PlainText(rest == 0 ? "\(minutes / 60)h" : "\(minutes / 60)h\(rest)m")
  }

  /// To the cent, where that says something: an estimate has no tenths of a cent.
  private static func money(_ usd: Double?) -> PlainText {
    guard let usd, usd.isFinite, usd >= 0.01, usd < 0.995 else { return Figures.cost(usd) }
    return PlainText("$\(Figures.fixed(usd, 2))")
  }

  /// The day's expected total cost, and its basis.
  private var forecasts: [CommandRow] {
    if let forecast = facts.dayForecast {
      return DayForecastRows(forecast: forecast, width: width).rows
        + (forecast.isRegular ? [] : ofHours(isAlone: false))
    }
    return ofHours(isAlone: false) + provisional
  }

  /// Says that the forecast by recorded days is still to come.
  private var provisional: [CommandRow] {
    guard facts.isReadingDays, costs.forecast != nil else { return [] }
    let words: PlainText =
      width >= 54 ? "provisional: recorded days are being read" : "reading recorded days"
    return [.labelled("", .label(words))]
  }

  /// The same by what the last hours cost.
  ///
  /// - Parameter isAlone: whether no row follows that says that it is provisional.
  private func ofHours(isAlone: Bool) -> [CommandRow] {
    guard let forecast = costs.forecast else {
      let why: PlainText = costs.today == nil ? "no statistics yet" : "no rate is known yet"
      return [.labelled("FORECAST", .init(text: "-", role: .muted), .label(why))]
    }
    func basis(isWide: Bool) -> PlainText {
      switch forecast.basis {
      case .hours(let count): PlainText(isWide ? "as the last \(count)h" : "as \(count)h")
      case .rate(let overMs):
        (isWide ? "at the rate of the last " : "rate ") + Self.span(overMs)
      case .days(let count): PlainText(isWide ? "as the last \(count) days" : "as \(count)d")
      }
    }
    let words = basis(isWide: width >= 44)
    let money = Self.money(forecast.usd)
    // Never truncate the window.
    var texts: [PlainText] = ["24:00 UTC, " + words]
    if isAlone, facts.isReadingDays {
      texts = [
        texts[0] + ", provisional", "provisional, " + words, "provisional, " + basis(isWide: false),
      ]
    }
    let text = texts.first { 12 + money.columns + 1 + $0.columns < width } ?? "24 UTC, " + words
    let behind = behind(forecast)
    let row = CommandRow.labelled(
      "FORECAST", .init(text: money, role: .cost), .label(text)
    ).of(behind)
    guard let interval = forecast.interval, let hours = forecast.hours else { return [row] }
    return [
      row,
      .labelled(
        "  80 %", .init(text: Self.money(interval.lowerBound), role: .cost), .label("to"),
        .init(text: Self.money(interval.upperBound), role: .cost),
        .label(PlainText("from \(hours)h"))
      ).of(behind),
    ]
  }

  /// The rows that a forecast goes by.
  private func behind(_ forecast: CostSummary.Forecast) -> RowsBehind {
    let remark: PlainText = "a forecast: by what these rows cost, and today's cost so far"
    let day = facts.minuteMs - facts.minuteMs % WindowCounts.day
    func since(_ ms: Int64) -> String { facts.clock.queryZone.text(ms: ms) }
    return switch forecast.basis {
    case .rate(let overMs):
      RowsBehind(
        "is:costed since:" + since(facts.minuteMs - overMs / 60_000 * 60_000), remark: remark)
    case .hours(let count):
      RowsBehind(
        "is:costed since:" + since(facts.minuteMs - Int64(count) * 3_600_000), remark: remark)
    case .days(let count):
      RowsBehind(
        "is:costed since:" + since(day - Int64(count) * WindowCounts.day), remark: remark)
    }
  }

  // MARK: Shares

  private var shares: [CommandRow] {
    // Rows may name their model only in the content, which no filter field covers; the query finds
    // those with it in the metadata.
    share("BY MODEL", costs.byModel) { name in
      name == CostSummary.noModel ? nil : "model:" + QueryCompletion.quoted(name) + " "
    } + share("BY KIND", costs.byKind) { "kind:" + QueryCompletion.quoted($0) + " " }
  }

  /// How far back the rows behind the shares go.
  private var reach: PlainText {
    if costs.coversToday { return "today UTC" }
    guard let from = facts.coverageBegin(kinds: CostAccumulator.kinds) else {
      return "of the rows here"
    }
    return "rows here begin " + facts.clock.time(ms: from).prefix(columns: 5)
  }

  /// The query for the rows of a share: those of the present UTC day that cost something.
  private func behind(_ term: String?) -> CommandItem? {
    term.map { ofToday($0 + "is:costed ") }
  }

  private func share(
    _ title: PlainText, _ shares: [CostSummary.Share], _ term: (String) -> String?
  ) -> [CommandRow] {
    guard !shares.isEmpty else { return [.labelled(title, .init(text: "-", role: .muted))] }
    let total = shares.reduce(0) { $0 + ($1.usd.isFinite ? max(0, $1.usd) : 0) }
    let heading = CommandRow([.init(text: title, role: .heading), .label(reach)])
    let nameWidth = min(28, max(10, width - 22))
    return [heading]
      + shares.prefix(8).map { share in
        var spans: [VoiceLine.Span] = [
          .init(
            text: PlainText(share.name, limit: 80).cut(to: nameWidth).padded(to: nameWidth))
        ]
        if total > 0 {
          spans.append(
            .init(text: Figures.percent(share.usd / total).leftPadded(to: 4), role: .number))
        }
        spans.append(.init(text: Figures.cost(share.usd).leftPadded(to: 7), role: .cost))
        if width >= 52 {
          spans += [
            .init(text: Figures.count(share.calls).leftPadded(to: 5), role: .number),
            .label(share.calls == 1 ? "call " : "calls"),
          ]
        }
        if width >= 76 {
          let tokens = share.tokens
          if tokens.input > 0 || tokens.output > 0 || tokens.cacheRead > 0 {
            spans += [
              .init(text: short(tokens.input).leftPadded(to: 5), role: .number), .label("in"),
              .init(text: short(tokens.output).leftPadded(to: 5), role: .number), .label("out"),
            ]
          }
        }
        return CommandRow(spans, item: behind(term(share.name)))
      }
  }

  // MARK: Tokens

  private func short(_ count: Int) -> PlainText { Figures.short(Double(count)) }

  private var tokens: CommandRow {
    let tokens = costs.tokens
    guard tokens.input > 0 || tokens.cacheRead > 0 || tokens.cacheWrite > 0 || tokens.output > 0
    else {
      return .labelled("TOKENS", .init(text: "-", role: .muted))
    }
    var row = CommandRow.labelled(
      "TOKENS", .init(text: short(tokens.input), role: .number, attributes: isFree ? .bold : []),
      .label("in"),
      .init(text: short(tokens.output), role: .number, attributes: isFree ? .bold : []),
      .label("out"), .label("cache"),
      .init(text: Figures.percent(tokens.cacheShare), role: .number))
    if width >= 60 {
      row.line.spans += [
        .label("read"), .init(text: short(tokens.cacheRead), role: .number), .label("written"),
        .init(text: short(tokens.cacheWrite), role: .number),
      ]
    }
    row.item = ofToday("tokens>0 ")
    return row
  }

  /// Rows of the present UTC day.
  private func ofToday(_ term: String) -> CommandItem {
    let day = facts.minuteMs - facts.minuteMs % WindowCounts.day
    return .rows(term + "since:" + facts.clock.queryZone.text(ms: day))
  }

  private var free: [CommandRow] {
    guard costs.freeCalls > 0 else { return [] }
    var row = CommandRow.labelled(
      "FREE CALLS", .init(text: Figures.count(costs.freeCalls), role: .number),
      .label(width >= 44 ? "without a price, as an account's are" : "without a price"))
    row.item = ofToday("kind:llm_call|llm_tool_call -is:costed ")
    return [row]
  }

  // MARK: Chart

  /// The bars of 14 days, one glyph or more for each, in some rows from the top down.
  private func bars(of rows: Int) -> [[CommandRow.ChartCell]] {
    let days = costs.days
    let dearest = days.compactMap { $0 }.filter(\.isFinite).max() ?? 0
    let step = rows == 1 ? 1 : max(1, min(5, (width - 2) / max(1, days.count)))
    return (0..<rows).map { row in
      let below = (rows - 1 - row) * 8
      return days.enumerated().flatMap { index, usd -> [CommandRow.ChartCell] in
        let query = behind(day: index - (days.count - 1))
        let role: Role = index == days.count - 1 ? .info : .cost
        var level = 0
        if let usd, usd.isFinite, usd > 0, dearest > 0 {
          // A day that cost something has a bar, however low.
          level = max(1, Int((usd / dearest * Double(rows * 8)).rounded()))
        }
        let part = min(8, max(0, level - below))
        let isFoot = row == rows - 1
        let cell: CommandRow.ChartCell =
          part > 0
          ? .init(symbol: .spark(part), role: role, query: query)
          : .init(
            symbol: isFoot ? .separator : .spark(0), role: isFoot ? .muted : role, query: query)
        let gap = CommandRow.ChartCell(symbol: .spark(0), role: .faint, query: query)
        return step == 1
          ? [cell] : Array(repeating: cell, count: step - 1) + [gap]
      }
    }
  }

  /// The query for the rows of a UTC day that cost something; 0 is today.
  private func behind(day: Int) -> String {
    let start = facts.minuteMs - facts.minuteMs % WindowCounts.day + Int64(day) * WindowCounts.day
    let zone = facts.clock.queryZone
    return "is:costed since:" + zone.text(ms: start)
      + (day < 0 ? " before:" + zone.text(ms: start + WindowCounts.day) : "")
  }

  /// The bars of the chart as a table.
  private static let byDay = "is:costed | sum cost by day"

  private var chart: [CommandRow] {
    guard !costs.days.isEmpty else {
      return [.labelled("14 DAYS", .label("not known yet"))]
    }
    let count = costs.days.count
    let dearest = costs.days.compactMap { $0 }.filter(\.isFinite).max()
    let step = max(1, min(5, (width - 2) / count))
    let first = PlainText("-\(count - 1)d")
    let room = count * step
    let axis = first.padded(to: max(first.columns, room - 6)) + " today"
    return bars(of: chartRows).map { CommandRow(item: .rows(Self.byDay), chart: $0) } + [
      CommandRow(
        [.label(axis.cut(to: max(12, room)))],
        trailing: [.label("highest"), .init(text: Figures.cost(dearest), role: .cost)],
        item: .rows(Self.byDay))
    ]
  }
}
