import ElevenLabsWire
import Foundation
import LenientJSON
import Testing

@Suite struct ClientFrameTests {
  static let frames: [(frame: ClientFrame, text: String)] = [
    (.pong(EventID(7)), #"{"type":"pong","event_id":7}"#),
    (.pong(EventID("r-5")), #"{"type":"pong","event_id":"r-5"}"#),
    (.message("a \"b\""), #"{"type":"user_message","text":"a \"b\""}"#),
    (.activity, #"{"type":"user_activity"}"#),
    (.contextualUpdate("x", id: nil), #"{"type":"contextual_update","text":"x"}"#),
    (
      .contextualUpdate("x", id: "screen"),
      #"{"type":"contextual_update","text":"x","context_id":"screen"}"#
    ),
    (.feedback(EventID(3), .like), #"{"type":"feedback","event_id":3,"score":"like"}"#),
    (.feedback(EventID(3), nil), #"{"type":"feedback","event_id":3,"score":null}"#),
    (
      .toolResult(call: "ct", result: "unknown tool", isError: true),
      #"{"type":"client_tool_result","tool_call_id":"ct","result":"unknown tool","is_error":true}"#
    ),
    (
      .approval(call: "mc", isApproved: false),
      #"{"type":"mcp_tool_approval_result","tool_call_id":"mc","is_approved":false}"#
    ),
    (.audio([0, 0, 0]), #"{"user_audio_chunk":"AAAA"}"#),
  ]

  @Test("a frame has exactly these members", arguments: frames.indices)
  func spelling(place: Int) {
    let (frame, text) = Self.frames[place]
    #expect(String(decoding: frame.bytes, as: UTF8.self) == text)
  }

  @Test func initiationAsksForTextAndItsEvents() throws {
    let initiation = Initiation(
      overrides: Initiation.Overrides(), variables: ["user_name": "Mira"], userID: "mira",
      version: "1")
    let json = ClientFrame.initiation(initiation).json
    #expect(json["type"]?.string == "conversation_initiation_client_data")
    let conversation = json[path: "conversation_config_override", "conversation"]
    #expect(conversation?["text_only"]?.bool == true)
    #expect(
      conversation?["client_events"]?.array?.compactMap(\.string).contains(
        "agent_chat_response_part") == true)
    #expect(json[path: "conversation_config_override", "agent"] == nil)
    #expect(json["dynamic_variables"]?["user_name"]?.string == "Mira")
    #expect(json["source_info"]?["source"]?.string == "cockpit")
  }

  @Test func initiationWithoutOverridesHasNone() {
    let json = ClientFrame.initiation(Initiation(overrides: nil, version: "1")).json
    #expect(json.object?.members.map(\.key) == ["type", "source_info"])
  }

  @Test func audioIsNotTextOnly() {
    let json = ClientFrame.initiation(
      Initiation(
        overrides: .init(firstMessage: "Hi", language: "de", voice: "v1"), wantsAudio: true,
        version: "1")
    ).json["conversation_config_override"]
    #expect(json?["conversation"]?["text_only"] == nil)
    #expect(
      json?["conversation"]?["client_events"]?.array?.compactMap(\.string).contains("audio")
        == true)
    #expect(json?["agent"]?["first_message"]?.string == "Hi")
    #expect(json?["agent"]?["language"]?.string == "de")
    #expect(json?["tts"]?["voice_id"]?.string == "v1")
  }
}
