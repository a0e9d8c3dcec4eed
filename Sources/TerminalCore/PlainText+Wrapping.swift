extension PlainText {
  /// The text in lines of at most `width` columns, broken between words.
  ///
  /// Line breaks of the source break lines; a word longer than a line is split; wide glyphs may be
  /// separated anywhere, as in Chinese and Japanese. If there are more than `limit` lines, the last
  /// one ends in an ellipsis. Empty text is one empty line; zero width gives no lines.
  package func wrapped(to width: Int, limit: Int = .max) -> [PlainText] {
    guard width > 0, limit > 0 else { return [] }
    var lines: [PlainText] = []
    var start: String.Index? = storage.startIndex
    while let here = start {
      let line = line(from: here, width: width)
      start = line.next
      if start != nil, lines.count == limit - 1 {
        lines.append(line.text.prefix(columns: width - 1) + Self.ellipsis)
        break
      }
      lines.append(line.text)
    }
    return lines
  }

  /// One line and the start of the next; nil at the end of the text. Reads at most `width` columns
  /// and the following spaces, so that wrapping a whole text is linear.
  private func line(from start: String.Index, width: Int) -> (text: PlainText, next: String.Index?)
  {
    var index = start
    var used = 0
    var wordEnd: (index: String.Index, columns: Int, next: String.Index)?
    var isAfterSpace = false

    func cut(_ end: String.Index, _ columns: Int, next: String.Index?) -> (PlainText, String.Index?)
    {
      (PlainText(trusted: String(storage[start..<end]), columns: columns, isCut: isCut), next)
    }

    while let piece = piece(at: index) {
      let isSpace = piece.glyph.base == 0x20
      if piece.glyph.base == Sanitizer.newline {
        return cut(index, used, next: piece.range.upperBound)
      }
      if piece.columns == 2, used > 0, !isAfterSpace { wordEnd = (index, used, index) }
      if isSpace, used > 0, !isAfterSpace { wordEnd = (index, used, index) }
      if isSpace, wordEnd != nil { wordEnd?.next = piece.range.upperBound }
      if used + piece.columns > width {
        if let wordEnd {
          return cut(wordEnd.index, wordEnd.columns, next: afterSpaces(wordEnd.next))
        }
        if used > 0 { return cut(index, used, next: index) }
        let rest = piece.range.upperBound  // a wide glyph in a single column
        return ("\u{FFFD}", rest < storage.endIndex ? rest : nil)
      }
      used += piece.columns
      isAfterSpace = isSpace
      index = piece.range.upperBound
    }
    return cut(index, used, next: nil)
  }

  /// Skips the spaces between two lines, and one line break right after them; nil at the end of the
  /// text.
  private func afterSpaces(_ start: String.Index) -> String.Index? {
    var index = start
    while let piece = piece(at: index) {
      if piece.glyph.base == Sanitizer.newline { return piece.range.upperBound }
      guard piece.glyph.base == 0x20 else { return index }
      index = piece.range.upperBound
    }
    return nil
  }

  /// The mark of cut text.
  static let ellipsis = PlainText(trusted: "…", columns: 1, isCut: true)
}
