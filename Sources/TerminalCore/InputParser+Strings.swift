/// OSC, DCS, SOS, PM and APC: answers of the terminal, never keys. They run up to ST, an OSC also up to BEL; CAN and
/// SUB end them unheard.
extension InputParser {
  mutating func string(_ byte: UInt8, _ events: inout [InputEvent]) {
    if isTypedBracket(byte) {
      giveUp(&events)
      step(byte, &events)
      return
    }
    switch byte {
    case 0x07 where sequence[1] == UInt8(ascii: "]"): finishString(&events)
    case 0x18, 0x1A: cut(by: byte, &events)
    case 0x1B: state = .stringEscape
    case 0x9C where stringCharacter == 0: finishString(&events)
    case 0x9C where stringCharacter == 1 && sequence.last == 0xC2:  // ST as a character
      sequence.removeLast()
      finishString(&events)
    default:
      append(byte)
      stringCharacter =
        switch byte {
        case 0x80..<0xC0: max(0, stringCharacter - 1)
        case 0xC2..<0xE0: 1
        case 0xE0..<0xF0: 2
        case 0xF0..<0xF5: 3
        default: 0
        }
    }
  }

  mutating func stringEscape(_ byte: UInt8, _ events: inout [InputEvent]) {
    guard byte != UInt8(ascii: "\\") else { return finishString(&events) }
    // An ESC that ends nothing starts a new sequence; the previous one is dropped.
    giveUp(&events)
    ground(0x1B, &events)
    step(byte, &events)
  }

  private mutating func finishString(_ events: inout [InputEvent]) {
    let body = sequence.dropFirst(2)
    let event: InputEvent =
      switch sequence[1] {
      case UInt8(ascii: "]"): Self.answer(command: body, isWhole: !isTruncated)
      case UInt8(ascii: "P"): Self.isKnown(device: body) ? .reply(.other) : .unknown(sequence)
      case UInt8(ascii: "_"):
        body.first == UInt8(ascii: "G") ? .reply(.other) : .unknown(sequence)  // kitty's graphics
      default: .unknown(sequence)
      }
    finish(event, &events)
  }

  /// An OSC with a number or a title is a response; only the background colour is queried.
  private static func answer(command: ArraySlice<UInt8>, isWhole: Bool) -> InputEvent {
    let number = command.prefix { (0x30...0x39).contains($0) }
    let rest = command[number.endIndex...]
    let isTitle = command.first == UInt8(ascii: "l") || command.first == UInt8(ascii: "L")
    guard isTitle || (!number.isEmpty && (rest.isEmpty || rest.first == UInt8(ascii: ";"))) else {
      return .unknown([0x1B, UInt8(ascii: "]")] + command)
    }
    guard isWhole, number.elementsEqual("11".utf8), let color = color(rest.dropFirst()) else {
      return .reply(.other)
    }
    return .reply(.backgroundColor(color))
  }

  /// `rgb:RRRR/GGGG/BBBB`, each of one to four hexadecimal digits, or `rgba:` with one more (xterm's ctlseqs, OSC 10).
  private static func color(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("rgb"), let colon = text.firstIndex(of: ":") else { return nil }
    let parts = text[text.index(after: colon)...].split(separator: "/").prefix(3)
    var color: UInt32 = 0
    for part in parts {
      guard (1...4).contains(part.count), let value = UInt32(part, radix: 16) else { return nil }
      let scale = (UInt32(1) << (4 * UInt32(part.count))) - 1
      color = color << 8 | (value * 255 + scale / 2) / scale
    }
    return parts.count == 3 ? color : nil
  }

  /// XTVERSION, DA3, XTGETTCAP and DECRQSS.
  private static func isKnown(device body: ArraySlice<UInt8>) -> Bool {
    [">|", "!|", "0+r", "1+r", "0$r", "1$r"].contains { body.starts(with: $0.utf8) }
  }
}
