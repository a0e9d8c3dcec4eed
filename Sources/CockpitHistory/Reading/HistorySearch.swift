/// What to look for: rows that hold all words and phrases, and none of the excluded ones. Case and diacritics do not
/// matter.
package struct HistorySearch: Hashable, Sendable {
  /// One condition on the words of a row.
  package struct Term: Hashable, Sendable {
    /// The words in their order: one, or those of a phrase.
    package var words: [String]
    /// The last word is the beginning of one.
    package var isPrefix: Bool
    /// Rows with it are left out.
    package var isExcluded: Bool

    package init(words: [String], isPrefix: Bool = false, isExcluded: Bool = false) {
      self.words = words
      self.isPrefix = isPrefix
      self.isExcluded = isExcluded
    }
  }

  package var terms: [Term]
  /// Only these kinds or events, if not empty.
  package var labels: Set<String> = []
  /// Only rows of these people (ids), if not empty.
  package var people: Set<String> = []
  /// Only rows after this time, in ms since 1970.
  package var afterMs: Int64 = .min
  /// Only rows before this place: where the last page ended.
  package var before: HistoryPlace?

  package init(terms: [Term]) { self.terms = terms }
}

/// A page of what was found.
package struct HistoryHits: Sendable {
  /// Newest first.
  package var rows: [RecordedRow]
  /// Where the next page begins; nil if all was looked at.
  package var next: HistoryPlace?
  /// Day files whose words are not indexed yet: their rows were read one by one.
  package var unindexedFiles: Int

  package init(rows: [RecordedRow] = [], next: HistoryPlace? = nil, unindexedFiles: Int = 0) {
    self.rows = rows
    self.next = next
    self.unindexedFiles = unindexedFiles
  }
}
