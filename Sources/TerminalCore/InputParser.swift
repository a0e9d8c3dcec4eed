/// Bytes of a terminal to events. A pure value without timers or I/O, so that every split of the
/// input can be tested. Sequences: ECMA-48, xterm's ctlseqs, SGR mouse 1006, bracketed paste 2004.
package struct InputParser: Sendable {
  private var buffer: [UInt8] = []
  /// Text between the paste brackets; nil outside.
  private var paste: [UInt8]?
  /// Nothing came for `pasteSilence`, and the paste has not ended.
  private var isPasteStalled = false
  /// Ctrl-C that came alone after that: the user's, unless more follows at once.
  private var interrupts = 0
  /// Inside a sequence too long to keep; it is dropped up to its end.
  private var swallowing = Swallowing.nothing
  /// Bytes of the start of a paste that were decided to be something else because nothing followed in
  /// time: a slow line may have cut it anywhere. What comes next tells.
  private var cutStart = 0

  private enum Swallowing {
    case nothing
    /// Up to BEL or ST.
    case string
    /// Up to the final byte of a control sequence.
    case control
  }

  /// Whether answers to questions are due: then `ESC ]` is not taken for Alt-] after 25 ms.
  package var expectsReplies = false

  /// How long a lone ESC waits for company before it is the Escape key.
  package var escapeDelay: Duration = .milliseconds(25)

  /// How long nothing comes before a paste that does not end is worth a word.
  package var pasteSilence: Duration = .seconds(2)

  /// How long Ctrl-C must stay alone to be the user's and not pasted.
  private static let interruptDelay: Duration = .milliseconds(100)
  private static let interrupt: UInt8 = 0x03
  private static let pasteStart: [UInt8] = Array("\u{1B}[200~".utf8)
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)
  /// No key or report is longer. What is, is dropped.
  private static let maxSequence = 1024
  /// More pasted text than this is dropped: 4 MiB.
  private static let maxPaste = 4 << 20

  /// A parser that has seen nothing.
  package init() {}

  /// How long to wait for the rest of what has begun before calling `flush()`; nil when nothing has.
  ///
  /// A lone ESC is the Escape key unless the rest of a sequence follows at once. Once a sequence
  /// has more bytes nothing else can be meant, and a slow line gets its time; `ESC [` is Alt-[, which
  /// can wait, far less often than the half of a sequence. A paste has all the time in the world:
  /// silence only makes it one that Ctrl-C may end.
  package var timeout: Duration? {
    if paste != nil {
      if interrupts > 0 { return Self.interruptDelay }
      return isPasteStalled ? nil : pasteSilence
    }
    guard !buffer.isEmpty || swallowing != .nothing else { return nil }
    let isSequence =
      buffer.count > 2 || swallowing != .nothing || cutStart > 0
      || (buffer.count == 2 && (expectsReplies || buffer[1] == UInt8(ascii: "[")))
    return isSequence ? .milliseconds(500) : escapeDelay
  }

  /// Takes bytes as they come and returns the events they complete.
  package mutating func feed(_ bytes: [UInt8]) -> [InputEvent] { feed(bytes[...]) }

  /// Takes bytes as they come and returns the events they complete. Not generic: a key waits for it.
  package mutating func feed(_ bytes: ArraySlice<UInt8>) -> [InputEvent] {
    if paste != nil, isPasteStalled {
      if bytes.allSatisfy({ $0 == Self.interrupt }) {
        interrupts += bytes.count
        return []
      }
      // The line was slow, and what looked like a key is text.
      buffer.append(contentsOf: repeatElement(Self.interrupt, count: interrupts))
      interrupts = 0
      isPasteStalled = false
    }
    buffer.append(contentsOf: bytes)
    return awaitsRestOfStart() ? [] : drain(isFinal: false)
  }

  /// Whether what has come goes on with the start of a paste that was cut, and is not all of it. When
  /// it is, the paste begins: otherwise its text would be keys (promise P8).
  private mutating func awaitsRestOfStart() -> Bool {
    guard cutStart > 0 else { return false }
    let rest = Self.pasteStart[cutStart...]
    if buffer.count < rest.count, rest.starts(with: buffer) { return true }
    cutStart = 0
    if buffer.starts(with: rest) {
      paste = []
      buffer.removeFirst(rest.count)
    }
    return false
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
    if paste != nil {
      if interrupts > 0 { return [endPaste(with: takeBuffer())] }
      guard !isPasteStalled else { return [] }
      isPasteStalled = true
      return [.pasteStalled]
    }
    let start = Self.pasteStart[cutStart...]
    let isCut = swallowing == .nothing && buffer.count < start.count && start.starts(with: buffer)
    cutStart = isCut ? cutStart + buffer.count : 0
    swallowing = .nothing
    return drain(isFinal: true)
  }

  private mutating func drain(isFinal: Bool) -> [InputEvent] {
    var events: [InputEvent] = []
    var position = 0
    while position < buffer.count {
      if paste != nil {
        position = readPaste(from: position, &events)
        if paste != nil { break }
        continue
      }
      if swallowing != .nothing {
        position = swallow(from: position)
        if swallowing != .nothing { break }
        continue
      }
      switch Self.parse(buffer[position...], isFinal: isFinal) {
      case .event(let event, let count):
        events.append(event)
        position += count
      case .pasteStart(let count):
        paste = []
        position += count
      case .skip(let count):
        position += count
      case .incomplete:
        guard buffer.count - position > Self.maxSequence else {
          buffer.removeFirst(position)
          return events
        }
        swallowing = buffer[position + 1] == UInt8(ascii: "[") ? .control : .string
        position += 2
      }
    }
    buffer.removeFirst(min(position, buffer.count))
    return events
  }

  /// Moves text into `paste`; returns where it stopped.
  private mutating func readPaste(from start: Int, _ events: inout [InputEvent]) -> Int {
    let end = Self.find(Self.pasteEnd, in: buffer, from: start)
    // The end marker may be split over two reads: keep what could be its beginning.
    let stop = end ?? max(start, buffer.count - (Self.pasteEnd.count - 1))
    guard let end else {
      appendToPaste(buffer[start..<stop])
      return stop
    }
    events.append(endPaste(with: buffer[start..<stop]))
    return end + Self.pasteEnd.count
  }

  private mutating func appendToPaste(_ bytes: ArraySlice<UInt8>) {
    let room = Self.maxPaste - (paste?.count ?? 0)
    paste?.append(contentsOf: bytes.prefix(max(0, room)))
  }

  private mutating func endPaste(with last: ArraySlice<UInt8>) -> InputEvent {
    appendToPaste(last)
    let text = String(decoding: paste ?? [], as: UTF8.self)
    paste = nil
    isPasteStalled = false
    interrupts = 0
    // Terminals send the line ends of a paste as CR.
    return .paste(text.replacing("\r\n", with: "\n").replacing("\r", with: "\n"))
  }

  private mutating func takeBuffer() -> ArraySlice<UInt8> {
    defer { buffer = [] }
    return buffer[...]
  }

  /// Drops bytes up to the end of the sequence; returns where it stopped.
  private mutating func swallow(from start: Int) -> Int {
    for index in start..<buffer.count {
      let byte = buffer[index]
      if swallowing == .control {
        guard !(0x20...0x3F).contains(byte) else { continue }
        swallowing = .nothing
        return (0x40...0x7E).contains(byte) ? index + 1 : index
      }
      if byte == 0x07 {
        swallowing = .nothing
        return index + 1
      }
      if byte == 0x1B {
        guard index + 1 < buffer.count else { return index }
        swallowing = .nothing
        return buffer[index + 1] == UInt8(ascii: "\\") ? index + 2 : index
      }
    }
    return buffer.count
  }

  private static func find(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count - start >= needle.count else { return nil }
    for index in start...(bytes.count - needle.count)
    where bytes[index] == needle[0]
      && bytes[index..<index + needle.count].elementsEqual(needle)
    {
      return index
    }
    return nil
  }
}

extension InputParser {
  /// What the first bytes are, and how many of them.
  enum Step {
    case event(InputEvent, Int)
    case pasteStart(Int)
    case skip(Int)
    case incomplete
  }

  private static func parse(_ bytes: ArraySlice<UInt8>, isFinal: Bool) -> Step {
    guard let first = bytes.first else { return .incomplete }
    if first == 0x1B { return parseEscape(bytes, isFinal: isFinal) }
    if first < 0x20 || first == 0x7F {
      let press = press(control: first)
      return .event(.key(press.key, press.modifiers), 1)
    }
    let length =
      switch first {
      case ..<0x80: 1
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0..<0xF5: 4
      default: 0
      }
    guard length > 0 else { return .skip(1) }
    let sequence = bytes.prefix(length)
    // A byte that cannot continue the character ends it, whatever is still to come.
    if let stray = sequence.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) {
      return .skip(stray - bytes.startIndex)
    }
    guard sequence.count == length else { return isFinal ? .skip(sequence.count) : .incomplete }
    let text = String(decoding: sequence, as: UTF8.self)
    guard text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first,
      scalar == "\u{FFFD}"
        ? sequence.elementsEqual([0xEF, 0xBF, 0xBD])
        : scalar.value >= 0xA0
          || scalar.isASCII
    else { return .skip(length) }
    return .event(.key(.char(Character(scalar)), []), length)
  }

  private static func parseEscape(_ bytes: ArraySlice<UInt8>, isFinal: Bool) -> Step {
    guard bytes.count > 1 else {
      return isFinal ? .event(.key(.escape, []), 1) : .incomplete
    }
    let second = bytes[bytes.startIndex + 1]
    switch second {
    case UInt8(ascii: "["):
      if bytes.count == 2, isFinal { return .event(.key(.char("["), .alt), 2) }
      return parseControlSequence(bytes, isFinal: isFinal)
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else {
        return isFinal ? .event(.key(.char("O"), .alt), 2) : .incomplete
      }
      let third = bytes[bytes.startIndex + 2]
      if let key = key(letter: third) { return .event(.key(key, []), 3) }
      guard (0x20..<0x7F).contains(third) else { return .event(.key(.char("O"), .alt), 2) }
      return .event(.unknown(Array(bytes.prefix(3))), 3)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
      return parseString(bytes, isFinal: isFinal)
    case 0x1B:
      return .event(.key(.escape, []), 1)
    default:
      switch parse(bytes.dropFirst(), isFinal: isFinal) {  // ESC x is Alt-x
      case .event(.key(let key, let modifiers), let count):
        return .event(.key(key, modifiers.union(.alt)), count + 1)
      case .incomplete: return .incomplete
      default: return .event(.key(.escape, []), 1)
      }
    }
  }

  /// OSC, DCS, APC and PM run up to BEL or ST. They are answers, never keys.
  private static func parseString(_ bytes: ArraySlice<UInt8>, isFinal: Bool) -> Step {
    let start = bytes.startIndex
    var index = start + 2
    while index < bytes.endIndex {
      let isBell = bytes[index] == 0x07
      if isBell || bytes[index] == 0x1B {
        guard isBell || index + 1 < bytes.endIndex else { break }
        let isEnd = isBell || bytes[index + 1] == UInt8(ascii: "\\")
        // An ESC that ends nothing starts something else; what came before it is void.
        guard isEnd else { return .skip(index - start) }
        let count = index - start + (isBell ? 1 : 2)
        let isCommand = bytes[start + 1] == UInt8(ascii: "]")
        guard isCommand, let reply = reply(command: bytes[(start + 2)..<index]) else {
          return .skip(count)
        }
        return .event(.reply(reply), count)
      }
      index += 1
    }
    guard isFinal else { return .incomplete }
    if bytes.count > 2 { return .skip(bytes.count) }
    return .event(.key(.char(Character(Unicode.Scalar(bytes[start + 1]))), .alt), 2)
  }

  /// `11;rgb:RRRR/GGGG/BBBB`, each of one to four hexadecimal digits (xterm's ctlseqs, OSC 10).
  private static func reply(command: ArraySlice<UInt8>) -> TerminalReply? {
    let text = String(decoding: command, as: UTF8.self)
    guard text.hasPrefix("11;rgb"), let colon = text.firstIndex(of: ":") else { return nil }
    let parts = text[text.index(after: colon)...].split(separator: "/").prefix(3)
    var color: UInt32 = 0
    for part in parts {
      guard (1...4).contains(part.count), let value = UInt32(part, radix: 16) else { return nil }
      let scale = (UInt32(1) << (4 * UInt32(part.count))) - 1
      color = color << 8 | (value * 255 + scale / 2) / scale
    }
    return parts.count == 3 ? .backgroundColor(color) : nil
  }

  private static func press(control byte: UInt8) -> KeyPress {
    switch byte {
    case 0x0D, 0x0A: KeyPress(.enter)
    case 0x09: KeyPress(.tab)
    case 0x7F, 0x08: KeyPress(.backspace)
    case 0x00: KeyPress(.char(" "), .ctrl)
    case 0x01...0x1A: KeyPress(.char(Character(Unicode.Scalar(byte + 0x60))), .ctrl)
    default: KeyPress(.char(Character(Unicode.Scalar(byte + 0x40))), .ctrl)
    }
  }

  static func key(letter: UInt8) -> Key? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(letter) - 0x4F)
    default: nil
    }
  }
}
