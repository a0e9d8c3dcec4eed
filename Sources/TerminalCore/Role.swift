/// The meaning of a cell, not its look: a theme assigns styles to roles.
package enum Role: String, CaseIterable, Sendable {
  case text
  case muted
  /// Hairlines, separators, barely visible text. Never the only carrier of information.
  case faint
  case heading
  case border
  /// The border and heading of the panel that has the keys.
  case focus
  /// The name of the program.
  case title
  /// A key in a hint.
  case key
  case positive
  case negative
  case warning
  case info
  case selection
  /// A row that has just arrived.
  case fresh
  /// A search hit.
  case match
  case currentMatch
  case chip
  case chipActive
  /// A hole in the history.
  case gap
  case cost
  case number
  case input
  /// The bar of the first row.
  case header

  case voice = "domain.voice"
  case llm = "domain.llm"
  case tool = "domain.tool"
  case memory = "domain.memory"
  case error = "domain.error"
  case textDomain = "domain.text"
  case media = "domain.media"
  case system = "domain.system"
  case browser = "domain.browser"
  case discovery = "domain.discovery"
  case asr = "domain.asr"
  case tts = "domain.tts"
  case code = "domain.code"
  case automation = "domain.automation"
  case initiative = "domain.initiative"
  case game = "domain.game"

  /// One character for goldens. Fixed by the order of the cases: add new ones at the end.
  var letter: Character {
    let letters = Array(".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    let index = Self.allCases.firstIndex(of: self) ?? 0
    return index < letters.count ? letters[index] : "?"
  }
}

/// Emphasis that does not depend on colour.
package struct Attributes: OptionSet, Hashable, Sendable {
  /// One bit for each emphasis.
  package let rawValue: UInt8
  /// Emphasis from its bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Several at once. The library's own is generic code that takes 300 instructions for `[]`, which
  /// nearly every run of text says.
  package init(arrayLiteral elements: Attributes...) {
    self.init(rawValue: elements.reduce(0) { $0 | $1.rawValue })
  }

  /// Bold.
  package static let bold = Attributes(rawValue: 1)
  /// Faint; not every terminal shows it.
  package static let dim = Attributes(rawValue: 2)
  /// Italic; not every terminal shows it.
  package static let italic = Attributes(rawValue: 4)
  /// Underlined.
  package static let underline = Attributes(rawValue: 8)
  /// Foreground and background exchanged.
  package static let reverse = Attributes(rawValue: 16)
  /// Of a link (`Canvas.links`); shows nothing by itself.
  package static let link = Attributes(rawValue: 128)
}

/// One cell of a canvas. Sixteen bytes: a large screen is compared with the last one every frame.
package struct Cell: Hashable, Sendable {
  // Visible to other modules for speed: every cell of a changed row is read.
  @usableFromInline var base: UInt32 = 0x20
  /// Columns of the glyph; 0 for the right half of a wide one.
  package var width: UInt8 = 1
  /// The meaning of the cell.
  package var role: Role = .text
  /// Emphasis besides that of its role.
  package var attributes: Attributes = []
  /// The role whose background is behind the glyph: selection, fresh, header.
  package var background: Role?
  /// The marks of the glyph; with the highest bit, the colours of `Cell.pixels`.
  @usableFromInline var marks: UInt64 = 0

  /// A blank cell.
  package init() {}

  /// A cell that holds a glyph of this width.
  package init(
    glyph: Glyph, width: UInt8, role: Role = .text, attributes: Attributes = [],
    background: Role? = nil
  ) {
    base = glyph.base
    marks = glyph.marks
    self.width = width
    self.role = role
    self.attributes = attributes
    self.background = background
  }

  /// All sixteen bytes are values and none is padding (a test says so), so two comparisons do.
  @inline(__always)
  package static func == (left: Cell, right: Cell) -> Bool {
    unsafeBitCast(left, to: SIMD2<UInt64>.self) == unsafeBitCast(right, to: SIMD2<UInt64>.self)
  }

  /// Role, emphasis and background in one number: cells of equal numbers have equal looks.
  @inlinable @inline(__always) package var styleKey: UInt32 {
    UInt32(truncatingIfNeeded: unsafeBitCast(self, to: SIMD2<UInt64>.self)[0].littleEndian >> 40)
  }

  /// The glyph to draw.
  @inlinable @inline(__always) package var glyph: Glyph {
    get { Glyph(base, marks: marks) }
    set {
      base = newValue.base
      marks = newValue.marks
    }
  }
}
