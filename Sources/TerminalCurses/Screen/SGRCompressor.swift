/// Makes the bytes of a frame fewer without changing what they draw.
///
/// ncurses writes a sequence for each part of a style: character set, reset, bold, colour, background;
/// and names the background anew with every colour. Here they are held back until something is drawn,
/// and then go out as the shortest SGR that leads from the style the terminal has to the one it needs,
/// which a blank needs none for where it looks the same. What moves the cursor before it is placed anew is
/// left out.
/// Everything else is copied. What is not known here makes it copy all that follows.
struct SGRCompressor {
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
  /// Something came that is not understood: nothing is held back any more.
  private(set) var isTransparent = false
  private var codes: [UInt16] = []
  /// How many bytes of a frame do more than move the cursor.
  private var drawnCount = 0

  /// Something else may have changed how the terminal draws.
  mutating func forget() {
    actual = nil
  }

  /// The bytes of a whole frame, or fewer that draw the same.
  ///
  /// - Parameter isLast: others have the terminal next, which is left as ncurses believes it.
  mutating func compress(_ bytes: [UInt8], isLast: Bool = false) -> [UInt8] {
    guard !isTransparent else { return bytes }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    drawnCount = 0
    var index = 0
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case 0x1B: index = sequence(bytes, start, &out)
      case 0x0D, 0x08:
        index += 1
        out += bytes[start..<index]
      case 0x0E, 0x0F:
        index += 1
        wanted.shift = bytes[start]
      default:
        // A row that LF brings in is blank too.
        var isBlank = true
        repeat {
          isBlank = isBlank && (bytes[index] == 0x20 || bytes[index] == 0x0A)
          index += 1
        } while index < bytes.count && bytes[index] >= 0x20
        if !isBlank || !isSettledForBlanks { settle(&out) }
        draw(bytes[start..<index], &out)
      }
      if isTransparent { return out + bytes[index...] }
    }
    if isLast { settle(&out) }
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
      draw(bytes[start..<end], &out)
    case UInt8(ascii: "8"):
      if let kept { (actual, wanted) = kept } else { actual = nil }
      draw(bytes[start..<end], &out)
    case UInt8(ascii: "M") where isSettledForBlanks:  // RI: a blank row comes in
      draw(bytes[start..<end], &out)
    default:
      settle(&out)
      draw(bytes[start..<end], &out)
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
      draw(bytes[start...], &out)
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
    case UInt8(ascii: "r"):
      // The cursor goes to the corner (DECSTBM).
      leavePlace(&out)
      let isWhole = isPlain && codes == [1] && number == rows && rows > 0
      draw(isWhole ? [0x1B, UInt8(ascii: "["), last] : bytes[start..<end], &out)
      return end
    case UInt8(ascii: "H"), UInt8(ascii: "f"):
      leavePlace(&out)
      // The first column need not be named (CUP).
      let isShort = isPlain && last == UInt8(ascii: "H") && codes.count == 1 && number == 1
      out += isShort ? bytes[start..<(end - 3)] + [last] : bytes[start..<end]
      return end
    case UInt8(ascii: "A")...UInt8(ascii: "G"), UInt8(ascii: "d"):
      out += bytes[start..<end]
      return end
    case UInt8(ascii: "J")...UInt8(ascii: "M"), UInt8(ascii: "S"), UInt8(ascii: "T"),
      UInt8(ascii: "X"):
      // Only what comes in as blanks has a style: ED, EL, IL, DL, SU, SD, ECH.
      if !isPlain || !isSettledForBlanks { settle(&out) }
    default: settle(&out)
    }
    draw(bytes[start..<end], &out)
    return end
  }

  /// Writes what does more than move the cursor.
  private mutating func draw(_ bytes: ArraySlice<UInt8>, _ out: inout [UInt8]) {
    out += bytes
    drawnCount = out.count
  }

  /// What has moved the cursor since something was drawn is in vain.
  private mutating func leavePlace(_ out: inout [UInt8]) {
    out.removeLast(out.count - drawnCount)
  }

  /// Whether blanks look the same in the style that the terminal has as in the one it needs.
  private var isSettledForBlanks: Bool {
    guard let actual, actual.characterSet == wanted.characterSet, actual.shift == wanted.shift
    else { return false }
    return wanted.rendition.background == actual.rendition.background
      && wanted.rendition.isPlainOnBlank && actual.rendition.isPlainOnBlank
  }

  /// Brings the terminal to what ncurses believes it has.
  private mutating func settle(_ out: inout [UInt8]) {
    guard actual != wanted else { return }
    if let set = wanted.characterSet, set != actual?.characterSet {
      out += [0x1B, UInt8(ascii: "("), set]
    }
    if let shift = wanted.shift, shift != actual?.shift { out.append(shift) }
    wanted.rendition.append(since: actual?.rendition, to: &out)
    actual = wanted
  }
}
