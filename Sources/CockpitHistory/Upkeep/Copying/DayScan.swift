/// Reads a table past its damaged pages.
struct DayScan {
  let database: Database
  /// Whether pages were passed over.
  private(set) var isDamaged = false

  init(_ database: Database) { self.database = database }

  /// Reads the records whose keys lie in a range, in order of their keys.
  ///
  /// - Parameters:
  ///   - sql: a query with the key in its first column, up to `WHERE`, without `ORDER BY`.
  ///   - key: the name of the key, an integer.
  mutating func read(
    _ sql: String, key: String, _ range: ClosedRange<Int64>,
    _ take: (Statement) throws(DatabaseFailure) -> Void
  ) throws(DatabaseFailure) {
    var next = range.lowerBound
    while next <= range.upperBound {
      let from = next
      do throws(DatabaseFailure) {
        let rows = try database.statement(
          "\(sql) WHERE \(key) >= ? AND \(key) <= ? ORDER BY \(key)")
        rows.bind(from, at: 1)
        rows.bind(range.upperBound, at: 2)
        defer { rows.reset() }
        while try rows.step() {
          let found = rows.int(0)
          // A damaged page may have its keys in disorder: the checksums say which records are good.
          guard range.contains(found), found < .max else { continue }
          try take(rows)
          next = max(next, found + 1)
        }
        return
      } catch {
        guard error.isDamage else { throw error }
        isDamaged = true
        guard let good = readable(sql, key, after: next, range.upperBound) else { return }
        next = good
      }
    }
  }

  /// The first key after a damaged page from which reading works again; nil if none does.
  private func readable(_ sql: String, _ key: String, after: Int64, _ last: Int64) -> Int64? {
    func works(_ from: Int64) -> Bool {
      let result = Result { () throws(DatabaseFailure) -> Bool in
        let rows = try database.statement(
          "\(sql) WHERE \(key) >= ? AND \(key) <= ? ORDER BY \(key) LIMIT 1")
        rows.bind(from, at: 1)
        rows.bind(last, at: 2)
        defer { rows.reset() }
        guard try rows.step() else { return false }
        return rows.int(0) >= from && rows.int(0) <= last
      }
      if case .success(true) = result { return true }
      return false
    }
    var bad = after
    var step: Int64 = 1
    while last - after >= step, !works(after + step) {
      bad = after + step
      guard step < Int64.max / 4 else { return nil }
      step *= 2
    }
    guard last - after >= step else { return works(last) && last > bad ? last : nil }
    var good = after + step
    while good - bad > 1 {
      let middle = bad + (good - bad) / 2
      if works(middle) { good = middle } else { bad = middle }
    }
    return good
  }
}
