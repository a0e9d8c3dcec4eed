/// What is known of a voice session that never ended.
package struct CutOffEvidence: Hashable, Sendable {
  /// Whether it is known when it began.
  package var hasStart: Bool
  /// When its first and last known events were, in ms since 1970.
  package var firstMs: Int64?
  package var lastMs: Int64?
  /// Whether the first of them is the first one that the backend has: then its start is on record nowhere.
  package var isFirstOnRecord: Bool
  /// Whether later events may be on record.
  package var mayHaveLater: Bool

  package init(
    hasStart: Bool, firstMs: Int64?, lastMs: Int64?, isFirstOnRecord: Bool, mayHaveLater: Bool
  ) {
    self.hasStart = hasStart
    self.firstMs = firstMs
    self.lastMs = lastMs
    self.isFirstOnRecord = isFirstOnRecord
    self.mayHaveLater = mayHaveLater
  }
}
