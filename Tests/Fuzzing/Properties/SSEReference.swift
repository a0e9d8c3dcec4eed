/// Server-sent events decoded line by line from the whole stream, in the words of the WHATWG HTML
/// standard (9.2.6, "Interpreting an event stream") and in nothing else: slow, short, and written
/// without a look at `SSEParser`.
package struct SSEReference: Equatable {
  /// One dispatched event.
  package struct Event: Equatable, CustomStringConvertible {
    package var name: String
    package var data: [UInt8]
    package var lastEventID: String

    package init(name: String, data: [UInt8], lastEventID: String) {
      (self.name, self.data, self.lastEventID) = (name, data, lastEventID)
    }

    package var description: String {
      "\(name)|\(String(decoding: data, as: UTF8.self))|\(lastEventID)"
    }
  }

  package var events: [Event] = []
  package var lastEventID = ""
  /// Milliseconds; the number saturates at 2^40.
  package var retryMs: Int?
  /// Events that were larger than the limit, which the standard does not have.
  package var discarded = 0

  /// Decodes a whole stream.
  ///
  /// - Parameter limit: the largest payload in bytes; a larger event costs itself alone.
  package init(_ stream: [UInt8], limit: Int = .max) {
    var idBuffer = ""
    var data: [UInt8] = []
    var name: [UInt8] = []
    for line in Self.lines(stream) {
      if line.isEmpty {
        // "Set the last event ID string of the event source to the value of the last event ID buffer."
        lastEventID = idBuffer
        if !data.isEmpty {
          data.removeLast()
          if data.count > limit {
            discarded += 1
          } else {
            let type = name.isEmpty ? "message" : String(decoding: name, as: UTF8.self)
            events.append(Event(name: type, data: data, lastEventID: lastEventID))
          }
        }
        (data, name) = ([], [])
      } else if line[0] != UInt8(ascii: ":") {
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        let field = colon.map { Array(line[..<$0]) } ?? line
        var value = colon.map { Array(line[($0 + 1)...]) } ?? []
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch field {
        case Array("event".utf8): name = value
        case Array("data".utf8): data += value + [0x0A]
        case Array("id".utf8):
          if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
        case Array("retry".utf8):
          if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) {
            retryMs = min(Int(String(decoding: value, as: UTF8.self)) ?? .max, 1 << 40)
          }
        default: break
        }
      }
    }
  }

  /// Lines that have ended: at CR LF, at LF and at CR, after one byte order mark at the very start.
  private static func lines(_ stream: [UInt8]) -> [[UInt8]] {
    var rest = stream[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var lines: [[UInt8]] = []
    while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      lines.append(Array(rest[..<end]))
      let isPair = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
      rest = rest[(end + (isPair ? 2 : 1))...]
    }
    return lines
  }
}
