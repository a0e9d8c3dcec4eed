import CockpitAnswers
import CockpitText
import TerminalCore

/// The end of the UTC day by the same hours of recorded days: value, range and budget, each with what it rests on.
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
    var rows = [
      CommandRow.labelled(
        "BY MIDNIGHT", .init(text: forecast.middle, role: .cost),
        .label(isWide ? "UTC, as the same hours of" : "UTC, of"),
        .label(PlainText("\(forecast.days) days"))
      ).of(behind),
      CommandRow.labelled(
        "  80 %", .init(text: forecast.low, role: .cost), .label("to"),
        .init(text: forecast.high, role: .cost),
        .label(isWide ? forecast.tried : forecast.triedShort)
      ).of(behind),
    ]
    if let budget { rows.append(budget.of(behind)) }
    return rows
  }

  private var budget: CommandRow? {
    guard let words = forecast.budgetWords, let budget = forecast.budget else { return nil }
    let amount = VoiceLine.Span(text: forecast.amount(budget), role: .cost)
    return switch words {
    case .isReached: .labelled("BUDGET", amount, .label("is reached"))
    case .notToday: .labelled("BUDGET", amount, .label("not reached today"))
    case .at(let time, let range):
      .labelled(
        "BUDGET", amount, .label(isWide ? "reached at" : "at"),
        .init(text: time, role: .warning), .label("(" + range + ")"))
    }
  }
}
