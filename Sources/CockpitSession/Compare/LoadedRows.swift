import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore

/// The rows of a stretch of time, oldest first, and what is missing of it.
@MainActor
package struct LoadedRows {
  private let store: ActivityStore
  private let range: Range<Int64>
  private let scope: GuildScope
  package let missing: [MissingStretch]

  init(
    _ store: ActivityStore, _ range: Range<Int64>, _ scope: GuildScope,
    missing: [MissingStretch]
  ) {
    (self.store, self.range, self.scope, self.missing) = (store, range, scope, missing)
  }

  package var coverage: Answer.Coverage {
    Answer.Coverage(fromMs: range.lowerBound, toMs: range.upperBound, isComplete: missing.isEmpty)
  }

  /// What is read out of each row.
  package func compactMap<Value>(_ read: (ActionRowView) -> Value?) -> [Value] {
    let log = store.log
    return (0..<log.count).reversed().compactMap { place in
      let row = log.row(at: place)
      guard range.contains(row.timeMs), !row.isGap, !row.isOfFormerLog, row.isIn(scope) else {
        return nil
      }
      return read(row)
    }
  }

  /// The time that was looked at, and whether rows of it are missing.
  package func window(_ clock: ClockFormat) -> PlainText {
    func moment(_ ms: Int64) -> PlainText { clock.day(ms: ms) + " " + clock.time(ms: ms) }
    return "From " + moment(range.lowerBound) + " to " + moment(range.upperBound)
      + (missing.isEmpty ? "; all rows of it are here." : "; rows of it are missing.")
  }
}
