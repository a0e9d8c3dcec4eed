import CockpitDomain
import CockpitHistory
import HistorySource
import Synchronization

/// What the screen needs of a history that another machine has, in memory: the rows before a place of the playhead and for a
/// while after it, documents, and the state of the connection. It is read on a thread of its own, and then every answer is
/// there at once: drawing never waits for a database.
package final class PastStretch: HistoryReading {
  private struct Content {
    var span: ClosedRange<Int64>
    /// Oldest first; nothing is missing between them.
    var rows: [RecordedRow]
    /// Whether there are no older rows.
    var isWhole: Bool
    /// The last of each name at the beginning, and all after it.
    var documents: [RecordedDocument]
    var links: [RecordedLink]
    var outages: [RecordedOutage]
    var marks: [HistoryNotes.Mark]
    var pins: [HistoryNotes.Pin]
    var throughMs: Int64
    var density: [ClosedRange<Int64>: [DensityBucket]] = [:]
    var origin: String?
  }

  /// Where the playhead was set.
  let atMs: Int64
  private let content: Mutex<Content>

  /// How far around the playhead link records count (`HistorySource`), documents before it, and what is read ahead.
  private static let linkMs: Int64 = 2 * 86_400_000
  private static let documentMs: Int64 = 120_000
  private static let aheadMs: Int64 = 300_000
  private static let aheadRows = 3000
  private static let names = 100

  /// Reads it. Blocks.
  ///
  /// - Parameters:
  ///   - window: what the time line shows.
  init(
    _ history: any HistoryReading, atMs: Int64, window: ClosedRange<Int64>
  ) throws(HistoryError) {
    guard let span = try history.span() else {
      throw HistoryError(.missing, "nothing is recorded of this bot yet")
    }
    self.atMs = atMs
    let rows = try history.rows(
      notAfterMs: atMs, limit: HistorySource.rowCount, skipping: 0)
    let ahead = try Self.ahead(history, afterMs: atMs)
    var documents: [RecordedDocument] = []
    for name in try history.documentNames(notAfterMs: atMs).prefix(Self.names) {
      if let document = try history.document(name, notAfterMs: atMs),
        document.atMs <= atMs - Self.documentMs
      {
        documents.append(document)
      }
    }
    documents += try history.documents(after: atMs - Self.documentMs, through: ahead.throughMs)
    var links = try history.links(
      after: atMs - Self.linkMs, through: ahead.throughMs + Self.linkMs)
    if let state = try history.link(.state, notAfterMs: atMs), !links.contains(state) {
      links.insert(state, at: 0)
    }
    var content = Content(
      span: span, rows: rows.reversed() + ahead.rows, isWhole: rows.count < HistorySource.rowCount,
      documents: documents, links: links, outages: try history.outages(after: 0, through: .max),
      marks: try history.marks(), pins: try history.pins(), throughMs: ahead.throughMs)
    content.density[window] = try history.density(
      after: window.lowerBound, through: window.upperBound, buckets: Replay.partCount)
    content.origin = history.origin(atMs: atMs)
    self.content = Mutex(content)
  }

  private static func ahead(
    _ history: any HistoryReading, afterMs: Int64
  ) throws(HistoryError) -> (rows: [RecordedRow], throughMs: Int64) {
    let endMs = afterMs + aheadMs
    let rows = try history.rows(after: afterMs, through: endMs, limit: aheadRows)
    return (rows, rows.count < aheadRows ? endMs : rows.last?.atMs ?? endMs)
  }

  /// Up to when there is everything.
  var throughMs: Int64 { content.withLock(\.throughMs) }

  /// Whether the playhead can be set there without reading.
  func holds(_ ms: Int64) -> Bool { atMs <= ms && ms <= throughMs }

  func hasDensity(_ window: ClosedRange<Int64>) -> Bool {
    content.withLock { $0.density[window] != nil }
  }

  /// Reads what comes next. Blocks.
  func extend(_ history: any HistoryReading) throws(HistoryError) {
    let fromMs = throughMs
    let more = try Self.ahead(history, afterMs: fromMs)
    let documents = try history.documents(after: fromMs, through: more.throughMs)
    let links = try history.links(
      after: fromMs + Self.linkMs, through: more.throughMs + Self.linkMs)
    content.withLock { content in
      guard content.throughMs == fromMs else { return }
      content.rows += more.rows
      content.documents += documents
      content.links += links
      content.throughMs = more.throughMs
    }
  }

  /// Reads the counts of a window. Blocks.
  func count(_ history: any HistoryReading, _ window: ClosedRange<Int64>) throws(HistoryError) {
    let density = try history.density(
      after: window.lowerBound, through: window.upperBound, buckets: Replay.partCount)
    content.withLock { $0.density[window] = density }
  }

  // MARK: answers

  package var damage: HistoryDamage { HistoryDamage() }
  package func origin(atMs: Int64) -> String? { content.withLock(\.origin) }
  package func span() -> ClosedRange<Int64>? { content.withLock(\.span) }
  package func marks() -> [HistoryNotes.Mark] { content.withLock(\.marks) }
  package func pins() -> [HistoryNotes.Pin] { content.withLock(\.pins) }

  package func rows(notAfterMs: Int64, limit: Int, skipping: Int) -> [RecordedRow] {
    content.withLock { content in
      Array(
        content.rows.reversed().lazy.drop { $0.atMs > notAfterMs }.dropFirst(skipping)
          .prefix(limit))
    }
  }

  package func rows(before place: HistoryPlace, limit: Int) throws(HistoryError) -> [RecordedRow] {
    let (rows, isWhole) = content.withLock { content in
      (
        Array(content.rows.reversed().lazy.drop { !($0.place < place) }.prefix(limit)),
        content.isWhole
      )
    }
    guard rows.count == limit || isWhole else {
      throw HistoryError(.busy, "for older rows move the playhead back")
    }
    return rows
  }

  /// Up to what was read.
  package func rows(after: Int64, through: Int64, limit: Int) -> [RecordedRow] {
    content.withLock { content in
      let meant = content.rows.lazy.drop { $0.atMs <= after }.prefix { $0.atMs <= through }
      guard let last = meant.dropFirst(limit - 1).first?.atMs else { return Array(meant) }
      return Array(meant.prefix { $0.atMs <= last })
    }
  }

  package func document(_ name: String, notAfterMs: Int64) -> RecordedDocument? {
    content.withLock { content in
      content.documents.last { $0.name == name && $0.atMs <= notAfterMs }
    }
  }

  package func documentNames(notAfterMs: Int64) -> [String] {
    content.withLock { content in
      Set(content.documents.lazy.filter { $0.atMs <= notAfterMs }.map(\.name)).sorted()
    }
  }

  package func documents(after: Int64, through: Int64) -> [RecordedDocument] {
    content.withLock { content in
      content.documents.filter { $0.atMs > after && $0.atMs <= through }
    }
  }

  package func links(after: Int64, through: Int64) -> [RecordedLink] {
    content.withLock { content in
      content.links.filter { $0.atMs > after && $0.atMs <= through }
    }
  }

  package func link(_ what: RecordedLink.What, notAfterMs: Int64) -> RecordedLink? {
    content.withLock { content in
      content.links.last { $0.what == what && $0.atMs <= notAfterMs }
    }
  }

  package func outages(after: Int64, through: Int64) -> [RecordedOutage] {
    content.withLock { content in
      content.outages.filter { $0.toMs > after && $0.fromMs <= through }
    }
  }

  /// Nothing where the counts were not read.
  package func density(after: Int64, through: Int64, buckets: Int) -> [DensityBucket] {
    content.withLock { $0.density[after...through] ?? [] }
  }

  // Queries that go to the history itself, off the main thread.

  package func sessionRows(
    _ session: String, notAfterMs: Int64, limit: Int
  ) throws(HistoryError) -> [RecordedRow] { throw Self.notHere }

  package func row(actionID: Int) -> RecordedRow? {
    content.withLock { content in content.rows.last { $0.actionID == actionID } }
  }

  package func next(
    _ what: HistoryMark, from: Int64, isOlder: Bool
  ) throws(HistoryError) -> Int64? { throw Self.notHere }

  package func search(_ query: HistorySearch, limit: Int) throws(HistoryError) -> HistoryHits {
    throw Self.notHere
  }

  private static var notHere: HistoryError {
    HistoryError(.busy, "this is not in the part of the history that was read")
  }
}
