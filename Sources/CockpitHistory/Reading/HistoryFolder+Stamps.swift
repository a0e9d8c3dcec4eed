extension HistoryFolder {
  /// What the records of stretches of time are: it changes when one of their files is rewritten, loses records or gets
  /// more. Empty where nothing is recorded.
  ///
  /// - Parameter stretches: ms since 1970.
  package func stamps(_ stretches: [ClosedRange<Int64>]) throws(HistoryError) -> [String] {
    var stamps = [String](repeating: "", count: stretches.count)
    for file in try filesWithRows().files {
      guard let identity = HistoryFiles.identity(file.path) else { continue }
      let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
      for (index, stretch) in stretches.enumerated() where file.span.overlaps(stretch) {
        let counts = try pool.with(file.path) { reader throws(DatabaseFailure) in
          let rows = try reader.database.statement(
            "SELECT count(*), min(seq), max(seq) FROM row WHERE at_ms BETWEEN ? AND ?")
          rows.bind(stretch.lowerBound, at: 1)
          rows.bind(stretch.upperBound, at: 2)
          defer { rows.reset() }
          guard try rows.step() else { return "" }
          return "\(rows.int(0))-\(rows.int(1))-\(rows.int(2))"
        }
        stamps[index] += "\(name):\(identity.inode):\(counts ?? "damaged") "
      }
    }
    return stamps
  }

  /// The days that have a file, as days since 1970.
  package var filedDays: Set<Int64> {
    Set((HistoryFiles.days(in: path) ?? []).map(\.day))
  }
}
