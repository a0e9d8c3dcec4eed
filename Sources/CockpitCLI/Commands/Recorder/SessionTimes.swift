import CockpitHistory
import CockpitSession
import CockpitStores
import Foundation

/// When a recorded voice session was, or one of its turns.
@MainActor
struct SessionTimes {
  let range: ClosedRange<Int64>

  private static let rowLimit = 100_000
  /// So much before and after a turn is part of it.
  private static let marginMs: Int64 = 5000

  /// - Parameters:
  ///   - session: its id, or the beginning of it.
  ///   - turn: the number of a turn, 1 for the first.
  init(_ folder: String, session: String, turn: Int?) throws(Failure) {
    let found = try reading { () throws(HistoryError) -> (id: String, rows: [RecordedRow])? in
      let history = try HistoryFolder(folder)
      guard let id = try history.session(beginning: session) else { return nil }
      return (id, try history.sessionRows(id, notAfterMs: .max, limit: Self.rowLimit))
    }
    guard let (id, rows) = found, let last = rows.first, let first = rows.last else {
      throw Failure(.failed, "No voice session '\(session)' is on record; 'sessions' lists them.")
    }
    guard let turn else {
      range = first.atMs...max(first.atMs, last.atMs)
      return
    }
    let log = ActionLog(memory: 256 << 20)
    for row in rows.reversed() {
      // A row that cannot be read is none of a turn.
      _ = row.json.withUnsafeBytes {
        try? log.restore($0, actionID: row.actionID, origins: row.channels, nowMs: row.receivedMs)
      }
    }
    let voice = VoiceStore()
    _ = voice.follow(log)
    let turns = voice.record(id)?.turns ?? []
    guard turns.indices.contains(turn - 1) else {
      throw Failure(.failed, "The session has \(turns.count) turns on record.")
    }
    let meant = turns[turn - 1]
    range = meant.startedAt - Self.marginMs...max(meant.startedAt, meant.lastAt) + Self.marginMs
  }
}
