import TerminalCore

extension PlainText {
  /// A sentence about what went wrong, to be followed by what to do about it: without its full stop.
  ///
  /// - Parameter limit: the most columns that are taken.
  package init(problem sentence: String, limit: Int) {
    self.init(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence, limit: limit)
  }
}
