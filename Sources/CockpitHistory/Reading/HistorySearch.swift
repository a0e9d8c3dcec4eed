/// A full-text query: rows that contain all words and phrases, and none of the excluded ones. Case and diacritics are
/// ignored.
package struct HistorySearch: Hashable, Sendable {
  /// One condition on the words of a row.
  package struct Term: Hashable, Sendable {
    /// The words in their order: one, or those of a phrase.
    package var words: [String]
    /// The last word is the beginning of one.
    package var isPrefix: Bool
    /// Rows with it are left out.
    package var isExcluded: Bool
    /// Others of which one will do as well; their `isExcluded` means nothing.
    package var alternatives: [Term] = []

    package init(words: [String], isPrefix: Bool = false, isExcluded: Bool = false) {
      self.words = words
      self.isPrefix = isPrefix
      self.isExcluded = isExcluded
    }
  }

  package var terms: [Term]
  /// Only these kinds or events, if not empty.
  package var labels: Set<String> = []
  /// Only rows after this time, in ms since 1970.
  package var afterMs: Int64 = .min
  /// Only rows that are not after this time.
  package var throughMs: Int64 = .max
  /// Only rows that arrived before this one: `next` of the previous page.
  package var before: HistoryPlace?

  package init(terms: [Term]) { self.terms = terms }
}

/// One page of search results.
package struct HistoryHits: Sendable {
  /// Last arrived first.
  package var rows: [RecordedRow]
  /// Where the next page begins; nil if all rows were searched.
  package var next: HistoryPlace?
  /// The rows whose bytes were read.
  package var readRows = 0
  /// The number of day files with a damaged index, whose rows were read one by one, or may have been missed.
  package var unindexedFiles: Int

  package init(rows: [RecordedRow] = [], next: HistoryPlace? = nil, unindexedFiles: Int = 0) {
    self.rows = rows
    self.next = next
    self.unindexedFiles = unindexedFiles
  }
}
