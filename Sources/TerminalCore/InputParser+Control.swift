/// Control sequences: `CSI marker parameters intermediates final`.
extension InputParser {
  mutating func control(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case UInt8(ascii: "$") where Self.isRxvtKey(sequence.dropFirst(2)):
      append(byte)
      finish(Self.key(rxvt: sequence.dropFirst(2).dropLast(), .shift), &events)
    case 0x20..<0x40: append(byte)
    case UInt8(ascii: "[") where sequence.count == 2:
      append(byte)
      state = .consoleKey
    case UInt8(ascii: "M") where sequence.count == 2:
      append(byte)
      state = .mouse
    case 0x40..<0x7F:
      append(byte)
      finishControl(&events)
    default: cut(by: byte, &events)
    }
  }

  /// The letter of a function key of the Linux console.
  mutating func consoleKey(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "E"):
      finish(.key(.function(Int(byte) - 0x40), []), &events)
    case 0x20..<0x7F:
      append(byte)
      finish(.unknown(sequence), &events)
    default: cut(by: byte, &events)
    }
  }

  private mutating func finishControl(_ events: inout [InputEvent]) {
    guard !isTruncated, let final = sequence.last else {
      return finish(.unknown(sequence), &events)
    }
    // Most of them: a key without parameters.
    if sequence.count == 3, let key = Self.key(letter: final) {
      return finish(.key(key, []), &events)
    }
    var body = sequence[2..<sequence.count - 1]
    var marker: UInt8 = 0
    if let first = body.first, (0x3C...0x3F).contains(first) {
      marker = first
      body.removeFirst()
    }
    let digits = body.prefix { $0 >= 0x30 }
    let intermediates = body[digits.endIndex...]
    let isStatus = intermediates.elementsEqual([UInt8(ascii: "$")]) && final == UInt8(ascii: "y")
    guard intermediates.isEmpty || isStatus, let parameters = Parameters(digits) else {
      return finish(.unknown(sequence), &events)
    }
    switch marker {
    case 0 where isStatus: finish(.reply(.other), &events)
    case 0:
      if final == UInt8(ascii: "~"), parameters.count == 1, parameters.plain(0) == 200 {
        releaseDouble(&events)
        beginPaste()
      } else {
        finish(plain(final, parameters), &events)
      }
    case UInt8(ascii: "<") where final == UInt8(ascii: "M") || final == UInt8(ascii: "m"):
      let isRelease = final == UInt8(ascii: "m")
      let event =
        parameters.count == 3 && parameters.arePlain
        ? Self.mouse(
          parameters[0].value, column: parameters[1].value, row: parameters[2].value,
          isRelease: isRelease) : nil
      finish(event ?? .unknown(sequence), &events)
    case UInt8(ascii: "?"): finish(Self.answer(final, parameters) ?? .unknown(sequence), &events)
    case UInt8(ascii: ">") where final == UInt8(ascii: "c") || final == UInt8(ascii: "m"):
      finish(.reply(.other), &events)  // DA2, and the state of modifyOtherKeys
    default: finish(.unknown(sequence), &events)
    }
  }

  /// An answer with a question mark.
  private static func answer(_ final: UInt8, _ parameters: Parameters) -> InputEvent? {
    switch final {
    case UInt8(ascii: "c"):
      return .reply(.deviceAttributes((0..<parameters.count).map { parameters[$0].value }))
    case UInt8(ascii: "y") where parameters.count == 2:
      return .reply(.mode(parameters[0].value, setting: parameters[1].value))
    case UInt8(ascii: "n") where parameters.count == 2 && parameters[0].value == 997:
      return .reply(.colorScheme(isDark: parameters[1].value == 1))
    case UInt8(ascii: "n"), UInt8(ascii: "R"), UInt8(ascii: "S"), UInt8(ascii: "u"):
      // DSR, the cursor with its page, the size of graphics, the flags of kitty's keyboard.
      return .reply(.other)
    default: return nil
    }
  }

  /// A sequence without a marker: a key, or a response.
  ///
  /// - Returns: nil for a key release.
  private func plain(_ final: UInt8, _ parameters: Parameters) -> InputEvent? {
    let unknown = InputEvent.unknown(sequence)
    switch final {
    case UInt8(ascii: "~"): return event(Self.numbered(parameters), or: unknown)
    case UInt8(ascii: "u"): return event(Self.character(parameters), or: unknown)
    case UInt8(ascii: "I") where parameters.count == 0: return .focus(true)
    case UInt8(ascii: "O") where parameters.count == 0: return .focus(false)
    case UInt8(ascii: "M") where parameters.count == 3 && parameters.arePlain:  // rxvt's 1015
      let code = parameters[0].value - 32
      let isRelease = code & 0b1110_0011 == 3
      return Self.mouse(
        isRelease ? code & ~3 : code, column: parameters[1].value, row: parameters[2].value,
        isRelease: isRelease) ?? unknown
    case UInt8(ascii: "R") where parameters.count == 2 && Self.isPlace(parameters):
      return .reply(.other)
    case UInt8(ascii: "n") where parameters.count == 1 && parameters.arePlain:
      return .reply(.status(parameters[0].value))
    case UInt8(ascii: "t") where parameters.count > 0: return .reply(.other)  // of the window
    case UInt8(ascii: "x") where parameters.count == 7: return .reply(.other)  // DECREPTPARM
    case UInt8(ascii: "c") where parameters.count > 0: return .reply(.other)
    case UInt8(ascii: "^"):
      return Self.key(rxvt: sequence[2..<sequence.count - 1], .ctrl) ?? unknown
    case UInt8(ascii: "@"):
      return Self.key(rxvt: sequence[2..<sequence.count - 1], [.ctrl, .shift]) ?? unknown
    case UInt8(ascii: "a")...UInt8(ascii: "d") where parameters.count == 0:
      return Self.key(letter: final - 0x20).map { .key($0, .shift) } ?? unknown
    default:
      let key = final == UInt8(ascii: "Z") ? Key.tab : Self.key(letter: final)
      guard let key, parameters.count <= 2, 0...1 ~= parameters.plain(0) ?? 2 else {
        return unknown
      }
      let held: KeyModifiers = final == UInt8(ascii: "Z") ? .shift : []
      return event(Self.press(key, parameters.modifiers(at: 1), and: held), or: unknown)
    }
  }

  /// Whether `CSI row ; column R` is a cursor position report. In row 1 it may also be F3 with
  /// modifiers, which wins if the code is valid: the cursor is never queried while keys are read.
  private static func isPlace(_ parameters: Parameters) -> Bool {
    guard parameters.arePlain else { return false }
    return parameters[0].value != 1 || !(2...16).contains(parameters[1].value)
  }

  /// The result of parsing a key sequence.
  enum Press {
    case event(InputEvent)
    /// The key is held, and is sent again.
    case repeated(Key, KeyModifiers)
    /// The key was let go.
    case released(Key, KeyModifiers)
    case unknown
  }

  /// - Returns: nil for a release that nothing waits for.
  private func event(_ press: Press, or unknown: InputEvent) -> InputEvent? {
    switch press {
    case .event(let event): event
    case .repeated(let key, let held):
      reportsReleases ? .keyRepeated(key, held) : .key(key, held)
    case .released(let key, let held): reportsReleases ? .keyReleased(key, held) : nil
    case .unknown: unknown
    }
  }

  private static func press(
    _ key: Key?, _ modifiers: Modifiers?, and held: KeyModifiers = []
  ) -> Press {
    guard let key, let modifiers else { return .unknown }
    let all = modifiers.held.union(held)
    if modifiers.isRelease { return .released(key, all) }
    return modifiers.isRepeat ? .repeated(key, all) : .event(.key(key, all))
  }

  // MARK: Keys with a number

  private static func numbered(_ parameters: Parameters) -> Press {
    if parameters.count == 3, parameters.plain(0) == 27 {  // modifyOtherKeys
      guard let code = parameters.plain(2) else { return .unknown }
      return character(code, shifted: nil, parameters.modifiers(at: 1))
    }
    guard (1...2).contains(parameters.count), let number = parameters.plain(0) else {
      return .unknown
    }
    return press(key(number: number), parameters.modifiers(at: 1))
  }

  static func key(number: Int) -> Key? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }

  /// rxvt ends a key with `$` for Shift, `^` for Ctrl and `@` for both. The first is no final byte of ECMA-48, so it
  /// counts only after the number of a key.
  private static func isRxvtKey(_ digits: ArraySlice<UInt8>) -> Bool {
    key(rxvt: digits, []) != nil
  }

  private static func key(rxvt digits: ArraySlice<UInt8>, _ held: KeyModifiers) -> InputEvent? {
    guard (1...2).contains(digits.count), let parameters = Parameters(digits),
      parameters.count == 1, let number = parameters.plain(0)
    else { return nil }
    return key(number: number).map { .key($0, held) }
  }

  // MARK: Keys with a character

  /// kitty's keyboard protocol, of which xterm's CSI u is a part: `code:shifted:base ; modifiers:event ; text`.
  private static func character(_ parameters: Parameters) -> Press {
    guard (1...3).contains(parameters.count), let modifiers = parameters.modifiers(at: 1) else {
      return .unknown
    }
    let (code, text) = (parameters[0], parameters[2])
    // The text of the key counts, unless it is a command with Ctrl or Alt.
    if text.value > 0, text.second == nil, key(code: code.value) == nil, code.value > 0,
      modifiers.held.isDisjoint(with: [.ctrl, .alt])
    {
      return character(
        text.value, shifted: nil,
        Modifiers(isRelease: modifiers.isRelease, isRepeat: modifiers.isRepeat))
    }
    return character(code.value, shifted: code.second, modifiers)
  }

  /// A key given by its code, written the way a plain terminal would have sent it.
  private static func character(_ code: Int, shifted: Int?, _ modifiers: Modifiers?) -> Press {
    guard var modifiers else { return .unknown }
    if let key = key(code: code) { return press(key, modifiers) }
    guard var character = printable(code) else { return .unknown }
    let isShifted = modifiers.held.contains(.shift)
    if !modifiers.held.contains(.ctrl) {
      if isShifted, !modifiers.isCapsLocked, let upper = shifted.flatMap(printable) {
        character = upper
        modifiers.held.remove(.shift)
      } else if character.isLetter {
        let upper = character.uppercased()
        if isShifted != modifiers.isCapsLocked, upper.count == 1, let first = upper.first {
          character = first
        }
        modifiers.held.remove(.shift)
      }
    }
    return press(.char(character), modifiers)
  }

  /// No control, no half of a pair and nothing of the private area, where kitty has keys that type nothing.
  private static func printable(_ code: Int) -> Character? {
    guard code >= 0x20, !(0x7F..<0xA0).contains(code), !(0xE000..<0xF900).contains(code) else {
      return nil
    }
    return Unicode.Scalar(UInt32(code)).map { Character($0) }
  }

  /// Keys that have a code of their own in ASCII, or in kitty's private area.
  private static func key(code: Int) -> Key? {
    switch code {
    case 27: .escape
    case 13, 57414: .enter
    case 9: .tab
    case 127, 8: .backspace
    case 57376...57387: .function(code - 57363)
    case 57399...57408: .char(Character(Unicode.Scalar(UInt8(code - 57399 + 0x30))))
    case 57409...57413, 57415, 57416:
      .char(Array("./*-+ =,")[code - 57409])
    case 57417: .left
    case 57418: .right
    case 57419: .up
    case 57420: .down
    case 57421: .pageUp
    case 57422: .pageDown
    case 57423: .home
    case 57424: .end
    case 57425: .insert
    case 57426: .delete
    default: nil
    }
  }
}
