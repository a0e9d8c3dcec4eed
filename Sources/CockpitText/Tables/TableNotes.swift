import CockpitStores
import TerminalCore

/// The notes below a table: the time it covers, and the rows that are in no line.
package struct TableNotes: Hashable, Sendable {
  private let table: QueryTable

  package init(_ table: QueryTable) { self.table = table }

  /// `512 rows`
  package var rows: PlainText {
    Figures.count(table.rows) + (table.rows == 1 ? " row" : " rows")
  }

  /// A sentence for each reason for which a row is not, or not only, in one line.
  package var sentences: [PlainText] {
    var sentences: [PlainText] = table.missing.map { missing in
      Self.rows(missing.rows) + " without " + PlainText(missing.what, limit: 80)
    }
    if table.inSeveral > 0 {
      sentences.append(
        Self.rows(table.inSeveral) + (table.inSeveral == 1 ? " is" : " are")
          + " in several lines, having several values")
    }
    if table.leftOut > 0 {
      sentences.append(
        Figures.count(table.leftOut) + (table.leftOut == 1 ? " line" : " lines") + " left out")
    }
    if table.beyond > 0 {
      sentences.append(
        Self.rows(table.beyond) + " of lines beyond the first 20,000 are not counted")
    }
    return sentences
  }

  private static func rows(_ count: Int) -> PlainText {
    Figures.count(count) + (count == 1 ? " row" : " rows")
  }
}

extension TableNotes {
  /// `from 05-09 14:05 to 14:58`: the time that a table covers.
  ///
  /// - Parameters:
  ///   - fromMs: in ms since 1970; nil for all that the backend keeps.
  ///   - toMs: the same.
  package static func window(fromMs: Int64?, toMs: Int64, _ clock: ClockFormat) -> PlainText {
    let end = clock.time(ms: toMs).prefix(columns: 5)
    guard let fromMs else { return "of all that the backend keeps, until " + end }
    let isToday = clock.dayNumber(ms: fromMs) == clock.dayNumber(ms: toMs)
    let begin = clock.time(ms: fromMs).prefix(columns: 5)
    return "from " + (isToday ? begin : clock.monthDay(ms: fromMs) + " " + begin) + " to " + end
  }
}
