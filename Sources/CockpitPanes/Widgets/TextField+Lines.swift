import TerminalCore

/// A text field that is drawn over several lines. It is still one line of text: the breaks are
/// only on the screen.
extension TextField {
  /// Positions of the characters of each line of at most `width` columns, broken after spaces; one
  /// empty line for an empty text. A space may hang over the end by one column.
  package func lines(width: Int) -> [Range<Int>] {
    Self.lines(of: characters[...], width: width)
  }

  /// The same for a part of a text, with positions in the whole.
  static func lines(of characters: ArraySlice<Character>, width: Int) -> [Range<Int>] {
    let width = max(1, width)
    var lines: [Range<Int>] = []
    var start = characters.startIndex
    var used = 0
    var wordStart: Int?
    for (index, character) in zip(characters.indices, characters) {
      let columns = Self.columns(of: character)
      let isSpace = character == " "
      if index > start, isSpace ? used > width : used + columns > width {
        let end = wordStart ?? index
        lines.append(start..<end)
        start = end
        used = characters[end..<index].reduce(0) { $0 + Self.columns(of: $1) }
        wordStart = nil
      }
      used += columns
      if isSpace { wordStart = index + 1 }
    }
    lines.append(start..<characters.endIndex)
    return lines
  }

  /// The line of `lines` that has the cursor.
  package func cursorLine(in lines: [Range<Int>]) -> Int {
    lines.lastIndex { $0.lowerBound <= cursor } ?? 0
  }

  private static func columns(of character: Character) -> Int {
    character.isASCII ? 1 : PlainText(String(character)).columns
  }
}
