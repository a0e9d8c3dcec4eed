/// What a playhead can jump to, over all that was recorded. The raw value is the word on screen.
package enum HistoryMark: String, Hashable, Sendable, CaseIterable {
  /// A row that tells of an error, or whose metadata does.
  case error
  /// A stretch without records begins, or rows are missing.
  case gap
  /// A mark of the user.
  case mark
  /// A UTC day begins.
  case day
  /// What came of a message is on record, or a speaker has finished.
  case turn
}
