import TerminalCore

/// Keys and pastes come out the same in whatever pieces the bytes come, nothing that is pasted becomes a key, and
/// nothing that a terminal sends besides keys does.
enum KeysProperty {
  @Sendable static func check(_ input: [UInt8]) throws {
    var random = InputRandom(input)
    let expected = events([input])
    for pieces in [input.pieces(upTo: 7, &random), input.map { [$0] }] {
      let found = events(pieces)
      try require(found == expected, "pieces \(pieces): \(found), expected \(expected)")
    }
    try InputGrammar.check(units: 4, &random)
    // A paste of these bytes is one event and no key, unless they hold the end of a paste.
    let end = Array("\u{1B}[201~".utf8)
    let holdsEnd = input.indices.contains { input[$0...].starts(with: end) }
    guard !holdsEnd else { return }
    let start = Array("\u{1B}[200~".utf8)
    let pasted = events([start + input + end])
    guard pasted.count == 1, case .paste = pasted[0] else {
      throw PropertyFailure("a paste became \(pasted)")
    }
    // Nor does one whose start is cut by a pause become anything else.
    for cut in 1..<start.count {
      var parser = InputParser()
      _ = parser.feed(start[..<cut])
      _ = parser.flush()
      let late = parser.feed(start[cut...] + input + end) + parser.flush()
      try require(late == pasted, "cut after \(cut): \(late), expected \(pasted)")
    }
  }

  private static func events(_ pieces: [[UInt8]]) -> [InputEvent] {
    var parser = InputParser()
    return pieces.flatMap { parser.feed($0) } + parser.flush()
  }
}
