import ElevenLabsWire
import JSONTestKit
import LenientJSON
import Testing

@Suite struct ServerFrameTests {
  /// A frame of every type, and what it means.
  static let frames: [(text: String, meaning: ServerFrame?)] = [
    (
      #"{"type":"ping","ping_event":{"event_id":4,"ping_ms":38}}"#,
      .ping(EventID(4), latencyMs: 38)
    ),
    (#"{"type":"ping","ping_event":{"event_id":"4"}}"#, .ping(EventID(4), latencyMs: nil)),
    (#"{"type":"ping"}"#, .ping(nil, latencyMs: nil)),
    (
      #"{"type":"agent_response","agent_response_event":{"agent_response":"Hi","event_id":7}}"#,
      .response("Hi", EventID(7))
    ),
    (
      #"{"type":"agent_response","agent_response_event":{"event_id":7}}"#,
      .unknown(type: "agent_response")
    ),
    (
      #"""
      {"type":"agent_response_correction","agent_response_correction_event":
      {"original_agent_response":"Hi there","corrected_agent_response":"Hi","event_id":7}}
      """#, .correction(original: "Hi there", corrected: "Hi", EventID(7))
    ),
    (
      #"{"type":"user_transcript","user_transcription_event":{"user_transcript":"Stop."}}"#,
      .transcript("Stop.", nil)
    ),
    (
      #"""
      {"type":"tentative_user_transcript","tentative_user_transcription_event":
      {"user_transcript":"sto","event_id":6}}
      """#, .tentativeTranscript("sto", EventID(6))
    ),
    (
      #"{"type":"interruption","interruption_event":{"event_id":5}}"#, .interruption(EventID(5))
    ),
    (#"{"type":"vad_score","vad_score_event":{"vad_score":0.25}}"#, .voiceActivity(0.25)),
    (#"{"type":"vad_score","vad_score_event":{"vad_score":7}}"#, .voiceActivity(1)),
    (#"{"type":"agent_typing","agent_typing_event":{"is_typing":true}}"#, .typing(true)),
    (
      #"{"type":"rich_content","rich_content":{"component":"Chart","event_id":3}}"#,
      .richContent(component: "Chart", EventID(3))
    ),
    (#"{"type":"guardrail_triggered"}"#, .notice(.guardrail)),
    (#"{"type":"external_agent_connected"}"#, .notice(.externalAgentConnected)),
    (
      #"{"type":"asr_initiation_metadata","x":{}}"#, .silent(type: "asr_initiation_metadata")
    ),
    (#"{"type":"internal_turn_probability"}"#, .silent(type: "internal_turn_probability")),
    (#"{"type":"moon_landed"}"#, .unknown(type: "moon_landed")),
    (#"{"no":"type"}"#, .unknown(type: "")),
    (#"{"type":"error"}"#, .error(ConversationError(code: nil, type: nil, message: nil))),
    (
      #"{"type":"error","error_event":{"code":1002,"error_type":"llm_timeout","reason":"slow"}}"#,
      .error(ConversationError(code: 1_002, type: "llm_timeout", message: "slow"))
    ),
    ("[1]", nil),
    ("{", nil),
    ("", nil),
  ]

  @Test("a frame has its meaning", arguments: frames.indices)
  func meaning(place: Int) {
    let (text, meaning) = Self.frames[place]
    #expect(ServerFrame(Array(text.utf8)) == meaning)
  }

  @Test func metadataNamesTheConversation() throws {
    let text =
      #"""
      {"type":"conversation_initiation_metadata","conversation_initiation_metadata_event":
      {"conversation_id":"c1","agent_output_audio_format":"pcm_16000"}}
      """#
    guard case .metadata(let metadata)? = ServerFrame(Array(text.utf8)) else {
      Issue.record("no metadata")
      return
    }
    #expect(metadata.conversationID == "c1")
    #expect(metadata.outputFormat == "pcm_16000" && metadata.inputFormat == nil)
  }

  @Test func partsKeepTextOfAnUnknownKind() {
    let text =
      #"{"type":"agent_chat_response_part","text_response_part":{"text":"a","type":"new"}}"#
    guard case .part(let part)? = ServerFrame(Array(text.utf8)) else {
      Issue.record("no part")
      return
    }
    #expect(part.text == "a" && part.kind == .delta && part.id == nil)
  }

  @Test func reasoningHasAnIDThatIsText() {
    let text =
      #"{"type":"agent_reasoning_response_part","reasoning_response_part":{"text":"b","event_id":"r-5"}}"#
    guard case .reasoning(let part)? = ServerFrame(Array(text.utf8)) else {
      Issue.record("no part")
      return
    }
    #expect(part.id == EventID("r-5") && part.id?.number == nil)
  }

  @Test func approvalHasItsTimeout() {
    let text =
      #"""
      {"type":"mcp_tool_call","mcp_tool_call":{"service_id":"s","tool_call_id":"m1","tool_name":"t",
      "parameters":{"a":1},"state":"awaiting_approval","approval_timeout_secs":30}}
      """#
    guard case .mcpTool(let call)? = ServerFrame(Array(text.utf8)) else {
      Issue.record("no call")
      return
    }
    #expect(call.state == .awaitingApproval(timeoutSeconds: 30))
    #expect(call.parameters.serialized() == #"{"a":1}"#)
  }

  @Test func audioIsDecodedOnDemand() {
    let text = #"{"type":"audio","audio_event":{"audio_base_64":"AAEC/w==","event_id":5}}"#
    guard case .audio(let piece)? = ServerFrame(Array(text.utf8)) else {
      Issue.record("no audio")
      return
    }
    #expect(piece.bytes == [0, 1, 2, 255] && piece.id == EventID(5))
  }

  @Test("any bytes of any frame may be wrong", arguments: 0..<40)
  func mutations(seed: Int) {
    var random = SeededRandom(UInt64(seed) + 1)
    for (text, _) in Self.frames where !text.isEmpty {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(UInt8.random(in: 32...126, using: &random), at: place)
        default: if bytes.count > 1 { bytes.remove(at: place) }
        }
      }
      // Whatever comes of it is a value, and the same one each time.
      #expect(ServerFrame(bytes) == ServerFrame(bytes))
    }
  }

  @Test("members of a wrong type cost themselves", arguments: 0..<20)
  func wrongTypes(seed: Int) {
    var json = RandomJSON(UInt64(seed) + 99)
    let bodies = [
      ("ping", "ping_event", ["event_id", "ping_ms"]),
      ("agent_chat_response_part", "text_response_part", ["text", "type", "event_id"]),
      ("client_tool_call", "client_tool_call", ["tool_name", "tool_call_id", "parameters"]),
      ("mcp_tool_call", "mcp_tool_call", ["tool_call_id", "state", "approval_timeout_secs"]),
      ("context_usage", "context_usage_event", ["model", "context_tokens"]),
      ("error", "error_event", ["code", "message", "error_type"]),
    ]
    for (type, body, names) in bodies {
      let members = names.map { "\"\($0)\":\(json.value(depth: 2))" }.joined(separator: ",")
      let text = "{\"type\":\"\(type)\",\"\(body)\":{\(members)}}"
      _ = ServerFrame(Array(text.utf8))
      let bare = "{\"type\":\"\(type)\",\"\(body)\":\(json.value(depth: 2))}"
      _ = ServerFrame(Array(bare.utf8))
    }
  }

  @Test("base64 there and back", arguments: 0..<30)
  func base64(count: Int) {
    var random = SeededRandom(UInt64(count) + 3)
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(AudioText.decoded(AudioText.encoded(bytes)) == bytes)
  }

  @Test(arguments: [("TWFu", "Man"), ("TWE=", "Ma"), ("TQ==", "M"), ("TQ", "M"), ("", "")])
  func knownBase64(text: String, plain: String) {
    #expect(AudioText.decoded(text) == Array(plain.utf8))
    #expect(AudioText.decoded("TQ=Q") == nil && AudioText.decoded("T") == nil)
  }
}
