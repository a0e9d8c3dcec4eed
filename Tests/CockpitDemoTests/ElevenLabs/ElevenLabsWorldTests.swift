import Foundation
import Testing

@testable import CockpitDemo

/// The demo of ElevenLabs, by its world: no socket, and a clock that moves on command.
@Suite struct ElevenLabsWorldTests {
  /// A conversation of a client that was written from the contract alone.
  private final class Client {
    let clock: ManualDemoClock
    let world: ElevenLabsWorld
    let link = GatewayLink(firstLimit: 1 << 20)
    let talk: ElevenLabsTalk

    init(
      _ address: String? = nil, agent: String = "agent_linden", isQuiet: Bool = true,
      _ options: ElevenLabsOptions = ElevenLabsOptions(scenario: .quiet)
    ) {
      let clock = ManualDemoClock(startMs: 1_780_000_000_000)
      var options = options
      options.clock = clock
      self.clock = clock
      world = ElevenLabsWorld(options: options, key: "k", port: 1)
      world.begin()
      let query = address ?? "agent_id=\(agent)"
      talk = world.open(
        link,
        world.admit(
          HTTPRequest(
            method: "GET", target: "/v1/convai/conversation?\(query)", headers: [:], body: [])))
    }

    func send(_ text: String) {
      guard !talk.isOver else { return }
      world.receive(talk, Array(text.utf8), isText: true)
    }

    func begin(_ override: String = #"{"conversation":{"text_only":true}}"#) {
      send(
        #"{"type":"conversation_initiation_client_data","conversation_config_override":\#(override)}"#
      )
    }

    func pass(_ ms: Int64) {
      clock.advance(byMs: ms)
      world.run(until: clock.nowMs)
    }

    /// Passes time in small steps, and answers every ping.
    func live(_ ms: Int64) async {
      for _ in 0..<(ms / 100) {
        pass(100)
        for frame in await heard() {
          if case .int(let id)? = frame["ping_event"]?["event_id"] {
            send(#"{"type":"pong","event_id":\#(id)}"#)
          }
          log.append(frame)
        }
      }
    }

    private(set) var log: [DemoJSON] = []
    private(set) var close: (code: Int, reason: String)?

    /// What was said since the last call.
    func heard() async -> [DemoJSON] {
      link.send(Data())
      var frames: [DemoJSON] = []
      for item in await link.next() {
        switch item {
        case .bytes(let data): if let frame = Self.text(data) { frames.append(frame) }
        case .last(let data):
          let bytes = [UInt8](data)
          close = (
            Int(bytes[2]) << 8 | Int(bytes[3]), String(decoding: bytes.dropFirst(4), as: UTF8.self)
          )
        case .cut: break
        }
      }
      return frames
    }

    private static func text(_ data: Data) -> DemoJSON? {
      let bytes = [UInt8](data)
      guard bytes.count > 2, bytes[0] == 0x81 else { return nil }
      let start = bytes[1] < 126 ? 2 : bytes[1] == 126 ? 4 : 10
      return try? DemoJSON.parse(Array(bytes[start...]))
    }

    func types() -> [String] { log.compactMap { $0["type"]?.stringValue } }
  }

  @Test func aSignatureOpensOneConversationWithin15Minutes() async {
    let client = Client()
    let signed = client.world.sign("agent_juniper").split(separator: "?").last.map(String.init)
    let request = HTTPRequest(
      method: "GET", target: "/v1/convai/conversation?\(signed ?? "")", headers: [:], body: [])
    guard case .agent(let agent) = client.world.admit(request) else {
      Issue.record("refused")
      return
    }
    #expect(agent.id == "agent_juniper")
    guard case .refused = client.world.admit(request) else {
      Issue.record("taken twice")
      return
    }
    let late = client.world.sign("agent_juniper").split(separator: "?").last.map(String.init)
    client.pass(15 * 60_000 + 1)
    guard
      case .refused = client.world.admit(
        HTTPRequest(
          method: "GET", target: "/v1/convai/conversation?\(late ?? "")", headers: [:], body: []))
    else {
      Issue.record("taken late")
      return
    }
  }

  @Test func aPrivateAgentNeedsASignature() async {
    let client = Client(agent: "agent_juniper")
    _ = await client.heard()
    #expect(client.close?.code == 1_008)
  }

  @Test(
    "a frame that does not fit is refused",
    arguments: [
      #"{"type":"user_message","text":"x","more":1}"#, #"{"type":"user_message"}"#,
      #"{"type":"nothing"}"#, #"{"text":"x"}"#, "[1]", "x", #"{"type":"pong","event_id":"a"}"#,
      #"{"type":"client_tool_result","tool_call_id":"a","result":"b"}"#,
      #"{"user_audio_chunk":"AAAA","type":"audio"}"#,
    ])
  func shapes(frame: String) async {
    let client = Client()
    client.begin()
    _ = await client.heard()
    client.send(frame)
    let heard = await client.heard()
    #expect(heard.last?["error_event"]?["error_type"]?.stringValue == "invalid_message", "\(heard)")
    #expect(client.close?.code == 1_008)
  }

  @Test func theInitiationComesFirst() async {
    let client = Client()
    client.send(#"{"type":"user_message","text":"x"}"#)
    _ = await client.heard()
    #expect(client.close?.code == 1_008)
  }

  @Test func anAnswerHasPartsThenTheWhole() async {
    let client = Client()
    client.begin(
      #"{"conversation":{"text_only":true,"client_events":["agent_chat_response_part","agent_response"]}}"#
    )
    await client.live(1_000)
    client.send(#"{"type":"user_message","text":"Hello there, you"}"#)
    await client.live(1_500)
    let parts = client.log.filter {
      $0["type"]?.stringValue == "agent_chat_response_part"
        && $0["text_response_part"]?["event_id"]
          == client.log.last { entry in
            entry["type"]?.stringValue == "agent_response"
          }?["agent_response_event"]?["event_id"]
    }
    let text = parts.compactMap { $0["text_response_part"]?["text"]?.stringValue }.joined()
    #expect(text == "You said: Hello there, you")
    #expect(
      parts.compactMap { $0["text_response_part"]?["type"]?.stringValue }.first == "start")
    #expect(!client.types().contains("user_transcript"))
  }

  @Test func twoMissingPongsEndIt() async {
    let client = Client()
    client.begin()
    client.pass(2_000)
    client.pass(2_000)
    #expect(!client.talk.isOver)
    client.pass(2_000)
    _ = await client.heard()
    #expect(client.close?.code == 1_002)
  }

  @Test func sixtySecondsWithoutInputEndIt() async {
    let client = Client()
    client.begin()
    await client.live(59_000)
    #expect(!client.talk.isOver)
    client.send(#"{"type":"user_activity"}"#)
    await client.live(58_000)
    #expect(!client.talk.isOver)
    await client.live(3_000)
    #expect(client.close?.code == 1_002 && client.close?.reason == "transport_receive_timeout")
  }

  @Test func overridesCanBeSwitchedOff() async {
    let client = Client(nil, ElevenLabsOptions(scenario: .quiet, allowsOverrides: false))
    client.begin()
    let heard = await client.heard()
    #expect(heard.last?["error_event"]?["error_type"]?.stringValue == "override_error")
    let plain = Client(nil, ElevenLabsOptions(scenario: .quiet, allowsOverrides: false))
    plain.send(#"{"type":"conversation_initiation_client_data"}"#)
    await plain.live(1_500)
    #expect(plain.types().contains("conversation_initiation_metadata"))
    // Without the list of events speech comes, and no parts.
    #expect(plain.types().contains("audio"))
    #expect(!plain.types().contains("agent_chat_response_part"))
  }

  @Test func aNewMessageInterruptsAndCorrects() async throws {
    let client = Client()
    client.begin(
      #"{"conversation":{"text_only":true,"client_events":["agent_response","agent_response_correction","interruption"]}}"#
    )
    await client.live(1_000)
    client.send(#"{"type":"user_message","text":"a story"}"#)
    await client.live(800)
    client.send(#"{"type":"user_message","text":"stop"}"#)
    await client.live(100)
    let correction = try #require(
      client.log.first { $0["type"]?.stringValue == "agent_response_correction" })
    let event = try #require(correction["agent_response_correction_event"])
    let whole = try #require(event["original_agent_response"]?.stringValue)
    let cut = try #require(event["corrected_agent_response"]?.stringValue)
    #expect(whole.hasPrefix(cut) && whole != cut && !cut.isEmpty)
    #expect(client.types().contains("interruption"))
  }

  @Test func anApprovalTimesOut() async throws {
    let client = Client(nil, ElevenLabsOptions(scenario: .quiet, approvalSeconds: 5))
    client.begin()
    await client.live(1_000)
    client.send(#"{"type":"user_message","text":"book it"}"#)
    await client.live(7_500)
    let states = client.log.compactMap { $0["mcp_tool_call"]?["state"]?.stringValue }
    #expect(states == ["awaiting_approval", "failure"])
  }

  @Test func speechIsATone() {
    let samples = ElevenLabsTone.samples(words: 6, hertz: 440)
    #expect(samples.count == 16_000 * 360 / 1_000 * 2)
    let level = ElevenLabsTone.level(base64: Data(samples).base64EncodedString()) ?? 0
    #expect(level > 0.5 && level < 0.9)
    #expect(ElevenLabsTone.level(base64: Data(count: 320).base64EncodedString()) == 0)
  }
}
