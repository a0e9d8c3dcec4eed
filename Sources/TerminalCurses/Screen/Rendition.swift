/// The state set by SGR (ECMA-48, 8.3.117): emphasis and two colours.
struct Rendition: Hashable {
  /// A colour as written: a terminal may draw `34` and `38;5;4` differently.
  enum Color: Hashable {
    case standard
    /// One code: 30...37, 40...47, 90...97, 100...107.
    case code(UInt8)
    /// `38;5;n` and `48;5;n`.
    case index(UInt8)
    /// `38;2;r;g;b` and `48;2;r;g;b`, as 0xRRGGBB.
    case rgb(UInt32)
  }

  /// Bit n for the code n: 1 bold, 2 dim, 3 italic, 4 underline, 5 blink, 7 reverse.
  var emphasis: UInt8 = 0
  var foreground = Color.standard
  var background = Color.standard

  /// Whether a blank shows only the background: no underline, blink or reverse.
  var isPlainOnBlank: Bool { emphasis & 0b1011_0000 == 0 }

  /// Applies the parameters of one SGR. False if one is unknown.
  mutating func apply(_ codes: ArraySlice<UInt16>) -> Bool {
    var index = codes.startIndex
    while index < codes.endIndex {
      let code = codes[index]
      index += 1
      switch code {
      case 0: self = Rendition()
      case 1...5, 7: emphasis |= 1 << UInt8(code)
      case 22: emphasis &= ~0b110
      case 23, 24, 25, 27: emphasis &= ~(1 << UInt8(code - 20))
      case 30...37, 90...97: foreground = .code(UInt8(code))
      case 40...47, 100...107: background = .code(UInt8(code))
      case 39: foreground = .standard
      case 49: background = .standard
      case 38, 48:
        guard let color = Self.color(codes, &index) else { return false }
        if code == 38 { foreground = color } else { background = color }
      default: return false
      }
    }
    return true
  }

  /// The colour after a 38 or 48.
  private static func color(_ codes: ArraySlice<UInt16>, _ index: inout Int) -> Color? {
    guard index < codes.endIndex else { return nil }
    let rest = codes[(index + 1)...]
    switch codes[index] {
    case 5:
      guard let number = rest.first, number < 256 else { return nil }
      index += 2
      return .index(UInt8(number))
    case 2:
      guard rest.count >= 3, rest.prefix(3).allSatisfy({ $0 < 256 }) else { return nil }
      index += 4
      return .rgb(rest.prefix(3).reduce(0) { $0 << 8 | UInt32($1) })
    default: return nil
    }
  }

  /// Appends the shortest SGR from another state to this one; nil means any state.
  func append(since other: Rendition?, to bytes: inout [UInt8]) {
    guard self != other else { return }
    bytes += [0x1B, UInt8(ascii: "[")]
    let start = bytes.count
    // Emphasis is removed by a reset: older terminals lack the codes 22 to 27.
    if let other, other.emphasis & ~emphasis == 0 {
      appendChanges(since: other, to: &bytes)
      let length = bytes.count - start
      guard length > lengthFromNothing else {
        bytes.append(UInt8(ascii: "m"))
        return
      }
      bytes.removeLast(length)
    }
    if self != Rendition() {
      bytes.append(UInt8(ascii: "0"))
      appendChanges(since: Rendition(), to: &bytes, isFirst: false)
    }
    bytes.append(UInt8(ascii: "m"))
  }

  private func appendChanges(
    since other: Rendition, to bytes: inout [UInt8], isFirst: Bool = true
  ) {
    var isFirst = isFirst
    func separate() {
      if !isFirst { bytes.append(UInt8(ascii: ";")) }
      isFirst = false
    }
    let added = emphasis & ~other.emphasis
    if added != 0 {
      for code in 1...7 as ClosedRange<UInt8> where added & (1 << code) != 0 {
        separate()
        bytes.append(UInt8(ascii: "0") + code)
      }
    }
    if foreground != other.foreground {
      separate()
      foreground.append(base: 30, to: &bytes)
    }
    if background != other.background {
      separate()
      background.append(base: 40, to: &bytes)
    }
  }

  /// Length in bytes of the parameters, starting with a reset.
  private var lengthFromNothing: Int {
    guard self != Rendition() else { return 0 }
    return 1 + 2 * emphasis.nonzeroBitCount + (foreground == .standard ? 0 : foreground.length)
      + (background == .standard ? 0 : background.length)
  }
}

extension Rendition.Color {
  fileprivate func append(base: UInt16, to bytes: inout [UInt8]) {
    switch self {
    case .standard: Self.append(base + 9, to: &bytes)
    case .code(let code): Self.append(UInt16(code), to: &bytes)
    case .index(let index):
      Self.append(base + 8, to: &bytes)
      bytes += [UInt8(ascii: ";"), UInt8(ascii: "5"), UInt8(ascii: ";")]
      Self.append(UInt16(index), to: &bytes)
    case .rgb(let color):
      Self.append(base + 8, to: &bytes)
      bytes += [UInt8(ascii: ";"), UInt8(ascii: "2")]
      for shift in [16, 8, 0] as [UInt32] {
        bytes.append(UInt8(ascii: ";"))
        Self.append(UInt16(color >> shift & 0xFF), to: &bytes)
      }
    }
  }

  /// In bytes, including the semicolon before it.
  fileprivate var length: Int {
    func digits(_ number: UInt32) -> Int { number < 10 ? 1 : number < 100 ? 2 : 3 }
    switch self {
    case .standard: return 3
    case .code(let code): return 1 + digits(UInt32(code))
    case .index(let index): return 6 + digits(UInt32(index))
    case .rgb(let color):
      return 8 + digits(color >> 16) + digits(color >> 8 & 0xFF) + digits(color & 0xFF)
    }
  }

  private static func append(_ number: UInt16, to bytes: inout [UInt8]) {
    if number >= 100 { bytes.append(UInt8(ascii: "0") + UInt8(number / 100)) }
    if number >= 10 { bytes.append(UInt8(ascii: "0") + UInt8(number / 10 % 10)) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
