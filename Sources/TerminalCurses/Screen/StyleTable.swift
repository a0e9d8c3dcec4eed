import CNcurses
import TerminalCore

/// Under which attributes and colour pairs ncurses knows how cells look.
///
/// For each change of style ncurses works out three sequences from terminfo: for emphasis, and for both
/// colours, each time anew. Where what it writes is translated anyway (`SequenceSaver`), a style is a
/// number instead, which ncurses takes for a foreground colour: one short sequence, a ninth fewer
/// instructions for a key that moves the place in the feed.
@MainActor
struct StyleTable {
  /// Attributes and colour pair, as ncurses numbers them.
  ///
  /// A class, so that whoever goes through a row of cells holds on to one word instead of twelve.
  final class Style: Sendable {
    /// The terminal's own.
    static let standard = Style(
      attributes: 0, pair: 0, background: -1, isPlainOnBlank: true, rendition: Rendition())

    let attributes: UInt32
    let pair: Int32
    let background: Int32
    /// Whether the background is all that a blank shows of it.
    let isPlainOnBlank: Bool
    /// All of it, as SGR tells it; nil where styles are no numbers.
    let rendition: Rendition?
    /// A space in this style: most glyphs are put into a copy of it.
    let blank: cchar_t

    init(
      attributes: UInt32, pair: Int32, background: Int32, isPlainOnBlank: Bool,
      rendition: Rendition?
    ) {
      self.attributes = attributes
      self.pair = pair
      self.background = background
      self.isPlainOnBlank = isPlainOnBlank
      self.rendition = rendition
      var blank = cchar_t()
      _ = cn_cell(&blank, 0x20, 0, attributes, pair)
      self.blank = blank
    }

    /// Whether a blank looks the same in both.
    func looksLike(onBlank other: Style) -> Bool {
      isPlainOnBlank && other.isPlainOnBlank && background == other.background
    }
  }

  /// The colours that stand for styles: those from `first` on that the terminal has anyway, and that its
  /// terminfo spells by their number.
  struct Numbers {
    /// Below are the sixteen that have codes of their own.
    static let first = 16
    private static let end = 256

    /// What each of them stands for.
    private(set) var renditions: [Rendition] = []

    /// What ncurses has set, with a style in place of its number.
    func translated(_ rendition: Rendition) -> Rendition {
      let number: Int
      switch rendition.foreground {
      case .index(let index): number = Int(index)
      case .rgb(let color): number = Int(color)
      case .standard, .code: return rendition
      }
      guard number >= Self.first, number - Self.first < renditions.count else { return rendition }
      var style = renditions[number - Self.first]
      style.emphasis |= rendition.emphasis
      return style
    }

    /// The number of a style, a new one where it has none; nil when there is none left.
    mutating func number(of rendition: Rendition) -> Int? {
      if let index = renditions.firstIndex(of: rendition) { return Self.first + index }
      guard Self.first + renditions.count < Self.end else { return nil }
      renditions.append(rendition)
      return Self.first + renditions.count - 1
    }
  }

  /// By `Cell.styleKey`.
  private var styles: [UInt32: Style] = [:]
  private var pairs: [Int64: Int32] = [:]
  /// Nil where styles go by what they consist of.
  private(set) var numbers: Numbers?
  /// A style had no number: the frame is not as it should be.
  private(set) var hasFailed = false

  /// Styles are numbers from now on, where the terminal has the colours for it. Only before there are
  /// any styles.
  mutating func useNumbers() {
    // With colours ncurses would leave some emphasis out.
    guard cn_number("colors") >= 256, cn_number("ncv") <= 0 else { return }
    numbers = Numbers()
  }

  /// Styles go by what they consist of from now on; all has to be drawn again.
  mutating func spellOut() {
    numbers = nil
    hasFailed = false
    forget()
  }

  /// Forgets all styles: they are to be drawn in other colours.
  mutating func forget() {
    styles = [:]
    pairs = [:]
    if numbers != nil { numbers = Numbers() }
  }

  /// By `Cell.styleKey`; nil where it has not been needed so far.
  subscript(key: UInt32) -> Style? { styles[key] }

  mutating func add(_ look: Look, for key: UInt32) -> Style {
    let style = resolve(look)
    styles[key] = style
    return style
  }

  private mutating func resolve(_ look: Look) -> Style {
    let background = Self.number(look.background)
    var seen = look.attributes
    let pair: Int32
    var rendition: Rendition?
    if numbers != nil {
      seen.formIntersection(Self.seenOnBlank)
      rendition = Self.rendition(of: look)
      pair = look == Look() ? 0 : rendition.flatMap { numberedPair($0) } ?? failed()
    } else {
      pair = self.pair(Self.number(look.foreground), background)
    }
    return Style(
      attributes: Self.attributes(seen), pair: pair, background: background,
      isPlainOnBlank: look.attributes.isDisjoint(with: Self.seenOnBlank), rendition: rendition)
  }

  /// What a blank shows besides its background; ncurses does not erase to such blanks.
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

  private mutating func failed() -> Int32 {
    hasFailed = true
    return 0
  }

  /// A pair whose foreground stands for a style.
  private mutating func numberedPair(_ rendition: Rendition) -> Int32? {
    guard let number = numbers?.number(of: rendition) else { return nil }
    var spelled = Rendition()
    guard spelled.apply(cn_color("setaf", Int32(number))),
      spelled == Rendition(foreground: .index(UInt8(number)))
        || spelled == Rendition(foreground: .rgb(UInt32(number)))
    else { return nil }
    let pair = pair(Int32(number), -1)
    return pair > 0 ? pair : nil
  }

  /// What terminfo says sets a style; nil when it is not told by SGR.
  private static func rendition(of look: Look) -> Rendition? {
    var rendition = Rendition()
    let emphasis: [(Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "sitm"), (.underline, "smul"), (.reverse, "rev"),
    ]
    for (attribute, capability) in emphasis where look.attributes.contains(attribute) {
      // What the terminal does not have is left out.
      guard let text = cn_text(capability) else { continue }
      guard rendition.apply(text) else { return nil }
    }
    for (color, capability) in [(look.foreground, "setaf"), (look.background, "setab")]
    where color != .standard {
      guard rendition.apply(cn_color(capability, number(color))) else { return nil }
    }
    return rendition
  }

  /// A pair for two colours; 0, the terminal's own, when there are no more.
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
    case .rgb(let color): color < 8 ? 8 : Int32(color)  // 0...7 are the eight, in direct entries
    }
  }
}

extension Rendition {
  /// Applies one sequence of terminfo. False when it is not an SGR, or has codes not known here.
  fileprivate mutating func apply(_ sequence: UnsafePointer<CChar>?) -> Bool {
    guard let sequence, var byte = Optional(sequence), byte[0] == 0x1B,
      byte[1] == CChar(UInt8(ascii: "["))
    else { return false }
    byte += 2
    var codes: [UInt16] = [0]
    while byte.pointee != CChar(UInt8(ascii: "m")) {
      switch UInt8(bitPattern: byte.pointee) {
      case let digit where (0x30...0x39).contains(digit):
        codes[codes.count - 1] = min(codes[codes.count - 1], 999) * 10 + UInt16(digit - 0x30)
      case UInt8(ascii: ";"): codes.append(0)
      default: return false
      }
      byte += 1
    }
    return byte[1] == 0 && apply(codes[...])
  }
}
