import CockpitStores

/// Tells whether a log has a row that comes from elsewhere: by its id and time, since ids start anew with a
/// replaced log; without an id by its time, kind and content.
@MainActor
package struct KnownRowsOfLog {
  private struct Look: Hashable {
    var timeMs: Int64
    var kind: String
    var content: String?
  }

  private var times: [Int: Int64] = [:]
  private var looks: Set<Look> = []

  package init(_ log: ActionLog) {
    for row in log.rows(in: 0..<log.count) {
      if let id = row.actionID { times[id] = row.timeMs }
      looks.insert(Self.look(row))
    }
  }

  package func contains(_ row: ActionRowView) -> Bool {
    guard let id = row.actionID else { return looks.contains(Self.look(row)) }
    return times[id] == row.timeMs
  }

  private static func look(_ row: ActionRowView) -> Look {
    Look(timeMs: row.timeMs, kind: row.kind, content: row.content(limit: 200))
  }
}
