extension PlainText {
  /// For terminals that know nothing but ASCII: each other character becomes a question mark.
  package var asciiOnly: PlainText {
    let text = description
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return self }
    var result = ""
    for character in text {
      result += character == "…" ? "..." : character.isASCII ? String(character) : "?"
    }
    return PlainText(result)
  }
}
