import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore

/// What a search in everything that was recorded has found so far. Times are ms since 1970 on the backend's clock.
package struct HistoryFound: Hashable, Sendable {
  /// A row in a list of rows of any time.
  package struct Hit: Hashable, Sendable {
    /// Where it is in the history.
    package var row: HistoryRowPlace
    package var label: PlainText
    package var role: Role
    package var user: PlainText
    package var text: PlainText

    /// - Parameter summary: its line, as the feed shows it.
    package init(_ view: ActionRowView, _ summary: ActionSummary, names: Names) {
      row = HistoryRowPlace(atMs: view.timeMs, actionID: view.actionID, kind: view.kind)
      label = summary.label
      role = Role(view.domain, severity: view.severity)
      user = view.userID.map { PlainText(names.user($0), limit: 40) } ?? ""
      text = summary.text
    }
  }

  /// What was looked for.
  package var text: String
  /// The newest first.
  package var hits: [Hit] = []
  /// In the place of rows, if the query has stages.
  package var table: QueryTable?
  /// Whether the table is of the newest rows only.
  package var isTableCut = false
  package var isRunning = true
  /// Whether there may be older rows.
  package var hasMore = false
  /// Rows that were read.
  package var readRows = 0
  /// How far back was searched.
  package var throughMs: Int64?
  /// The time of the oldest row on record.
  package var recordedSinceMs: Int64?
  /// Files whose index is damaged: rows may be missing.
  package var unindexedFiles = 0
  /// Why nothing could be searched.
  package var problem: PlainText?

  package init(_ text: String) { self.text = text }
}

/// A row of a recorded history, by what it can be recognised in a log that holds it.
package struct HistoryRowPlace: Hashable, Sendable {
  package var atMs: Int64
  package var actionID: Int?
  package var kind: String

  package init(atMs: Int64, actionID: Int?, kind: String) {
    self.atMs = atMs
    self.actionID = actionID
    self.kind = kind
  }

  /// The row in a log that ends at its time, or later; nil if it is not there.
  @MainActor package func row(in log: ActionLog) -> RowID? {
    var found: RowID?
    for index in 0..<log.count {
      let row = log.row(at: index)
      if row.timeMs < atMs { break }
      guard row.timeMs == atMs, !row.isGap, row.kind == kind else { continue }
      if actionID == nil || row.actionID == actionID { return row.id }
      found = found ?? row.id
    }
    return found
  }
}

/// A wish of the user about a search in the history.
package enum FindRequest: Hashable, Sendable {
  case find(String)
  /// Search further back.
  case more
  /// Keep what was found.
  case stop
}
