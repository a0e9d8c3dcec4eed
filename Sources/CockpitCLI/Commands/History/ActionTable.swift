import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import TerminalCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The output of `actions` for a query with stages: a table with bars and its coverage, or JSON
/// lines.
struct ActionTable {
  let query: Query
  let clock: ClockFormat
  let environment: CockpitSession.Environment
  /// The start of the requested rows, in ms since 1970; nil for all that the backend keeps.
  var fromMs: Int64?
  var toMs: Int64 = 0
  /// Sentences about rows that may be missing.
  var missing: [String] = []

  /// False where no row passes the filter: there is nothing to print.
  func write(_ rows: some Collection<ActionRowView>, names: NameTable, json: Bool) -> Bool {
    guard !rows.isEmpty, let table = query.table(of: rows, names: names) else { return false }
    write(table, json: json)
    return true
  }

  func write(_ table: QueryTable, json: Bool) {
    guard !json else {
      let lines = TableJSON(table, of: query)
      for line in lines.lines { environment.output.line(line) }
      environment.output.line(lines.coverage(fromMs: fromMs, toMs: toMs, missing: missing))
      environment.also(self.lines(table))
      return
    }
    for line in lines(table) { environment.output.line(line) }
  }

  private func lines(_ table: QueryTable) -> [PlainText] {
    let text = TableText(table, clock: clock, nowMs: toMs)
    let isASCII = TextEncoding(environment: environment.variables) != .utf8
    let notes = TableNotes(table)
    let window = TableNotes.window(fromMs: fromMs, toMs: toMs, clock)
    let isPartial: PlainText = missing.isEmpty ? "" : "; not all rows are here, see above"
    return text.plain(width: width, isASCII: isASCII) + ["", notes.rows + " " + window + isPartial]
      + notes.sentences
  }

  /// Columns of the terminal, or of a page where the output is none.
  private var width: Int {
    var size = winsize()
    if environment.terminals.output, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    {
      return max(20, Int(size.ws_col))
    }
    return environment.variables["COLUMNS"].flatMap(Int.init).map { min(500, max(20, $0)) } ?? 80
  }
}
