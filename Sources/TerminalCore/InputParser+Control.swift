extension InputParser {
  /// The parts of `CSI marker parameters intermediates final`.
  private struct ControlSequence {
    /// `<`, `?` or `>`; 0 for none.
    var marker: UInt8 = 0
    var parameters: [Int] = []
    var intermediates: [UInt8] = []
    var final: UInt8
    var bytes: [UInt8]

    func parameter(_ index: Int, default value: Int) -> Int {
      index < parameters.count && parameters[index] > 0 ? parameters[index] : value
    }

    /// xterm's modifier code: one more than the bits.
    func modifiers(at index: Int) -> KeyModifiers {
      KeyModifiers(rawValue: UInt8(truncatingIfNeeded: (parameter(index, default: 1) - 1) & 7))
    }
  }

  static func parseControlSequence(_ bytes: ArraySlice<UInt8>, isFinal: Bool) -> Step {
    let start = bytes.startIndex
    let body = bytes.dropFirst(2).prefix { (0x20...0x3F).contains($0) }
    guard body.endIndex < bytes.endIndex else {
      return isFinal ? .event(.unknown(Array(bytes)), bytes.count) : .incomplete
    }
    let final = bytes[body.endIndex]
    let count = body.endIndex - start + 1
    guard (0x40...0x7E).contains(final) else { return .skip(count - 1) }  // cut off by a control

    var sequence = ControlSequence(final: final, bytes: Array(bytes.prefix(count)))
    var parameters = body
    if let first = parameters.first, (0x3C...0x3F).contains(first) {
      sequence.marker = first
      parameters.removeFirst()
    }
    sequence.intermediates = parameters.filter { $0 < 0x30 }
    let digits = parameters.filter { $0 >= 0x30 }
    sequence.parameters = digits.split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
    ).map { part in
      // At most seven digits, so that nothing overflows. A colon starts sub-parameters.
      part.prefix { (0x30...0x39).contains($0) }.prefix(7).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    return interpret(sequence)
  }

  private static func interpret(_ sequence: ControlSequence) -> Step {
    let count = sequence.bytes.count
    switch (sequence.marker, sequence.final) {
    case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
      guard sequence.parameters.count == 3 else { return .skip(count) }
      return .event(mouse(sequence), count)
    case (UInt8(ascii: "?"), _):
      return reply(sequence).map { .event(.reply($0), count) } ?? .skip(count)
    case (0, _):
      if sequence.final == UInt8(ascii: "~"), sequence.parameters.first == 200 {
        return .pasteStart(count)
      }
      return .event(key(sequence) ?? .unknown(sequence.bytes), count)
    default:
      return .skip(count)
    }
  }

  private static func reply(_ sequence: ControlSequence) -> TerminalReply? {
    let parameters = sequence.parameters
    switch sequence.final {
    case UInt8(ascii: "c"): return .deviceAttributes(parameters)
    case UInt8(ascii: "y") where sequence.intermediates == [UInt8(ascii: "$")]:
      return parameters.count == 2 ? .mode(parameters[0], setting: parameters[1]) : nil
    case UInt8(ascii: "n") where parameters.count == 2 && parameters[0] == 997:
      return .colorScheme(isDark: parameters[1] == 1)
    default: return nil
    }
  }

  private static func mouse(_ sequence: ControlSequence) -> InputEvent {
    let code = sequence.parameters[0]
    var modifiers: KeyModifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.ctrl) }
    let kind: MouseKind =
      switch code & 0b1110_0011 {
      case 64: .wheelUp
      case 65: .wheelDown
      case 66: .wheelLeft
      case 67: .wheelRight
      case 35: .move
      case 32...34: .drag(code & 3)
      default: sequence.final == UInt8(ascii: "M") ? .down(code & 3) : .up(code & 3)
      }
    return .mouse(
      kind, column: max(sequence.parameters[1] - 1, 0), row: max(sequence.parameters[2] - 1, 0),
      modifiers)
  }

  private static func key(_ sequence: ControlSequence) -> InputEvent? {
    switch sequence.final {
    case UInt8(ascii: "~"):
      if sequence.parameters.first == 27, sequence.parameters.count >= 3 {  // modifyOtherKeys
        return character(code: sequence.parameters[2], sequence.modifiers(at: 1))
      }
      return key(number: sequence.parameter(0, default: 0)).map {
        .key($0, sequence.modifiers(at: 1))
      }
    case UInt8(ascii: "u"):  // CSI-u
      return character(code: sequence.parameter(0, default: 0), sequence.modifiers(at: 1))
    case UInt8(ascii: "I") where sequence.bytes.count == 3: return .focus(true)
    case UInt8(ascii: "O") where sequence.bytes.count == 3: return .focus(false)
    case UInt8(ascii: "Z"): return .key(.tab, .shift)
    default:
      return key(letter: sequence.final).map { .key($0, sequence.modifiers(at: 1)) }
    }
  }

  private static func key(number: Int) -> Key? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23, 24: .function(number - 12)
    default: nil
    }
  }

  /// A key given by its code, written the way a plain terminal would have sent it.
  private static func character(code: Int, _ modifiers: KeyModifiers) -> InputEvent? {
    switch code {
    case 27: return .key(.escape, modifiers)
    case 13: return .key(.enter, modifiers)
    case 9: return .key(.tab, modifiers)
    case 127, 8: return .key(.backspace, modifiers)
    case ..<0x20, 0x80..<0xA0, 0xE000..<0xF900: return nil
    default: break
    }
    guard let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
    let character = Character(scalar)
    guard modifiers.contains(.shift), character.isLetter, !modifiers.contains(.ctrl) else {
      return .key(.char(character), modifiers)
    }
    let upper = character.uppercased()
    return .key(
      .char(upper.count == 1 ? upper.first ?? character : character),
      modifiers.subtracting(.shift))
  }
}
