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
    "any units in any pieces, with pauses up to a second: the events are those of the whole units",
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

  /// One of each kind that a terminal may send, and what it is; nil if nothing acts.
  private static let kinds: [(String, InputEvent?)] = [
    ("\u{1B}[A", .key(.up, [])), ("\u{1B}[1;5C", .key(.right, .ctrl)),
    ("\u{1B}[3~", .key(.delete, [])),
    ("\u{1B}[97;1:1u", .key(.char("a"), [])), ("\u{1B}[113;5:3u", nil),
    ("\u{1B}[[D", .key(.function(4), [])),
    ("\u{1B}[[q", nil), ("\u{1B}[a", .key(.up, .shift)), ("\u{1B}[d", .key(.left, .shift)),
    ("\u{1B}[7$", .key(.home, .shift)), ("\u{1B}[7^", .key(.home, .ctrl)), ("\u{1B}[e", nil),
    ("\u{1B}[q", nil), ("\u{1B}[ q", nil), ("\u{1B}[!p", nil), ("\u{1B}[77;8~", nil),
    ("\u{1B}[=0c", nil),
    ("\u{1B}[?62;22c", nil), ("\u{1B}[?2026;2$y", nil), ("\u{1B}[12;40R", nil), ("\u{1B}[I", nil),
    ("\u{1B}[<0;3;4M", .mouse(.down(0), column: 2, row: 3, [])),
    ("\u{1B}[M qD", .mouse(.down(0), column: 80, row: 35, [])),
    ("\u{1B}[200~qD\u{1B}[201~", .paste("qD")),
    ("\u{1B}OP", .key(.function(1), [])), ("\u{1B}O5P", .key(.function(1), .ctrl)),
    ("\u{1B}Oa", .key(.up, .ctrl)), ("\u{1B}Oj", .key(.char("*"), [])),
    ("\u{1B}Oq", .key(.char("1"), [])),
    ("\u{1B}Oe", nil), ("\u{1B}O[", nil),
    ("\u{1B}]11;rgb:0/0/0\u{7}", nil), ("\u{1B}]7;q\u{1B}\\", nil), ("\u{1B}]lquit\u{1B}\\", nil),
    ("\u{1B}]\u{7}", nil), ("\u{1B}P>|qD\u{1B}\\", nil),
    ("\u{1B}PqD\u{1B}\\", nil),
    ("\u{1B}PqD\u{18}", nil), ("\u{1B}P\u{1B}\\", nil), ("\u{1B}_Gi=1;OK\u{1B}\\", nil),
    ("\u{1B}_qD\u{1B}\\", nil), ("\u{1B}^qé\rD\u{1B}\\", nil), ("\u{1B}XqD\u{1B}\\", nil),
  ]

  @Test(
    "P16: no sequence acts as letters, cut at any two places or after each byte, with pauses up to 1 s"
  )
  func cutTwice() {
    let pauses: [Duration] = [.milliseconds(50), .milliseconds(300), .seconds(1)]
    for (text, event) in Self.kinds {
      let bytes = Array(text.utf8)
      let expected = (event.map { [$0] } ?? []) + [.key(.char("k"), [])]
      func check(_ pieces: [(bytes: ArraySlice<UInt8>, pause: Duration)]) {
        var line = InputGrammar.SlowLine()
        for piece in pieces { line.send(Array(piece.bytes), pause: piece.pause) }
        line.send([0x6B], pause: .seconds(10))
        #expect(line.events.filter(InputGrammar.acts) == expected, "\(pieces)")
      }
      for first in 1..<bytes.count {
        for second in first..<bytes.count {
          for one in pauses {
            for other in pauses {
              check([
                (bytes[..<first], one), (bytes[first..<second], second > first ? other : .zero),
                (bytes[second...], .zero),
              ])
            }
          }
        }
      }
      for pause in pauses { check(bytes.indices.map { (bytes[$0...$0], pause) }) }
    }
  }

  @Test("P16: Alt with an arrow, cut after each ESC, is Escape and the arrow")
  func cutAlt() {
    let bytes = Array("\u{1B}\u{1B}[A".utf8)
    for first in 1..<bytes.count {
      for second in first..<bytes.count {
        var line = InputGrammar.SlowLine()
        line.send(Array(bytes[..<first]), pause: .milliseconds(300))
        if second > first { line.send(Array(bytes[first..<second]), pause: .seconds(1)) }
        line.send(Array(bytes[second...]), pause: .seconds(10))
        let isAlt = first > 2
        #expect(line.events == [.key(.up, isAlt ? .alt : [])], "\(first), \(second)")
      }
    }
  }

  /// What comes of pieces after the Escape key.
  private func late(_ pieces: [String], closing: Bool = false) -> [InputEvent] {
    var parser = InputParser()
    _ = parser.feed([0x1B])
    _ = parser.flush()
    if closing { _ = parser.flush() }
    return pieces.flatMap { parser.feed(Array($0.utf8)) }
  }

  private func keys(_ text: String) -> [InputEvent] { text.map { .key(.char($0), []) } }

  @Test("after Escape ] and a key that no OSC begins with are two keys: ]d, ]e, ]g, ]]")
  func typedBrackets() {
    for text in ["]d", "]e", "]g", "]q"] {
      #expect(late([text]) == keys(text))
      #expect(late(text.map { String($0) }) == keys(text))
    }
    #expect(late(["]d]d]d"]) == keys("]d]d]d"))
    #expect(late(["]", "1", "1;q", "\u{7}"]).filter(InputGrammar.acts).isEmpty)
    #expect(late(["]", "lquit", "\u{1B}\\"]).filter(InputGrammar.acts).isEmpty)
  }

  @Test("after Escape a sequence may come late, for a second")
  func lateSequences() {
    #expect(late(["[A"]) == [.key(.up, [])])
    #expect(late(["[", "A"]) == [.key(.up, [])])
    #expect(late(["[1;2x"]) == [.unknown(Array("\u{1B}[1;2x".utf8))])
    #expect(late(["[", "[", "D"]) == [.key(.function(4), [])])
    #expect(late(["[", "d"]) == [.key(.left, .shift)])
    for (text, end) in [("[e", ""), ("[ q", ""), ("Oe", ""), ("]7e", "\u{7}"), ("Pq", "\u{1B}\\")] {
      let event = InputEvent.unknown(Array(("\u{1B}" + text).utf8))
      #expect(late((text + end).map { String($0) }) == [event])
    }
    #expect(late(["[", "e", "[", "e"]) == [.unknown(Array("\u{1B}[e".utf8))] + keys("[e"))
    #expect(late(["j", "]", "e"]) == keys("j]e"))
    // More than a second later nothing waits, but for the start of a paste.
    for text in ["O", "]", "P", "j"] { #expect(late([text], closing: true) == keys(text)) }
    for text in ["[A", "[e", "]e", "Pq", "Oj"] {
      #expect(late(text.map { String($0) }, closing: true) == keys(text))
    }
    #expect(late(["[200~q\u{1B}[201~"], closing: true) == [.paste("q")])
  }

  @Test("a string that is typed after Escape ends after a pause, or with Ctrl-C")
  func typedStrings() {
    for start in ["P", "X", "^", "_"] {
      for word in ["e", "q\r", "wörter"] {
        var line = InputGrammar.SlowLine()
        line.send([0x1B], pause: .milliseconds(200))
        for character in start + word {
          line.send(Array(String(character).utf8), pause: .milliseconds(200))
        }
        line.send([0x71], pause: .milliseconds(1200))
        line.send([0x6A], pause: .zero)
        let unit = InputEvent.unknown(Array(("\u{1B}" + start + word + "q").utf8))
        #expect(line.events == [unit] + keys("j"), "\(start)\(word)")
      }
      #expect(
        late([start, "q", "\u{3}", "j"])
          == [.unknown(Array("\u{1B}\(start)q\u{3}".utf8))] + keys("j"))
      // A Ctrl-C that comes with other bytes is part of a string.
      #expect(late([start, "q\u{3}", "j"]) == [])
      // However many pieces there are, and of whatever size.
      for piece in ["q", "ж", "qD"] {
        let pieces = [start] + Array(repeating: piece, count: 2000) + ["\u{1B}", "\\"]
        #expect(late(pieces).filter(InputGrammar.acts) == [], "\(start) \(piece)")
      }
    }
    // Where nothing follows the second byte, it was a key.
    var line = InputGrammar.SlowLine()
    line.send([0x1B], pause: .milliseconds(200))
    line.send([0x5D], pause: .milliseconds(1200))
    #expect(line.events == keys("]"))
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

@Suite struct KeyReleaseTests {
  @Test func releasesAndRepeatsAreEventsWhereTheyAreAskedFor() {
    let bytes = Array("\u{1B}[116;5u\u{1B}[116;5:2u\u{1B}[116;5:3u\u{1B}[1;1:3A".utf8)
    var parser = InputParser()
    #expect(parser.feed(bytes) == [.key(.char("t"), .ctrl), .key(.char("t"), .ctrl)])
    parser.reportsReleases = true
    #expect(
      parser.feed(bytes) == [
        .key(.char("t"), .ctrl), .keyRepeated(.char("t"), .ctrl), .keyReleased(.char("t"), .ctrl),
        .keyReleased(.up, []),
      ])
  }
}
