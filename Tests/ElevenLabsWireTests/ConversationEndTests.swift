import ElevenLabsWire
import Testing

@Suite struct ConversationEndTests {
  enum Kind { case ended, idle, failed, overrides, blocked, crashed }

  private func kind(_ end: ConversationEnd) -> Kind {
    switch end {
    case .ended: .ended
    case .idle: .idle
    case .failed: .failed
    case .overridesRefused: .overrides
    case .blocked: .blocked
    case .crashed: .crashed
    }
  }

  static let types1002 = [
    "llm_timeout", "llm_error", "custom_llm_error", "cascade_brain_error", "safety_violation",
    "tts_cascade_error", "asr_transcription_error", "vad_error", "turn_probability_error",
    "http_exception", "asyncio_timeout", "redis_timeout_error", "something_new",
  ]
  static let types1008 = [
    "invalid_message", "value_error", "missing_fields", "missing_dynamic_variable",
    "missing_dynamic_variable_transfer", "mcp_tool_error", "mcp_https_error",
    "telephony_agent_error", "something_new",
  ]

  private func end(_ code: Int, _ type: String?, _ message: String = "") -> ConversationEnd {
    ConversationEnd(
      code: code, reason: message,
      error: type.map { ConversationError(code: code, type: $0, message: message) })
  }

  @Test func codesHaveTheirOutcome() {
    #expect(end(1_000, nil) == .ended(reason: nil))
    #expect(
      ConversationEnd(code: 1_000, reason: "User ended conversation", error: nil)
        == .ended(reason: nil))
    #expect(end(1_000, nil, "Agent ended conversation").sentence == "Agent ended conversation.")
    #expect(end(1_000, "max_duration_exceeded").sentence.contains("longest duration"))
    #expect(end(1_002, "transport_receive_timeout") == .idle)
    // Without an error frame before it.
    #expect(end(1_002, nil, "transport_receive_timeout") == .idle)
    #expect(kind(end(1_008, "override_error")) == .overrides)
    #expect(kind(end(1_011, "unknown_websocket_crash")) == .crashed)
    #expect(kind(end(1_011, "unknown")) == .crashed)
    #expect(kind(end(1_006, nil)) == .failed)
    #expect(kind(end(4_242, nil, "what")) == .failed)
    for type in Self.types1002 { #expect(kind(end(1_002, type)) == .failed, "\(type)") }
    for type in Self.types1008 { #expect(kind(end(1_008, type)) == .blocked, "\(type)") }
    #expect(!end(1_000, nil).isError && !end(1_002, "transport_receive_timeout").isError)
    #expect(end(1_006, nil).isError)
  }

  @Test func everyEndIsOneSentence() {
    let all =
      Self.types1002.map { end(1_002, $0, "words of the server.") }
      + Self.types1008.map { end(1_008, $0, "words of the server.") }
      + [end(1_000, nil), end(1_006, nil), end(1_011, "unknown", "x"), end(1_002, "vad_error")]
    for end in all {
      #expect(end.sentence.hasSuffix(".") && !end.sentence.contains("\n"), "\(end)")
      #expect(!end.sentence.contains(".."), "\(end)")
    }
  }

  @Test func whatIsMissingIsNamed() {
    #expect(
      end(
        1_008, "missing_dynamic_variable",
        "Missing required dynamic variables: {'order_id', 'name'}"
      ).sentence.contains("order_id, name"))
    #expect(
      end(1_008, "value_error", "This request exceeds your quota limit.").sentence.contains("quota")
    )
    #expect(
      end(1_008, "value_error", "Invalid or expired signed URL").sentence.contains("15 minutes"))
  }
}

@Suite struct ServiceRefusalTests {
  private func refusal(_ status: Int, _ body: String) -> ServiceRefusal {
    ServiceRefusal(status: status, body: Array(body.utf8))
  }

  @Test func detailIsAnObjectAListOrText() {
    let object = refusal(
      401, #"{"detail":{"status":"invalid_api_key","message":"Invalid API key"}}"#)
    #expect(object.kind == "invalid_api_key" && object.isKeyRefused)
    let list = refusal(
      422, #"{"detail":[{"loc":["query","agent_id"],"msg":"Field required","type":"missing"}]}"#)
    #expect(list.message == "agent_id: Field required")
    #expect(list.sentence.contains("agent_id: Field required"))
    #expect(refusal(404, #"{"detail":"Not Found"}"#).message == "Not Found")
    #expect(refusal(500, "<html>").message.isEmpty)
    #expect(refusal(429, "{}").isRateLimit)
  }

  @Test func sentencesSayWhatToDo() {
    #expect(
      refusal(404, #"{"detail":{"status":"agent_not_found","message":"x"}}"#).sentence.contains(
        "agent in the profile"))
    #expect(refusal(404, #"{"detail":"Not Found"}"#).sentence.contains("url"))
    for status in [400, 401, 403, 404, 422, 429, 500, 503] {
      #expect(refusal(status, "{}").sentence.hasSuffix("."))
    }
  }
}
