internal import CockpitDomain

/// What became known about a row after its day file was finished.
struct LaterRow: Hashable, Sendable {
  var actionID: Int64?
  var channels: Int64
  var json: [UInt8]?

  /// The checksum of the record.
  func sum(_ seq: Int64) -> UInt32 {
    Checksum.of(seq, actionID ?? -1, channels, Int64(json?.count ?? -1))
      ^ (json ?? []).withUnsafeBytes { Checksum.of($0) }
  }
}

extension RecordedRow {
  /// Adds what a later file knows about the row.
  mutating func add(_ later: LaterRow) {
    actionID = actionID ?? later.actionID.flatMap { Int(exactly: $0) }
    channels.formUnion(RowOrigins(rawValue: UInt8(truncatingIfNeeded: later.channels)))
    json = later.json ?? json
  }
}
