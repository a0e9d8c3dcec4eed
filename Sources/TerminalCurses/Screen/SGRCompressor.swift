/// Shortens the bytes of a frame without changing what they draw.
///
/// ncurses writes one sequence per part of a style (character set, reset, bold, colour, background) and
/// repeats the background with every colour: half of the bytes of a new row. The compressor tracks them
/// and, before something visible is drawn, writes the shortest SGR from the terminal's state to the
/// wanted one; blanks that look the same need none. Cursor moves superseded by absolute positioning
/// are dropped. Everything else is copied, and after an unknown SGR all bytes are.
struct SGRCompressor {
  /// How the terminal draws the next glyph.
  private struct State: Hashable {
    var rendition = Rendition()
    /// Final byte of the last G0 designation; nil if there was none.
    var characterSet: UInt8?
    /// The last of SO and SI; nil if there was none.
    var shift: UInt8?
  }

  /// State currently set on the terminal; nil if unknown.
  private var actual: State?
  /// State ncurses has requested.
  private var wanted = State()
  /// Both, as saved by DECSC.
  private var kept: (actual: State?, wanted: State)?
  /// Height of the screen: DECSTBM for all rows needs no parameters. 0 if unknown.
  var rows: UInt16 = 0
  /// Set by an SGR it cannot parse: from then on bytes are passed through.
  private(set) var isTransparent = false
  private var codes: [UInt16] = []
  /// Length of the output up to the last byte that does more than move the cursor.
  private var drawnCount = 0

  /// Invalidates the known state: another program may have written to the terminal.
  mutating func forget() {
    actual = nil
  }

  /// Compresses the bytes of one frame.
  ///
  /// - Parameter isLast: whether another program has the terminal next: pending state is written
  ///   out.
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
        // LF may scroll in a row, which is blank.
        var isBlank = true
        repeat {
          isBlank = isBlank && (bytes[index] == 0x20 || bytes[index] == 0x0A)
          index += 1
        } while index < bytes.count && bytes[index] >= 0x20
        if !isBlank || !blanksLookTheSame { emitWantedState(&out) }
        draw(bytes[start..<index], &out)
      }
      if isTransparent { return out + bytes[index...] }
    }
    if isLast { emitWantedState(&out) }
    return out
  }

  /// Handles one escape sequence.
  ///
  /// - Returns: the index behind it.
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
    case UInt8(ascii: "M") where blanksLookTheSame:  // RI scrolls in a blank row
      draw(bytes[start..<end], &out)
    default:
      emitWantedState(&out)
      draw(bytes[start..<end], &out)
    }
    return end
  }

  /// Handles a sequence that begins with CSI.
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
      emitWantedState(&out)
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
      emitWantedState(&out)
      isTransparent = true
    case UInt8(ascii: "r"):
      // DECSTBM homes the cursor.
      dropMoves(&out)
      let isWhole = isPlain && codes == [1] && number == rows && rows > 0
      draw(isWhole ? [0x1B, UInt8(ascii: "["), last] : bytes[start..<end], &out)
      return end
    case UInt8(ascii: "H"), UInt8(ascii: "f"):
      dropMoves(&out)
      // CUP defaults to the first column.
      let isShort = isPlain && last == UInt8(ascii: "H") && codes.count == 1 && number == 1
      out += isShort ? bytes[start..<(end - 3)] + [last] : bytes[start..<end]
      return end
    case UInt8(ascii: "A")...UInt8(ascii: "G"), UInt8(ascii: "d"):
      out += bytes[start..<end]
      return end
    case UInt8(ascii: "J")...UInt8(ascii: "M"), UInt8(ascii: "S"), UInt8(ascii: "T"),
      UInt8(ascii: "X"):
      // ED, EL, IL, DL, SU, SD, ECH: only the blanks they produce have a style.
      if !isPlain || !blanksLookTheSame { emitWantedState(&out) }
    default: emitWantedState(&out)
    }
    draw(bytes[start..<end], &out)
    return end
  }

  /// Writes bytes that do more than move the cursor.
  private mutating func draw(_ bytes: ArraySlice<UInt8>, _ out: inout [UInt8]) {
    out += bytes
    drawnCount = out.count
  }

  /// Drops pending cursor moves.
  private mutating func dropMoves(_ out: inout [UInt8]) {
    out.removeLast(out.count - drawnCount)
  }

  /// Whether a blank looks the same in the actual state as in the wanted one.
  private var blanksLookTheSame: Bool {
    guard let actual, actual.characterSet == wanted.characterSet, actual.shift == wanted.shift
    else { return false }
    return wanted.rendition.background == actual.rendition.background
      && wanted.rendition.isPlainOnBlank && actual.rendition.isPlainOnBlank
  }

  /// Brings the terminal to the wanted state.
  private mutating func emitWantedState(_ out: inout [UInt8]) {
    guard actual != wanted else { return }
    if let set = wanted.characterSet, set != actual?.characterSet {
      out += [0x1B, UInt8(ascii: "("), set]
    }
    if let shift = wanted.shift, shift != actual?.shift { out.append(shift) }
    wanted.rendition.append(since: actual?.rendition, to: &out)
    actual = wanted
  }
}
