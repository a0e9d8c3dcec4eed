import TerminalCore

/// One thing that a terminal sends, and what it is. What it is comes from the generator and not from the parser.
package struct InputUnit: Sendable {
  /// What the program has to make of it.
  package enum Meaning: Hashable, Sendable {
    /// Exactly this.
    case event(InputEvent)
    /// Nothing that acts: no key, no text and no click.
    case nothing
  }

  package var bytes: [UInt8]
  package var meaning: Meaning
  /// How many bytes at its start mean Alt. After a pause behind one of them they are the Escape key, and the rest is
  /// the key without Alt: the same bytes come from who types both. Pauses elsewhere change nothing.
  package var altPrefix: Int

  init(_ bytes: [UInt8], _ meaning: Meaning, altPrefix: Int = 0) {
    self.bytes = bytes
    self.meaning = meaning
    self.altPrefix = altPrefix
  }

  init(_ text: String, _ meaning: Meaning, altPrefix: Int = 0) {
    self.init(Array(text.utf8), meaning, altPrefix: altPrefix)
  }

  private static func key(
    _ text: String, _ key: Key, _ modifiers: KeyModifiers = []
  ) -> InputUnit {
    InputUnit(text, .event(.key(key, modifiers)))
  }

  /// Any unit.
  package static func random(_ random: inout InputRandom) -> InputUnit {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: typed(&random)
    case 2, 3: keys.randomElement(using: &random) ?? typed(&random)
    case 4: modified(&random)
    case 5: kitty(&random)
    case 6: mouse(&random)
    case 7: InputUnit(answers.randomElement(using: &random) ?? "", .nothing)
    case 8: unknownControl(&random)
    case 9: string(&random)
    case 10: paste(&random)
    default: broken(&random)
    }
  }

  // MARK: Keys

  /// Keys that every terminal, rxvt or the Linux console sends.
  private static let keys: [InputUnit] = {
    let letters: [(String, Key)] = [
      ("A", .up), ("B", .down), ("C", .right), ("D", .left), ("H", .home), ("F", .end),
      ("P", .function(1)), ("Q", .function(2)), ("R", .function(3)), ("S", .function(4)),
    ]
    let numbers: [(Int, Key)] = [
      (1, .home), (2, .insert), (3, .delete), (4, .end), (5, .pageUp), (6, .pageDown), (7, .home),
      (8, .end), (11, .function(1)), (15, .function(5)), (17, .function(6)), (21, .function(10)),
      (23, .function(11)), (24, .function(12)), (25, .function(13)), (34, .function(20)),
    ]
    var units: [InputUnit] = []
    for (letter, key) in letters {
      units.append(InputUnit.key("\u{1B}[\(letter)", key))
      units.append(InputUnit.key("\u{1B}O\(letter)", key))
      units.append(
        InputUnit([0x9B] + Array(letter.utf8), .event(.key(key, []))))
      units.append(InputUnit("\u{1B}\u{1B}[\(letter)", .event(.key(key, .alt)), altPrefix: 2))
    }
    for (number, key) in numbers {
      units.append(InputUnit.key("\u{1B}[\(number)~", key))
      units.append(InputUnit.key("\u{1B}[\(number)$", key, .shift))
      units.append(InputUnit.key("\u{1B}[\(number)^", key, .ctrl))
      units.append(InputUnit.key("\u{1B}[\(number)@", key, [.ctrl, .shift]))
    }
    for (index, letter) in "ABCDE".enumerated() {
      units.append(InputUnit.key("\u{1B}[[\(letter)", .function(index + 1)))
    }
    for (letter, key) in zip("abcd", [Key.up, .down, .right, .left]) {
      units.append(InputUnit.key("\u{1B}[\(letter)", key, .shift))
      units.append(InputUnit.key("\u{1B}O\(letter)", key, .ctrl))
    }
    for (letter, character) in zip("jklmnopqrstuvwxy", "*+,-./0123456789") {
      units.append(InputUnit.key("\u{1B}O\(letter)", .char(character)))
    }
    return units + [InputUnit.key("\u{1B}OM", .enter), InputUnit.key("\u{1B}[Z", .tab, .shift)]
  }()

  private static func typed(_ random: inout InputRandom) -> InputUnit {
    let characters = Array("adegjkqDEU27éßжδ世😀")
    let character = characters.randomElement(using: &random) ?? "a"
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return InputUnit("\u{1B}\(character)", .event(.key(.char(character), .alt)), altPrefix: 1)
    case 1: return key("\r", .enter)
    case 2: return key("\u{4}", .char("d"), .ctrl)
    default: return key(String(character), .char(character))
    }
  }

  private static func modified(_ random: inout InputRandom) -> InputUnit {
    let code = Int.random(in: 2...8, using: &random)
    let held = KeyModifiers(rawValue: UInt8(code - 1))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return key("\u{1B}[1;\(code)C", .right, held)
    case 1: return key("\u{1B}[5;\(code)~", .pageUp, held)
    case 2: return key("\u{1B}[27;\(code);13~", .enter, held)
    default: return key("\u{1B}O\(code)P", .function(1), held)
    }
  }

  private static func kitty(_ random: inout InputRandom) -> InputUnit {
    let all: [InputUnit] = [
      key("\u{1B}[97u", .char("a")), key("\u{1B}[97;1:1u", .char("a")),
      key("\u{1B}[97:65;2u", .char("A")), key("\u{1B}[97;65u", .char("A")),
      key("\u{1B}[1092::97;5u", .char("ф"), .ctrl), key("\u{1B}[97;1:2;97u", .char("a")),
      key("\u{1B}[57400u", .char("1")), key("\u{1B}[57376u", .function(13)),
      key("\u{1B}[1;1:1A", .up), key("\u{1B}[3;5:1~", .delete, .ctrl),
      // Keys that are let go, that type nothing, or are held with Super.
      InputUnit("\u{1B}[97;1:3u", .nothing), InputUnit("\u{1B}[1;1:3A", .nothing),
      InputUnit("\u{1B}[3;5:3~", .nothing), InputUnit("\u{1B}[113;5:3u", .nothing),
      InputUnit("\u{1B}[57441;2u", .nothing), InputUnit("\u{1B}[57358u", .nothing),
      InputUnit("\u{1B}[113;9u", .nothing), InputUnit("\u{1B}[27;9;113~", .nothing),
    ]
    return all.randomElement(using: &random) ?? all[0]
  }

  // MARK: The mouse

  private static func mouse(_ random: inout InputRandom) -> InputUnit {
    let column = Int.random(in: 0..<220, using: &random)
    let row = Int.random(in: 0..<80, using: &random)
    let down = Meaning.event(.mouse(.down(0), column: column, row: row, []))
    let place = "\(column + 1);\(row + 1)"
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return InputUnit("\u{1B}[<0;\(place)M", down)
    case 1:
      let up = Meaning.event(.mouse(.up(0), column: column, row: row, []))
      return InputUnit("\u{1B}[<0;\(place)m", up)
    case 2: return InputUnit("\u{1B}[32;\(place)M", down)
    case 3: return InputUnit(Array("\u{1B}[M ".utf8) + [UInt8(33 + column), UInt8(33 + row)], down)
    case 4:  // in UTF-8
      let numbers = [column + 33, row + 33].compactMap { Unicode.Scalar(UInt32($0)) }
      return InputUnit(
        "\u{1B}[M " + String(String.UnicodeScalarView(numbers)), down)
    default: return InputUnit("\u{1B}[<128;\(place)M", .nothing)
    }
  }

  // MARK: What is no key

  private static let answers = [
    "\u{1B}[?62;4c", "\u{1B}[>41;354;0c", "\u{1B}P!|7E7E5459\u{1B}\\", "\u{1B}[0n", "\u{1B}[12;40R",
    "\u{1B}[?12;40;1R", "\u{1B}[1;1R", "\u{1B}[?2026;2$y", "\u{1B}[4;2$y", "\u{1B}[?997;1n",
    "\u{1B}P>|XTerm(390)\u{1B}\\", "\u{1B}P1+r544E=787465726D\u{1B}\\", "\u{1B}P0+r\u{1B}\\",
    "\u{1B}P1$r0m\u{1B}\\", "\u{1B}]4;1;rgb:cdcd/0000/0000\u{7}", "\u{1B}]52;c;cXVpdA==\u{1B}\\",
    "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}[8;24;80t", "\u{1B}[3;0;0t", "\u{1B}]lquit\u{1B}\\",
    "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[?1u", "\u{1B}[>4;2m", "\u{1B}[2;1;1;120;120;1;0x",
    "\u{1B}[I",
    "\u{1B}[O",
  ]

  private static func unknownControl(_ random: inout InputRandom) -> InputUnit {
    func some(_ count: ClosedRange<Int>, of characters: String) -> String {
      let all = Array(characters)
      return String(
        (0..<Int.random(in: count, using: &random)).compactMap { _ in
          all.randomElement(using: &random)
        })
    }
    let final = some(1...1, of: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLNOPQRSTUVWXYZ@^_`{|}~")
    switch Int.random(in: 0..<7, using: &random) {
    case 0:  // with an intermediate
      let parameters = some(0...8, of: "0123456789;:") + some(1...2, of: " !\"#%&'()*+,-./")
      return InputUnit("\u{1B}[" + parameters + final, .nothing)
    case 1:  // with a marker that no key has
      return InputUnit(
        "\u{1B}[" + some(1...1, of: "=?>") + some(0...9, of: "0123456789;") + final, .nothing)
    case 2:  // numbers of no key, and too many
      return InputUnit("\u{1B}[77;\(Int.random(in: 0..<99, using: &random))~", .nothing)
    case 3:  // endless
      return InputUnit("\u{1B}[9" + some(1000...1500, of: "123456789;:") + final, .nothing)
    case 4:  // a letter of no key
      return InputUnit(
        "\u{1B}[" + some(1...1, of: "efgjklmnopqstuvwxyzGJKLNTUVWXY@^_`{|}~"), .nothing)
    case 5: return InputUnit("\u{1B}O" + some(1...1, of: "efghiz!EGJKLNOTUVWYZ[]_~"), .nothing)
    default: return InputUnit("\u{1B}[[" + some(1...1, of: "FGHdqe "), .nothing)
    }
  }

  private static func string(_ random: inout InputRandom) -> InputUnit {
    let start =
      ["]l", "]7", "]7;", "P", "P1;2q", "_", "^", "X"].randomElement(using: &random) ?? "]7"
    let words = Array("qdDE7;=/ \r\u{8}é世😀\u{7F}")
    let length = Int.random(in: 0..<5, using: &random) == 0 ? 1...1400 : 1...20
    var text = "\u{1B}" + start
    for _ in 0..<Int.random(in: length, using: &random) {
      text.append(words.randomElement(using: &random) ?? "q")
    }
    let bytes = Array(text.utf8)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return InputUnit(bytes + [0x9C], .nothing)
    case 1: return InputUnit(bytes + [0x18], .nothing)
    case 2 where start.hasPrefix("]"): return InputUnit(bytes + [0x07], .nothing)
    case 3: return InputUnit([bytes[1] + 0x40] + bytes.dropFirst(2) + [0x1B, 0x5C], .nothing)
    default: return InputUnit(bytes + [0x1B, 0x5C], .nothing)
    }
  }

  private static func paste(_ random: inout InputRandom) -> InputUnit {
    let parts = ["q", "\u{3}", "\u{1B}[A", "\u{1B}", "é", "\n", "D", "\u{1B}[200~", "\u{1B}[201"]
    var text = ""
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      text += parts.randomElement(using: &random) ?? "q"
    }
    return InputUnit("\u{1B}[200~" + text + "\u{1B}[201~", .event(.paste(text)))
  }

  /// Bytes that are no UTF-8, and C1 controls that begin nothing.
  private static func broken(_ random: inout InputRandom) -> InputUnit {
    let all: [[UInt8]] = [
      [0xFF], [0xC0], [0xA9], [0x84], [0xC2, 0x85], [0xED, 0xA0, 0x80], [0xF5], [0xE0, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0x9C],
    ]
    return InputUnit(all.randomElement(using: &random) ?? [0xFF], .nothing)
  }
}
