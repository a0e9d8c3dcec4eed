/// Makes the bytes of a frame fewer without changing what they draw.
///
/// ncurses writes a sequence for each part of a style: character set, reset, bold, colour, background;
/// and names the background anew with every colour. Here they are held back until something is drawn,
/// and then go out as the shortest SGR that leads from the style the terminal has to the one it needs.
/// Everything else is copied. What is not known here makes it copy all that follows.
struct SequenceSaver {
  /// What decides how the next glyph is drawn.
  private struct State: Hashable {
    var rendition = Rendition()
    /// The last byte of what designated G0; nil while nothing did.
    var characterSet: UInt8?
    /// SO or SI, whichever came last; nil while none did.
    var shift: UInt8?
  }

  /// What the terminal has; nil when something else may have written to it.
  private var actual: State?
  /// What ncurses believes it has.
  private var wanted = State()
  /// DECSC keeps both.
  private var kept: (actual: State?, wanted: State)?
  /// How many rows the screen has: margins around all of them need no numbers (DECSTBM).
  var rows: UInt16 = 0
  /// Which colours stand for styles.
  var numbers: StyleTable.Numbers?
  /// Something came that is not understood: nothing is held back any more.
  private(set) var isTransparent = false
  private var codes: [UInt16] = []

  /// Something else may have changed how the terminal draws.
  mutating func forget() { actual = nil }

  /// Emphasis and colours of the terminal, which may be set while it takes bytes for text; nil when that is
  /// not known, or it takes them for line drawing.
  var textRendition: Rendition? {
    get {
      guard !isTransparent, let actual, actual.characterSet ?? Self.ascii == Self.ascii,
        actual.shift ?? Self.shiftIn == Self.shiftIn
      else { return nil }
      return actual.rendition
    }
    set {
      if let newValue { actual?.rendition = newValue }
    }
  }

  private static let ascii = UInt8(ascii: "B")
  private static let shiftIn: UInt8 = 0x0F

  /// The bytes of a whole frame, or fewer that draw the same.
  mutating func save(_ bytes: [UInt8]) -> [UInt8] {
    guard !isTransparent else { return bytes }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case 0x1B: index = sequence(bytes, start, &out)
      case 0x0D, 0x08:
        index += 1
        out.append(bytes[start])
      case 0x0E, 0x0F:
        index += 1
        wanted.shift = bytes[start]
      default:
        settle(&out)
        repeat { index += 1 } while index < bytes.count && bytes[index] >= 0x20
        out += bytes[start..<index]
      }
      if isTransparent { return out + bytes[index...] }
    }
    settle(&out)
    return out
  }

  /// Takes one escape sequence.
  ///
  /// - Returns: where it ends.
  private mutating func sequence(_ bytes: [UInt8], _ start: Int, _ out: inout [UInt8]) -> Int {
    let end = min(bytes.count, start + 2)
    switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
    case UInt8(ascii: "["): return control(bytes, start, &out)
    case UInt8(ascii: "(") where end < bytes.count && (0x30...0x7E).contains(bytes[end]):
      wanted.characterSet = bytes[end]
      return end + 1
    case UInt8(ascii: "7"):
      kept = (actual, wanted)
      out += bytes[start..<end]
    case UInt8(ascii: "8"):
      if let kept { (actual, wanted) = kept } else { actual = nil }
      out += bytes[start..<end]
    default:
      settle(&out)
      out += bytes[start..<end]
    }
    return end
  }

  /// Takes a sequence that begins with CSI.
  private mutating func control(_ bytes: [UInt8], _ start: Int, _ out: inout [UInt8]) -> Int {
    var end = start + 2
    var (number, isPlain) = (UInt16(0), true)
    codes.removeAll(keepingCapacity: true)
    while end < bytes.count, bytes[end] < 0x40 {
      switch bytes[end] {
      case 0x30...0x39: number = min(number, 999) * 10 + UInt16(bytes[end] - 0x30)
      case 0x3B:
        codes.append(number)
        number = 0
      default: isPlain = false
      }
      end += 1
    }
    guard end < bytes.count else {
      settle(&out)
      out += bytes[start...]
      return end
    }
    let last = bytes[end]
    end += 1
    switch last {
    case UInt8(ascii: "m"):
      codes.append(number)
      var rendition = wanted.rendition
      if isPlain, rendition.apply(codes[...]) {
        wanted.rendition = rendition
        return end
      }
      settle(&out)
      isTransparent = true
    case UInt8(ascii: "r") where isPlain && codes == [1] && number == rows && rows > 0:
      out += [0x1B, UInt8(ascii: "["), last]
      return end
    case UInt8(ascii: "A")...UInt8(ascii: "H"), UInt8(ascii: "d"), UInt8(ascii: "f"),
      UInt8(ascii: "r"):
      break  // the cursor moves: nothing is drawn
    default: settle(&out)
    }
    out += bytes[start..<end]
    return end
  }

  /// Brings the terminal to what ncurses believes it has.
  private mutating func settle(_ out: inout [UInt8]) {
    var wanted = wanted
    if let numbers { wanted.rendition = numbers.translated(wanted.rendition) }
    guard actual != wanted else { return }
    if let set = wanted.characterSet, set != actual?.characterSet {
      out += [0x1B, UInt8(ascii: "("), set]
    }
    if let shift = wanted.shift, shift != actual?.shift { out.append(shift) }
    wanted.rendition.append(since: actual?.rendition, to: &out)
    actual = wanted
  }
}
