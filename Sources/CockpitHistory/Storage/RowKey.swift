/// The columns from which a row is restored, without its bytes.
struct RowKey: Sendable {
  var seq, atMs, delayMs, channels, length: Int64
  var actionID: Int64?
  var sum: UInt32 = 0

  static let columns = "seq, at_ms, delay_ms, channels, length, action_id, sum"

  var place: HistoryPlace { HistoryPlace(atMs: atMs, seq: seq) }

  /// The checksum of the columns. `sum` combines it with the checksum of the bytes.
  var columnSum: UInt32 {
    Checksum.of(seq, atMs, delayMs, actionID ?? -1, channels, length)
  }

  /// What `sum` must be for these bytes.
  func sum(of json: [UInt8]) -> UInt32 {
    columnSum ^ json.withUnsafeBytes { Checksum.of($0) }
  }
}

extension RowKey {
  /// From a result row of `columns`.
  init(_ row: Statement) {
    self.init(
      seq: row.int(0), atMs: row.int(1), delayMs: row.int(2), channels: row.int(3),
      length: row.int(4), actionID: row.isNull(5) ? nil : row.int(5),
      sum: UInt32(truncatingIfNeeded: row.int(6)))
  }
}
