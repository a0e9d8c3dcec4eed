import Testing

@testable import WebSocketCodec

@Suite struct WebSocketFrameTests {
  /// Reads a client's frame as a server would.
  private func read(_ frame: [UInt8]) -> (first: UInt8, body: [UInt8])? {
    guard frame.count >= 6, frame[1] & 0x80 != 0 else { return nil }
    let form = frame[1] & 0x7F
    let extra = form == 126 ? 2 : form == 127 ? 8 : 0
    let length = extra == 0 ? Int(form) : frame[2..<(2 + extra)].reduce(0) { $0 << 8 | Int($1) }
    let key = Array(frame[(2 + extra)..<(6 + extra)])
    let body = frame[(6 + extra)...]
    guard body.count == length else { return nil }
    return (frame[0], body.enumerated().map { $1 ^ key[$0 % 4] })
  }

  @Test(
    "a frame is whole, masked and has the shortest length",
    arguments: [0, 1, 125, 126, 65_535, 65_536])
  func encoded(count: Int) throws {
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let frame = WebSocketFrame.encoded(.text, body, mask: 0xDEAD_BEEF)
    let found = try #require(read(frame))
    #expect(found.first == 0x81)
    #expect(found.body == body)
    #expect(frame.count == count + 6 + (count < 126 ? 0 : count < 65_536 ? 2 : 8))
  }

  @Test func theExampleOfTheStandard() {
    #expect(
      WebSocketFrame.encoded(.text, Array("Hello".utf8), mask: 0x37FA_213D)
        == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
  }

  @Test func aLongReasonIsCutBetweenCharacters() throws {
    let reason = String(repeating: "\u{2603}", count: 60)
    let found = try #require(read(WebSocketFrame.close(code: 4_000, reason: reason, mask: 7)))
    #expect(found.first == 0x88)
    #expect(found.body.count == 125)
    #expect(Array(found.body.prefix(2)) == [0x0F, 0xA0])
    #expect(
      String(validating: found.body.dropFirst(2), as: UTF8.self)
        == String(repeating: "\u{2603}", count: 41))
    #expect(
      try #require(read(WebSocketFrame.close(code: 1_005, reason: "x", mask: 7))).body.isEmpty)
  }
}

@Suite struct WebSocketUpgradeTests {
  private static let nonce = Array("the sample nonce".utf8)
  private static let good = [
    "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
  ]

  private func outcome(_ answer: String, _ rest: [UInt8] = [], chunk: Int = .max)
    -> WebSocketUpgrade.Outcome
  {
    var upgrade = WebSocketUpgrade(nonce: Self.nonce)
    let bytes = Array(answer.utf8) + rest
    var index = 0
    while index < bytes.count {
      let end = min(bytes.count, chunk == .max ? bytes.count : index + chunk)
      let found = bytes[index..<end].withUnsafeBytes { upgrade.push($0) }
      if found != .more {
        // What came in later pieces is the caller's to feed on.
        if case .open(let glued) = found { return .open(glued + bytes[end...]) }
        return found
      }
      index = end
    }
    return upgrade.ended()
  }

  private func text(_ lines: [String]) -> String { lines.joined(separator: "\r\n") + "\r\n\r\n" }

  @Test func theExampleOfTheStandard() {
    #expect(
      WebSocketUpgrade.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    let upgrade = WebSocketUpgrade(nonce: Self.nonce)
    let request = String(
      decoding: upgrade.request(
        authority: "127.0.0.1:18789", path: "/", headers: [("X-Door", "open"), ("X-Bad", "a\r\nb")]),
      as: UTF8.self)
    #expect(
      request
        == text([
          "GET / HTTP/1.1", "Host: 127.0.0.1:18789", "Upgrade: websocket", "Connection: Upgrade",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
          "X-Door: open",
        ]))
  }

  @Test(
    "SHA-1",
    arguments: [
      ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
      ),
      (String(repeating: "a", count: 1_000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
  func sha1(message: String, digest: String) {
    let found = SHA1.digest(message.utf8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(found.joined() == digest)
  }

  @Test("frames behind the header are kept", arguments: [Int.max, 1, 7])
  func glued(chunk: Int) {
    #expect(outcome(text(Self.good), [0x81, 0], chunk: chunk) == .open([0x81, 0]))
  }

  @Test func namesAndTokensAreReadWithoutCase() {
    let answer = text([
      Self.good[0], "UPGRADE: WebSocket", "connection: keep-alive, UPGRADE", Self.good[3],
    ])
    #expect(outcome(answer) == .open([]))
    #expect(outcome("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + text(Self.good)) == .open([]))
  }

  @Test(
    "an answer that is none",
    arguments: [
      "HTTP/1.0 101 Switching Protocols", "HTTP/1.1 1O1 X", "SSH-2.0-OpenSSH_9.2", "HTTP/1.1",
    ])
  func notAnAnswer(line: String) {
    guard case .failed = outcome(text([line] + Self.good.dropFirst())) else {
      Issue.record("accepted")
      return
    }
  }

  @Test("a 101 that does not fit the request", arguments: [1, 2, 3])
  func missing(line: Int) {
    var lines = Self.good
    lines.remove(at: line)
    guard case .failed = outcome(text(lines)) else {
      Issue.record("accepted")
      return
    }
  }

  @Test(
    "what was not asked for",
    arguments: [
      "Sec-WebSocket-Extensions: permessage-deflate", "Sec-WebSocket-Protocol: chat",
      "Sec-WebSocket-Accept: AAAA",
    ])
  func unasked(line: String) {
    guard case .failed = outcome(text(Self.good + [line])) else {
      Issue.record("accepted")
      return
    }
  }

  @Test("a refusal keeps status and the first KiB of its body", arguments: [Int.max, 1])
  func refused(chunk: Int) {
    let head = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 5\r\n\r\n"
    #expect(
      outcome(head + "no" + "pe!" + "more", chunk: chunk)
        == .refused(status: 401, reason: "Unauthorized", body: Array("nope!".utf8)))
    let long = String(repeating: "x", count: 5_000)
    #expect(
      outcome("HTTP/1.1 302 Found\r\nLocation: http://elsewhere/\r\n\r\n" + long, chunk: chunk)
        == .refused(status: 302, reason: "Found", body: [UInt8](repeating: 0x78, count: 1_024)))
    // The connection ends, or time runs out, before the body is there.
    #expect(
      outcome("HTTP/1.1 404 Not Found\r\n\r\nno", chunk: chunk)
        == .refused(status: 404, reason: "Not Found", body: Array("no".utf8)))
  }

  @Test func anEndlessHeaderAndAnEmptyAnswer() {
    guard
      case .failed(let why) = outcome(
        "HTTP/1.1 101 X\r\n" + String(repeating: "a: b\r\n", count: 12_000)),
      why.contains("too long")
    else {
      Issue.record("it was read on")
      return
    }
    guard case .failed = outcome("") else {
      Issue.record("nothing counted as an answer")
      return
    }
  }
}
