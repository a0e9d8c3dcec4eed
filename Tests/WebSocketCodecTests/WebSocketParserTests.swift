import JSONTestKit
import Testing

@testable import WebSocketCodec

/// A server's frame, written without the encoder under test.
func frame(_ first: UInt8, _ body: [UInt8], lengthForm: Int? = nil) -> [UInt8] {
  let form = lengthForm ?? (body.count < 126 ? 0 : body.count < 65_536 ? 2 : 8)
  let length = (0..<form).map { UInt8(truncatingIfNeeded: body.count >> (8 * (form - 1 - $0))) }
  return [first, form == 0 ? UInt8(body.count) : form == 2 ? 126 : 127] + length + body
}

func events(
  _ bytes: [UInt8], maximum: Int = 1 << 20, chunks: (Int) -> Int = { $0 }
) -> [WebSocketEvent] {
  var parser = WebSocketParser(maximumMessage: maximum)
  var found: [WebSocketEvent] = []
  var index = 0
  while index < bytes.count {
    let count = max(1, min(chunks(bytes.count - index), bytes.count - index))
    bytes[index..<(index + count)].withUnsafeBytes { parser.push($0) { found.append($0) } }
    index += count
  }
  return found
}

@Suite struct WebSocketParserTests {
  private static let snowman = Array("a\u{2603}\u{1F600}z".utf8)

  @Test func wholeMessages() {
    let long = [UInt8](repeating: 0x61, count: 70_000)
    let middle = [UInt8](repeating: 0x62, count: 126)
    let bytes =
      frame(0x81, []) + frame(0x81, Self.snowman) + frame(0x82, [0xFF]) + frame(0x81, middle)
      + frame(0x81, long) + frame(0x89, [1]) + frame(0x8A, [2])
    #expect(
      events(bytes) == [
        .text([]), .text(Self.snowman), .binary([0xFF]), .text(middle), .text(long), .ping([1]),
        .pong([2]),
      ])
  }

  @Test func fragmentsWithAControlFrameBetweenThemAndACharacterAcrossThem() {
    let bytes =
      frame(0x01, Array(Self.snowman[..<2])) + frame(0x89, [9])
      + frame(0x00, Array(Self.snowman[2..<6])) + frame(0x80, Array(Self.snowman[6...]))
      + frame(0x81, [0x7A])
    #expect(events(bytes) == [.ping([9]), .text(Self.snowman), .text([0x7A])])
  }

  @Test(
    "close codes, 1012 and 1013 among them",
    arguments: [1_000, 1_001, 1_008, 1_009, 1_011, 1_012, 1_013, 3_000, 4_000, 4_001, 4_999])
  func closes(code: Int) {
    let body = [UInt8(code >> 8), UInt8(code & 0xFF)] + Array("service restart".utf8)
    // Nothing behind a close is looked at.
    #expect(
      events(frame(0x88, body) + [0xFF, 0xFF, 0xFF])
        == [.close(code: code, reason: "service restart")])
  }

  @Test func aCloseWithoutACode() {
    #expect(events(frame(0x88, [])) == [.close(code: 1_005, reason: "")])
  }

  struct Hostile: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var code = 1_002
    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ code: Int = 1_002) {
      (self.name, self.bytes, self.code) = (name, bytes, code)
    }
  }

  static let hostile: [Hostile] = [
    Hostile("RSV1", frame(0xC1, [0x61])), Hostile("RSV2", frame(0xA1, [0x61])),
    Hostile("RSV3", frame(0x91, [0x61])), Hostile("RSV on a ping", frame(0xC9, [])),
    Hostile("masked", [0x81, 0x81, 0, 0, 0, 0, 0x61]),
    Hostile("16 bits for 5", frame(0x81, [1, 2, 3, 4, 5], lengthForm: 2)),
    Hostile("64 bits for 5", frame(0x81, [1, 2, 3, 4, 5], lengthForm: 8)),
    Hostile("64 bits for 300", frame(0x82, [UInt8](repeating: 0, count: 300), lengthForm: 8)),
    Hostile("top bit of the length", [0x82, 127, 0x80, 0, 0, 0, 0, 1, 0, 0]),
    Hostile("ping in pieces", frame(0x09, [])), Hostile("close in pieces", frame(0x08, [])),
    Hostile("ping of 126", frame(0x89, [UInt8](repeating: 0, count: 126))),
    Hostile("close of 126", frame(0x88, [UInt8](repeating: 0, count: 126))),
    Hostile("opcode 3", frame(0x83, [])), Hostile("opcode 7", frame(0x87, [])),
    Hostile("opcode 11", frame(0x8B, [])), Hostile("opcode 15", frame(0x8F, [])),
    Hostile("continuation of nothing", frame(0x80, [0x61])),
    Hostile("first piece of nothing", frame(0x00, [0x61])),
    Hostile("text within text", frame(0x01, [0x61]) + frame(0x81, [0x61])),
    Hostile("binary within text", frame(0x01, [0x61]) + frame(0x02, [0x61])),
    Hostile("close of one byte", frame(0x88, [3])),
    Hostile("close 0", frame(0x88, [0, 0])), Hostile("close 999", frame(0x88, [3, 0xE7])),
    Hostile("close 1004", frame(0x88, [3, 0xEC])), Hostile("close 1005", frame(0x88, [3, 0xED])),
    Hostile("close 1006", frame(0x88, [3, 0xEE])), Hostile("close 1015", frame(0x88, [3, 0xF7])),
    Hostile("close 2999", frame(0x88, [0x0B, 0xB7])),
    Hostile("close 5000", frame(0x88, [0x13, 0x88])),
    Hostile("reason not UTF-8", frame(0x88, [3, 0xE8, 0xC3, 0x28]), 1_007),
    Hostile("text not UTF-8", frame(0x81, [0x61, 0xFF]), 1_007),
    Hostile("overlong", frame(0x81, [0xC0, 0xAF]), 1_007),
    Hostile("surrogate", frame(0x81, [0xED, 0xA0, 0x80]), 1_007),
    Hostile("above U+10FFFF", frame(0x81, [0xF4, 0x90, 0x80, 0x80]), 1_007),
    Hostile("half a character at the end", frame(0x81, [0xE2, 0x98]), 1_007),
    Hostile(
      "half a character at the end of fragments", frame(0x01, [0xE2]) + frame(0x80, [0x98]), 1_007),
    Hostile(
      "a character that breaks across pieces", frame(0x01, [0xE2]) + frame(0x00, [0x28]), 1_007),
  ]

  @Test(
    "each way of breaking the protocol ends with its code, byte by byte too", arguments: hostile)
  func breaks(_ hostile: Hostile) {
    for chunks in [{ $0 }, { _ in 1 }] as [(Int) -> Int] {
      // A valid message before it arrives; nothing behind it does.
      let found = events(frame(0x81, [0x6F]) + hostile.bytes + frame(0x81, [0x6F]), chunks: chunks)
      #expect(found.count == 2)
      #expect(found.first == .text([0x6F]))
      guard case .failed(let code, let why) = found.last else {
        Issue.record("\(found)")
        continue
      }
      #expect(code == hostile.code)
      #expect(!why.isEmpty)
    }
  }

  @Test func limitsAreCheckedBeforeTheBodyIsWaitedFor() {
    // Only the announcement arrives.
    let announced: [UInt8] = [0x82, 127, 0, 0, 0, 0, 0x01, 0xC9, 0xC3, 0x80]
    guard case .failed(1_009, _) = events(announced, maximum: 25 << 20).last else {
      Issue.record("30 MB were waited for")
      return
    }
    #expect(events([0x82, 127, 0, 0, 0, 0, 0x01, 0x80, 0, 0], maximum: 25 << 20).isEmpty)
    // All fragments count together.
    let pieces = frame(0x02, [1, 2, 3]) + frame(0x00, [4, 5, 6])
    #expect(
      events(pieces + frame(0x80, [7, 8]), maximum: 8) == [.binary([1, 2, 3, 4, 5, 6, 7, 8])])
    guard case .failed(1_009, _) = events(pieces + [0x80, 3], maximum: 8).last else {
      Issue.record("a ninth byte was waited for")
      return
    }
  }

  @Test("any chunking of the same bytes gives the same events", arguments: 0..<150)
  func chunking(seed: Int) {
    var random = SeededRandom(UInt64(seed))
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let count = [0, 1, 5, 125, 126, 300, 66_000].randomElement(using: &random) ?? 0
      let opcode: UInt8 =
        [0x81, 0x01, 0x00, 0x80, 0x82, 0x89, 0x8A].randomElement(using: &random) ?? 0x81
      let body = [UInt8](repeating: 0x61, count: opcode >= 0x89 ? min(count, 125) : count)
      bytes += frame(opcode, body)
    }
    // Some streams are damaged somewhere.
    if seed % 3 == 0 { bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0x41 }
    let whole = events(bytes)
    for _ in 0..<4 {
      // A long stream byte by byte would take its time and show no more.
      let sizes = bytes.count > 5_000 ? [900, 70_000] : [1, 3, 64]
      let most = sizes.randomElement(using: &random) ?? 1
      let found = events(bytes) { _ in Int.random(in: 1...most, using: &random) }
      #expect(found == whole)
    }
  }

  @Test("the UTF-8 check agrees with the standard library", arguments: 0..<300)
  func utf8(seed: Int) {
    var random = SeededRandom(UInt64(seed) &+ 77)
    var bytes = Array("ok \u{E9}\u{2603}\u{1F600} and more ASCII behind it".utf8)
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
    var check = UTF8Check()
    let cut = Int.random(in: 0...bytes.count, using: &random)
    let isValid = [bytes[..<cut], bytes[cut...]].allSatisfy { piece in
      piece.withUnsafeBufferPointer { check.take($0) }
    }
    #expect((isValid && check.isWhole) == (String(validating: bytes, as: UTF8.self) != nil))
  }
}
