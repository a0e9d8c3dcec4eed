/// The history of one bot: a folder of day files, or a bundle, which is a single day file.
package final class HistoryFolder: HistoryReading {
  /// A folder of day files, or one file.
  package let path: String
  let pool: ReaderPool

  /// - Parameter path: a folder of day files, or one file.
  package convenience init(_ path: String) throws(HistoryError) {
    try self.init(path, checks: true)
  }

  /// - Parameter checks: whether a bundle that cannot be read throws here, and not at the first query.
  init(_ path: String, checks: Bool) throws(HistoryError) {
    self.path = path
    pool = ReaderPool(path)
    let files = try pool.files()
    guard checks, !HistoryFiles.isFolder(path), let file = files.first else { return }
    if try pool.with(file, { _ throws(DatabaseFailure) in true }) == nil {
      let reason = pool.damage.damage.files[file] ?? "it cannot be read"
      throw HistoryError(.damaged, "'\(path)': \(reason)")
    }
  }

  /// Whether it is a folder of day files, not one file.
  package var isFolder: Bool { HistoryFiles.isFolder(path) }

  package var damage: HistoryDamage { pool.damage.damage }

  /// One file and the times of its rows.
  struct File {
    var path: String
    var span: ClosedRange<Int64>
    /// Its place among all files.
    var index: Int
  }

  /// The files that have rows.
  func filesWithRows() throws(HistoryError) -> (files: [File], all: [String]) {
    let all = try pool.files()
    var files: [File] = []
    for (index, path) in all.enumerated() {
      let span = try pool.with(path) { reader throws(DatabaseFailure) in try reader.span() }
      if let span = span ?? nil { files.append(File(path: path, span: span, index: index)) }
    }
    return (files, all)
  }

  package func span() throws(HistoryError) -> ClosedRange<Int64>? {
    let spans = try filesWithRows().files.map(\.span)
    guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max()
    else { return nil }
    return first...last
  }

  /// The time of the newest row, in ms since 1970, without looking into older files.
  package func newestMs() throws(HistoryError) -> Int64? {
    for path in try pool.files().reversed() {
      let span = try pool.with(path) { reader throws(DatabaseFailure) in try reader.span() }
      if let span = span ?? nil { return span.upperBound }
    }
    return nil
  }

  // MARK: rows

  package func rows(
    notAfterMs: Int64, limit: Int, skipping: Int
  ) throws(HistoryError) -> [RecordedRow] {
    guard limit > 0, skipping >= 0 else { return [] }
    let place = HistoryPlace(atMs: notAfterMs, seq: .max)
    let keys = try newest(notAfter: place, limit: limit + skipping)
    return try load(Array(keys.dropFirst(skipping)))
  }

  package func rows(before place: HistoryPlace, limit: Int) throws(HistoryError) -> [RecordedRow] {
    try load(keys(before: place, limit: limit))
  }

  /// The newest rows before a place, newest first, without their bytes.
  func keys(before place: HistoryPlace, limit: Int) throws(HistoryError) -> [Found] {
    guard limit > 0, place.seq > .min else { return [] }
    return try newest(notAfter: HistoryPlace(atMs: place.atMs, seq: place.seq - 1), limit: limit)
  }

  /// Rows of one file in the order of arrival.
  func rows(afterSeq seq: Int64, through: Int64, limit: Int) throws(HistoryError) -> [RecordedRow] {
    let keys = try pool.with(path) { reader throws(DatabaseFailure) in
      try reader.keys(
        "WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?", [seq, through, Int64(limit)])
    }
    return try load((keys ?? []).map { Found(key: $0, file: 0) })
  }

  /// A row without its bytes, and the index of its file.
  struct Found {
    var key: RowKey
    var file: Int
  }

  private func newest(notAfter place: HistoryPlace, limit: Int) throws(HistoryError) -> [Found] {
    let files = try filesWithRows().files.filter { $0.span.lowerBound <= place.atMs }
    return try merge(files.sorted { $0.span.upperBound > $1.span.upperBound }, limit) {
      reader throws(DatabaseFailure) in
      let rest = """
        WHERE at_ms <= ?1 AND (at_ms < ?1 OR seq <= ?2) ORDER BY at_ms DESC, seq DESC LIMIT ?3
        """
      return try reader.keys(rest, [place.atMs, place.seq, Int64(limit)]) { $0.place <= place }
    }
  }

  /// The newest rows of several files, newest first.
  ///
  /// - Parameter files: in the order of their newest row, newest first.
  private func merge(
    _ files: [File], _ limit: Int,
    _ keys: (DayReader) throws(DatabaseFailure) -> [RowKey]
  ) throws(HistoryError) -> [Found] {
    var found: [Found] = []
    for file in files {
      if found.count >= limit, let last = found.last, last.key.atMs > file.span.upperBound {
        break
      }
      let more = try pool.with(file.path, keys) ?? []
      let isOlder = found.last.map { last in more.allSatisfy { $0.place < last.key.place } } ?? true
      found += more.map { Found(key: $0, file: file.index) }
      if !isOlder { found.sort { $0.key.place > $1.key.place } }
      if found.count > limit { found.removeLast(found.count - limit) }
    }
    return found
  }

  package func rows(
    after: Int64, through: Int64, limit: Int
  ) throws(HistoryError) -> [RecordedRow] {
    guard limit > 0, through > after else { return [] }
    let files = try filesWithRows().files.filter {
      $0.span.upperBound > after && $0.span.lowerBound <= through
    }
    var found: [Found] = []
    for file in files {
      let more = try pool.with(file.path) { reader throws(DatabaseFailure) in
        let first = try reader.database.number(
          "SELECT at_ms FROM row WHERE at_ms > ? AND at_ms <= ? ORDER BY at_ms LIMIT 1 OFFSET ?",
          after, through, Int64(limit - 1))
        // Not a LIMIT: all rows of the last millisecond belong to the answer.
        return try reader.keys(
          "WHERE at_ms > ? AND at_ms <= ? ORDER BY at_ms, seq", [after, first ?? through]
        ) { $0.atMs > after && $0.atMs <= through }
      }
      found += (more ?? []).map { Found(key: $0, file: file.index) }
    }
    found.sort { $0.key.place < $1.key.place }
    if found.count > limit {
      let last = found[limit - 1].key.atMs
      found = Array(found.prefix { $0.key.atMs <= last })
    }
    return try load(found)
  }

  package func sessionRows(
    _ session: String, notAfterMs: Int64, limit: Int
  ) throws(HistoryError) -> [RecordedRow] {
    guard limit > 0 else { return [] }
    let files = try filesWithRows().files.filter { $0.span.lowerBound <= notAfterMs }
    let found = try merge(files.sorted { $0.span.upperBound > $1.span.upperBound }, limit) {
      reader throws(DatabaseFailure) in
      guard let number = try reader.number("session", session) else { return [] }
      return try reader.keys(
        "WHERE at_ms <= ? AND session = ? ORDER BY at_ms DESC, seq DESC LIMIT ?",
        [notAfterMs, number, Int64(limit)]
      ) { $0.atMs <= notAfterMs }
    }
    return try load(found)
  }

  package func row(actionID: Int) throws(HistoryError) -> RecordedRow? {
    let files = try pool.files()
    for (index, file) in files.enumerated().reversed() {
      let keys = try pool.with(file) { reader throws(DatabaseFailure) in
        try reader.keys(
          "WHERE action_id = ? ORDER BY seq DESC LIMIT 1", [Int64(actionID)])
      }
      if let key = keys?.first { return try load([Found(key: key, file: index)]).first }
      // The id of a row of an earlier file may have become known in this one.
      let seq = try pool.with(file) { reader throws(DatabaseFailure) in
        try reader.database.number(
          "SELECT max(seq) FROM later WHERE action_id = ?", Int64(actionID))
      }
      guard let seq = seq ?? nil else { continue }
      for (earlier, path) in files.enumerated().prefix(index).reversed() {
        let keys = try pool.with(path) { reader throws(DatabaseFailure) in
          try reader.keys("WHERE seq = ?", [seq])
        }
        if let key = keys?.first { return try load([Found(key: key, file: earlier)]).first }
      }
    }
    return nil
  }

  /// The rows with their bytes, in the order of their keys; damaged ones are left out.
  func load(_ found: [Found]) throws(HistoryError) -> [RecordedRow] {
    guard !found.isEmpty else { return [] }
    let files = try pool.files()
    var rows = [RecordedRow?](repeating: nil, count: found.count)
    for file in Set(found.map(\.file)).sorted() where file < files.count {
      let places = found.indices.filter { found[$0].file == file }
      var loaded: [RecordedRow] = []
      var loadedPlaces: [Int] = []
      _ = try pool.with(files[file]) { reader throws(DatabaseFailure) in
        for place in places {
          guard let row = try reader.row(found[place].key) else { continue }
          loaded.append(row)
          loadedPlaces.append(place)
        }
      }
      try complete(&loaded[...], of: file, files)
      for (place, row) in zip(loadedPlaces, loaded) { rows[place] = row }
    }
    return rows.compactMap(\.self)
  }

  /// Adds to the rows of one file what later files know about them. Ids become known within minutes: the next file has
  /// them, or none.
  func complete(
    _ rows: inout ArraySlice<RecordedRow>, of file: Int, _ files: [String]
  ) throws(HistoryError) {
    guard file + 1 < files.count, let first = rows.lazy.map(\.seq).min(),
      let last = rows.lazy.map(\.seq).max()
    else { return }
    let later = try pool.with(files[file + 1]) { reader throws(DatabaseFailure) in
      try reader.later(first...last)
    }
    guard let later, !later.isEmpty else { return }
    for index in rows.indices {
      if let more = later[rows[index].seq] { rows[index].add(more) }
    }
  }
}
