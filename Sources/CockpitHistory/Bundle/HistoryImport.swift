internal import CockpitFiles
internal import LenientJSON

/// Takes a bundle, or an export as JSON lines, into a history folder of its own.
package enum HistoryImport {
  /// - Parameters:
  ///   - path: a bundle, or lines of `history export --jsonl` or `tail --json`.
  ///   - folder: must not exist, or hold no history.
  /// - Returns: how many rows the history has.
  package static func run(_ path: String, into folder: String) throws(HistoryError) -> Int {
    if let days = HistoryFiles.days(in: folder), !days.isEmpty {
      throw HistoryError(
        .refused, "there is a history in '\(folder)'; give the new one another name")
    }
    guard HistoryFiles.identity(path) != nil else {
      throw HistoryError(.missing, "there is no file '\(path)'")
    }
    let bytes = try bytes(path)
    if bytes.starts(with: Array("SQLite format 3".utf8)) {
      return try importBundle(path, bytes, into: folder)
    }
    return try importLines(path, bytes, into: folder)
  }

  private static func bytes(_ path: String) throws(HistoryError) -> [UInt8] {
    do throws(FileError) {
      return try SafeFile.read(path, limit: 2 << 30) ?? []
    } catch {
      throw HistoryError(.disk, error.description)
    }
  }

  private static func make(_ folder: String) throws(HistoryError) {
    do throws(FileError) {
      try SafeFile.makeFolder(folder)
    } catch {
      throw HistoryError(.refused, error.description)
    }
  }

  /// A bundle is a day file: it is copied.
  private static func importBundle(
    _ path: String, _ bytes: [UInt8], into folder: String
  ) throws(HistoryError) -> Int {
    // Only a file that cannot be opened is refused; readers report damaged records.
    let bundle = try HistoryFolder(path)
    guard let span = try bundle.span() else {
      throw HistoryError(.damaged, "'\(path)' has no rows that can be read")
    }
    let from = try bundle.manifest()?.fromMs ?? span.lowerBound
    try make(folder)
    let copy = folder + "/" + DayName(ms: from).fileName
    do throws(FileError) {
      try AtomicFile.replace(copy, with: bytes)
    } catch {
      throw HistoryError(.disk, error.description)
    }
    return try HistoryFolder(folder).rowCount()
  }

  private static func importLines(
    _ path: String, _ bytes: [UInt8], into folder: String
  ) throws(HistoryError) -> Int {
    var records: [BundleRecord] = []
    var marks: [HistoryNotes.Mark] = []
    var manifest: BundleManifest?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let json = line.withUnsafeBytes({ try? JSONValue.parse($0) }) else { continue }
      switch BundleLine.parse(json, number: Int64(records.count) + 1) {
      case .record(let record): records.append(record)
      case .mark(let mark): marks.append(mark)
      case .manifest(let found): manifest = manifest ?? found
      case nil: break
      }
    }
    records.sort { $0.seq < $1.seq }
    let rows = records.compactMap { record -> RecordedRow? in
      if case .row(let row) = record { row } else { nil }
    }
    guard let first = rows.first, let firstMs = rows.map(\.atMs).min() else {
      throw HistoryError(
        .damaged, "'\(path)' is no bundle, and none of its lines is a row of 'tail --json'")
    }
    try make(folder)
    let day = DayName(ms: manifest?.fromMs ?? firstMs)
    let file = folder + "/" + day.fileName
    try HistoryFiles.secure(file)
    do throws(DatabaseFailure) {
      let writer = try DayWriter(day, in: folder, after: max(0, first.seq - 1))
      var batch = RecorderBatch()
      for record in records {
        batch.add(record)
        guard batch.weight > 1 << 20 else { continue }
        try writer.write(batch, base: 0)
        batch = RecorderBatch()
      }
      try writer.write(batch, base: 0)
      if let manifest { try manifest.write(to: writer.database) }
      try writer.finish()
    } catch {
      throw HistoryError(error.isDamage ? .damaged : .disk, error.words(file))
    }
    for mark in marks { try HistoryNotes.mark(atMs: mark.atMs, note: mark.note, in: folder) }
    return try HistoryFolder(folder).rowCount()
  }
}

extension HistoryFolder {
  /// The rows of all files.
  package func rowCount() throws(HistoryError) -> Int {
    var count = 0
    for file in try pool.files() {
      let rows = try pool.with(file) { reader throws(DatabaseFailure) in
        try reader.database.number("SELECT count(*) FROM row")
      }
      count += Int(rows.flatMap(\.self) ?? 0)
    }
    return count
  }
}
