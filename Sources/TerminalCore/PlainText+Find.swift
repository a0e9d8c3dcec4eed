extension PlainText {
  /// The column ranges where `needle` occurs, ignoring case, left to right, without overlaps.
  package func ranges(of needle: PlainText) -> [Range<Int>] {
    guard var search = CaselessSearch(needle.folded.scalars) else { return [] }
    var found: [Range<Int>] = []
    if isASCII {
      var column = 0
      for byte in storage.utf8 {
        column += 1
        if search.advance(Self.lower(UInt32(byte))) { found.append(column - search.count..<column) }
      }
      return found
    }
    let text = folded
    for (index, scalar) in text.scalars.enumerated() where search.advance(scalar) {
      let first = text.columns[index + 1 - search.count]
      found.append(first.lowerBound..<text.columns[index].upperBound)
    }
    return found
  }

  private static func lower(_ scalar: UInt32) -> UInt32 {
    (0x41...0x5A).contains(scalar) ? scalar + 0x20 : scalar
  }

  /// Lower-case base scalars, and the columns of the glyph each belongs to. Marks are left out, so
  /// that `cafe` finds `café` written with a combining accent.
  private var folded: (scalars: [UInt32], columns: [Range<Int>]) {
    var scalars: [UInt32] = []
    var places: [Range<Int>] = []
    scalars.reserveCapacity(columns)
    places.reserveCapacity(columns)
    var column = 0
    forEachPiece { piece in
      let place = column..<column + piece.columns
      column += piece.columns
      let base = piece.glyph.base
      if base < 0x80 {
        scalars.append(Self.lower(base))
        places.append(place)
      } else if let scalar = Unicode.Scalar(base) {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
          scalars.append(lower.value)
          places.append(place)
        }
      }
      return true
    }
    return (scalars, places)
  }
}

/// Knuth, Morris and Pratt: linear, for a megabyte of `a` must not make finding `aaab` slow.
private struct CaselessSearch {
  private let pattern: [UInt32]
  /// For each position the length of the longest border of the pattern up to there.
  private let borders: [Int]
  private var matched = 0

  var count: Int { pattern.count }

  /// nil for an empty pattern, which matches nothing.
  init?(_ pattern: [UInt32]) {
    guard !pattern.isEmpty else { return nil }
    self.pattern = pattern
    var borders = [Int](repeating: 0, count: pattern.count)
    var length = 0
    for index in borders.indices.dropFirst() {
      while length > 0, pattern[index] != pattern[length] { length = borders[length - 1] }
      if pattern[index] == pattern[length] { length += 1 }
      borders[index] = length
    }
    self.borders = borders
  }

  /// True when the pattern ends here; the next match starts after it.
  mutating func advance(_ scalar: UInt32) -> Bool {
    while matched > 0, scalar != pattern[matched] { matched = borders[matched - 1] }
    if scalar == pattern[matched] { matched += 1 }
    guard matched == pattern.count else { return false }
    matched = 0
    return true
  }
}
