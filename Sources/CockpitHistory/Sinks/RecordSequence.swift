/// A document or a link record, with its place among those of its file.
package enum SequencedRecord: Sendable {
  case document(RecordedDocument)
  case link(RecordedLink)
}

/// A place among the documents and link records of a history.
package struct RecordPlace: Hashable, Sendable {
  /// The file, such as `2026-11-24.db`; empty before the first one.
  package var file: String
  /// The ids of the last document and of the last link record of that file.
  package var document: Int64
  package var link: Int64

  package init(file: String = "", document: Int64 = 0, link: Int64 = 0) {
    self.file = file
    self.document = document
    self.link = link
  }
}

/// One page of documents and link records: those of one file.
package struct RecordPage: Sendable {
  package struct Entry: Sendable {
    /// Its id, unique within the file among records of its type.
    package var id: Int64
    package var record: SequencedRecord
  }

  package var entries: [Entry] = []
  /// Where the next page begins.
  package var end: RecordPlace
  /// Whether there was nothing after it.
  package var isLast = false
}

/// Reads the documents and link records of a history in the order of arrival, for readers that keep a place among them.
/// Not thread-safe.
package final class RecordSequence {
  private let history: HistoryFolder

  /// - Parameter folder: of the day files.
  package init(_ folder: String) throws(HistoryError) { history = try HistoryFolder(folder) }

  /// The records after a place.
  ///
  /// - Parameters:
  ///   - limit: the number of documents, and that of link records.
  ///   - bytes: the limit on their bodies; the first one is returned even if it is longer.
  package func page(
    after place: RecordPlace, limit: Int, bytes: Int
  ) throws(HistoryError) -> RecordPage {
    let known = DayName(place.file)
    for file in try history.pool.files() {
      let name = file.split(separator: "/").last.map(String.init) ?? ""
      var begin = RecordPlace(file: name)
      if let known {
        guard let day = DayName(name), !(day < known) else { continue }
        if day == known { begin = place }
      }
      let first = begin
      let page = try history.pool.with(file) { reader throws(DatabaseFailure) in
        try reader.records(after: first, limit: limit, bytes: bytes)
      }
      if let page, !page.entries.isEmpty || page.end != first { return page }
    }
    return RecordPage(end: place, isLast: true)
  }

  /// The place from which the records are sent that belong to rows after one: those that came with or after it, and the
  /// newest file before it, whose documents count at that time.
  ///
  /// - Parameter seq: the number of the first row.
  package func place(beforeSeq seq: Int64) throws(HistoryError) -> RecordPlace {
    var place = RecordPlace()
    for file in try history.pool.files() {
      let first = try history.pool.with(file) { reader throws(DatabaseFailure) in
        try reader.database.number("SELECT min(seq) FROM row")
      }
      guard let first = first ?? nil, first <= seq else { break }
      place = RecordPlace(file: file.split(separator: "/").last.map(String.init) ?? "")
    }
    return place
  }
}

extension DayReader {
  fileprivate func records(
    after place: RecordPlace, limit: Int, bytes: Int
  ) throws(DatabaseFailure) -> RecordPage {
    var page = RecordPage(end: place)
    var sum = 0
    try documents(afterID: place.document, limit: limit) { id, document in
      if sum > 0, let document, sum + document.body.count > bytes { return false }
      page.end.document = id
      guard let document else { return true }
      sum += document.body.count
      page.entries.append(.init(id: id, record: .document(document)))
      return true
    }
    for (id, link) in try numberedLinks(afterID: place.link, limit: limit) {
      page.end.link = id
      page.entries.append(.init(id: id, record: .link(link)))
    }
    return page
  }
}
