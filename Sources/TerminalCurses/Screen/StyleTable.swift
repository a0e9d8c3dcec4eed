import CNcurses
import TerminalCore

/// Maps the looks of cells to ncurses attributes and colour pairs.
@MainActor
struct StyleTable {
  /// Attributes and colour pair, as ncurses numbers them.
  struct Style: Sendable {
    /// The terminal's own.
    static let standard = Style(attributes: 0, pair: 0, background: -1, isPlainOnBlank: true)

    let attributes: UInt32
    let pair: Int32
    let background: Int32
    /// Whether a blank shows nothing of this style but its background.
    let isPlainOnBlank: Bool
    /// A space in this style; other glyphs start as a copy of it.
    let blank: cchar_t

    init(attributes: UInt32, pair: Int32, background: Int32, isPlainOnBlank: Bool) {
      self.attributes = attributes
      self.pair = pair
      self.background = background
      self.isPlainOnBlank = isPlainOnBlank
      var blank = cchar_t()
      _ = cn_cell(&blank, 0x20, 0, attributes, pair)
      self.blank = blank
    }

    /// Whether a blank looks the same in both.
    func looksLike(onBlank other: Style) -> Bool {
      isPlainOnBlank && other.isPlainOnBlank && background == other.background
    }
  }

  /// By `Cell.styleKey`.
  private var styles: [UInt32: Style] = [:]
  private var pairs: [Int64: Int32] = [:]

  /// Discards all styles: colours are about to change.
  mutating func forget() {
    styles = [:]
    pairs = [:]
    pictures = [:]
  }

  /// What a cell of a picture is: its two colours, and the glyph of a screen without half blocks.
  struct PictureKey: Hashable {
    var colors: UInt64
    var glyph: UInt32
  }

  /// A cell of a picture as ncurses draws it.
  struct Drawn {
    let glyph: UInt32
    let style: Style
  }

  private var pictures: [PictureKey: Drawn] = [:]

  /// Whether pictures have taken so many pairs that others could get none: half of the fewest that an entry with 256
  /// colours has.
  var isCrowded: Bool { pairs.count > 16_000 || pictures.count > 64_000 }

  subscript(key: PictureKey) -> Drawn? { pictures[key] }

  mutating func add(_ look: CellStyle, glyph: UInt32, for key: PictureKey) -> Drawn {
    let drawn = Drawn(glyph: glyph, style: style(look))
    pictures[key] = drawn
    return drawn
  }

  /// By `Cell.styleKey`; nil if it has not been added.
  subscript(key: UInt32) -> Style? { styles[key] }

  mutating func add(_ look: CellStyle, for key: UInt32) -> Style {
    let style = style(look)
    styles[key] = style
    return style
  }

  private mutating func style(_ look: CellStyle) -> Style {
    let background = Self.number(look.background)
    return Style(
      attributes: Self.attributes(look.attributes),
      pair: pair(Self.number(look.foreground), background), background: background,
      isPlainOnBlank: look.attributes.isDisjoint(with: Self.seenOnBlank))
  }

  /// Attributes that a blank shows besides its background; ncurses never erases to such blanks.
  private static let seenOnBlank: Attributes = [.underline, .reverse]

  private static func attributes(_ attributes: Attributes) -> UInt32 {
    var bits: UInt32 = 0
    if attributes.contains(.bold) { bits |= cn_bold() }
    if attributes.contains(.dim) { bits |= cn_dim() }
    if attributes.contains(.italic) { bits |= cn_italic() }
    if attributes.contains(.underline) { bits |= cn_underline() }
    if attributes.contains(.reverse) { bits |= cn_reverse() }
    return bits
  }

  /// The pair of two colours; 0, the terminal's own, once ncurses has no more pairs.
  private mutating func pair(_ foreground: Int32, _ background: Int32) -> Int32 {
    guard foreground >= 0 || background >= 0 else { return 0 }
    let key = Int64(foreground) << 32 | Int64(UInt32(bitPattern: background))
    if let known = pairs[key] { return known }
    let pair = max(0, cn_pair(Int32(pairs.count + 1), foreground, background))
    pairs[key] = pair
    return pair
  }

  private static func number(_ color: TerminalColor) -> Int32 {
    switch color {
    case .standard: -1
    case .index(let index): Int32(index)
    // In direct-colour entries 0...7 are the eight ANSI colours.
    case .rgb(let color): color < 8 ? 8 : Int32(color)
    }
  }
}
