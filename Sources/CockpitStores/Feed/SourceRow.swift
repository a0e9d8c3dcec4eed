/// A row of one of several sources as one number: the ids of rows are a log's own, and two logs have the same ones.
/// No such number is the id of a row of a log.
package struct SourceRow: Hashable, Sendable {
  /// The place of the source.
  package var source: Int
  /// In the log of the source.
  package var row: RowID

  private static let bits = 48

  package init(source: Int, row: RowID) {
    self.source = source
    self.row = row
  }

  /// The row that a number stands for; nil for the id of a row of a log.
  package init?(_ id: RowID) {
    let source = id >> Self.bits
    guard source > 0 else { return nil }
    self.init(source: source - 1, row: id & (1 << Self.bits - 1))
  }

  package var id: RowID { (source + 1) << Self.bits | row }
}
