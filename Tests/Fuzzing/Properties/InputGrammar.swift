import TerminalCore

/// Sequences of units, whole and in pieces with pauses below a second: the events are the same, and nothing but a key
/// is a key (promise P16).
package enum InputGrammar {
  /// - Parameter count: units in a row.
  package static func check(units count: Int, _ random: inout InputRandom) throws {
    let units = (0..<count).map { _ in InputUnit.random(&random) }
    var whole: [InputEvent] = []
    var parser = InputParser()
    for unit in units {
      let events = parser.feed(unit.bytes)
      let isRight =
        switch unit.meaning {
        case .event(let event): events == [event]
        case .nothing: !events.contains(where: acts)
        }
      try require(isRight, "\(unit.bytes) is \(unit.meaning), and gave \(events)")
      whole += events
    }
    try require(parser.timeout == nil, "something is left of \(units.map(\.bytes))")
    let slow = inPieces(units, &random)
    try require(
      slow.events == whole.filter { !isEscape($0) },
      "\(slow.pieces) gave \(slow.events), expected \(whole)")
  }

  /// A key, text or the mouse.
  package static func acts(_ event: InputEvent) -> Bool {
    switch event {
    case .key, .paste, .mouse: true
    case .focus, .reply, .unknown, .pasteStalled: false
    }
  }

  /// What is known of a pause after ESC: it is the Escape key as well.
  private static func isEscape(_ event: InputEvent) -> Bool { event == .key(.escape, []) }

  private static func inPieces(
    _ units: [InputUnit], _ random: inout InputRandom
  ) -> (pieces: [[UInt8]], events: [InputEvent]) {
    var parser = InputParser()
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    var events: [InputEvent] = []
    func pass(_ pause: Duration) {
      events += parser.feed(piece)
      pieces.append(piece)
      piece = []
      var left = pause
      while let timeout = parser.timeout, timeout <= left {
        left -= timeout
        events += parser.flush()
      }
    }
    for unit in units {
      var isStartCut = unit.cuts == .notAfterEscape
      for (index, byte) in unit.bytes.enumerated() {
        piece.append(byte)
        guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
        if unit.bytes[0] == 0x1B, index < 2, unit.cuts != .anywhere {
          guard !isStartCut else { continue }
          isStartCut = true
        }
        let pause = [0, 10, Int.random(in: 26...1000, using: &random)].randomElement(using: &random)
        pass(.milliseconds(pause ?? 0))
      }
    }
    pass(.seconds(10))
    events.removeAll { isEscape($0) || $0 == .pasteStalled }
    return (pieces, events)
  }
}
