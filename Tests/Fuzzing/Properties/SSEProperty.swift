internal import Networking

/// The parser dispatches what the standard dispatches, in whatever pieces the stream comes.
enum SSEProperty {
  @Sendable static func check(_ input: [UInt8]) throws {
    var random = InputRandom(input)
    for limit in [SSEParser.defaultEventLimit, 24] {
      let expected = SSEReference(input, limit: limit)
      for pieces in [[input], input.pieces(upTo: 9, &random), input.map { [$0] }] {
        let found = SSEReference(parsing: pieces, limit: limit)
        try require(
          found == expected, "pieces \(pieces), limit \(limit): \(found), expected \(expected)")
      }
    }
  }
}

extension SSEReference {
  /// What `SSEParser` makes of a stream that comes in pieces.
  package init(parsing pieces: [[UInt8]], limit: Int = 64 << 20) {
    self.init([])
    var parser = SSEParser(eventLimit: limit)
    var events: [Event] = []
    for piece in pieces {
      piece.withUnsafeBytes { bytes in
        parser.feed(bytes) { event in
          events.append(
            Event(name: event.name, data: Array(event.data), lastEventID: event.lastEventID))
        }
      }
    }
    self.events = events
    lastEventID = parser.lastEventID
    retryMs = parser.retryMs
    discarded = parser.discardedEvents
  }
}
