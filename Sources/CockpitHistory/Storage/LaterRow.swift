/// What was learned about a row after its file was finished.
struct LaterRow: Hashable, Sendable {
  var actionID: Int64?
  var channels: Int64
  var json: [UInt8]?

  /// The checksum of all of it.
  func sum(_ seq: Int64) -> UInt32 {
    Checksum.of(seq, actionID ?? -1, channels, Int64(json?.count ?? -1))
      ^ (json ?? []).withUnsafeBytes { Checksum.of($0) }
  }
}
