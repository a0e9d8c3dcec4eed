import Testing

@testable import TerminalCore

/// Laws of the input parser, over bytes of all kinds in any pieces (promises P8 and P9).
@Suite("any input") struct InputPropertyTests {
  /// Pieces of what terminals send, whole and broken, and noise.
  private func bytes(_ random: inout Seeded) -> [UInt8] {
    let parts: [String] = [
      "a", "é", "世", "👍", "\u{1B}", "\u{1B}[", "\u{1B}[A", "\u{1B}[1;5C", "\u{1B}O", "\u{1B}OP",
      "\u{1B}]", "\u{1B}]11;rgb:ff/ff/ff\u{7}", "\u{1B}P", "\u{1B}\\", "\u{1B}[200~", "\u{1B}[201~",
      "\u{1B}[<0;3;4M", "\u{1B}[<", ";;;;", "999999999999", "u", "~", "\r", "\u{3}", "\u{7}",
      "\u{7F}",
      "\u{1B}[27;5;13~", "\u{1B}[?62c", "q",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<random.int(0...12) {
      if random.int(0...3) == 0 {
        bytes += (0..<random.int(1...4)).map { _ in UInt8.random(in: 0...255, using: &random) }
      } else {
        bytes += Array(random.pick(parts).utf8)
      }
    }
    return bytes
  }

  @Test("the pieces do not matter", arguments: Seeded.seeds(100))
  func pieces(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<40 {
      let bytes = bytes(&random)
      var whole = InputParser()
      var wanted = whole.feed(bytes)
      var cut = InputParser()
      var events: [InputEvent] = []
      var at = 0
      while at < bytes.count {
        let end = min(bytes.count, at + random.int(1...3))
        events += cut.feed(bytes[at..<end])
        at = end
      }
      #expect(cut.timeout == whole.timeout, "seed \(seed): \(bytes)")
      wanted += whole.flush()
      events += cut.flush()
      #expect(events == wanted, "seed \(seed): \(bytes)")
    }
  }

  @Test(
    "nothing between the brackets of a paste is a key (promise P8)", arguments: Seeded.seeds(60))
  func pastes(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<40 {
      let end = Array("\u{1B}[201~".utf8)
      let noise = bytes(&random)
      guard !contains(end, in: noise + end.dropLast()) else { continue }
      let all = Array("\u{1B}[200~".utf8) + noise + end + Array("k".utf8)
      var parser = InputParser()
      var events: [InputEvent] = []
      var at = 0
      while at < all.count {
        let next = min(all.count, at + random.int(1...7))
        events += parser.feed(all[at..<next])
        // A pause in a paste decides nothing, unless the user answers it with Ctrl-C; one in its start
        // makes keys of what has come of that, and of nothing else.
        let isCtrlC = all[at..<next].allSatisfy { $0 == 3 }
        if next < all.count - 1, !isCtrlC { events += parser.flush() }
        if next < 6 { events.removeAll() }
        at = next
      }
      events.removeAll { $0 == .pasteStalled }
      #expect(events.count == 2, "seed \(seed): \(all) gave \(events)")
      guard case .paste? = events.first else {
        Issue.record("seed \(seed): \(events)")
        continue
      }
      #expect(events.last == .key(.char("k"), []), "seed \(seed)")
    }
  }

  @Test(
    "Ctrl-C ends a paste only when nothing came before it and nothing with it (promise P8)",
    arguments: Seeded.seeds(60))
  func endlessPastes(seed: UInt64) {
    var random = Seeded(seed)
    let end = Array("\u{1B}[201~".utf8)
    for _ in 0..<40 {
      var parser = InputParser()
      var pasted: [UInt8] = []
      var (isStalled, interrupts) = (false, 0)
      #expect(parser.feed(Array("\u{1B}[200~".utf8)) == [])
      for _ in 0..<random.int(1...12) {
        let isInterrupt = random.int(0...2) == 0
        let piece = isInterrupt ? [3] : bytes(&random) + [0x61]
        guard !contains(end, in: pasted + piece) else { continue }
        #expect(parser.restartsClock(piece) == (isStalled || !isInterrupt), "seed \(seed)")
        #expect(parser.feed(piece) == [], "seed \(seed): \(piece)")
        if isInterrupt, isStalled {
          interrupts += 1
        } else {
          pasted += Array(repeating: 3, count: interrupts) + piece
          (isStalled, interrupts) = (false, 0)
        }
        guard random.int(0...1) == 0 else { continue }
        guard interrupts == 0 else { break }
        #expect(parser.flush() == (isStalled ? [] : [.pasteStalled]), "seed \(seed)")
        isStalled = true
        #expect(parser.timeout == nil)
      }
      if !isStalled { #expect(parser.flush() == [.pasteStalled], "seed \(seed)") }
      if interrupts == 0 { #expect(parser.feed([3]) == [], "seed \(seed)") }
      #expect(parser.timeout == .milliseconds(100), "seed \(seed)")
      let text = String(decoding: pasted, as: UTF8.self)
        .replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      #expect(parser.flush() == [.paste(text)], "seed \(seed)")
      #expect(parser.timeout == nil)
      #expect(parser.feed([0x6B]) == [.key(.char("k"), [])], "seed \(seed)")
    }
  }

  private func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
    guard bytes.count >= needle.count else { return false }
    return (0...bytes.count - needle.count).contains {
      bytes[$0..<$0 + needle.count].elementsEqual(needle)
    }
  }

  @Test("what never ends is bounded, and a key afterwards is a key")
  func endless() {
    for start in ["\u{1B}[", "\u{1B}]", "\u{1B}P", "\u{1B}_", "\u{1B}^", "\u{1B}[<", "\u{1B}[?"] {
      var parser = InputParser()
      var events = parser.feed(Array(start.utf8))
      for _ in 0..<50 { events += parser.feed(Array(repeating: 0x39, count: 10_000)) }
      events += parser.flush()
      #expect(events.count <= 1, "\(start.debugDescription)")
      #expect(parser.feed([0x6B]) == [.key(.char("k"), [])], "\(start.debugDescription)")
    }
  }
}
