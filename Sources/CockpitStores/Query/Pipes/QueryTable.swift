/// The result of a query's stages over the rows that pass its filter.
package struct QueryTable: Hashable, Sendable {
  package typealias Unit = TableUnit

  /// The value that a line is for.
  package enum Key: Hashable, Sendable {
    /// Untrusted text: sanitise it before drawing.
    ///
    /// - Parameter name: the name of an id, if known.
    case text(String, name: String?)
    /// A stretch of time in ms since 1970.
    case time(Range<Int64>)
  }

  package struct Line: Hashable, Sendable {
    package var keys: [Key]
    /// In parts of the unit; nil if the sum overflows.
    package var figure: Int64?
    /// Number of rows behind the figure.
    package var rows: Int
  }

  /// Rows that pass the filter but are in no figure, with what they lack: `a duration`.
  package struct Missing: Hashable, Sendable {
    package var what: String
    package var rows: Int
  }

  /// The headings of the keys, as they are written in a query.
  package var keyNames: [String]
  /// The stretches of time among the keys.
  package var buckets: [QueryBucket?]
  /// `count`, `p95 ms`.
  package var figureName: String
  package var unit: Unit
  package var lines: [Line]
  /// Rows that pass the filter.
  package var rows: Int
  /// The figure over all rows that have its value; nil if there is none.
  package var total: Int64?
  package var missing: [Missing]
  /// Rows that are in more than one line, because they have several values.
  package var inSeveral: Int
  /// Lines that `top`, `bottom` or `head` left out.
  package var leftOut: Int
  /// Rows of lines beyond the most that are kept.
  package var beyond: Int
  /// The filters for lines.
  let terms: LineTerms

  /// Whether each line's part of a whole is its figure: counts and sums.
  package var hasShares: Bool {
    figureName == "count" || figureName.hasPrefix("sum ") || figureName.hasPrefix("distinct ")
  }
}
