/// Cuts a day file to the stretches that pins protect: whole blocks, as they are.
enum PinnedCut {
  private static let key = "kept"

  /// The stretches of all pins, in order.
  static func ranges(_ pins: [HistoryNotes.Pin]) -> [ClosedRange<Int64>] {
    pins.filter { $0.fromMs <= $0.toMs }.map { $0.fromMs...$0.toMs }
      .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  static func text(_ ranges: [ClosedRange<Int64>]) -> String {
    ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
  }

  /// The stretches to which a file was cut; nil if it is whole.
  static func done(_ path: String) -> String? {
    let found = Result { () throws(DatabaseFailure) in
      try Database(path, for: .reading).text("SELECT value FROM meta WHERE key = '\(key)'")
    }
    return (try? found.get()) ?? nil
  }

  /// Replaces a finished file by one with these stretches only.
  static func cut(
    _ day: DayName, to ranges: [ClosedRange<Int64>], in folder: String
  ) throws(HistoryError) {
    let place = DayReplacement(folder: folder, name: day.fileName)
    place.clear()
    try HistoryFiles.secure(place.newPath)
    defer { place.clear() }
    let pool = ReaderPool(place.path)
    var failure: DatabaseFailure?
    let isDone = try pool.with(place.path) { reader throws(DatabaseFailure) -> Bool in
      do throws(DatabaseFailure) {
        guard try reader.database.number("SELECT value FROM meta WHERE key = 'finished'") != nil
        else { return false }
        let copy = try DayCopy(reader, to: place.newPath)
        copy.kept = ranges
        try copy.run()
        try copy.setMeta(key, text(ranges))
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw HistoryError(.disk, failure.words(place.newPath)) }
    guard isDone ?? false else { return }
    try place.synchronize()
    _ = try place.commit()
  }
}
