import TerminalCore

extension PlainText {
  /// An error sentence without its full stop, to be followed by advice.
  ///
  /// - Parameter limit: maximum number of columns.
  package init(problem sentence: String, limit: Int) {
    self.init(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence, limit: limit)
  }
}
