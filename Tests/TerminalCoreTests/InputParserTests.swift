import TerminalCore
import Testing

@Suite struct InputParserTests {
  private let cases: [(String, [InputEvent])] = [
    ("a", [.key(.char("a"), [])]), ("é", [.key(.char("é"), [])]), ("世", [.key(.char("世"), [])]),
    ("👍", [.key(.char("👍"), [])]), ("\r", [.key(.enter, [])]), ("\u{7F}", [.key(.backspace, [])]),
    ("\u{3}", [.key(.char("c"), .ctrl)]), ("\u{0}", [.key(.char(" "), .ctrl)]),
    ("\u{1B}[A", [.key(.up, [])]), ("\u{1B}OA", [.key(.up, [])]),
    ("\u{1B}OP", [.key(.function(1), [])]),
    ("\u{1B}[1;5C", [.key(.right, .ctrl)]), ("\u{1B}[3~", [.key(.delete, [])]),
    ("\u{1B}[5;2~", [.key(.pageUp, .shift)]), ("\u{1B}[24~", [.key(.function(12), [])]),
    ("\u{1B}[Z", [.key(.tab, .shift)]), ("\u{1B}b", [.key(.char("b"), .alt)]),
    ("\u{1B}\u{7F}", [.key(.backspace, .alt)]), ("\u{1B}é", [.key(.char("é"), .alt)]),
    ("\u{1B}[99;5u", [.key(.char("c"), .ctrl)]), ("\u{1B}[97;2u", [.key(.char("A"), [])]),
    ("\u{1B}[27u", [.key(.escape, [])]), ("\u{1B}[27;5;13~", [.key(.enter, .ctrl)]),
    ("\u{1B}[I", [.focus(true)]), ("\u{1B}[O", [.focus(false)]),
    ("\u{1B}[<0;300;7M", [.mouse(.down(0), column: 299, row: 6, [])]),
    ("\u{1B}[<2;1;1m", [.mouse(.up(2), column: 0, row: 0, [])]),
    ("\u{1B}[<32;1;1M", [.mouse(.drag(0), column: 0, row: 0, [])]),
    ("\u{1B}[<65;3;4M", [.mouse(.wheelDown, column: 2, row: 3, [])]),
    ("\u{1B}[<20;1;1M", [.mouse(.down(0), column: 0, row: 0, [.shift, .ctrl])]),
    ("\u{1B}[200~a\rb\u{1B}[A\u{1B}[201~", [.paste("a\nb\u{1B}[A")]),
    ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
    ("\u{1B}]11;rgb:ffff/8080/0000\u{7}", [.reply(.backgroundColor(0xFF8000))]),
    ("\u{1B}]11;rgb:f/8/0\u{1B}\\", [.reply(.backgroundColor(0xFF8800))]),
    ("\u{1B}[?2026;2$y", [.reply(.mode(2026, setting: 2))]),
    ("\u{1B}[?62;4c", [.reply(.deviceAttributes([62, 4]))]),
    ("\u{1B}[?997;1n", [.reply(.colorScheme(isDark: true))]),
    ("\u{1B}P>|tmux\u{1B}\\", [.reply(.other)]), ("\u{1B}]52;c;aGk=\u{7}", [.reply(.other)]),
    ("\u{1B}[?1;2R", [.reply(.other)]), ("\u{1B}[0n", [.reply(.status(0))]),
    ("\u{1B}[99999999999;99999999999~", [.unknown(Array("\u{1B}[99999999999;99999999999~".utf8))]),
  ]

  @Test("every sequence, in every split")
  func splits() {
    for (text, expected) in cases {
      let bytes = Array((text + "z").utf8)
      let wanted = expected + [.key(.char("z"), [])]
      for first in 0...bytes.count {
        for second in first...bytes.count {
          var parser = InputParser()
          var events = parser.feed(bytes[0..<first])
          events += parser.feed(bytes[first..<second])
          events += parser.feed(bytes[second...])
          #expect(events == wanted, "\(text.debugDescription) at \(first), \(second)")
          #expect(parser.timeout == nil)
        }
      }
    }
    let all = Array(cases.map(\.0).joined().utf8)
    var whole = InputParser()
    var single = InputParser()
    #expect(whole.feed(all) == cases.flatMap(\.1))
    #expect(all.flatMap { single.feed([$0]) } == cases.flatMap(\.1))
  }

  @Test("what has begun is decided when nothing more comes")
  func flushing() {
    func flushed(_ text: String) -> ([InputEvent], Duration?) {
      var parser = InputParser()
      var events = parser.feed(Array(text.utf8))
      let timeout = parser.timeout
      events += parser.flush()
      // After Escape the rest of a sequence may come late.
      if parser.timeout != nil { #expect(parser.flush() == []) }
      #expect(parser.timeout == nil)
      return (events, timeout)
    }
    let piece = Duration.milliseconds(1200)
    #expect(flushed("\u{1B}") == ([.key(.escape, [])], .milliseconds(25)))
    #expect(flushed("\u{1B}[") == ([.key(.char("["), .alt)], piece))
    #expect(flushed("\u{1B}]") == ([.key(.char("]"), .alt)], piece))
    #expect(flushed("\u{C3}\u{1B}").0.last == .key(.escape, []))
    #expect(flushed("\u{1B}\u{1B}") == ([.key(.escape, []), .key(.escape, [])], .milliseconds(25)))
    #expect(flushed("\u{1B}]11;rgb") == ([.unknown(Array("\u{1B}]11;rgb".utf8))], piece))
    #expect(flushed("\u{1B}[1;") == ([.unknown(Array("\u{1B}[1;".utf8))], piece))
  }

  @Test("a paste is one, wherever a slow line cuts its start (promise P8)")
  func cutPasteStart() {
    let start = Array("\u{1B}[200~".utf8)
    for first in 1..<start.count {
      for second in first..<start.count {
        var parser = InputParser()
        var events = parser.feed(start[..<first])
        events += parser.flush()
        if first == 1 { #expect(parser.timeout == .milliseconds(1200)) }
        // Later than anything else may come.
        if second.isMultiple(of: 3) { events += parser.flush() }
        if second > first {
          #expect(parser.feed(start[first..<second]) == [], "\(first), \(second)")
          #expect(parser.timeout == .milliseconds(1200))
          if second.isMultiple(of: 2) { events += parser.flush() }
        }
        #expect(!events.contains { if case .paste = $0 { true } else { false } })
        let text = Array("q\u{13}\r".utf8)
        #expect(parser.feed(start[second...] + text) == [], "\(first), \(second)")
        #expect(
          parser.feed(Array("\u{1B}[201~k".utf8)) == [.paste("q\u{13}\n"), .key(.char("k"), [])])
      }
    }
  }

  @Test("after Escape keys are keys, and the Escape key does not wait")
  func keysAfterEscape() {
    func events(afterEscape text: String) -> [InputEvent] {
      var parser = InputParser()
      #expect(parser.feed([0x1B]) == [])
      #expect(parser.timeout == .milliseconds(25))
      #expect(parser.flush() == [.key(.escape, [])])
      // Keys come one by one.
      let events = text.utf8.flatMap { parser.feed([$0]) } + parser.flush()
      // It is what comes next that counts, nothing later.
      #expect(parser.feed(Array("k".utf8)).last == .key(.char("k"), []))
      return events
    }
    func keys(_ text: String) -> [InputEvent] { text.map { .key(.char($0), []) } }
    for text in ["[", "]", "O", "P", "X", "^", "_", "2", "q[200~", "e]e", "jO", "]e"] {
      #expect(events(afterEscape: text) == keys(text), "\(text)")
    }
    // A sequence may begin so, and nothing of one is ever a key.
    for text in ["[e", "[[", "[2", "[200", "]7", "Pq"] {
      #expect(
        events(afterEscape: text) == [.unknown(Array(("\u{1B}" + text).utf8))], "\(text)")
    }
    #expect(events(afterEscape: "\u{1B}[A") == [.key(.up, [])])
    #expect(events(afterEscape: "\u{1B}") == [.key(.escape, [])])
  }

  @Test("noise neither crashes nor sticks, and a key afterwards is a key")
  func noise() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      var parser = InputParser()
      let special: [UInt8] = [0x1B, 0x5B, 0x5D, 0x3B, 0x7E, 0x4D, 0x07, 0x5C, 0x3C, 0x30]
      let bytes = (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? special[Int.random(in: 0..<special.count, using: &generator)]
          : UInt8.random(in: 0...255, using: &generator)
      }
      for byte in bytes { _ = parser.feed([byte]) }
      _ = parser.feed(Array("\u{1B}[201~".utf8))
      _ = parser.flush()
      #expect(parser.feed(Array("k".utf8)) == [.key(.char("k"), [])], "\(bytes)")
    }
  }

  @Test("endless replies are dropped, endless pastes are bounded")
  func endless() {
    var parser = InputParser()
    var events: [InputEvent] = []
    events += parser.feed(Array("\u{1B}]52;c;".utf8))
    for _ in 0..<200 { events += parser.feed(Array(repeating: 0x61, count: 1000)) }
    events += parser.feed(Array("\u{1B}\\k".utf8))
    #expect(events == [.reply(.other), .key(.char("k"), [])])

    events = parser.feed(Array("\u{1B}[200~".utf8))
    for _ in 0..<50 { events += parser.feed(Array(repeating: 0x61, count: 100_000)) }
    events += parser.feed(Array("\u{1B}[201~".utf8))
    guard case .paste(let text)? = events.first else {
      Issue.record("no paste")
      return
    }
    #expect(text.utf8.count == 4 << 20)
  }

  @Test("chords")
  func chords() throws {
    #expect(try KeyChord(parsing: "g g").presses == [KeyPress(.char("g")), KeyPress(.char("g"))])
    #expect(try KeyChord(parsing: "gg") == KeyChord(parsing: "g g"))
    #expect(try KeyChord(parsing: "C-d") == KeyChord(.char("d"), .ctrl))
    #expect(try KeyChord(parsing: "S-Tab") == KeyChord(.tab, .shift))
    #expect(try KeyChord(parsing: "S-a") == KeyChord(.char("A")))
    #expect(try KeyChord(parsing: "]e").presses.count == 2)
    #expect(try KeyChord(parsing: "Space") == KeyChord(.char(" ")))
    #expect(try KeyChord(parsing: "-") == KeyChord(.char("-")))
    #expect(try KeyChord(parsing: "C--") == KeyChord(.char("-"), .ctrl))
    #expect(try KeyChord(parsing: "F12") == KeyChord(.function(12)))
    for text in ["", "  ", "C-foo", "\u{1B}", "a\u{7}"] {
      #expect(throws: KeyChordError.self) { try KeyChord(parsing: text) }
    }
    for text in ["gg", "C-d", "S-Tab", "]e", "Space", "F1", "A-x", "C-x C-s", "PgDn", "?"] {
      let chord = try KeyChord(parsing: text)
      #expect(try KeyChord(parsing: chord.description) == chord)
    }
    let chord: KeyChord = "g g"
    #expect(chord.progress(of: [KeyPress(.char("g"))]) == .partial)
    #expect(chord.progress(of: chord.presses) == .complete)
    #expect(chord.progress(of: [KeyPress(.char("x"))]) == .none)
  }
}
