package import CockpitText

/// A stretch of time of which rows are missing, and why. Times are ms since 1970.
package struct MissingStretch: Hashable, Sendable {
  package var fromMs: Int64
  package var toMs: Int64
  package var reason: String
  /// How many rows; nil if unknown.
  package var rows: Int?

  package init(fromMs: Int64, toMs: Int64, reason: String, rows: Int? = nil) {
    self.fromMs = fromMs
    self.toMs = toMs
    self.reason = reason
    self.rows = rows
  }

  /// One sentence: `2026-11-24 22:00:00 to 23:10:00 is not recorded: recorder stopped.`
  package func sentence(_ clock: ClockFormat) -> String {
    let isOneDay = clock.day(ms: fromMs) == clock.day(ms: toMs)
    let end = isOneDay ? "" : "\(clock.day(ms: toMs)) "
    let count = rows.map { $0 == 1 ? ", one row" : ", \(Figures.count($0)) rows" } ?? ""
    return "\(clock.day(ms: fromMs)) \(clock.time(ms: fromMs)) to \(end)\(clock.time(ms: toMs))"
      + " is not recorded: \(reason)\(count)."
  }
}
