import TerminalCore

/// Sequences of units, whole and in pieces with pauses up to a second: the events are the same, and nothing but a key
/// is a key (promise P16).
package enum InputGrammar {
  /// - Parameter count: units in a row.
  package static func check(units count: Int, _ random: inout InputRandom) throws {
    let units = (0..<count).map { _ in InputUnit.random(&random) }
    var whole: [[InputEvent]] = []
    var parser = InputParser()
    for unit in units {
      let events = parser.feed(unit.bytes)
      let isRight =
        switch unit.meaning {
        case .event(let event): events == [event]
        case .nothing: !events.contains(where: acts)
        }
      try require(isRight, "\(unit.bytes) is \(unit.meaning), and gave \(events)")
      whole.append(events)
    }
    try require(parser.timeout == nil, "something is left of \(units.map(\.bytes))")
    var line = SlowLine()
    var pieces: [[UInt8]] = []
    var expected: [InputEvent] = []
    var piece: [UInt8] = []
    for (unit, events) in zip(units, whole) {
      var isAltLost = false
      for (index, byte) in unit.bytes.enumerated() {
        piece.append(byte)
        guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
        let pause = [0, 10, Int.random(in: 26...1000, using: &random)].randomElement(using: &random)
        if index < unit.altPrefix, (pause ?? 0) > 25 { isAltLost = true }
        line.send(piece, pause: .milliseconds(pause ?? 0))
        pieces.append(piece)
        piece = []
      }
      expected += isAltLost ? events.map(withoutAlt) : events
    }
    line.send(piece, pause: .seconds(10))
    pieces.append(piece)
    expected.removeAll(where: isEscape)
    try require(
      line.events == expected, "\(pieces) gave \(line.events), expected \(expected)")
  }

  /// A key, text or the mouse.
  package static func acts(_ event: InputEvent) -> Bool {
    switch event {
    case .key, .keyRepeated, .keyReleased, .paste, .mouse: true
    case .focus, .reply, .unknown, .pasteStalled: false
    }
  }

  private static func withoutAlt(_ event: InputEvent) -> InputEvent {
    guard case .key(let key, let modifiers) = event else { return event }
    return .key(key, modifiers.subtracting(.alt))
  }

  /// What is known of a pause after ESC: it is the Escape key as well.
  private static func isEscape(_ event: InputEvent) -> Bool { event == .key(.escape, []) }

  /// A line that brings bytes in pieces, with pauses between them; the timer of the parser runs meanwhile.
  package struct SlowLine {
    /// What came of it so far, without the Escape key and the word about a slow paste.
    package private(set) var events: [InputEvent] = []
    private var parser = InputParser()

    /// A line that has brought nothing.
    package init() {}

    /// Brings a piece, and then nothing for the time of `pause`.
    package mutating func send(_ piece: [UInt8], pause: Duration) {
      var new = parser.feed(piece)
      var left = pause
      while let timeout = parser.timeout, timeout <= left {
        left -= timeout
        new += parser.flush()
      }
      events += new.filter { !isEscape($0) && $0 != .pasteStalled }
    }
  }
}
