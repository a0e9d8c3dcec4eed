/// Ids that became known after their rows were written.
extension RowSequence {
  /// Where the learned ids of each file end, by the name of the file: a day may have several.
  package func learnedPlaces() throws(HistoryError) -> [String: Int64] {
    var places: [String: Int64] = [:]
    for file in try history.pool.files() {
      let last = try history.pool.with(file) { reader throws(DatabaseFailure) in
        try HistoryNotes.hasTable("learned", reader.database)
          ? reader.database.number("SELECT max(id) FROM learned") : nil
      }
      if let last = last ?? nil { places[Self.name(of: file)] = last }
    }
    return places
  }

  /// The next rows whose ids became known, with these ids.
  ///
  /// - Parameters:
  ///   - places: the last entry of each file that is known already, by the name of the file.
  ///   - range: the numbers of the rows that are wanted. Later ones are read with their ids.
  ///   - limit: the number of entries.
  /// - Returns: the rows, and the places after them.
  package func learned(
    after places: [String: Int64], of range: ClosedRange<Int64>, limit: Int
  ) throws(HistoryError) -> (rows: [SequencedRow], places: [String: Int64]) {
    let files = try history.pool.files()
    var places = places
    var rows: [SequencedRow] = []
    var left = limit
    for (index, file) in files.enumerated() where left > 0 && !exhausted.contains(file) {
      let name = Self.name(of: file)
      let (after, wanted) = (places[name] ?? 0, left)
      let found = try history.pool.with(file) { reader throws(DatabaseFailure) in
        let entries = try reader.learned(after: after, limit: wanted)
        let seqs = Set(entries.map(\.seq).filter(range.contains))
        // The id of a row of an earlier file is here, and not beside the row.
        let later =
          seqs.isEmpty ? [:] : try reader.later((seqs.min() ?? 0)...(seqs.max() ?? 0))
        return (entries: entries, ids: later.compactMapValues(\.actionID), seqs: seqs)
      }
      guard let found else { continue }
      left -= found.entries.count
      if let last = found.entries.last { places[name] = last.id }
      if found.entries.count < wanted, index + 1 < files.count { exhausted.insert(file) }
      for seq in found.seqs.sorted() {
        guard var row = try row(seq, in: files, before: index) else { continue }
        if row.row.actionID == nil, let id = found.ids[seq] {
          row.row.actionID = Int(exactly: id)
        }
        rows.append(row)
      }
    }
    return (rows, places)
  }

  private static func name(of file: String) -> String {
    file.split(separator: "/").last.map(String.init) ?? ""
  }

  /// A row by its number; nil if it is gone or damaged.
  package func row(_ seq: Int64) throws(HistoryError) -> SequencedRow? {
    let files = try history.pool.files()
    return try row(seq, in: files, before: files.count - 1)
  }

  /// A row by its number, in one of the files up to an index; nil if it is gone or damaged.
  private func row(
    _ seq: Int64, in files: [String], before index: Int
  ) throws(HistoryError) -> SequencedRow? {
    for place in stride(from: index, through: 0, by: -1) {
      let keys = try history.pool.with(files[place]) { reader throws(DatabaseFailure) in
        try reader.keys("WHERE seq = ?", [seq])
      }
      guard let key = keys?.first else { continue }
      guard let row = try history.load([.init(key: key, file: place)]).first else { return nil }
      let earlier = try earlier(row.atMs, through: seq - 1)
      return SequencedRow(
        row: row, day: Self.day(of: files[place]), ordinal: earlier[identity(row.json)] ?? 0,
        ordinalInMs: earlier.values.reduce(0, +))
    }
    return nil
  }
}
