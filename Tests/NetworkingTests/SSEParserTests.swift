import Networking
import Testing

/// An event as a value, for comparisons.
struct PlainEvent: Equatable, CustomStringConvertible {
  var name: String
  var data: [UInt8]
  var id: String

  init(_ name: String, _ data: [UInt8], _ id: String) {
    self.name = name
    self.data = data
    self.id = id
  }

  init(_ name: String, _ data: String, id: String = "") {
    self.init(name, Array(data.utf8), id)
  }

  var description: String { "\(name)|\(String(decoding: data, as: UTF8.self))|\(id)" }
}

/// Feeds pieces and collects events.
func parse(_ pieces: [[UInt8]], limit: Int = SSEParser.defaultEventLimit) -> (
  events: [PlainEvent], parser: SSEParser
) {
  var parser = SSEParser(eventLimit: limit)
  var events: [PlainEvent] = []
  for piece in pieces {
    piece.withUnsafeBytes { bytes in
      parser.feed(bytes) { event in
        events.append(PlainEvent(event.name, Array(event.data), event.lastEventID))
      }
    }
  }
  return (events, parser)
}

func parse(_ text: String) -> [PlainEvent] { parse([Array(text.utf8)]).events }

/// The standard's algorithm written down as simply as possible: whole input, lines in an array.
func reference(_ input: [UInt8]) -> (events: [PlainEvent], id: String, retry: Int?) {
  var bytes = input[...]
  if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
  var lines: [[UInt8]] = []
  var line: [UInt8] = []
  var index = bytes.startIndex
  while index < bytes.endIndex {
    let byte = bytes[index]
    if byte == 0x0D || byte == 0x0A {
      lines.append(line)
      line = []
      if byte == 0x0D, index + 1 < bytes.endIndex, bytes[index + 1] == 0x0A { index += 1 }
    } else {
      line.append(byte)
    }
    index += 1
  }
  var events: [PlainEvent] = []
  var (data, name, idBuffer, id) = ([UInt8](), [UInt8](), "", "")
  var retry: Int?
  for line in lines {
    if line.isEmpty {
      id = idBuffer
      if !data.isEmpty {
        data.removeLast()
        events.append(
          PlainEvent(name.isEmpty ? "message" : String(decoding: name, as: UTF8.self), data, id))
      }
      data = []
      name = []
      continue
    }
    if line[0] == 0x3A { continue }
    var field = line
    var value: [UInt8] = []
    if let colon = line.firstIndex(of: 0x3A) {
      field = Array(line[..<colon])
      value = Array(line[(colon + 1)...])
      if value.first == 0x20 { value.removeFirst() }
    }
    switch String(decoding: field, as: UTF8.self) {
    case "event": name = value
    case "data": data += value + [0x0A]
    case "id": if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
    case "retry":
      if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) {
        retry = Int(String(decoding: value, as: UTF8.self)) ?? 1 << 40
      }
    default: break
    }
  }
  return (events, id, retry)
}

@Suite struct SSEParserTests {
  @Test func simpleEvents() {
    #expect(
      parse("event: stats_update\ndata: {\"a\":1}\n\n: heartbeat\n\ndata:x\n\n") == [
        PlainEvent("stats_update", "{\"a\":1}"), PlainEvent("message", "x"),
      ])
  }

  @Test func examplesOfTheStandard() {
    #expect(
      parse("data: YHOO\ndata: +2\ndata: 10\n\n") == [PlainEvent("message", "YHOO\n+2\n10")])
    #expect(
      parse(
        ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"
      )
        == [
          PlainEvent("message", "first event", id: "1"), PlainEvent("message", "second event"),
          PlainEvent("message", " third event"),
        ])
    #expect(
      parse("data\n\ndata\ndata\n\ndata:") == [
        PlainEvent("message", ""), PlainEvent("message", "\n"),
      ])
    #expect(
      parse("data:test\n\ndata: test\n\n").map(\.data) == [Array("test".utf8), Array("test".utf8)])
  }

  @Test func anUnfinishedEventIsNotDispatched() {
    let (events, parser) = parse([Array("id: 7\ndata: a".utf8)])
    #expect(events.isEmpty)
    #expect(parser.lastEventID == "")
  }

  @Test func identifiersWithNulAreIgnoredAndRetryIsDigitsOnly() {
    let (events, parser) = parse([
      Array("id: 1\ndata: a\n\nid: 2\0\nretry: 5s\ndata: b\n\nretry: 1500\n".utf8)
    ])
    #expect(events.map(\.id) == ["1", "1"])
    #expect(parser.retryMs == 1_500)
    #expect(parse([Array("retry: 99999999999999999999999\n".utf8)]).parser.retryMs == 1 << 40)
  }

  static let tricky: [[UInt8]] = [
    Array("event: a\ndata: x\ndata: y\r\rdata:z\r\n\r\n: c\nid: 9\n\ndata\n\n".utf8),
    [0xEF, 0xBB, 0xBF] + Array("data: after a mark\n\n".utf8),
    [0xEF, 0xBB] + Array("data: not a mark\n\ndata: next\n\n".utf8),
    [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array("data: two marks\n\ndata: 2\n\n".utf8),
    Array("data: h\u{e9}\u{1F600}\r\ndata: \u{5d0}\r\n\r\n\r\n\r\nevent\ndata:q\n\n".utf8),
    Array("da\nta: x\n\ndatax: y\n\n data: z\n\nevent: n\n\ndata: w\n\nidx: 3\ndata:\n\n".utf8),
    Array("data: a\0b\n\n\n\nretry: 12\nretry:\nid\nid: x\n\ndata:: colon\n\n".utf8),
    Array("\r\n\r\ndata: 1\r\r\ndata: 2\n\r\ndata: 3\r\n\n".utf8),
    Array("data: \u{2028}\u{85}\u{0B}\u{0C}\n\n".utf8) + [
      0x64, 0x61, 0x74, 0x61, 0x3A, 0xFF, 0xC0, 0x0A, 0x0A,
    ],
  ]

  @Test(arguments: tricky)
  func everySplitInTwo(_ input: [UInt8]) {
    let expected = reference(input)
    for split in 0...input.count {
      let (events, parser) = parse([Array(input[..<split]), Array(input[split...])])
      #expect(events == expected.events, "split at \(split)")
      #expect(parser.lastEventID == expected.id)
      #expect(parser.retryMs == expected.retry)
    }
  }

  @Test(arguments: tricky)
  func everySplitInThreeAndByteByByte(_ input: [UInt8]) {
    let expected = reference(input).events
    for first in 0...input.count {
      for second in first...input.count {
        let pieces = [input[..<first], input[first..<second], input[second...]].map { Array($0) }
        let same = parse(pieces).events == expected
        if !same { Issue.record("split at \(first), \(second)") }
      }
    }
    #expect(parse(input.map { [$0] }).events == expected)
  }

  @Test func randomInputAgreesWithTheReference() {
    var random = SplitMix(seed: 20_261_121)
    let words = [
      "data", "data:", "data: ", "event: ", "event", "id:", "id: ", "retry: ", ":", "x", "12", "\n",
      "\n", "\n", "\r", "\r\n", "\n\n", "\0", "\u{FEFF}", " ", "\u{1F600}", "da", "eventx: ",
      "{\"a\":\"b\"}",
    ]
    for _ in 0..<4_000 {
      var input: [UInt8] = []
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        input += Array(words.randomElement(using: &random)!.utf8)
        if Int.random(in: 0..<30, using: &random) == 0 {
          input.append(.random(in: 0...255, using: &random))
        }
      }
      var pieces: [[UInt8]] = []
      var rest = input[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...9, using: &random))
        pieces.append(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      let expected = reference(input)
      let (events, parser) = parse(pieces)
      #expect(events == expected.events, "input \(input)")
      #expect(parser.lastEventID == expected.id, "input \(input)")
      #expect(parser.retryMs == expected.retry, "input \(input)")
    }
  }

  @Test("an oversized event costs itself only, and is told at its place (promise P3)")
  func anOversizedEventCostsItselfOnly() {
    let long = String(repeating: "x", count: 300)
    for text in [
      "data: first\n\nevent: big\ndata: \(long)\n\ndata: ok\n\n",
      "data: first\n\nevent: big\ndata: \(long.prefix(60))\ndata: \(long.prefix(60))\ndata: tail\n\ndata: ok\n\n",
    ] {
      let bytes = Array(text.utf8)
      for size in [1, 7, 64, 4_096] {
        let pieces = stride(from: 0, to: bytes.count, by: size).map {
          Array(bytes[$0..<min($0 + size, bytes.count)])
        }
        var parser = SSEParser(eventLimit: 100)
        var told: [String] = []
        for piece in pieces {
          piece.withUnsafeBytes {
            parser.feed($0, discarded: { told.append("too large: \($0)") }) {
              told.append(String(decoding: $0.data, as: UTF8.self))
            }
          }
        }
        #expect(told == ["first", "too large: big", "ok"], "pieces of \(size)")
        #expect(parser.discardedEvents == 1)
      }
    }
  }

  @Test func exactlyTheLimitIsAccepted() {
    let payload = String(repeating: "x", count: 100)
    let bytes = Array("data: \(payload)\n\n".utf8)
    for size in [1, 3, 50, 1_000] {
      let pieces = stride(from: 0, to: bytes.count, by: size).map {
        Array(bytes[$0..<min($0 + size, bytes.count)])
      }
      #expect(parse(pieces, limit: 100).events.count == 1, "pieces of \(size)")
    }
  }

  @Test func endlessLinesAreNotKept() {
    let filler = [UInt8](repeating: 0x41, count: 1 << 16)
    for head in [": comment", "unknown: ", "A"] {
      let pieces =
        [Array(head.utf8)] + Array(repeating: filler, count: 64) + [Array("\n\ndata: k\n\n".utf8)]
      #expect(parse(pieces).events == [PlainEvent("message", "k")])
    }
    let pieces =
      [Array("event: ".utf8)] + Array(repeating: filler, count: 17)
      + [Array("\ndata: lost\n\ndata: k\n\n".utf8)]
    let (events, parser) = parse(pieces)
    #expect(events == [PlainEvent("message", "k")])
    #expect(parser.discardedEvents == 1)
    let name = String(repeating: "n", count: 100_000)
    #expect(parse([Array("event: \(name)\ndata: k\n\n".utf8)]).events == [PlainEvent(name, "k")])
  }

  @Test("an event that is too large is told by its name, wherever that stands")
  func nameAfterData() {
    var names: [String] = []
    for text in [
      "event: a\ndata: 0123456789\n\n", "data: 0123456789\nevent: b\n\n", "data: 0123456789\n\n",
    ] {
      var parser = SSEParser(eventLimit: 5)
      Array(text.utf8).withUnsafeBytes { parser.feed($0, discarded: { names.append($0) }) { _ in } }
    }
    #expect(names == ["a", "b", ""])
  }

  /// 24 MiB in 256-byte pieces would take hours if the unfinished event were scanned again each time.
  @Test("a large event in tiny pieces costs linear time (promise P3)", .timeLimit(.minutes(1)))
  func aLargeEventInTinyPiecesIsLinear() {
    var parser = SSEParser()
    let piece = [UInt8](repeating: 0x61, count: 256)
    var sizes: [Int] = []
    func feed(_ bytes: [UInt8]) {
      bytes.withUnsafeBytes { parser.feed($0) { sizes.append($0.data.count) } }
    }
    feed(Array("data: ".utf8))
    for _ in 0..<98_304 { feed(piece) }
    feed(Array("\n\n".utf8))
    #expect(sizes == [98_304 * 256])
  }

  @Test("a chunk of carriage returns costs linear time (promise P3)", .timeLimit(.minutes(1)))
  func aChunkOfCarriageReturnsIsLinear() {
    let bytes = Array(repeating: Array("a\r".utf8), count: 1 << 19).flatMap { $0 }
    #expect(parse([bytes, Array("\rdata: k\r\r".utf8)]).events == [PlainEvent("message", "k")])
  }

  @Test func theLastEventIDIsCarriedOver() {
    var parser = SSEParser(lastEventID: "41")
    var ids: [String] = []
    for text in ["data: a\n\n", "id: 42\ndata: b\n\n"] {
      Array(text.utf8).withUnsafeBytes { parser.feed($0) { ids.append($0.lastEventID) } }
    }
    #expect(ids == ["41", "42"])
  }
}

/// A small seeded generator, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
