extension HistorySearch.Term {
  /// What a term of a query asks for: all its words in their order; `pre*` asks for the beginning of a word.
  ///
  /// - Parameter texts: of which one will do.
  /// - Returns: nil where there is nothing to look for.
  package init?(anyOf texts: [String], isExcluded: Bool) {
    let choices = texts.compactMap { text -> HistorySearch.Term? in
      let words = HistoryWords.split(text)
      return words.isEmpty
        ? nil : HistorySearch.Term(words: words, isPrefix: text.hasSuffix("*"))
    }
    guard let first = choices.first else { return nil }
    self = first
    self.isExcluded = isExcluded
    alternatives = Array(choices.dropFirst())
  }
}
