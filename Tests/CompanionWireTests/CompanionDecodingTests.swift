import LenientJSON
import Testing

@testable import CompanionWire

/// What a gateway says, and pairing codes.
@Suite struct CompanionDecodingTests {
  private func envelope(_ text: String) throws -> GatewayEnvelope? {
    GatewayEnvelope(try JSONValue.parse(Array(text.utf8)))
  }

  @Test("the types of the contract, with an unknown level as notify and an unknown type named")
  func types() throws {
    let text = try envelope(
      #"{"type":"text","agent_id":"wren","attention_level":"urgent","payload":{"text":"hi","message_id":"m1","final":true}}"#
    )
    #expect(text?.agent == "wren" && text?.level == .urgent)
    #expect(text?.message == .text("hi", id: "m1", isFinal: true))
    let level = try envelope(
      #"{"type":"attention","attention_level":"shouting","payload":{"reason":"look"}}"#)
    #expect(level?.level == .notify && level?.message == .attention(reason: "look"))
    #expect(try envelope(#"{"type":"attention","payload":{}}"#)?.level == .passive)
    #expect(
      try envelope(#"{"type":"hologram","payload":{}}"#)?.message == .unknown(type: "hologram"))
    #expect(try envelope(#"{"type":"text","payload":7}"#)?.message == .unknown(type: "text"))
    #expect(try envelope("[]") == nil)
    #expect(try envelope("{}") == nil)
    let ready = try envelope(
      #"{"type":"status","payload":{"state":"ready","session_id":"s1","server_time":1790000000000}}"#
    )
    guard case .status(let state)? = ready?.message else {
      Issue.record("no status")
      return
    }
    #expect(
      state.kind == .ready && state.sessionID == "s1" && state.serverMs == 1_790_000_000_000)
  }

  @Test("a request has its capability's family; a token that cannot be read is no missing one")
  func requests() throws {
    let text =
      #"{"type":"capability_request","payload":{"request_id":"r1","capability":"camera.front.once","duration_s":60,"purpose":"see","token":{"nonce":1}}}"#
    guard case .request(let request)? = try envelope(text)?.message else {
      Issue.record("no request")
      return
    }
    #expect(request.capability.family == .camera && request.seconds == 60)
    #expect(request.token == nil && request.hasBrokenToken)
    #expect(Capability("teleport.now").family == nil)
    #expect(Capability("cameraman").family == nil)
  }

  @Test("a canvas is bounded in elements, bytes and coordinates, and counts what it leaves out")
  func canvas() throws {
    let many = (0..<600).map { #"{"id":"e\#($0)","type":"text","content":"x"}"# }
      .joined(separator: ",")
    let command = try #require(
      CanvasCommand(try JSONValue.parse(Array(#"{"action":"draw","elements":[\#(many)]}"#.utf8))))
    #expect(command.elements.count == 500 && command.skipped == 100)
    let large = String(repeating: "x", count: CanvasCommand.maximumContent + 1)
    let odd = try #require(
      CanvasCommand(
        try JSONValue.parse(
          Array(
            #"{"action":"update","transition":"warp","elements":[{"id":"a","type":"text","content":"\#(large)"},{"type":"text"},7,{"id":"b","type":"shape","bounds":{"x":1e300,"y":-1e300,"width":-5,"height":1e999}}]}"#
              .utf8))))
    #expect(odd.elements.count == 1 && odd.skipped == 3 && odd.transition == .instant)
    #expect(odd.elements[0].bounds == .init(x: 100_000, y: -100_000, width: 0, height: 1_000))
    #expect(
      CanvasCommand(try JSONValue.parse(Array(#"{"action":"explode"}"#.utf8))) == nil)
  }

  @Test("draw begins anew, update merges by id and draws what it does not know, clear empties")
  func picture() throws {
    func command(_ text: String) throws -> CanvasCommand {
      try #require(CanvasCommand(try JSONValue.parse(Array(text.utf8))))
    }
    var picture = CanvasPicture()
    picture.take(
      try command(
        #"{"action":"draw","elements":[{"id":"b","type":"text","content":"1","interactive":true,"bounds":{"y":9}},{"id":"a","type":"text","interactive":true,"bounds":{"y":1}}]}"#
      ))
    #expect(picture.interactive.map(\.id) == ["a", "b"])
    picture.take(
      try command(
        #"{"action":"animate","elements":[{"id":"b","type":"text","content":"2"},{"id":"c","type":"shape"}]}"#
      ))
    #expect(picture.elements.map(\.id) == ["b", "a", "c"] && picture["b"]?.content == "2")
    picture.take(try command(#"{"action":"draw","elements":[]}"#))
    #expect(picture.elements.isEmpty)
    picture.take(try command(#"{"action":"clear"}"#))
    #expect(picture == CanvasPicture())
  }

  @Test("the contents of a canvas are bounded together")
  func memory() {
    var picture = CanvasPicture()
    let content = String(repeating: "x", count: CanvasCommand.maximumContent)
    for index in 0..<20 {
      let value = JSONValue.body([
        ("action", .string("update")),
        (
          "elements",
          .array([
            .body([
              ("id", .string("e\(index)")), ("type", .string("image")),
              ("content", .string(content)),
            ])
          ])
        ),
      ])
      if let command = CanvasCommand(value) { picture.take(command) }
    }
    #expect(picture.elements.count == 8 && picture.skipped == 12)
    #expect(picture.elements.last?.id == "e19")
  }

  private static let digits = String(repeating: "ab", count: 32)

  @Test(
    "a pairing code is JSON or a link; addresses beyond this machine need TLS and a fingerprint")
  func pairing() throws {
    let json =
      #"{"endpoint":"wss://gw.example:8443/companion","fingerprint":"\#(Self.digits)","challenge":"Y2hh","new":1}"#
    let payload = try PairingPayload("  \(json)\n")
    #expect(payload.fingerprint == Self.digits && payload.challenge == "Y2hh")
    #expect(payload.pairOrigin == "https://gw.example:8443")
    let local = try PairingPayload(#"{"endpoint":"ws://127.0.0.1:9/companion","challenge":"Y2hh"}"#)
    #expect(local.pairOrigin == "http://127.0.0.1:9" && local.fingerprint == nil)
  }

  @Test(
    "what is no code is refused by its reason",
    arguments: [
      ("", PairingPayload.Problem.empty), ("{}", .endpoint), ("hello", .notJSON),
      ("oc-pair://%%%", .notJSON), (String(repeating: "x", count: 9_000), .tooLong),
      (#"{"endpoint":"ws://10.0.0.5/c","challenge":"Y2hh"}"#, .plain),
      (#"{"endpoint":"ws://127.0.0.1@evil.example/c","challenge":"Y2hh"}"#, .endpoint),
      (#"{"endpoint":"ws://127.0.0.1.evil.example/c","challenge":"Y2hh"}"#, .plain),
      (#"{"endpoint":"https://gw/c","challenge":"Y2hh"}"#, .endpoint),
      (#"{"endpoint":"wss://gw/c","fingerprint":"ab","challenge":"Y2hh"}"#, .fingerprint),
      (#"{"endpoint":"wss://gw/c","challenge":"Y2hh"}"#, .fingerprint),
      (#"{"endpoint":"ws://localhost/c","challenge":"=="}"#, .challenge),
      (#"{"endpoint":"ws://localhost/c"}"#, .challenge),
    ])
  func refused(text: String, problem: PairingPayload.Problem) {
    #expect(throws: problem) { try PairingPayload(text) }
  }

  @Test("mutated frames never end the program, and each is an envelope or nothing")
  func mutated() throws {
    let seeds = [
      #"{"type":"text","agent_id":"wren","attention_level":"urgent","payload":{"text":"hi","message_id":"m1"}}"#,
      #"{"type":"canvas_update","payload":{"action":"draw","elements":[{"id":"a","type":"text","bounds":{"x":1,"y":2,"width":3,"height":4},"style":{"color":"red"}}]}}"#,
      #"{"type":"capability_request","payload":{"request_id":"r","capability":"ble.scan","duration_s":9,"purpose":"p","token":{"capability":"c","granted_at":"g","expires_at":"e","session_id":"s","nonce":"n","signature":"x"}}}"#,
    ]
    var state: UInt64 = 7
    func next(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }
    var read = 0
    for _ in 0..<3_000 {
      var bytes = Array(seeds[next(seeds.count)].utf8)
      for _ in 0...next(3) {
        switch next(3) {
        case 0: bytes[next(bytes.count)] = UInt8(next(256))
        case 1: bytes.remove(at: next(bytes.count))
        default: bytes.insert(Array("{}[]\",:0-e".utf8)[next(10)], at: next(bytes.count))
        }
      }
      guard let value = try? JSONValue.parse(bytes) else { continue }
      if GatewayEnvelope(value) != nil { read += 1 }
    }
    #expect(read > 500)
  }
}
