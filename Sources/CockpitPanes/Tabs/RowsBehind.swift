import CockpitStores
import CockpitText
import TerminalCore

/// What stands behind a figure: rows, or what it is of where no row here counts it.
package struct RowsBehind: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// The rows that a filter finds.
    case query(String)
    /// The rows of what is counted, nil for each that has none here, and the word for these things.
    case rows([RowID?], PlainText)
    /// No row here counts it.
    case none
  }

  package var source: Source
  /// What the rows do not say: whose count it is, and which evidence there is. One sentence, short enough for the
  /// row above the hints.
  package var remark: PlainText?

  package init(_ query: String, remark: PlainText? = nil) {
    source = .query(query)
    self.remark = remark
  }

  package init(_ rows: [RowID?], _ things: PlainText) {
    source = .rows(rows, things)
  }

  /// - Parameter remark: what the figure is of, and which evidence there is.
  package init(none remark: PlainText) {
    source = .none
    self.remark = remark
  }

  /// The filter that finds its rows; nil where they are found by their numbers, or there are none.
  package var query: String? { if case .query(let query) = source { query } else { nil } }

  /// Whether there may be rows to show.
  package var hasRows: Bool {
    switch source {
    case .query: true
    case .rows(let rows, _): rows.contains { $0 != nil }
    case .none: false
    }
  }
}

extension RowsBehind {
  /// What the bot reports of itself with every voice state.
  static let voiceState = RowsBehind(
    none: "the bot's own number, of its voice state; no row counts it")
  /// What the bot reports of itself with the statistics.
  ///
  /// - Parameter what: what it is.
  static func stats(_ what: PlainText) -> RowsBehind {
    RowsBehind(none: what + ": from the bot's statistics, no row")
  }
  /// What this program measures.
  static let ownProgram = RowsBehind(
    none: "measured by this program since its start; no row of the bot")

  /// The rows of replies that say how long they took, behind the bot's own percentiles of a day.
  static func replies(sinceMs ms: Int64, _ zone: QueryZone) -> RowsBehind {
    RowsBehind(
      "meta.performance.totalMs>=0 since:" + zone.text(ms: ms),
      remark: "the bot's own figures of 24 hours; these are the rows of it that are here")
  }

  /// A list of the backend.
  ///
  /// - Parameter things: what it lists.
  static func list(_ things: PlainText) -> RowsBehind {
    RowsBehind(none: "the backend's list of " + things + "; no row counts it")
  }
}
