import ClankyWire
import CockpitHistory
import CockpitRules
import CockpitStores

/// In which hours of the recorded weeks the bot spoke: from what was kept of each day, else from its rows.
struct HourBook: Sendable {
  private let history: any HistoryReading
  private let kept: KeptIncidents?
  private static let batch = 20_000

  init(_ history: any HistoryReading, _ kept: KeptIncidents?) {
    (self.history, self.kept) = (history, kept)
  }

  /// The table that the days need for their verdicts: the four weeks before each.
  ///
  /// - Parameter threads: how many threads count at once, at most.
  func table(
    for days: ClosedRange<Int64>, threads: Int = 1
  ) throws(HistoryError) -> HourTable {
    var table = HourTable()
    let last = max(days.lowerBound, days.upperBound - 1)
    let needed = (days.lowerBound - HourTable.lookBackDays)...last
    let stamps = try kept?.stamps(needed) ?? [:]
    let known = try kept?.hours(needed, stamps) ?? [:]
    guard let span = try history.span() else { return table }
    var unknown: [Int64] = []
    for day in needed {
      if let hours = known[day] {
        table[day] = hours
      } else if day * DayJudge.dayMs <= span.upperBound,
        (day + 1) * DayJudge.dayMs > span.lowerBound
      {
        unknown.append(day)
      }
    }
    let counted = try OwnThread.parts(of: unknown, threads) { days, _ throws(HistoryError) in
      var counted: [(day: Int64, hours: HourTable.Day)] = []
      for day in days { counted.append((day, try hours(day))) }
      return counted
    }
    var new: [Int64: HourTable.Day] = [:]
    for (day, hours) in counted.joined() {
      table[day] = hours
      // An unfinished day will get more rows.
      if span.upperBound > (day + 1) * DayJudge.dayMs + DayJudge.tailMs { new[day] = hours }
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
