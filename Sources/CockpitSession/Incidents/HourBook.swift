import ClankyWire
import CockpitHistory
import CockpitRules
import CockpitStores

/// In which hours of the recorded weeks the bot spoke: from what was kept of each day, else from its rows.
struct HourBook {
  private let history: any HistoryReading
  private let kept: KeptIncidents?
  private static let batch = 20_000

  init(_ history: any HistoryReading, _ kept: KeptIncidents?) {
    (self.history, self.kept) = (history, kept)
  }

  /// The table that the days need for their verdicts: the four weeks before each.
  func table(for days: ClosedRange<Int64>) throws(HistoryError) -> HourTable {
    var table = HourTable()
    let last = max(days.lowerBound, days.upperBound - 1)
    let needed = (days.lowerBound - HourTable.lookBackDays)...last
    let stamps = try kept?.stamps(needed) ?? [:]
    let known = try kept?.hours(needed, stamps) ?? [:]
    guard let span = try history.span() else { return table }
    var new: [Int64: HourTable.Day] = [:]
    for day in needed {
      if let hours = known[day] {
        table[day] = hours
        continue
      }
      let fromMs = day * DayJudge.dayMs
      guard fromMs <= span.upperBound, fromMs + DayJudge.dayMs > span.lowerBound else { continue }
      table[day] = try hours(day)
      // An unfinished day will get more rows.
      if span.upperBound > fromMs + DayJudge.dayMs + DayJudge.tailMs { new[day] = table[day] }
    }
    // A failed write only costs time: the hours are counted again.
    _ = Result { () throws(HistoryError) in try kept?.keep(new, stamps) }
    return table
  }

  private func hours(_ day: Int64) throws(HistoryError) -> HourTable.Day {
    let (fromMs, toMs) = (day * DayJudge.dayMs, (day + 1) * DayJudge.dayMs)
    var outputs: [Int64] = []
    var at = fromMs - 1
    while at < toMs - 1 {
      let (rows, end) = try history.rows(after: at, through: toMs - 1, limit: Self.batch) { name in
        RuleTable.outputs.contains(
          RuleRow.name(of: ActionLabel(kind: name.kind, event: name.event)))
      }
      outputs += rows.map(\.atMs)
      at = max(end, at + 1)
    }
    let covered = try history.recorded(fromMs: fromMs, toMs: toMs)
    return HourTable(outputs: outputs, covered: covered)[day]
  }
}
