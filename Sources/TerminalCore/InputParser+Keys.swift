/// Characters, control characters and sequences after ESC.
extension InputParser {
  mutating func ground(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x1B:
      sequence.append(byte)
      state = .escape
    case ..<0x20, 0x7F:
      let press = Self.press(control: byte)
      events.append(.key(press.key, press.modifiers))
    case ..<0x80: events.append(.key(.char(Character(Unicode.Scalar(byte))), []))
    case ..<0xA0: begin(c1: byte, &events)
    case 0xC2..<0xF5:
      sequence.append(byte)
      state = .character(byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3)
    default: events.append(.unknown([byte]))
    }
  }

  /// A control of the upper half, which stands for ESC and a letter. No character of UTF-8 begins with one.
  private mutating func begin(c1 byte: UInt8, _ events: inout [InputEvent]) {
    let next: State
    switch byte {
    case 0x8F: next = .shift
    case 0x9B: next = .control
    case 0x90, 0x98, 0x9D...0x9F: next = .string
    default:
      events.append(.unknown([byte]))
      return
    }
    sequence = [0x1B, byte - 0x40]
    isEightBit = true
    stringCharacter = 0
    state = next
  }

  mutating func escape(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case UInt8(ascii: "["):
      append(byte)
      state = .control
    case UInt8(ascii: "O"):
      append(byte)
      state = .shift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      releaseDouble(&events)
      append(byte)
      stringCharacter = 0
      state = .string
    case 0x1B:
      releaseDouble(&events)
      isDouble = true
    case 0xC2..<0xF5:  // Alt and a character
      releaseDouble(&events)
      append(byte)
      state = .character(byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3)
    case 0x80...:
      releaseDouble(&events)
      events.append(.key(.escape, []))
      reset()
      ground(byte, &events)
    default:
      releaseDouble(&events)
      reset()
      if byte < 0x20 || byte == 0x7F {
        let press = Self.press(control: byte)
        events.append(.key(press.key, press.modifiers.union(.alt)))
      } else {
        events.append(.key(.char(Character(Unicode.Scalar(byte))), .alt))
      }
    }
  }

  /// The first of two ESC was the Escape key after all.
  mutating func releaseDouble(_ events: inout [InputEvent]) {
    if isDouble { events.append(.key(.escape, [])) }
    isDouble = false
  }

  mutating func character(_ byte: UInt8, left: Int, _ events: inout [InputEvent]) {
    // A byte that cannot continue the character ends it.
    guard byte & 0xC0 == 0x80 else {
      giveUp(&events)
      ground(byte, &events)
      return
    }
    append(byte)
    guard left == 1 else {
      state = .character(left - 1)
      return
    }
    let isAlt = sequence.first == 0x1B
    guard let scalar = Self.scalar(isAlt ? sequence.dropFirst() : sequence[...]) else {
      giveUp(&events)
      return
    }
    reset()
    if scalar.value < 0xA0 {
      if isAlt { events.append(.key(.escape, [])) }
      begin(c1: UInt8(scalar.value), &events)
    } else {
      events.append(.key(.char(Character(scalar)), isAlt ? .alt : []))
    }
  }

  /// The scalar of a complete character; nil for overlong encodings and surrogates.
  private static func scalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let first = bytes.first else { return nil }
    let value = bytes.dropFirst().reduce(UInt32(first) & (0xFF >> UInt32(bytes.count + 1))) {
      $0 << 6 | UInt32($1 & 0x3F)
    }
    let least: UInt32 = bytes.count == 2 ? 0x80 : bytes.count == 3 ? 0x800 : 0x10000
    return value >= least ? Unicode.Scalar(value) : nil
  }

  static func press(control byte: UInt8) -> KeyPress {
    switch byte {
    case 0x0D, 0x0A: KeyPress(.enter)
    case 0x09: KeyPress(.tab)
    case 0x7F, 0x08: KeyPress(.backspace)
    case 0x00: KeyPress(.char(" "), .ctrl)
    case 0x01...0x1A: KeyPress(.char(Character(Unicode.Scalar(byte + 0x60))), .ctrl)
    default: KeyPress(.char(Character(Unicode.Scalar(byte + 0x40))), .ctrl)
    }
  }

  // MARK: SS3

  mutating func shift(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x30...0x3B: append(byte)
    case 0x20..<0x7F:
      append(byte)
      let parameters = Parameters(sequence.dropFirst(2).dropLast())
      finish(Self.key(shifted: byte, parameters) ?? .unknown(sequence), &events)
    default: cut(by: byte, &events)
    }
  }

  /// Cursor keys, F1 to F4 and the keypad. Old terminals put the code of the modifiers before the letter.
  private static func key(shifted letter: UInt8, _ parameters: Parameters?) -> InputEvent? {
    guard let parameters, let modifiers = parameters.modifiers(at: parameters.count - 1) else {
      return nil
    }
    if let key = key(letter: letter) { return .key(key, modifiers.held) }
    guard parameters.count == 0 else { return nil }
    switch letter {
    case UInt8(ascii: "a")...UInt8(ascii: "d"):  // rxvt
      return key(letter: letter - 0x20).map { .key($0, .ctrl) }
    case UInt8(ascii: "j")...UInt8(ascii: "y"), UInt8(ascii: "X"):
      // The keypad in its application mode: the digits and `*+,-./` lie in their order.
      let character = letter == UInt8(ascii: "X") ? UInt8(ascii: "=") : letter - 0x40
      return .key(.char(Character(Unicode.Scalar(character))), [])
    case UInt8(ascii: "I"): return .key(.tab, [])
    case UInt8(ascii: "M"): return .key(.enter, [])
    case UInt8(ascii: " "): return .key(.char(" "), [])
    default: return nil
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
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(letter) - 0x4F)
    default: nil
    }
  }

  // MARK: Ends

  /// A sequence is complete.
  mutating func finish(_ event: InputEvent?, _ events: inout [InputEvent]) {
    let isAlt = isDouble
    reset()
    if case .key(let key, let modifiers)? = event {
      events.append(.key(key, isAlt ? modifiers.union(.alt) : modifiers))
      return
    }
    if isAlt { events.append(.key(.escape, [])) }
    if let event { events.append(event) }
  }

  /// A byte that cannot stand in the sequence ends it. CAN and SUB only do that; anything else is read anew.
  mutating func cut(by byte: UInt8, _ events: inout [InputEvent]) {
    if byte == 0x18 || byte == 0x1A {
      append(byte)
      finish(.unknown(sequence), &events)
    } else {
      giveUp(&events)
      step(byte, &events)
    }
  }

  /// Resolves an incomplete sequence: an Alt key, a key typed after Escape, or nothing.
  mutating func giveUp(_ events: inout [InputEvent]) {
    releaseDouble(&events)
    let begun = sequence
    let tail = begun.dropFirst(reported)
    // After the Escape key the second byte alone may have been typed; more than that is never keys.
    let isLate = if case .late = state { true } else { false }
    let isTyped = reported > 0 && (isLate || tail.count == 1)
    let isAlt =
      switch state {
      case .control, .shift, .string, .stringEscape: begun.count == 2 && !isEightBit
      default: false
      }
    let isCharacter = if case .character = state { true } else { false }
    reset()
    if isTyped {
      for byte in tail { ground(byte, &events) }
    } else if isAlt {
      events.append(.key(.char(Character(Unicode.Scalar(begun[1]))), .alt))
    } else if isCharacter, begun.first == 0x1B {
      events.append(.key(.escape, []))
      events.append(.unknown(Array(begun.dropFirst())))
    } else {
      events.append(.unknown(begun))
    }
  }
}
