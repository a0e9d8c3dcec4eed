/// A glyph of the cockpit by its meaning; a `SymbolSet` decides its look.
package enum Symbol: Hashable, Sendable {
  /// The bar at the left of a row, in the colour of its domain.
  case accent
  case dot, ring, bullet, ellipsis
  case arrowRight, arrowLeft, up, down
  case folded, unfolded
  case check, cross, running
  /// A hole in the history.
  case gapMark
  /// Eighths of a cell filled from the left, 0...8; clamped.
  case block(Int)
  /// Eighths of a cell filled from below, 0...8; clamped.
  case spark(Int)
  /// Two columns of dots in one cell, each 0...4 high; clamped.
  case dots(Int, Int)
  case halfUpper, halfLower
  /// An unfilled stretch of a bar.
  case shade
  case horizontal, vertical
  /// A vertical line that is not certain.
  case dashed
  /// The ends of a bracket beside lines: no corners, which would look like those of a box.
  case bracketTop, bracketBottom
  case cornerTopLeft, cornerTopRight, cornerBottomLeft, cornerBottomRight
  case teeLeft, teeRight, teeTop, teeBottom, crossing
  case separator
}

/// Which glyphs draw the cockpit.
package struct SymbolSet: Hashable, Sendable {
  /// The sets there are; the raw value is their name in configuration files.
  package enum Kind: String, CaseIterable, Sendable {
    /// Box drawing and blocks: one column, unless the terminal is set up for CJK.
    case unicode
    /// Only glyphs whose East_Asian_Width is not ambiguous (UAX #11), for terminals set up for CJK.
    case safe
    /// Only ASCII, in text too: for terminals without UTF-8.
    case ascii
  }

  /// Which set it is.
  package let kind: Kind

  /// The set of this kind.
  package init(_ kind: Kind) { self.kind = kind }

  /// See `Kind.unicode`.
  package static let unicode = SymbolSet(.unicode)
  /// See `Kind.safe`.
  package static let safe = SymbolSet(.safe)
  /// See `Kind.ascii`.
  package static let ascii = SymbolSet(.ascii)

  /// The glyph of a symbol; always one column.
  package func glyph(_ symbol: Symbol) -> Glyph {
    Glyph(scalar(symbol).value)
  }

  private func scalar(_ symbol: Symbol) -> Unicode.Scalar {
    switch kind {
    case .unicode: Self.unicodeScalar(symbol)
    case .safe: Self.safeScalar(symbol) ?? Self.asciiScalar(symbol)
    case .ascii: Self.asciiScalar(symbol)
    }
  }

  private static let leftBlocks = Array(" ▏▎▍▌▋▊▉█".unicodeScalars)
  private static let lowerBlocks = Array(" ▁▂▃▄▅▆▇█".unicodeScalars)
  private static let asciiBlocks = Array(" ..:-=+##".unicodeScalars)
  private static let asciiSparks = Array(" _.-~=+*#".unicodeScalars)

  /// One of nine levels.
  private static func level(_ eighths: Int, of scalars: [Unicode.Scalar]) -> Unicode.Scalar {
    let level = min(8, max(0, eighths))
    return scalars[level]
  }

  private static func unicodeScalar(_ symbol: Symbol) -> Unicode.Scalar {
    switch symbol {
    case .accent: "▌"
    case .dot: "●"
    case .ring: "○"
    case .bullet: "•"
    case .ellipsis: "…"
    case .arrowRight: "→"
    case .arrowLeft: "←"
    case .up: "↑"
    case .down: "↓"
    case .folded: "▸"
    case .unfolded: "▾"
    case .check: "✓"
    case .cross: "✗"
    case .running: "◐"
    case .gapMark: "┄"
    case .block(let eighths): level(eighths, of: leftBlocks)
    case .spark(let eighths): level(eighths, of: lowerBlocks)
    case .dots(let left, let right): dots(left, right)
    case .halfUpper: "▀"
    case .halfLower: "▄"
    case .shade: "░"
    case .horizontal: "─"
    case .vertical: "│"
    case .dashed: "┊"
    case .bracketTop: "╷"
    case .bracketBottom: "╵"
    case .cornerTopLeft: "┌"
    case .cornerTopRight: "┐"
    case .cornerBottomLeft: "└"
    case .cornerBottomRight: "┘"
    case .teeLeft: "├"
    case .teeRight: "┤"
    case .teeTop: "┬"
    case .teeBottom: "┴"
    case .crossing: "┼"
    case .separator: "·"
    }
  }

  /// A braille pattern, whose dots are bits: 7, 3, 2, 1 from below at the left, 8, 6, 5, 4 at the right.
  private static func dots(_ left: Int, _ right: Int) -> Unicode.Scalar {
    let columns: [[UInt32]] = [[0, 0x40, 0x44, 0x46, 0x47], [0, 0x80, 0xA0, 0xB0, 0xB8]]
    let bits = columns[0][min(max(0, left), 4)] | columns[1][min(max(0, right), 4)]
    return Unicode.Scalar(0x2800 + bits) ?? " "
  }

  /// The glyph of unambiguous width, if one exists.
  private static func safeScalar(_ symbol: Symbol) -> Unicode.Scalar? {
    switch symbol {
    case .folded: "▸"
    case .unfolded: "▾"
    case .check: "✓"
    case .cross: "✗"
    case .dots(let left, let right): dots(left, right)
    default: nil
    }
  }

  private static func asciiScalar(_ symbol: Symbol) -> Unicode.Scalar {
    switch symbol {
    case .accent, .vertical: "|"
    case .dot, .bullet: "*"
    case .ring: "o"
    case .ellipsis: "."
    case .arrowRight, .folded: ">"
    case .arrowLeft: "<"
    case .up: "^"
    case .down, .unfolded: "v"
    case .check: "+"
    case .cross: "x"
    case .running: "~"
    case .dashed: ":"
    case .bracketTop: ","
    case .bracketBottom: "'"
    case .gapMark, .horizontal: "-"
    case .block(let eighths): level(eighths, of: asciiBlocks)
    case .spark(let eighths): level(eighths, of: asciiSparks)
    case .dots(let left, let right): level(2 * max(left, right), of: asciiSparks)
    case .halfUpper: "\""
    case .halfLower: "_"
    case .shade: "."
    case .cornerTopLeft, .cornerTopRight, .cornerBottomLeft, .cornerBottomRight: "+"
    case .teeLeft, .teeRight, .teeTop, .teeBottom, .crossing: "+"
    case .separator: "-"
    }
  }

  /// The substitute for a glyph in text; nil leaves it unchanged.
  func substitute(for glyph: Glyph) -> Glyph? {
    guard kind != .unicode else { return nil }
    if glyph.base < 0x80 {
      // A letter of ASCII may carry marks, which are not.
      return kind == .ascii && glyph.marks != 0 ? Glyph(glyph.base) : nil
    }
    if let scalar = Self.plain(glyph.base) { return Glyph(scalar.value) }
    return kind == .ascii ? Glyph(UInt32(UInt8(ascii: "?"))) : nil
  }

  /// ASCII for the punctuation people type and for the marks of the sanitiser, all of ambiguous
  /// width. Letters of ambiguous width (Greek, Cyrillic) have no substitute.
  private static func plain(_ scalar: UInt32) -> Unicode.Scalar? {
    switch scalar {
    case 0xFFFD: "?"
    case 0x23CE, 0x21B5: " "
    case 0x2026, 0x22EF: "."
    case 0x2018, 0x2019, 0x201A, 0xB4: "'"
    case 0x201C, 0x201D, 0x201E, 0xAB, 0xBB: "\""
    case 0x2010...0x2015, 0x2212, 0xAD: "-"
    case 0x2022, 0xB7, 0x25CF, 0x2605, 0xD7: "*"
    case 0x25CB, 0xB0: "o"
    case 0x2190: "<"
    case 0x2192, 0x25B6: ">"
    case 0x2191: "^"
    case 0x2193: "v"
    case 0x2500...0x2501, 0x2504...0x2505: "-"
    case 0x2502...0x2503, 0x2506...0x2507, 0x258C: "|"
    case 0x250C...0x254B: "+"
    case 0x2581...0x2588: "#"
    default: nil
    }
  }
}
