/// The extent of a day file.
struct LastRecord {
  /// The number of the last row, in this file or an earlier one.
  var seq: Int64
  /// When the last record arrived, in ms since 1970.
  var ms: Int64
  /// The time of the oldest row, on the backend's clock; nil without rows.
  var oldestRowMs: Int64?

  /// nil if the file cannot be read or is empty.
  static func read(_ path: String) -> LastRecord? {
    guard HistoryFiles.identity(path) != nil else { return nil }
    let result = Result { () throws(DatabaseFailure) -> LastRecord? in
      let file = try Database(path, for: .reading)
      let first = try file.number("SELECT value FROM meta WHERE key = 'first_seq'") ?? 1
      let seq = max(try file.number("SELECT max(seq) FROM row") ?? 0, first - 1)
      let oldestRowMs = try file.number("SELECT min(at_ms) FROM row")
      let times = [
        try file.number("SELECT at_ms + delay_ms FROM row ORDER BY seq DESC LIMIT 1"),
        try file.number("SELECT received_ms FROM document ORDER BY id DESC LIMIT 1"),
        try file.number("SELECT received_ms FROM link ORDER BY id DESC LIMIT 1"),
      ]
      return times.compactMap(\.self).max().map {
        LastRecord(seq: seq, ms: $0, oldestRowMs: oldestRowMs)
      }
    }
    return (try? result.get()) ?? nil
  }

  /// From the oldest row to the last arrival.
  var range: ClosedRange<Int64> { min(oldestRowMs ?? ms, ms)...ms }
}
