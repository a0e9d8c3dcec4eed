package import CockpitHistory

extension HistorySearch {
  /// A search as tests write it: `words`, `"a phrase"`, `pre*`, `-not`. An unclosed quotation extends to the end.
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
