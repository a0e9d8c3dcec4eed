import CockpitHistory
import CockpitStores
import CockpitDomain
import ClankyWire

/// Finds rows in all that was recorded of a bot. Words without a field are looked up in the index of words: whole
/// words, `"phrases"`, `pre*`, `-not`. Everything else is the query language, and is tested on each row that is left.
///
/// Not for the main actor: a query without words reads every row of its time.
package struct HistoryFind: Sendable {
  /// As it was written.
  package let text: String
  /// Without its words.
  private let query: Query
  private let search: HistorySearch
  private let kinds: Set<String>?
  /// What its terms on people name.
  let namedPeople: [String]

  /// Rows that are read from the history at a time.
  private static let batch = 500
  /// Rows of which a table is made at most: the newest.
  package static let tableRows = 100_000

  /// - Parameter views: named queries.
  package init(
    _ text: String, in zone: QueryZone, views: QueryViews = QueryViews()
  ) throws(QueryError) {
    self.text = text
    let whole = try Query.parse(piped: text, in: zone, views: views)
    var search = HistorySearch(terms: [])
    for words in whole.wordTerms {
      guard let term = HistorySearch.Term(anyOf: words.anyOf, isExcluded: words.isExcluded) else {
        continue
      }
      search.terms.append(term)
    }
    self.search = search
    query = whole.withoutWords
    kinds = whole.onlyKinds
    namedPeople = whole.namedPeople
  }

  /// Whether its stages make a table of the rows.
  package var makesTable: Bool { query.pipeline != nil }

  /// Whether it asks for nothing.
  package var isEmpty: Bool { query.isEmpty && search.terms.isEmpty && !makesTable }

  /// What one step found.
  package struct Page: Sendable {
    /// The last recorded first.
    package var rows: [RecordedRow] = []
    /// Where the next step begins; nil when all was searched.
    package var next: HistoryPlace?
    /// Rows whose bytes were read.
    package var readRows = 0
    /// Day files whose index of words is damaged.
    package var unindexedFiles = 0

    package init() {}
  }

  /// Searches on, until enough rows are found or read.
  ///
  /// - Parameters:
  ///   - before: `next` of the step before.
  ///   - names: of people and places; those of people are better of `names(in:)`.
  ///   - budget: rows to read at most, before the caller can show how far it is.
  package func page(
    in history: any HistoryReading, before: HistoryPlace? = nil, names: any NameDirectory,
    nowMs: Int64, limit: Int, budget: Int
  ) throws(HistoryError) -> Page {
    var page = Page()
    var search = search
    let bounds = query.timeBounds(nowMs: nowMs)
    search.afterMs = bounds.lowerBound == .min ? .min : bounds.lowerBound - 1
    search.throughMs = bounds.upperBound
    if let kinds { search.labels = kinds }
    search.before = before
    while true {
      let batch = query.isEmpty ? max(1, limit - page.rows.count) : Self.batch
      let hits = try history.search(search, limit: batch)
      page.readRows += hits.readRows
      page.unindexedFiles = max(page.unindexedFiles, hits.unindexedFiles)
      page.next = hits.next
      for row in matching(hits.rows, names, nowMs) {
        page.rows.append(row)
        guard page.rows.count >= limit else { continue }
        if row.seq != hits.rows.last?.seq || hits.next != nil { page.next = row.place }
        return page
      }
      guard let next = hits.next, page.readRows < budget else { return page }
      search.before = next
    }
  }

  private func matching(
    _ rows: [RecordedRow], _ names: any NameDirectory, _ nowMs: Int64
  ) -> [RecordedRow] {
    guard !query.isEmpty, !rows.isEmpty else { return rows }
    let log = ActionLog(memory: 64 << 20)
    var recorded: [RowID: RecordedRow] = [:]
    for row in rows {
      // A row that cannot be read is shown nowhere; `history verify` counts it.
      let id = row.json.withUnsafeBytes {
        try? log.restore($0, actionID: row.actionID, origins: row.channels, nowMs: row.receivedMs)
      }
      if let id { recorded[id] = row }
    }
    let found = query.rows(of: log, names: names, nowMs: nowMs).compactMap { recorded[$0.id] }
    return found.sorted { $0.seq > $1.seq }
  }

  // MARK: tables

  /// The table of the rows that match, the newest of them.
  package struct Table: Sendable {
    package var table: QueryTable
    /// Whether there were more rows than can be counted.
    package var isCut: Bool
    package var readRows: Int
    package var unindexedFiles: Int
  }

  /// - Parameter progress: is told how many rows were read; false ends the search.
  /// - Returns: nil if the query has no stages, or the caller ended it.
  package func table(
    in history: any HistoryReading, names: any NameDirectory, nowMs: Int64,
    progress: (Int) -> Bool = { _ in true }
  ) throws(HistoryError) -> Table? {
    guard makesTable else { return nil }
    let log = ActionLog(memory: 1 << 30)
    var (read, kept, unindexed) = (0, 0, 0)
    var before: HistoryPlace?
    repeat {
      let page = try page(
        in: history, before: before, names: names, nowMs: nowMs, limit: 2_000, budget: 20_000)
      read += page.readRows
      unindexed = max(unindexed, page.unindexedFiles)
      before = page.next
      for row in page.rows.prefix(Self.tableRows - kept) {
        let id = row.json.withUnsafeBytes {
          try? log.restore($0, actionID: row.actionID, origins: row.channels, nowMs: row.receivedMs)
        }
        if id != nil { kept += 1 }
      }
      guard progress(read) else { return nil }
    } while before != nil && kept < Self.tableRows
    let rows = (0..<log.count).lazy.map(log.row(at:))
    return query.table(of: rows, names: names).map {
      Table(table: $0, isCut: before != nil, readRows: read, unindexedFiles: unindexed)
    }
  }
}
