import CockpitStores
import TerminalCore

/// How a session is told that never ended.
extension CutOffEvidence {
  /// From the longest to the shortest: `cut off, last event 23:45:13`, and where nothing says when it began,
  /// `cut off, no start on record, first event 14:02:10, last 14:20:31`.
  package func texts(_ clock: ClockFormat) -> [PlainText] {
    guard let lastMs else { return ["cut off"] }
    let last = clock.time(ms: lastMs)
    let short = "cut off " + last
    guard !hasStart, let firstMs else { return [ending(clock), short, "cut off"] }
    let first = clock.time(ms: firstMs)
    let start: PlainText = isFirstOnRecord ? "no start on record" : "start not read"
    let span = "events " + first + " to " + last
    return [
      "cut off, " + start + ", first event " + first
        + (mayHaveLater ? ", later ones to " : ", last ")
        + last,
      "cut off, " + span, short, "cut off",
    ]
  }

  /// Its end alone, where its start has its own place.
  package func ending(_ clock: ClockFormat) -> PlainText {
    guard let lastMs else { return "cut off" }
    return (mayHaveLater ? "cut off after " : "cut off, last event ") + clock.time(ms: lastMs)
  }

  /// The longest of them.
  package func text(_ clock: ClockFormat) -> PlainText { texts(clock)[0] }
}
