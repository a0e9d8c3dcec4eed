import CockpitAnswers
import CockpitText
import TerminalCore

/// The cost forecast of the UTC day from recorded days: value, range and budget, each with its basis.
@MainActor
struct DayForecastRows {
  let forecast: DayForecast
  /// Columns.
  let width: Int

  private var isWide: Bool { width >= 52 }

  var rows: [CommandRow] {
    let behind = RowsBehind(
      forecast.unit == .usd ? "is:costed since:28d" : "tokens>0 since:28d",
      remark:
        "a forecast: by the same hours of recorded days; these are the rows of them that are here")
    guard forecast.isRegular else {
      return [
        CommandRow.labelled("BY MIDNIGHT", .label("too irregular to say")).of(behind),
        CommandRow.labelled("", .label(forecast.tried)).of(behind),
      ]
    }
    let days = PlainText("\(forecast.days) days")
    let basis = isWide ? "UTC, as the same hours of " + days : "UTC, of " + days
    var rows = [
      CommandRow.labelled(
        "BY MIDNIGHT", .init(text: forecast.middle, role: .cost),
        .label(fits(forecast.middle, basis) ? basis : "of " + days)
      ).of(behind)
    ]
    let range: [VoiceLine.Span] = [
      .init(text: forecast.low, role: .cost), .label("to"),
      .init(text: forecast.high, role: .cost),
    ]
    // The basis of a range is never cut off.
    let tried = isWide ? forecast.tried : forecast.triedShort
    if fits(forecast.low, "to", forecast.high, tried) {
      rows.append(row("  80 %", range + [.label(tried)]).of(behind))
    } else {
      let isOneRow = fits(forecast.low, "to", forecast.high)
      rows.append(row("  80 %", isOneRow ? range : Array(range.dropLast())).of(behind))
      if !isOneRow { rows.append(row("", Array(range.suffix(1))).of(behind)) }
      rows.append(CommandRow.labelled("", .label(forecast.tried)).of(behind))
    }
    rows += budget.map { $0.of(behind) }
    return rows
  }

  private var budget: [CommandRow] {
    guard let words = forecast.budgetWords, let budget = forecast.budget else { return [] }
    let amount = VoiceLine.Span(text: forecast.amount(budget), role: .cost)
    switch words {
    case .isReached: return [.labelled("BUDGET", amount, .label("is reached"))]
    case .notToday: return [.labelled("BUDGET", amount, .label("not reached today"))]
    case .at(let time, let range):
      let start: [VoiceLine.Span] = [
        amount, .label(isWide ? "reached at" : "at"), .init(text: time, role: .warning),
      ]
      let inWords = "(" + range + ")"
      guard fits(amount.text, isWide ? "reached at" : "at", time, inWords) else {
        return [row("BUDGET", start), .labelled("  80 %", .label(range))]
      }
      return [row("BUDGET", start + [.label(inWords)])]
    }
  }

  private func row(_ name: PlainText, _ spans: [VoiceLine.Span]) -> CommandRow {
    var row = CommandRow.labelled(name)
    row.line.spans += spans
    return row
  }

  /// Whether words fit behind a label, with a space before each.
  private func fits(_ words: PlainText...) -> Bool {
    words.reduce(CommandRow.labelWidth) { $0 + $1.columns + 1 } <= width
  }
}
