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

extension HistorySearch {
  /// Reads what a user types: `words`, `"a phrase"`, `pre*`, `-not`. An unclosed quotation extends to the end.
  package init(_ text: String) {
    self.init(terms: [])
    var rest = text[...]
    while true {
      rest = rest.drop { $0.isWhitespace }
      guard !rest.isEmpty else { return }
      var isExcluded = false
      if rest.hasPrefix("-"), rest.count > 1 {
        isExcluded = true
        rest.removeFirst()
      }
      let piece: Substring
      if rest.hasPrefix("\"") {
        rest.removeFirst()
        piece = rest.prefix { $0 != "\"" }
        rest = rest.dropFirst(piece.count).dropFirst()
      } else {
        piece = rest.prefix { !$0.isWhitespace }
        rest = rest.dropFirst(piece.count)
      }
      let isPrefix = piece.hasSuffix("*") || rest.hasPrefix("*")
      if rest.hasPrefix("*") { rest.removeFirst() }
      let words = HistoryWords.split(String(piece))
      if !words.isEmpty {
        terms.append(Term(words: words, isPrefix: isPrefix, isExcluded: isExcluded))
      }
    }
  }
}
