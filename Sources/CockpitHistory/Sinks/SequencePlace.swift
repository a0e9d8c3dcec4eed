/// A place in the order of arrival of a history: what is delivered up to it is delivered.
package struct SequencePlace: Hashable, Sendable {
  /// The UTC day of the file with the last row, as in `2026-11-24`; empty before the first row.
  package var day: String
  /// The number of the last row, over all files; 0 before the first row.
  package var seq: Int64

  package init(day: String = "", seq: Int64 = 0) {
    self.day = day
    self.seq = seq
  }
}
