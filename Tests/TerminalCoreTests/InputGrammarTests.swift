import ParserProperties
import TerminalCore
import Testing

/// F05: whatever a terminal sends acts as one key, one report or nothing (promise P16).
@Suite("input is a grammar (promise P16)") struct InputGrammarTests {
  private func events(_ text: String) -> [InputEvent] { events(Array(text.utf8)) }

  private func events(_ bytes: [UInt8]) -> [InputEvent] {
    var parser = InputParser()
    return parser.feed(bytes)
  }

  @Test(
    "any units in any pieces, with pauses below a second: the events are those of the whole units",
    arguments: Seeded.seeds(40))
  func pieces(seed: UInt64) throws {
    for round in 0..<100 {
      var random = InputRandom(seed: seed << 16 | UInt64(round))
      try InputGrammar.check(units: 8, &random)
    }
  }

  @Test("F05: the Linux console's F1 to F5 are function keys, in every piece")
  func consoleKeys() {
    for (index, letter) in "ABCDE".enumerated() {
      let key = InputEvent.key(.function(index + 1), [])
      #expect(events("\u{1B}[[\(letter)") == [key])
      var parser = InputParser()
      var slow: [InputEvent] = []
      for byte in "\u{1B}[[\(letter)".utf8 {
        slow += parser.feed([byte])
        while let timeout = parser.timeout, timeout < .seconds(1) { slow += parser.flush() }
      }
      #expect(slow == [.key(.escape, []), key])
    }
    #expect(events("\u{1B}[[Dq") == [.key(.function(4), []), .key(.char("q"), [])])
    #expect(events("\u{1B}[[Fq") == [.unknown(Array("\u{1B}[[F".utf8)), .key(.char("q"), [])])
  }

  @Test("the mouse in every encoding")
  func mouse() {
    let down = InputEvent.mouse(.down(0), column: 199, row: 6, [])
    #expect(events("\u{1B}[<0;200;7M") == [down])
    #expect(events("\u{1B}[32;200;7M") == [down])
    #expect(events(Array("\u{1B}[M ".utf8) + [232, 39]) == [down])
    #expect(events(Array("\u{1B}[M \u{E8}".utf8) + [39]) == [down])
    // Column 170, row 110 in bytes looks like a character; a number is missing then.
    var parser = InputParser()
    #expect(parser.feed(Array("\u{1B}[M ".utf8) + [202, 142]) == [])
    #expect(parser.flush() == [.mouse(.down(0), column: 169, row: 109, [])])
    #expect(parser.timeout == nil)
    #expect(
      events(Array("\u{1B}[M ".utf8) + [202, 142] + Array("\u{1B}[A".utf8))
        == [.mouse(.down(0), column: 169, row: 109, []), .key(.up, [])])
    #expect(events("\u{1B}[M#!!") == [.mouse(.up(0), column: 0, row: 0, [])])
    #expect(events("\u{1B}[M`!!") == [.mouse(.wheelUp, column: 0, row: 0, [])])
    // Buttons that nothing here has are not the left one.
    for text in ["\u{1B}[<128;3;4M", "\u{1B}[<64;3;4m", "\u{1B}[<0;3M", "\u{1B}[<0;3;-4M"] {
      #expect(events(text) == [.unknown(Array(text.utf8))])
    }
  }

  @Test("CSI R: F3 with modifiers in row 1, else the place of the cursor")
  func cursorReports() {
    #expect(events("\u{1B}[R") == [.key(.function(3), [])])
    #expect(events("\u{1B}[1;5R") == [.key(.function(3), .ctrl)])
    for text in ["\u{1B}[1;1R", "\u{1B}[1;80R", "\u{1B}[5;5R", "\u{1B}[?5;5R"] {
      #expect(events(text) == [.reply(.other)])
    }
  }

  @Test("strings end with ST, an OSC also with BEL; CAN and an ESC void them")
  func strings() {
    let key = InputEvent.key(.char("k"), [])
    for text in ["\u{1B}]7;q\u{7}k", "\u{1B}]7;q\u{1B}\\k", "\u{1B}P>|q\u{7}q\u{1B}\\k"] {
      #expect(events(text) == [.reply(.other), key])
    }
    #expect(events(Array("\u{1B}]7;✜q".utf8) + [0x9C, 0x6B]) == [.reply(.other), key])
    #expect(events("\u{1B}]7;q\u{9C}k") == [.reply(.other), key])
    #expect(events("\u{1B}^q\u{18}k") == [.unknown(Array("\u{1B}^q\u{18}".utf8)), key])
    #expect(events("\u{1B}Xq\u{1B}[A") == [.unknown(Array("\u{1B}Xq".utf8)), .key(.up, [])])
  }

  @Test("after Escape a sequence may come late, and what was typed comes as keys")
  func lateSequences() {
    func late(_ pieces: [String], closing: Bool = false) -> [InputEvent] {
      var parser = InputParser()
      _ = parser.feed([0x1B])
      _ = parser.flush()
      if closing { _ = parser.flush() }
      return pieces.flatMap { parser.feed(Array($0.utf8)) }
    }
    func keys(_ text: String) -> [InputEvent] { text.map { .key(.char($0), []) } }
    #expect(late(["[A"]) == [.key(.up, [])])
    #expect(late(["[", "A"]) == [.key(.up, [])])
    #expect(late(["[1;2x"]) == [.unknown(Array("\u{1B}[1;2x".utf8))])
    #expect(late(["[", "[", "D"]) == [.key(.function(4), [])])
    #expect(late(["[d"]) == [.key(.left, .shift)])
    // Somebody who types these after Escape gets them with the next key.
    for pieces in [["[", "d"], ["[", "e"], ["]", "e"], ["[e"], ["]e"], ["O", "j"], ["P", "q"]] {
      #expect(late(pieces) == keys(pieces.joined()), "\(pieces)")
    }
    // More than a second later nothing waits, but for the start of a paste.
    for text in ["O", "]", "P", "j"] { #expect(late([text], closing: true) == keys(text)) }
    #expect(late(["[", "A"], closing: true) == keys("[A"))
    #expect(late(["[200~q\u{1B}[201~"], closing: true) == [.paste("q")])
  }

  @Test("an unknown sequence has a name without controls, and not endless")
  func names() {
    #expect(
      UnknownSequence.name(Array("\u{1B}[1;2 x".utf8)).description == "ESC [ 1 ; 2 SP x")
    #expect(UnknownSequence.name([0xFF, 0x07, 0x7F]).description == "0xFF 0x07 0x7F")
    let long = UnknownSequence.name(Array(repeating: 0x41, count: 500)).description
    #expect(long.hasSuffix("A and 484 bytes more"))
  }
}
