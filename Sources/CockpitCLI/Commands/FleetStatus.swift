import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore

/// What `status --fleet` says of one source: the values of the health strip and the worst that is wrong, in one line.
struct FleetStatus {
  /// Of its profile.
  var name: String
  /// `healthy`, `degraded`, `unreachable`, `unauthorized`; of a gateway `ok`, `warn`, `waits`, `unreachable`.
  var state: String
  /// The words beside it in the header of the cockpit: `models fail`; empty where there are none.
  var word = ""
  /// `critical`, `warning` or `info`; nil while nothing is wrong, or nothing is known.
  var level: String?
  /// The worst with onset, count and next step, or why nothing is known; not sanitised.
  var worst: String?
  var figures = FleetFigures()
  var code: Int32

  /// The order of lines: the bot that needs its owner most first, as in the cockpit.
  var rank: Int {
    if level == "critical" { return 0 }
    switch code {
    case 2, 3, 4: return 1
    case 1: return 2
    case 5: return 3
    default: return code == 0 ? 4 : 1
    }
  }

  // MARK: Text

  /// The columns before the sentence, each with its window where it has one.
  private var columns: [PlainText] {
    let over: PlainText = figures.overMs == nil ? "" : " in " + figures.window
    return [
      PlainText(name, limit: 60), PlainText(state, limit: 20), PlainText(word, limit: 20),
      figures.perMinute + " rows/min", figures.errors + " errors",
      figures.costPerHour + "/h" + over,
      "newest row " + figures.newestAge,
    ]
  }

  /// A line for each, their columns below each other.
  static func lines(_ all: [FleetStatus]) -> [PlainText] {
    let tables = all.map(\.columns)
    let widths = (tables.first ?? []).indices.map { column in
      tables.map { $0[column].columns }.max() ?? 0
    }
    return zip(all, tables).map { status, table in
      var line = zip(table, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      if let skew = status.figures.skewWords { line += "  " + skew }
      if let worst = status.worst { line += "  " + PlainText(worst, limit: 600) }
      return line
    }
  }

  // MARK: JSON

  /// The value of `fleet`. What is not known is null; times in ms.
  var json: JSONValue {
    let rows = figures.rows
    func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
    func count(_ value: Int64?) -> JSONValue { value.map { .integer(Int($0)) } ?? .null }
    func number(_ value: Double?) -> JSONValue {
      value.map { .number(JSONNumber(text: "\(($0 * 10_000).rounded() / 10_000)")) } ?? .null
    }
    let members: [(String, JSONValue)] = [
      ("word", word.isEmpty ? .null : .string(word)), ("level", text(level)),
      ("worst", text(worst)),
      ("rows_per_min", number(rows?.perMinute)), ("errors", count(rows.map { Int64($0.failures) })),
      ("rows_window_ms", count(rows?.overMs)),
      ("usd_per_hour", number(figures.cost?.usdPerHour)),
      ("cost_window_ms", count(figures.cost?.overMs)),
      ("newest_row_age_ms", count(figures.newestAgeMs)),
      ("clock_skew_ms", count(figures.skewMs.map(Int64.init))),
      ("exit_code", .integer(Int(code))),
    ]
    return .object(JSONObject(members: members.map { .init(key: $0.0, value: $0.1) }))
  }
}
