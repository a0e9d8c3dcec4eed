/// All mouse encodings. Only SGR (1006) is enabled; the others come from terminals without it, or
/// were left on by another program.
extension InputParser {
  /// A byte of the X10 encoding: three bytes after `ESC [ M`, each 32 more than its number, or in
  /// UTF-8 (1005).
  ///
  /// The two are ambiguous. Two bytes that form a UTF-8 character are one number, unless no third
  /// number follows: rows beyond 95 in columns beyond 161 are rarer than terminals that are 96
  /// columns wide.
  mutating func mouseByte(_ byte: UInt8, _ events: inout [InputEvent]) {
    guard byte >= 0x20 || (byte == 0 && sequence.count > 3) else {
      endMouse(&events)
      step(byte, &events)
      return
    }
    append(byte)
    let numbers = Self.numbers(inUTF8: sequence.dropFirst(3))
    switch numbers.count {
    case 4...:  // the third number did not go on
      sequence.removeLast()
      endMouse(&events)
      ground(byte, &events)
    case 3 where !Self.isLead(byte): endMouse(&events)
    default: break
    }
  }

  /// Nothing more comes of a report in bytes: three are enough.
  mutating func endMouse(_ events: inout [InputEvent]) {
    let payload = sequence.dropFirst(3)
    var numbers = Self.numbers(inUTF8: payload)
    if numbers.count < 3 { numbers = payload.map { Int($0) } }
    let event = numbers.count == 3 ? Self.mouse(bytes: numbers) : nil
    finish(event ?? .unknown(sequence), &events)
  }

  private static func isLead(_ byte: UInt8) -> Bool { (0xC2..<0xE0).contains(byte) }

  /// The numbers as UTF-8 has them; a byte that begins no character of two bytes is a number by itself.
  private static func numbers(inUTF8 bytes: ArraySlice<UInt8>) -> [Int] {
    var numbers: [Int] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let (byte, next) = (bytes[index], index + 1)
      if isLead(byte), next < bytes.endIndex, bytes[next] & 0xC0 == 0x80 {
        numbers.append(Int(byte & 0x1F) << 6 | Int(bytes[next] & 0x3F))
        index += 2
      } else {
        numbers.append(Int(byte))
        index += 1
      }
    }
    return numbers
  }

  private static func mouse(bytes: [Int]) -> InputEvent? {
    guard bytes[1] > 32, bytes[2] > 32 else { return nil }
    let code = bytes[0] - 32
    // These do not say which button was released: the left one, if any.
    let isRelease = code & 0b1110_0011 == 3
    return mouse(
      isRelease ? code & ~3 : code, column: bytes[1] - 32, row: bytes[2] - 32, isRelease: isRelease)
  }

  /// - Parameters:
  ///   - code: button, modifiers and motion, in xterm's bits.
  ///   - column: from 1; so is `row`.
  static func mouse(_ code: Int, column: Int, row: Int, isRelease: Bool) -> InputEvent? {
    var modifiers: KeyModifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.ctrl) }
    let kind: MouseKind
    switch (code & ~0b1_1100, isRelease) {
    case (0...2, false): kind = .down(code & 3)
    case (0...2, true): kind = .up(code & 3)
    case (32...34, _): kind = .drag(code & 3)
    case (35, _): kind = .move
    case (64, false): kind = .wheelUp
    case (65, false): kind = .wheelDown
    case (66, false): kind = .wheelLeft
    case (67, false): kind = .wheelRight
    default: return nil  // buttons beyond the third, and the release of a wheel
    }
    return .mouse(kind, column: max(column - 1, 0), row: max(row - 1, 0), modifiers)
  }
}
