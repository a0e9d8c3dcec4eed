extension PlainText {
  /// One glyph and where it lies in the storage.
  struct Piece {
    var glyph: Glyph
    var columns: Int
    /// From the base to the end of the last mark.
    var range: Range<String.Index>
  }

  /// The glyph that starts at an index; nil at the end.
  func piece(at start: String.Index) -> Piece? {
    let (scalars, bytes) = (storage.unicodeScalars, storage.utf8)
    guard start < scalars.endIndex else { return nil }
    if bytes[start] < 0x80 {
      // Most of most texts: ASCII, and what follows is no mark (U+0300 starts with CC).
      let next = bytes.index(after: start)
      if next == bytes.endIndex || bytes[next] < 0xCC {
        return Piece(glyph: Glyph(UInt32(bytes[start])), columns: 1, range: start..<next)
      }
    }
    let base = scalars[start].value
    var glyph = Glyph(base)
    var index = scalars.index(after: start)
    while index < scalars.endIndex, scalars[index].value >= 0x300,
      ScalarWidth.columns(scalars[index].value) == 0
    {
      glyph.append(mark: scalars[index].value)
      scalars.formIndex(after: &index)
    }
    return Piece(glyph: glyph, columns: ScalarWidth.columns(base), range: start..<index)
  }

  /// Calls `body` for each glyph in order until it returns false.
  func forEachPiece(_ body: (Piece) -> Bool) {
    var index = storage.startIndex
    while let piece = piece(at: index), body(piece) { index = piece.range.upperBound }
  }

  /// Where the storage must be cut so that at most `limit` columns lie before it, and how many do.
  private func boundary(at limit: Int) -> (index: String.Index, columns: Int) {
    if isASCII {
      let count = min(max(0, limit), columns)
      return (storage.utf8.index(storage.startIndex, offsetBy: count), count)
    }
    var index = storage.startIndex
    var used = 0
    forEachPiece { piece in
      guard used + piece.columns <= limit else { return false }
      used += piece.columns
      index = piece.range.upperBound
      return true
    }
    return (index, used)
  }

  /// The first columns; a wide glyph on the edge is left out.
  package func prefix(columns limit: Int) -> PlainText {
    guard columns > limit else { return self }
    let (index, used) = boundary(at: limit)
    return PlainText(trusted: String(storage[..<index]), columns: used)
  }

  /// The text, or as much of it as leaves room for an ellipsis; never more than `limit` columns.
  package func cut(to limit: Int) -> PlainText {
    guard columns > limit else { return self }
    guard limit > 0 else { return PlainText() }
    let (index, used) = boundary(at: limit - 1)
    return PlainText(trusted: storage[..<index] + "…", columns: used + 1, isCut: true)
  }

  /// What is left of the text when it is scrolled by `count` columns. A wide glyph cut in half
  /// leaves a space, so that the columns of the rest do not move.
  package func dropFirst(columns count: Int) -> PlainText {
    guard count > 0 else { return self }
    guard count < columns else { return PlainText() }
    let (index, used) = boundary(at: count)
    guard used < count else {
      return PlainText(trusted: String(storage[index...]), columns: columns - used, isCut: isCut)
    }
    var rest = index
    forEachPiece { piece in
      rest = piece.range.upperBound
      return piece.range.lowerBound < index
    }
    return PlainText(
      trusted: " " + storage[rest...], columns: columns - used - 1, isCut: isCut)
  }

  /// At least `width` columns, filled with spaces on the right.
  package func padded(to width: Int) -> PlainText {
    columns >= width ? self : self + .spaces(width - columns)
  }

  /// At least `width` columns, filled with spaces on the left: for numbers.
  package func leftPadded(to width: Int) -> PlainText {
    columns >= width ? self : .spaces(width - columns) + self
  }

  /// Upper case, for headings. Sanitised again: case mapping may add marks.
  package func uppercased() -> PlainText {
    let upper = storage.uppercased().unicodeScalars
    var sanitizer = Sanitizer(limit: .max, capacity: storage.utf8.count)
    // A line break that is drawn already stays one.
    for scalar in upper {
      sanitizer.consume(scalar.value == Sanitizer.newline ? 0x0A : scalar.value)
    }
    return PlainText(sanitizer)
  }
}
