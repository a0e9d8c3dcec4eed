/// What the hours of past days cost, cached in `notes.db`: numbers without names, so they outlive the day files.
extension HistoryNotes {
  /// The sums of one UTC day.
  package struct Spend: Hashable, Sendable {
    /// Days since 1970.
    package var day: Int64
    /// The stamp of the records that were added up (`HistoryFolder.stamps`).
    package var stamp: String
    /// Hours that were recorded completely: one bit per hour.
    package var recorded: UInt32
    /// US dollars by hour, then tokens by hour: 48 numbers.
    package var sums: [Double]

    package init(day: Int64, stamp: String, recorded: UInt32, sums: [Double]) {
      self.day = day
      self.stamp = stamp
      self.recorded = recorded
      self.sums = sums
    }
  }

  private static let spendTable = """
    CREATE TABLE IF NOT EXISTS spend (day INTEGER PRIMARY KEY, version INTEGER, stamp TEXT,
      recorded INTEGER, sums TEXT);
    """

  /// The sums that one version of the computation kept.
  package static func spend(
    _ days: ClosedRange<Int64>, version: Int, in folder: String
  ) throws(HistoryError) -> [Spend] {
    try read(folder) { file throws(DatabaseFailure) in
      guard try hasTable("spend", file) else { return [] }
      let rows = try file.statement(
        "SELECT day, stamp, recorded, sums FROM spend WHERE day BETWEEN ? AND ? AND version = ?")
      rows.bind(days.lowerBound, at: 1)
      rows.bind(days.upperBound, at: 2)
      rows.bind(Int64(version), at: 3)
      defer { rows.reset() }
      var kept: [Spend] = []
      while try rows.step() {
        let sums = rows.text(3).split(separator: " ").compactMap { Double($0) }
        guard sums.count == 48, sums.allSatisfy(\.isFinite) else { continue }
        kept.append(
          Spend(
            day: rows.int(0), stamp: rows.text(1),
            recorded: UInt32(truncatingIfNeeded: rows.int(2)), sums: sums))
      }
      return kept
    }
  }

  /// Keeps the sums of days.
  package static func keep(
    _ days: [Spend], version: Int, in folder: String
  ) throws(HistoryError) {
    guard !days.isEmpty else { return }
    try change(folder) { file throws(DatabaseFailure) in
      try file.run(spendTable)
      try file.transaction { () throws(DatabaseFailure) in
        let insert = try file.statement("INSERT OR REPLACE INTO spend VALUES (?, ?, ?, ?, ?)")
        for day in days {
          insert.bind(day.day, at: 1)
          insert.bind(Int64(version), at: 2)
          insert.bind(day.stamp, at: 3)
          insert.bind(Int64(day.recorded), at: 4)
          insert.bind(day.sums.map { "\($0)" }.joined(separator: " "), at: 5)
          try insert.run()
        }
      }
    }
  }
}
