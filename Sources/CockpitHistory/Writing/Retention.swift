/// Which day files go.
enum Retention {
  struct File: Hashable, Sendable {
    var name: DayName
    var bytes: Int
    /// When its last record arrived, in ms since 1970.
    var lastMs: Int64
    /// A pin keeps it.
    var isPinned = false
  }

  /// Free bytes below which files go early.
  static func reserve(total: Int) -> Int { max(512 << 20, total / 100 * 3) }

  /// The files to remove, oldest first. The newest file never goes.
  ///
  /// - Parameters:
  ///   - files: oldest first.
  ///   - wanted: bytes that must become free besides.
  static func surplus(
    _ files: [File], keepMs: Int64?, maxBytes: Int?, nowMs: Int64, wanted: Int = 0
  ) -> [DayName] {
    var sum = files.reduce(0) { $0 + $1.bytes }
    var freed = 0
    var gone: [DayName] = []
    for file in files.dropLast() where !file.isPinned {
      let isOld = keepMs.map { file.lastMs < nowMs - $0 } ?? false
      let isTooMuch = maxBytes.map { sum > $0 } ?? false
      guard isOld || isTooMuch || freed < wanted else { continue }
      gone.append(file.name)
      sum -= file.bytes
      freed += file.bytes
    }
    return gone
  }
}
