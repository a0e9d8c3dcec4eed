/// Parses terminal bytes into events with one grammar for all terminals. A pure value without
/// timers or I/O that works byte by byte, so chunk boundaries do not matter.
///
/// ECMA-48, xterm's ctlseqs (SGR mouse 1006, bracketed paste 2004), the kitty keyboard protocol,
/// rxvt and the Linux console. An unrecognised sequence is one `unknown` event up to its end; no
/// byte of it becomes a key (promise P16).
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
    /// The bytes so far were reported as something else after a timeout; the rest may arrive late.
    case late
  }

  var state = State.ground
  /// The current sequence from its ESC on, at most `maxSequence` bytes. C1 controls are stored as
  /// ESC and a letter.
  var sequence: [UInt8] = []
  /// More came than `sequence` holds.
  var isTruncated = false
  /// It began with a C1 control, so that it is no Alt key.
  var isEightBit = false
  /// Another ESC came before it: Alt with a key that sends a sequence itself.
  var isDouble = false
  /// Bytes that have to come before a character in a string is complete.
  var stringCharacter = 0
  /// How many bytes of `sequence` were reported as something else.
  var reported = 0
  /// Whether any sequence may continue after a reported ESC, not only the start of a paste.
  var isWindowOpen = false

  /// Text between the paste brackets; nil outside.
  private var paste: [UInt8]?
  /// The last bytes of a paste, which may be the beginning of its end.
  private var pasteTail: [UInt8] = []
  /// Nothing came for `pasteSilence`, and the paste has not ended.
  private var isPasteStalled = false
  /// Ctrl-C that came alone after that: the user's, unless more follows at once.
  private var interrupts = 0

  /// Whether releases of keys are events, and repeats are events of their own; else releases are nothing and repeats
  /// presses.
  package var reportsReleases = false

  /// How long a lone ESC waits for more bytes before it is the Escape key.
  package var escapeDelay: Duration = .milliseconds(25)

  /// How long an unterminated paste may be silent before it is reported.
  package var pasteSilence: Duration = .seconds(2)

  /// How long to wait for the rest of a sequence: a line that stalls for a second loses nothing.
  static let pieceDelay: Duration = .milliseconds(1200)
  /// How long Ctrl-C must be alone to count as typed and not pasted.
  private static let interruptDelay: Duration = .milliseconds(100)
  static let interrupt: UInt8 = 0x03
  static let pasteStart: [UInt8] = Array("\u{1B}[200~".utf8)
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)
  /// Longer than any key or report. Of a longer sequence the start is kept.
  static let maxSequence = 1024
  /// More pasted text than this is dropped: 4 MiB.
  private static let maxPaste = 4 << 20

  /// A parser that has seen nothing.
  package init() {}

  /// How long to wait for more bytes before calling `flush()`, measured from the last byte or
  /// `flush()`; nil without an incomplete sequence.
  ///
  /// A lone ESC is the Escape key unless more bytes follow at once. A longer sequence is
  /// unambiguous, and a slow line gets its time; `ESC [` may also be Alt-[, which can wait and is
  /// far rarer than a split sequence. A paste has no limit: silence only allows Ctrl-C to end it.
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
      // The line was slow, and the apparent key is text.
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

  /// Whether received bytes restart the timeout. A Ctrl-C typed during a paste does not.
  package func restartsClock(_ bytes: [UInt8]) -> Bool {
    paste == nil || isPasteStalled || !bytes.allSatisfy { $0 == Self.interrupt }
  }

  /// Resolves the incomplete sequence after a timeout.
  ///
  /// Pasted text never becomes a key, however slow the line is (promise P8), so silence does not
  /// end a paste: only a lone Ctrl-C after it does, and it is no key either.
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

  /// Drops a partial sequence after another program had the terminal. A paste continues.
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
      // The end marker may be split between two reads: keep a possible start of it.
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
