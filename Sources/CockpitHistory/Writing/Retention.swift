/// Which day files are removed.
enum Retention {
  struct File: Hashable, Sendable {
    var name: DayName
    var bytes: Int
    /// When its last record arrived, in ms since 1970.
    var lastMs: Int64
    /// Whether a pin protects it.
    var isPinned = false
    /// Whether it was cut to what pins protect, and they protect the same still.
    var isCut = false
    /// Until when a sink that has not delivered it is waited for, in ms since 1970; nil without one.
    var awaitedUntilMs: Int64?
  }

  /// The day files of a folder, oldest first.
  ///
  /// - Parameter newest: the file that is being written. It is never removed, so its records are not read.
  static func files(in folder: String, newest: DayName? = nil) throws(HistoryError) -> [File] {
    guard let days = HistoryFiles.days(in: folder) else {
      throw HistoryError(.missing, "there is no history in '\(folder)'")
    }
    let pins = try HistoryNotes.pins(in: folder)
    let awaited = HistoryNotes.awaited(in: folder)
    return days.map { day in
      let path = folder + "/" + day.fileName
      let last = day == newest ? nil : LastRecord.read(path)
      let range = last?.range
      let waitMs = last.flatMap { last in
        awaited.filter { $0.afterSeq < last.seq }.map { last.ms + $0.maxLagMs }.max()
      }
      return File(
        name: day, bytes: HistoryFiles.bytes(path),
        // A file that cannot be read is as old as its day.
        lastMs: range?.upperBound ?? (day.day + 1) * DayName.msPerDay,
        isPinned: range.map { range in
          pins.contains { $0.fromMs <= range.upperBound && $0.toMs >= range.lowerBound }
        } ?? false,
        isCut: PinnedCut.text(PinnedCut.ranges(pins)) == PinnedCut.done(path),
        awaitedUntilMs: waitMs)
    }
  }

  /// Files are removed early when the volume has fewer free bytes.
  static func reserve(total: Int) -> Int { max(512 << 20, total / 100 * 3) }

  /// The files to remove, oldest first; never the newest.
  ///
  /// - Parameters:
  ///   - files: oldest first.
  ///   - wanted: bytes to free regardless of age and size.
  static func surplus(
    _ files: [File], keepMs: Int64?, maxBytes: Int?, nowMs: Int64, wanted: Int = 0
  ) -> [DayName] {
    var sum = files.reduce(0) { $0 + $1.bytes }
    var freed = 0
    var gone: [DayName] = []
    for file in files.dropLast() where !file.isPinned {
      let isOld = keepMs.map { file.lastMs < nowMs - $0 } ?? false
      let isTooMuch = maxBytes.map { sum > $0 } ?? false
      let isAwaited = file.awaitedUntilMs.map { $0 > nowMs } ?? false
      // Nothing is delayed on a full volume.
      guard (isOld || isTooMuch) && !isAwaited || freed < wanted else { continue }
      gone.append(file.name)
      sum -= file.bytes
      freed += file.bytes
    }
    return gone
  }

  /// The pinned files that must go but for what their pins protect, oldest first; never the newest.
  ///
  /// - Parameter files: oldest first, without those that go whole.
  static func pinnedSurplus(
    _ files: [File], keepMs: Int64?, maxBytes: Int?, nowMs: Int64
  ) -> [DayName] {
    let sum = files.reduce(0) { $0 + $1.bytes }
    return files.dropLast().filter { file in
      let isOld = keepMs.map { file.lastMs < nowMs - $0 } ?? false
      return file.isPinned && !file.isCut && (isOld || maxBytes.map { sum > $0 } ?? false)
    }.map(\.name)
  }
}
