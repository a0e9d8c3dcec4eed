/// The history of one bot: a folder of day files, or a bundle, which is one such file.
package final class HistoryFolder: HistoryReading {
  private let path: String

  /// - Parameter path: a folder of day files, or one file.
  package init(_ path: String) throws(HistoryError) {
    self.path = path
  }

  package func span() throws(HistoryError) -> ClosedRange<Int64>? { nil }

  package func rows(
    notAfterMs: Int64, limit: Int, skipping: Int
  ) throws(HistoryError) -> [RecordedRow] { [] }

  package func rows(before: HistoryPlace, limit: Int) throws(HistoryError) -> [RecordedRow] { [] }

  package func rows(
    after: Int64, through: Int64, limit: Int
  ) throws(HistoryError) -> [RecordedRow] { [] }

  package func sessionRows(
    _ session: String, notAfterMs: Int64, limit: Int
  ) throws(HistoryError) -> [RecordedRow] { [] }

  package func row(actionID: Int) throws(HistoryError) -> RecordedRow? { nil }

  package func document(
    _ name: String, notAfterMs: Int64
  ) throws(HistoryError) -> RecordedDocument? { nil }

  package func documentNames(notAfterMs: Int64) throws(HistoryError) -> [String] { [] }

  package func documents(
    after: Int64, through: Int64
  ) throws(HistoryError) -> [RecordedDocument] { [] }

  package func links(after: Int64, through: Int64) throws(HistoryError) -> [RecordedLink] { [] }

  package func link(
    _ what: RecordedLink.What, notAfterMs: Int64
  ) throws(HistoryError) -> RecordedLink? { nil }

  package func outages(after: Int64, through: Int64) throws(HistoryError) -> [RecordedOutage] { [] }

  package func density(
    after: Int64, through: Int64, buckets: Int
  ) throws(HistoryError) -> [DensityBucket] {
    Array(repeating: DensityBucket(), count: max(0, buckets))
  }

  package func next(
    _ what: HistoryMark, from: Int64, isOlder: Bool
  ) throws(HistoryError) -> Int64? { nil }

  package func search(_ query: HistorySearch, limit: Int) throws(HistoryError) -> HistoryHits {
    HistoryHits()
  }

  package var damage: HistoryDamage { HistoryDamage() }
}
