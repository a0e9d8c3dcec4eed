/// Bytes of a terminal to events: one grammar for everything that a terminal may send. A pure value without timers
/// or I/O, which goes on byte by byte, so that the pieces in which the bytes come change nothing.
///
/// ECMA-48, xterm's ctlseqs (SGR mouse 1006, bracketed paste 2004), the kitty keyboard protocol, rxvt and the Linux
/// console. What is not known is one `unknown` event up to its end; nothing in it is ever a key (promise P16).
package struct InputParser: Sendable {
  enum State {
    case ground
    /// After ESC.
    case escape
    /// Within a character of UTF-8; how many bytes are still to come.
    case character(Int)
    /// After `ESC [`.
    case control
    /// After `ESC [ [`, which the Linux console sends before the letter of F1 to F5.
    case consoleKey
    /// After `ESC [ M`: a mouse report in bytes.
    case mouse
    /// After `ESC O`.
    case shift
    /// In a string: OSC, DCS, SOS, PM, APC.
    case string
    /// After an ESC in a string.
    case stringEscape
    /// What has come was reported as something else, since nothing followed in time; the rest may be late.
    case late
  }

  var state = State.ground
  /// What has begun, from its ESC on, at most `maxSequence` bytes of it. C1 controls stand in it as ESC and a letter.
  var sequence: [UInt8] = []
  /// More came than `sequence` holds.
  var isTruncated = false
  /// It began with a C1 control, so that it is no Alt key.
  var isEightBit = false
  /// Another ESC came before it: Alt with a key that sends a sequence itself.
  var isDouble = false
  /// Bytes that have to come before a character in a string is complete.
  var stringCharacter = 0
  /// How many bytes of `sequence` have been reported as something else.
  var reported = 0
  /// Whether any sequence may still go on after a reported ESC, and not only the start of a paste.
  var isWindowOpen = false

  /// Text between the paste brackets; nil outside.
  private var paste: [UInt8]?
  /// The last bytes of a paste, which may be the beginning of its end.
  private var pasteTail: [UInt8] = []
  /// Nothing came for `pasteSilence`, and the paste has not ended.
  private var isPasteStalled = false
  /// Ctrl-C that came alone after that: the user's, unless more follows at once.
  private var interrupts = 0

  /// How long a lone ESC waits for company before it is the Escape key.
  package var escapeDelay: Duration = .milliseconds(25)

  /// How long nothing comes before a paste that does not end is worth a word.
  package var pasteSilence: Duration = .seconds(2)

  /// How long the rest of a sequence may take: a line that pauses for a second loses nothing.
  static let pieceDelay: Duration = .milliseconds(1200)
  /// How long Ctrl-C must stay alone to be the user's and not pasted.
  private static let interruptDelay: Duration = .milliseconds(100)
  static let interrupt: UInt8 = 0x03
  static let pasteStart: [UInt8] = Array("\u{1B}[200~".utf8)
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)
  /// No key or report is longer. Of what is, the beginning is kept.
  static let maxSequence = 1024
  /// More pasted text than this is dropped: 4 MiB.
  private static let maxPaste = 4 << 20

  /// A parser that has seen nothing.
  package init() {}

  /// How long to wait for the rest of what has begun before calling `flush()`, from the last byte or `flush()` on;
  /// nil when nothing has.
  ///
  /// A lone ESC is the Escape key unless the rest of a sequence follows at once. Once a sequence has more bytes
  /// nothing else can be meant, and a slow line gets its time; `ESC [` is Alt-[, which can wait, far less often than
  /// the half of a sequence. A paste has all the time in the world: silence only makes it one that Ctrl-C may end.
  package var timeout: Duration? {
    if paste != nil {
      if interrupts > 0 { return Self.interruptDelay }
      return isPasteStalled ? nil : pasteSilence
    }
    switch state {
    case .ground: return nil
    case .escape: return escapeDelay
    case .late where sequence.count == reported && !isWindowOpen: return nil
    default: return Self.pieceDelay
    }
  }

  /// Takes bytes as they come and returns the events they complete.
  package mutating func feed(_ bytes: [UInt8]) -> [InputEvent] { feed(bytes[...]) }

  /// Takes bytes as they come and returns the events they complete. Not generic: a key waits for it.
  package mutating func feed(_ bytes: ArraySlice<UInt8>) -> [InputEvent] {
    var events: [InputEvent] = []
    if paste != nil, isPasteStalled {
      if bytes.allSatisfy({ $0 == Self.interrupt }) {
        interrupts += bytes.count
        return []
      }
      // The line was slow, and what looked like a key is text.
      pasteTail.append(contentsOf: repeatElement(Self.interrupt, count: interrupts))
      interrupts = 0
      isPasteStalled = false
    }
    if reported > 0, endsTypedString(bytes, &events) { return events }
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if paste != nil {
        index = readPaste(bytes[index...], &events)
      } else {
        step(bytes[index], &events)
        index += 1
      }
    }
    return events
  }

  /// Whether bytes that have come give what has begun its whole time again. An impatient Ctrl-C in a
  /// paste does not.
  package func restartsClock(_ bytes: [UInt8]) -> Bool {
    paste == nil || isPasteStalled || !bytes.allSatisfy { $0 == Self.interrupt }
  }

  /// Decides what has begun: nothing more came in time.
  ///
  /// What is pasted never becomes a key, however slow the line is (promise P8), so silence does not
  /// end a paste: it takes a Ctrl-C that comes alone after it, which is no key either.
  package mutating func flush() -> [InputEvent] {
    var events: [InputEvent] = []
    if paste != nil {
      if interrupts > 0 {
        endPaste(&events)
      } else if !isPasteStalled {
        isPasteStalled = true
        events = [.pasteStalled]
      }
      return events
    }
    switch state {
    case .ground: break
    case .escape:
      if isDouble { events.append(.key(.escape, [])) }
      events.append(.key(.escape, []))
      becomeLate([0x1B], isWindowOpen: true)
    case .stringEscape:
      giveUp(&events)
      events.append(.key(.escape, []))
      becomeLate([0x1B], isWindowOpen: true)
    case .late where sequence.count == reported: isWindowOpen = false
    case .mouse where sequence.count > 5: endMouse(&events)
    default:
      // The start of a paste may be cut anywhere, and for any time: otherwise its text would be keys (promise P8).
      let begun = sequence
      let isPasteStart = Self.pasteStart.starts(with: begun) && !isEightBit
      giveUp(&events)
      if isPasteStart { becomeLate(begun, isWindowOpen: false) }
    }
    return events
  }

  /// Drops a partial sequence: another program had the terminal meanwhile. A paste goes on.
  package mutating func forgetSequence() {
    if paste == nil { reset() }
  }

  mutating func step(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .ground: ground(byte, &events)
    case .escape: escape(byte, &events)
    case .character(let left): character(byte, left: left, &events)
    case .control: control(byte, &events)
    case .consoleKey: consoleKey(byte, &events)
    case .mouse: mouseByte(byte, &events)
    case .shift: shift(byte, &events)
    case .string: string(byte, &events)
    case .stringEscape: stringEscape(byte, &events)
    case .late: late(byte, &events)
    }
  }

  /// Between sequences again.
  mutating func reset() {
    state = .ground
    sequence.removeAll(keepingCapacity: true)
    isTruncated = false
    isEightBit = false
    isDouble = false
    reported = 0
    isWindowOpen = false
  }

  mutating func append(_ byte: UInt8) {
    if sequence.count < Self.maxSequence { sequence.append(byte) } else { isTruncated = true }
  }

  // MARK: Pastes

  mutating func beginPaste() {
    reset()
    paste = []
    pasteTail = []
  }

  /// Takes text up to the end of the paste; returns where it stopped.
  private mutating func readPaste(
    _ bytes: ArraySlice<UInt8>, _ events: inout [InputEvent]
  ) -> Int {
    let before = pasteTail.count
    let text = pasteTail + bytes
    guard let end = Self.find(Self.pasteEnd, in: text) else {
      // The end marker may be split over two readings: keep what could be its beginning.
      let stop = max(0, text.count - (Self.pasteEnd.count - 1))
      appendToPaste(text[..<stop])
      pasteTail = Array(text[stop...])
      return bytes.endIndex
    }
    pasteTail = Array(text[..<end])
    endPaste(&events)
    return bytes.startIndex + end + Self.pasteEnd.count - before
  }

  private mutating func appendToPaste(_ bytes: ArraySlice<UInt8>) {
    let room = Self.maxPaste - (paste?.count ?? 0)
    paste?.append(contentsOf: bytes.prefix(max(0, room)))
  }

  private mutating func endPaste(_ events: inout [InputEvent]) {
    appendToPaste(pasteTail[...])
    let text = String(decoding: paste ?? [], as: UTF8.self)
    paste = nil
    pasteTail = []
    isPasteStalled = false
    interrupts = 0
    // Terminals send the line ends of a paste as CR.
    events.append(.paste(text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")))
  }

  private static func find(_ needle: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= needle.count else { return nil }
    for index in 0...(bytes.count - needle.count)
    where bytes[index] == needle[0]
      && bytes[index..<index + needle.count].elementsEqual(needle)
    {
      return index
    }
    return nil
  }
}
