/// Turns untrusted text into glyphs that cannot act on a terminal, scalar by scalar.
///
/// One pass over scalars, never over grapheme clusters: segmentation is slow, and a cluster of a
/// megabyte is one `Character`. The output is base scalars, each followed by at most
/// `Glyph.maxMarks` marks, and nothing that moves the cursor, joins or reorders.
struct Sanitizer {
  /// Stands for a line break inside one line; a U+23CE in the input becomes U+21B5.
  static let newline: UInt32 = 0x23CE
  static let replacement: UInt32 = 0xFFFD

  private(set) var bytes: [UInt8] = []
  private(set) var columns = 0
  private(set) var isFull = false
  private let limit: Int

  /// The last base and where its bytes start; 0 when there is none to attach a mark to.
  private var base: UInt32 = 0
  /// The original scalar; the base itself if it is drawn unchanged.
  private var source: UInt32 = 0
  private var baseStart = 0
  private var marks = 0
  private var isJoined = false
  private var wasCarriageReturn = false

  init(limit: Int, capacity: Int = 0) {
    self.limit = limit
    bytes.reserveCapacity(capacity)
  }

  mutating func consume(_ scalar: UInt32) {
    if scalar >= 0x20, scalar < 0x7F {
      wasCarriageReturn = false
      emit(scalar, columns: 1)
      return
    }
    if scalar == 0x0A, wasCarriageReturn {  // CRLF is one line break
      wasCarriageReturn = false
      return
    }
    wasCarriageReturn = scalar == 0x0D
    switch scalar {
    case 0x0A, 0x0D, 0x2028, 0x2029: emit(Self.newline, columns: 1)
    case 0x09: emit(0x20, columns: 1)
    case 0x23CE: emit(0x21B5, columns: 1)
    case 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F: emit(0x20, columns: 1)
    case 0x3000:  // two spaces, so that wrapping and trimming know it
      emit(0x20, columns: 1)
      emit(0x20, columns: 1)
    case 0x200D: isJoined = base != 0
    case 0x1F1E6...0x1F1FF: emit(scalar - 0x1F1E6 + 0x41, columns: 1)  // a flag becomes "DE"
    case 0x1F3FB...0x1F3FF:  // a skin tone takes no columns, two or four, depending on the terminal
      if base == 0 { join(scalar, as: Self.replacement, columns: 1) }
    default: consumeOther(scalar)
    }
  }

  private mutating func consumeOther(_ scalar: UInt32) {
    switch ScalarWidth.classify(scalar) {
    case .dropped: return
    case .mark: attach(scalar)
    case .narrow: join(scalar, columns: 1)
    case .wide: join(scalar, columns: 2)
    case .replaced: join(scalar, as: Self.replacement, columns: 1)
    }
  }

  /// The tail of an emoji sequence is dropped: terminals disagree about the width of the whole.
  private mutating func join(_ scalar: UInt32, as drawn: UInt32? = nil, columns: Int) {
    if isJoined, ScalarWidth.isPictograph(scalar), ScalarWidth.isPictograph(source) {
      isJoined = false
      return
    }
    emit(drawn ?? scalar, columns: columns)
    source = scalar
  }

  private mutating func emit(_ scalar: UInt32, columns width: Int) {
    guard !isFull, columns + width <= limit else {
      isFull = true
      return
    }
    base = scalar
    source = scalar
    baseStart = bytes.count
    marks = 0
    isJoined = false
    columns += width
    bytes.appendScalar(scalar)
  }

  private mutating func attach(_ mark: UInt32) {
    // A mark with no base would land on the neighbouring cell, even on the previous row's last.
    guard !isFull, base != 0, base != 0x20, base != Self.newline else { return }
    if marks == 0, let whole = Hangul.compose(base, mark) ?? Kana.compose(base, mark) {
      bytes.removeSubrange(baseStart...)
      bytes.appendScalar(whole)
      base = whole
      return
    }
    guard !Kana.isSoundMark(mark) || Kana.isKana(base) else { return }
    guard marks < Glyph.maxMarks else { return }
    marks += 1
    bytes.appendScalar(mark)
  }
}

/// Composition of conjoining jamo (The Unicode Standard, section 3.12).
private enum Hangul {
  static func compose(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if (0x1100...0x1112).contains(first), (0x1161...0x1175).contains(second) {
      return 0xAC00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28
    }
    if (0xAC00...0xD7A3).contains(first), (first - 0xAC00).isMultiple(of: 28),
      (0x11A8...0x11C2).contains(second)
    {
      return first + second - 0x11A7
    }
    return nil
  }
}

/// Kana with sound marks, as text from macOS often spells them. A letter without a composed form
/// keeps its mark. After other characters some terminals give the mark two columns.
private enum Kana {
  /// U+3099 (voiced) and U+309A (half voiced).
  static func isSoundMark(_ scalar: UInt32) -> Bool { scalar == 0x3099 || scalar == 0x309A }

  /// Hiragana, katakana and their iteration marks, small, half as wide and historic ones too.
  static func isKana(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF,
      0xFF66...0xFF9D, 0x1B000...0x1B122, 0x1B150...0x1B167:
      true
    default: false
    }
  }

  /// The letter with its mark; nil if there is none (The Unicode Standard, Hiragana, Katakana).
  static func compose(_ base: UInt32, _ mark: UInt32) -> UInt32? {
    guard isSoundMark(mark), (0x3041...0x30FE).contains(base) else { return nil }
    // Katakana come 96 after hiragana, in the same order.
    let letter = base >= 0x30A1 ? base - 0x60 : base
    if (0x306F...0x307B).contains(letter), (letter - 0x306F).isMultiple(of: 3) {
      return base + (mark == 0x3099 ? 1 : 2)
    }
    guard mark == 0x3099 else { return nil }
    switch base {
    case 0x309D, 0x30FD: return base + 1
    case 0x30EF...0x30F2: return base + 8
    default: break
    }
    switch letter {
    case 0x304B...0x3061 where letter % 2 == 1, 0x3064, 0x3066, 0x3068: return base + 1
    case 0x3046: return base + 0x4E
    default: return nil
    }
  }
}

extension [UInt8] {
  /// Appends a scalar as UTF-8.
  mutating func appendScalar(_ scalar: UInt32) {
    switch scalar {
    case ..<0x80: append(UInt8(truncatingIfNeeded: scalar))
    case ..<0x800:
      append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
      append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    case ..<0x10000:
      append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
      append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
      append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    default:
      append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
      append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F))
      append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
      append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    }
  }
}
