import DeviceKeys
import LenientJSON
import Testing

@testable import CompanionWire

/// What is signed, against the vectors of the contract.
@Suite struct CompanionSigningTests {
  static let key = DeviceKey(seed: (0..<32).map { UInt8($0) })

  @Test("the pairing signature is that of the contract's vector")
  func pairing() throws {
    let key = try #require(Self.key)
    let request = try #require(
      PairRequest(
        challenge: "Y2hhbGxlbmdlLTE", key: key,
        device: .init(name: "desk", platform: "linux", model: "terminal")))
    #expect(
      request.body["signature"]?.string
        == "aG15nYJZuy7hC8XPIjRE1jE9ZdHDubzwtoPFdCx16rAa2_gjqsyMOKJejrIMQ2NwmHvc5UaBGH1tAbuqO2ilCA"
    )
    #expect(request.body["device"]?["platform"]?.string == "linux")
    #expect(
      request.body.object?.members.map(\.key)
        == ["public_key", "device", "challenge", "signature"])
  }

  @Test("a message's signature is that of the contract's vector, over the bytes of its frame")
  func message() throws {
    var signer = EnvelopeSigner(session: "s1", key: try #require(Self.key))
    let bytes = signer.frame(.text("hi", id: "m1"), nowMs: 1_790_000_000_000)
    let frame = try #require(bytes)
    #expect(
      String(decoding: frame, as: UTF8.self)
        == #"{"type":"text","session_id":"s1","timestamp":1790000000000,"payload":{"message_id":"m1","text":"hi"},"sig":"lQM_hH846F76BYc1kJgbSGNyWQ3Gd9EptppVZ9mmBoN3HMisk6TgMsFLOn1yuYQWp-BeHCgg0cnwUN6HWEKrDg"}"#
    )
  }

  @Test("time stamps grow, also when the clock stands or goes back")
  func monotonic() throws {
    var signer = EnvelopeSigner(session: "s1", key: try #require(Self.key))
    var times: [Int?] = []
    for ms: Int64 in [1_000, 1_000, 500, 2_000] {
      let frame = signer.frame(.heartbeat, nowMs: ms)
      times.append(try JSONValue.parse(try #require(frame))["timestamp"]?.int)
    }
    #expect(times == [1_000, 1_001, 1_002, 2_000])
  }

  @Test(
    "canonical JSON sorts by code points, at every depth, and escapes no more than it must",
    arguments: [
      (
        #"{"b":1,"a":{"z":[{"d":1,"c":2}],"y":null}}"#,
        #"{"a":{"y":null,"z":[{"c":2,"d":1}]},"b":1}"#
      ),
      (
        "{\"/\":\"a\\/b\",\"é\":1,\"🙂\":3,\"\u{FB01}\":4,\"e\":2}",
        "{\"/\":\"a/b\",\"e\":2,\"é\":1,\"\u{FB01}\":4,\"🙂\":3}"
      ),
      (
        "[\"\\u0001\\u001f\\b\\f\\n\\r\\t\\u007f\\\"\\\\\"]",
        "[\"\\u0001\\u001f\\b\\f\\n\\r\\t\u{7F}\\\"\\\\\"]"
      ),
      ("[1.50,-0,1e3]", "[1.50,-0,1e3]"),
    ])
  func canonical(text: String, expected: String) throws {
    let bytes = CanonicalJSON.bytes(try JSONValue.parse(Array(text.utf8)))
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test("every message is a closed envelope, and a session id cannot break out of it")
  func closed() throws {
    let messages: [ClientMessage] = [
      .text("a\"\u{1B}\n", id: "m"), .voice("ja", confidence: 7, language: "de"),
      .canvas(element: "e", .longPress, point: (x: 1.5, y: 2), png: nil),
      .canvas(element: "e", .draw, point: nil, png: "AAAA"),
      .answer(request: "r", .timed, expiresAt: "2026-03-01T00:00:00Z", reason: nil),
      .answer(request: "r", .deny, expiresAt: nil, reason: "unavailable"),
      .revoke(capability: "camera.front"), .heartbeat,
    ]
    let key = try #require(Self.key)
    for session in ["s1", "s\",\"x\":\"|"] {
      var signer = EnvelopeSigner(session: session, key: key)
      for (index, message) in messages.enumerated() {
        let frame = signer.frame(message, nowMs: Int64(index))
        let value = try JSONValue.parse(try #require(frame))
        #expect(
          value.object?.members.map(\.key)
            == ["type", "session_id", "timestamp", "payload", "sig"])
        #expect(value["session_id"]?.string == session)
        #expect(
          value["payload"].map(CanonicalJSON.bytes) == CanonicalJSON.bytes(message.payload))
        let text = EnvelopeSigner.signedText(
          session: session, timestamp: Int64(value["timestamp"]?.int ?? 0), type: message.type,
          payload: CanonicalJSON.bytes(message.payload))
        #expect(
          DeviceKey.verifies(
            value["sig"]?.string ?? "", of: text, publicKey: key.publicKeyText))
      }
    }
  }
}
