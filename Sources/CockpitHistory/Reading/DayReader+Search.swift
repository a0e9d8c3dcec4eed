extension DayReader {
  /// Adds rows that meet the query, in reverse order of arrival.
  ///
  /// - Returns: false if the limit was reached before all rows were searched.
  func search(
    _ query: HistorySearch, below seq: Int64, limit: Int, into hits: inout HistoryHits
  ) throws(DatabaseFailure) -> Bool {
    guard let filter = try filter(query) else { return true }
    let wanted = query.terms.filter { !$0.isExcluded }
    guard !wanted.isEmpty else { return try list(query, seq, filter, limit, &hits) }
    var through = try database.number("SELECT value FROM meta WHERE key = 'words_through'") ?? 0
    if try database.number("SELECT value FROM meta WHERE key = 'words_broken'") != nil {
      hits.unindexedFiles += 1
      through = min(through, 0)
    }
    // Rows that are not indexed yet.
    let fresh = try keys(
      "WHERE seq > ? AND seq < ? \(filter) ORDER BY seq DESC", [through, seq])
    guard try take(fresh, query, limit, &hits) else { return false }
    do throws(DatabaseFailure) {
      return try searchIndex(query, wanted, min(seq, through + 1), filter, limit, &hits)
    } catch {
      guard error.isDamage else { throw error }
      damage.note(file: path, "its words are damaged: `history rebuild` makes them again")
      hits.unindexedFiles += 1
      return true
    }
  }

  /// The rows of a query that names no words.
  private func list(
    _ query: HistorySearch, _ seq: Int64, _ filter: String, _ limit: Int, _ hits: inout HistoryHits
  ) throws(DatabaseFailure) -> Bool {
    var below = seq
    while true {
      let batch = try keys(
        "WHERE seq < ? AND at_ms > ? AND at_ms <= ? \(filter) ORDER BY seq DESC LIMIT ?",
        [below, query.afterMs, query.throughMs, Int64(limit)])
      guard try take(batch, query, limit, &hits) else { return false }
      guard batch.count == limit, let last = batch.last else { return true }
      below = last.seq
    }
  }

  private func searchIndex(
    _ query: HistorySearch, _ wanted: [HistorySearch.Term], _ below: Int64, _ filter: String,
    _ limit: Int, _ hits: inout HistoryHits
  ) throws(DatabaseFailure) -> Bool {
    let words = try database.statement(
      "SELECT rowid FROM words WHERE words MATCH ? AND rowid < ? ORDER BY rowid DESC")
    words.bind(Self.match(wanted), at: 1)
    words.bind(below, at: 2)
    defer { words.reset() }
    while try words.step() {
      let found = try keys("WHERE seq = ? \(filter)", [words.int(0)])
      guard try take(found, query, limit, &hits) else { return false }
    }
    return true
  }

  /// Adds the candidates whose own words meet the query: the index knows no phrases and no exclusions.
  private func take(
    _ keys: [RowKey], _ query: HistorySearch, _ limit: Int, _ hits: inout HistoryHits
  ) throws(DatabaseFailure) -> Bool {
    for key in keys where key.atMs > query.afterMs && key.atMs <= query.throughMs {
      guard let row = try row(key) else { continue }
      hits.readRows += 1
      guard
        query.terms.isEmpty || query.holds(row.json.withUnsafeBytes { RowText.words($0) })
      else { continue }
      hits.rows.append(row)
      if hits.rows.count >= limit { return false }
    }
    return true
  }

  /// The FTS5 query: all words, in any order; `take` checks phrases.
  private static func match(_ terms: [HistorySearch.Term]) -> String {
    terms.map { term in
      let choices = ([term] + term.alternatives).map { choice in
        let words = choice.words.enumerated().map { index, word in
          let isPrefix = choice.isPrefix && index == choice.words.count - 1
          return "\"" + word.filter { $0 != "\"" } + "\"" + (isPrefix ? "*" : "")
        }
        return "(" + words.joined(separator: " AND ") + ")"
      }
      return "(" + choices.joined(separator: " OR ") + ")"
    }.joined(separator: " AND ")
  }

  /// The SQL condition on kinds; nil if this file has none of them.
  private func filter(_ query: HistorySearch) throws(DatabaseFailure) -> String? {
    var sql = ""
    if !query.labels.isEmpty {
      var numbers: [String] = []
      for label in query.labels {
        if let number = try number("kind", label) { numbers.append("kind = \(number)") }
        if let number = try number("event", label) { numbers.append("event = \(number)") }
      }
      guard !numbers.isEmpty else { return nil }
      sql += "AND (\(numbers.sorted().joined(separator: " OR "))) "
    }
    return sql
  }
}

extension HistorySearch {
  /// Whether the words of a row meet all conditions.
  func holds(_ words: [String]) -> Bool {
    terms.allSatisfy { $0.isIn(words) != $0.isExcluded }
  }
}

extension HistorySearch.Term {
  func isIn(_ text: [String]) -> Bool {
    isAlone(in: text) || alternatives.contains { $0.isAlone(in: text) }
  }

  private func isAlone(in text: [String]) -> Bool {
    guard let first = words.first, text.count >= words.count else { return false }
    for start in 0...text.count - words.count {
      if words.count == 1 ? matches(text[start], 0) : text[start] == first && follows(text, start) {
        return true
      }
    }
    return false
  }

  private func follows(_ text: [String], _ start: Int) -> Bool {
    words.indices.allSatisfy { matches(text[start + $0], $0) }
  }

  private func matches(_ word: String, _ index: Int) -> Bool {
    isPrefix && index == words.count - 1 ? word.hasPrefix(words[index]) : word == words[index]
  }
}
