/// The end of a day file.
enum LastRecord {
  /// The number of the last row and the time of the last record; nil if the file cannot be read or is empty.
  static func read(_ path: String) -> (seq: Int64, ms: Int64)? {
    guard HistoryFiles.identity(path) != nil else { return nil }
    let result = Result { () throws(DatabaseFailure) -> (seq: Int64, ms: Int64)? in
      let file = try Database(path, for: .reading)
      let first = try file.number("SELECT value FROM meta WHERE key = 'first_seq'") ?? 1
      let seq = max(try file.number("SELECT max(seq) FROM row") ?? 0, first - 1)
      let times = [
        try file.number("SELECT at_ms + delay_ms FROM row ORDER BY seq DESC LIMIT 1"),
        try file.number("SELECT received_ms FROM document ORDER BY id DESC LIMIT 1"),
        try file.number("SELECT received_ms FROM link ORDER BY id DESC LIMIT 1"),
      ]
      return times.compactMap(\.self).max().map { (seq, $0) }
    }
    return (try? result.get()) ?? nil
  }

  /// The times of arrival in the file, and those of its rows; nil if it cannot be read or is empty.
  static func range(_ path: String) -> ClosedRange<Int64>? {
    guard let end = read(path) else { return nil }
    let result = Result { () throws(DatabaseFailure) -> Int64? in
      let file = try Database(path, for: .reading)
      return try file.number("SELECT min(at_ms) FROM row")
    }
    let begin = (try? result.get()) ?? nil
    return min(begin ?? end.ms, end.ms)...end.ms
  }
}
