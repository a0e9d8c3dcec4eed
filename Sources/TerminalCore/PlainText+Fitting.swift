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
      // Fast path: ASCII not followed by a mark (U+0300 starts with CC).
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

  /// The storage as bytes.
  func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    guard storage.utf8.withContiguousStorageIfAvailable(body) == nil else { return }
    var copy = storage  // a string of another language's library
    copy.withUTF8(body)
  }

  /// Calls `body` for each glyph and its columns, in order, until it returns false: `forEachPiece`
  /// without positions.
  func forEachGlyph(_ body: (_ glyph: Glyph, _ columns: Int) -> Bool) {
    withBytes { bytes in
      var index = 0
      while index < bytes.count {
        let base = Self.takeScalar(bytes, &index)
        var glyph = Glyph(base)
        // U+0300, the first mark, starts with CC.
        while index < bytes.count, bytes[index] >= 0xCC {
          var next = index
          let mark = Self.takeScalar(bytes, &next)
          guard ScalarWidth.columns(mark) == 0 else { break }
          glyph.append(mark: mark)
          index = next
        }
        guard body(glyph, base < 0x7F ? 1 : ScalarWidth.columns(base)) else { return }
      }
    }
  }

  /// The scalar at an index of valid UTF-8, which strings are; moves the index past it.
  private static func takeScalar(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32
  {
    let first = bytes[index]
    index += 1
    guard first >= 0x80 else { return UInt32(first) }
    let count = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
    var value = UInt32(first) & (0x3F >> UInt32(count))
    for _ in 0..<count {
      value = value << 6 | UInt32(bytes[index] & 0x3F)
      index += 1
    }
    return value
  }

  /// Where to cut the storage so that at most `limit` columns precede it, and their number.
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
    // `+` of a slice and a string is the generic one, many times slower and looked up at the start.
    var text = String(storage[..<index])
    text += "…"
    return PlainText(trusted: text, columns: used + 1, isCut: true)
  }

  /// The text scrolled by `count` columns. A wide glyph cut in half leaves a space, so that the
  /// remaining columns do not shift.
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
      trusted: " " + String(storage[rest...]), columns: columns - used - 1, isCut: isCut)
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
