extension PlainText {
  /// For terminals limited to ASCII: each other character becomes a question mark.
  package var asciiOnly: PlainText {
    let text = description
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return self }
    return PlainText(text.asciiOnly)
  }
}

extension String {
  /// The same for text that has been cleaned already and may have lines and colours.
  package var asciiOnly: String {
    var result = ""
    for character in self {
      result += character == "…" ? "..." : character.isASCII ? String(character) : "?"
    }
    return result
  }
}
