package import CockpitDomain

/// The history of a bot of which nothing was recorded: it is missing from the beginning to the end of time.
package struct NoHistory: HistoryReading {
  package init() {}

  package var damage: HistoryDamage { HistoryDamage() }

  package func span() -> ClosedRange<Int64>? { nil }
  package func rows(notAfterMs: Int64, limit: Int, skipping: Int) -> [RecordedRow] { [] }
  package func rows(before: HistoryPlace, limit: Int) -> [RecordedRow] { [] }
  package func rows(after: Int64, through: Int64, limit: Int) -> [RecordedRow] { [] }
  package func sessionRows(_ session: String, notAfterMs: Int64, limit: Int) -> [RecordedRow] { [] }
  package func row(actionID: Int) -> RecordedRow? { nil }
  package func document(_ name: String, notAfterMs: Int64) -> RecordedDocument? { nil }
  package func documentNames(notAfterMs: Int64) -> [String] { [] }
  package func documents(after: Int64, through: Int64) -> [RecordedDocument] { [] }
  package func links(after: Int64, through: Int64) -> [RecordedLink] { [] }
  package func link(_ what: RecordedLink.What, notAfterMs: Int64) -> RecordedLink? { nil }
  package func outages(after: Int64, through: Int64) -> [RecordedOutage] {
    [RecordedOutage(fromMs: 0, toMs: .max, reason: .stopped)]
  }
  package func density(after: Int64, through: Int64, buckets: Int) -> [DensityBucket] {
    Array(repeating: DensityBucket(), count: max(0, buckets))
  }
  package func next(_ what: HistoryMark, from: Int64, isOlder: Bool) -> Int64? { nil }
  package func marks() -> [HistoryNotes.Mark] { [] }
  package func pins() -> [HistoryNotes.Pin] { [] }
  package func search(_ query: HistorySearch, limit: Int) -> HistoryHits {
    HistoryHits(rows: [], unindexedFiles: 0)
  }
}
