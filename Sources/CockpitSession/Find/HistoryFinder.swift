import CockpitDomain
import CockpitHistory
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore

/// Searches a recorded history beside the screen, a page at a time.
@MainActor
package final class HistoryFinder {
  /// Is told what was found so far.
  package var onChange: ((HistoryFound) -> Void)?

  private let history: any HistoryReading
  private let query: HistoryFind
  private let live: CockpitModel
  private var names: HistoryNames?
  private var found: HistoryFound
  private var next: HistoryPlace?
  private var isStopped = false

  /// Hits after which the search waits for the user to go on.
  private static let pageHits = 200
  /// Rows that are read before the screen shows how far the search is.
  nonisolated private static let rowsPerStep = 20_000

  /// - Parameter live: whose names of now are used.
  package init(_ history: any HistoryReading, _ query: HistoryFind, live: CockpitModel) {
    self.history = history
    self.query = query
    self.live = live
    found = HistoryFound(query.text)
  }

  /// Searches until a page is full or all was searched.
  package func run() async {
    guard !isStopped else { return }
    found.isRunning = true
    tell()
    do throws(HistoryError) {
      try await prepare()
      if query.makesTable { try await makeTable() } else { try await search() }
    } catch {
      found.problem = PlainText(error.description, limit: 300)
    }
    found.isRunning = false
    if !isStopped { tell() }
  }

  /// What was found stays.
  package func stop() {
    isStopped = true
    guard found.isRunning else { return }
    found.isRunning = false
    found.hasMore = found.table == nil
    tell()
  }

  private func tell() { onChange?(found) }

  private func prepare() async throws(HistoryError) {
    guard names == nil else { return }
    let (history, query) = (history, query)
    let base = live.bot.connection.names
    let read = await OwnThread.run {
      Result { () throws(HistoryError) in
        (try history.span()?.lowerBound, try query.names(in: history, base: base))
      }
    }
    let (since, names) = try read.get()
    (found.recordedSinceMs, self.names) = (since, names)
  }

  private func search() async throws(HistoryError) {
    let wanted = found.hits.count + Self.pageHits
    repeat {
      guard let names, !isStopped else { return }
      let (history, query, next) = (history, query, next)
      let limit = wanted - found.hits.count
      let nowMs = live.bot.serverNowMs
      let read = await OwnThread.run {
        Result { () throws(HistoryError) in
          try query.page(
            in: history, before: next, names: names, nowMs: nowMs, limit: limit,
            budget: Self.rowsPerStep)
        }
      }
      let page = try read.get()
      guard !isStopped else { return }
      self.next = page.next
      // Rows that were fetched from the backend later are recorded after newer ones.
      found.hits += hits(page.rows, names)
      found.hits = found.hits.enumerated().sorted {
        ($1.element.row.atMs, $0.offset) < ($0.element.row.atMs, $1.offset)
      }.map(\.element)
      found.readRows += page.readRows
      found.unindexedFiles = max(found.unindexedFiles, page.unindexedFiles)
      found.hasMore = page.next != nil
      found.throughMs = page.next?.atMs
      tell()
    } while found.hasMore && found.hits.count < wanted
  }

  private func makeTable() async throws(HistoryError) {
    guard let names else { return }
    let (history, query) = (history, query)
    let nowMs = live.bot.serverNowMs
    let read = await OwnThread.run {
      Result { () throws(HistoryError) in
        try query.table(in: history, names: names, nowMs: nowMs)
      }
    }
    guard let made = try read.get(), !isStopped else { return }
    found.table = made.table
    found.isTableCut = made.isCut
    found.readRows = made.readRows
    found.unindexedFiles = made.unindexedFiles
  }

  /// The lines of rows, as the feed has them.
  private func hits(_ rows: [RecordedRow], _ directory: HistoryNames) -> [HistoryFound.Hit] {
    let names = Names(directory)
    let log = ActionLog(memory: 64 << 20)
    let cache = ActionCache()
    return rows.compactMap { row in
      let id = row.json.withUnsafeBytes {
        try? log.restore($0, actionID: row.actionID, origins: row.channels, nowMs: row.receivedMs)
      }
      guard let id, let view = log.row(id), let parsed = cache.action(for: view) else { return nil }
      let summary = ActionSummary(
        of: parsed.action, metadata: parsed.metadata, names: names, tellsTrigger: true)
      return HistoryFound.Hit(view, summary, names: names)
    }
  }
}
