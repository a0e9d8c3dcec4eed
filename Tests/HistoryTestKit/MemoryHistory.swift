import CockpitDomain
package import CockpitHistory

/// A history in memory: for tests of whatever reads one, and what the files are compared with. Every answer
/// looks at every record.
package struct MemoryHistory: HistoryReading {
  package var rows: [RecordedRow]
  package var documents: [RecordedDocument]
  package var links: [RecordedLink]
  package var recordedOutages: [RecordedOutage]
  /// Times of the user's marks.
  package var markTimes: [Int64]
  /// The session of a row; needed for `sessionRows` only.
  package var session: @Sendable (RecordedRow) -> String?
  /// Whether a row is a failure, or of voice; needed for `density` and `next(.error…)` only.
  package var traits: @Sendable (RecordedRow) -> (failed: Bool, voice: Bool)
  /// The words of a row in lower case; needed for `search` only.
  package var words: @Sendable (RecordedRow) -> [String]

  package init(
    rows: [RecordedRow] = [], documents: [RecordedDocument] = [], links: [RecordedLink] = [],
    outages: [RecordedOutage] = [], marks: [Int64] = [],
    session: @escaping @Sendable (RecordedRow) -> String? = { _ in nil },
    traits: @escaping @Sendable (RecordedRow) -> (failed: Bool, voice: Bool) = { _ in (false, false)
    },
    words: @escaping @Sendable (RecordedRow) -> [String] = { _ in [] }
  ) {
    self.rows = rows.sorted { $0.place < $1.place }
    self.documents = documents
    self.links = links
    recordedOutages = outages
    markTimes = marks
    self.session = session
    self.traits = traits
    self.words = words
  }

  package func span() -> ClosedRange<Int64>? {
    guard let first = rows.first, let last = rows.last else { return nil }
    return first.atMs...last.atMs
  }

  package func rows(notAfterMs: Int64, limit: Int, skipping: Int) -> [RecordedRow] {
    Array(rows.reversed().lazy.filter { $0.atMs <= notAfterMs }.dropFirst(skipping).prefix(limit))
  }

  package func rows(before: HistoryPlace, limit: Int) -> [RecordedRow] {
    Array(rows.reversed().lazy.filter { $0.place < before }.prefix(limit))
  }

  package func rows(after: Int64, through: Int64, limit: Int) -> [RecordedRow] {
    let meant = rows.filter { $0.atMs > after && $0.atMs <= through }
    guard limit > 0, meant.count > limit else { return limit > 0 ? meant : [] }
    let last = meant[limit - 1].atMs
    return meant.filter { $0.atMs <= last }
  }

  package func sessionRows(_ session: String, notAfterMs: Int64, limit: Int) -> [RecordedRow] {
    Array(
      rows.reversed().lazy.filter { $0.atMs <= notAfterMs && self.session($0) == session }
        .prefix(limit))
  }

  package func row(actionID: Int) -> RecordedRow? {
    rows.filter { $0.actionID == actionID }.max { $0.seq < $1.seq }
  }

  package func document(_ name: String, notAfterMs: Int64) -> RecordedDocument? {
    documents.enumerated().filter { $0.element.name == name && $0.element.atMs <= notAfterMs }
      .max { ($0.element.atMs, $0.offset) < ($1.element.atMs, $1.offset) }?.element
  }

  package func documentNames(notAfterMs: Int64) -> [String] {
    Set(documents.filter { $0.atMs <= notAfterMs }.map(\.name)).sorted()
  }

  package func documents(after: Int64, through: Int64) -> [RecordedDocument] {
    documents.filter { $0.atMs > after && $0.atMs <= through }
  }

  package func links(after: Int64, through: Int64) -> [RecordedLink] {
    links.filter { $0.atMs > after && $0.atMs <= through }
  }

  package func link(_ what: RecordedLink.What, notAfterMs: Int64) -> RecordedLink? {
    links.enumerated().filter { $0.element.what == what && $0.element.atMs <= notAfterMs }
      .max { ($0.element.atMs, $0.offset) < ($1.element.atMs, $1.offset) }?.element
  }

  package func outages(after: Int64, through: Int64) -> [RecordedOutage] {
    recordedOutages.filter { $0.toMs > after && $0.fromMs <= through }
      .sorted { $0.fromMs < $1.fromMs }
  }

  package func density(after: Int64, through: Int64, buckets: Int) -> [DensityBucket] {
    var answer = [DensityBucket](repeating: DensityBucket(), count: max(0, buckets))
    guard through > after, buckets > 0 else { return answer }
    for row in rows where row.atMs > after && row.atMs <= through {
      let index = Int((row.atMs - after - 1) * Int64(buckets) / (through - after))
      let traits = traits(row)
      answer[index].rows += 1
      if traits.failed { answer[index].failures += 1 }
      if traits.voice { answer[index].voice += 1 }
    }
    return answer
  }

  package func marks() -> [HistoryNotes.Mark] {
    markTimes.enumerated().map { .init(id: Int64($0.offset), atMs: $0.element, note: "") }
  }

  package func pins() -> [HistoryNotes.Pin] { [] }

  private func isTurn(_ row: RecordedRow) -> Bool {
    let text = String(decoding: row.json, as: UTF8.self)
    return TurnRow.kinds.contains { text.contains("\"kind\":\"\($0)\"") }
      || TurnRow.events.contains { text.contains("\"content\":\"\($0)\"") }
  }

  package func next(_ what: HistoryMark, from: Int64, isOlder: Bool) -> Int64? {
    let times: [Int64] =
      switch what {
      case .error: rows.filter { traits($0).failed }.map(\.atMs)
      case .gap: recordedOutages.map(\.fromMs) + links.filter { $0.what == .gap }.map(\.atMs)
      case .mark: markTimes
      case .turn: rows.filter { isTurn($0) }.map(\.atMs)
      case .day:
        span().map { span in
          let day: Int64 = 86_400_000
          return Array(
            stride(from: (span.lowerBound / day + 1) * day, through: span.upperBound, by: Int(day)))
        } ?? []
      }
    return isOlder ? times.filter { $0 < from }.max() : times.filter { $0 > from }.min()
  }

  package func search(_ query: HistorySearch, limit: Int) -> HistoryHits {
    var hits = HistoryHits()
    for row in rows.reversed() {
      guard row.atMs > query.afterMs, row.atMs <= query.throughMs,
        query.before.map({ row.place < $0 }) ?? true
      else { continue }
      let words = words(row)
      let isHit = query.terms.allSatisfy { term in
        let found = words.indices.contains { start in
          term.words.indices.allSatisfy { offset in
            guard start + offset < words.count else { return false }
            let word = words[start + offset]
            return term.isPrefix && offset == term.words.count - 1
              ? word.hasPrefix(term.words[offset]) : word == term.words[offset]
          }
        }
        return found != term.isExcluded
      }
      guard isHit else { continue }
      hits.rows.append(row)
      if hits.rows.count == limit {
        hits.next = row.place
        break
      }
    }
    return hits
  }

  package var damage: HistoryDamage { HistoryDamage() }
}
