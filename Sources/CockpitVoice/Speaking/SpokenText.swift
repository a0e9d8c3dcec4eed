/// What is said of a written piece: without the marks of Markdown, and of an address its host alone.
package enum SpokenText {
  /// - Returns: nil where nothing of it can be said.
  package static func words(of piece: SentenceSplitter.Piece) -> String? {
    guard !piece.isCode else { return nil }
    var text = withoutLinks(piece.text)
    text = withoutMarks(text)
    let words = text.split(whereSeparator: \.isWhitespace).map { hostOfAddress(String($0)) }
    let spoken = words.joined(separator: " ")
    return spoken.contains { $0.isLetter || $0.isNumber } ? spoken : nil
  }

  /// `[text](address)` as `text`, `![text](address)` too.
  private static func withoutLinks(_ text: String) -> String {
    var result = ""
    var rest = Substring(text)
    while let open = rest.firstIndex(of: "[") {
      guard let close = rest[open...].firstIndex(of: "]"),
        rest[rest.index(after: close)...].first == "(",
        let end = rest[close...].firstIndex(of: ")")
      else { break }
      var before = rest[..<open]
      if before.last == "!" { before.removeLast() }
      result += before + rest[rest.index(after: open)..<close]
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func withoutMarks(_ text: String) -> String {
    var body = Substring(text).drop(while: \.isWhitespace)
    // Headings, quotes and items of lists.
    while let first = body.first, "#>".contains(first) { body.removeFirst() }
    body = body.drop(while: \.isWhitespace)
    for mark in ["- ", "* ", "+ "] where body.hasPrefix(mark) { body.removeFirst(2) }
    return String(
      body.compactMap { character -> Character? in
        switch character {
        case "*", "`", "~": nil
        case "|": ","
        default: character
        }
      })
  }

  private static func hostOfAddress(_ word: String) -> String {
    for scheme in ["https://", "http://"] {
      guard let start = word.firstRange(of: scheme) else { continue }
      let host = word[start.upperBound...].prefix { !"/?#:)>\"".contains($0) }
      let tail = word.last.map { ".!?,".contains($0) ? String($0) : "" } ?? ""
      return word[..<start.lowerBound] + (host.last == "." ? host.dropLast() : host) + tail
    }
    return word
  }
}
