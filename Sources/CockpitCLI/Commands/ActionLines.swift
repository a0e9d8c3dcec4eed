import CockpitSession
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// Actions as lines of `tail` and `actions`.
@MainActor
struct ActionLines {
  let names: NameTable
  let clock: ClockFormat

  /// Oldest first; rows of the same millisecond by the backend's id.
  static func sorted(_ rows: [ActionRowView]) -> [ActionRowView] {
    rows.sorted {
      ($0.timeMs, $0.actionID ?? .max, $0.id) < ($1.timeMs, $1.actionID ?? .max, $1.id)
    }
  }

  /// The result of `sorted`; a long list is sorted on a separate thread.
  static func sortedAside(_ rows: [ActionRowView]) async -> [ActionRowView] {
    guard rows.count > 2_000 else { return sorted(rows) }
    let keys = rows.map { ($0.timeMs, $0.actionID ?? .max, $0.id) }
    let order = await OwnThread.run { keys.indices.sorted { keys[$0] < keys[$1] } }
    return order.map { rows[$0] }
  }

  /// One line without its end; nil for what is no action.
  func line(_ row: ActionRowView, json: Bool) -> [UInt8]? {
    json ? row.jsonLine() : Array(plain(row).description.utf8)
  }

  /// As a person reads it.
  func plain(_ row: ActionRowView) -> PlainText {
    guard let action = row.action() else { return "" }
    let summary = ActionSummary(of: action, metadata: action.metadata(), names: Names(names))
    let time = clock.day(ms: row.timeMs) + " " + clock.time(ms: row.timeMs)
    var line = time + "  " + summary.label.padded(to: 28) + "  " + summary.text
    if let ms = summary.durationMs { line += "  " + Figures.duration(ms: ms) }
    if let cost = row.costUSD, cost > 0 { line += "  " + Figures.cost(cost) }
    return line
  }
}
