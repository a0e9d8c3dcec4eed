internal import LenientJSON

/// One message from the server of a conversation. Every field may be missing.
package enum ServerFrame: Sendable, Equatable {
  case metadata(ConversationMetadata)
  case ping(EventID?, latencyMs: Int?)
  /// A piece of an answer.
  case part(ResponsePart)
  /// A piece of what the model thinks.
  case reasoning(ResponsePart)
  /// The whole answer; it replaces the parts with its id.
  case response(String, EventID?)
  /// What was really said of an answer that was interrupted.
  case correction(original: String?, corrected: String, EventID?)
  case transcript(String, EventID?)
  /// What the user seems to be saying; a later transcript replaces it.
  case tentativeTranscript(String, EventID?)
  case interruption(EventID?)
  case audio(AudioPiece)
  case clientTool(ClientToolCall)
  /// The server runs a tool of the agent, or has run it.
  case agentTool(AgentToolUse)
  case mcpTool(McpToolCall)
  case mcpStatus([McpIntegration])
  case contextUsage(ContextUsage)
  /// How sure the server is that somebody speaks, 0 to 1.
  case voiceActivity(Double)
  case typing(Bool)
  /// An interface element, by the name of its component.
  case richContent(component: String, EventID?)
  case notice(Notice)
  case error(ConversationError)
  /// A type that is known and has nothing to show; its name.
  case silent(type: String)
  /// A type that this version does not know; its name.
  case unknown(type: String)

  /// Something that is worth one line.
  package enum Notice: String, Sendable {
    case guardrail = "guardrail_triggered"
    case externalAgentConnected = "external_agent_connected"
    case externalAgentDisconnected = "external_agent_disconnected"

    package var sentence: String {
      switch self {
      case .guardrail: "A guardrail of the agent was triggered."
      case .externalAgentConnected: "An external agent joined the conversation."
      case .externalAgentDisconnected: "The external agent left the conversation."
      }
    }
  }

  /// nil when this is not a JSON object.
  package init?(_ text: [UInt8]) {
    let parsed = text.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in try JSONValue.parse(bytes) }
    }
    guard case .success(let value) = parsed, let fields = JSONFields(value) else { return nil }
    let type = fields.string("type") ?? ""
    self = Self.read(type, value, fields) ?? .unknown(type: type)
  }

  /// nil for an unknown type, and for a known one without a body that can be read.
  private static func read(
    _ type: String, _ value: JSONValue, _ fields: JSONFields
  ) -> ServerFrame? {
    func body(_ name: String) -> JSONFields? { fields.nested(name, as: JSONFields.init) }
    switch type {
    case "conversation_initiation_metadata":
      return .metadata(
        ConversationMetadata(body("conversation_initiation_metadata_event")))
    case "ping":
      let event = body("ping_event")
      return .ping(event?.eventID, latencyMs: event?.int("ping_ms"))
    case "agent_chat_response_part":
      return body("text_response_part").map { .part(ResponsePart($0)) }
    case "agent_reasoning_response_part":
      return body("reasoning_response_part").map { .reasoning(ResponsePart($0)) }
    case "agent_response":
      guard let event = body("agent_response_event"), let text = event.string("agent_response")
      else { return nil }
      return .response(text, event.eventID)
    case "agent_response_correction":
      guard let event = body("agent_response_correction_event"),
        let text = event.string("corrected_agent_response")
      else { return nil }
      return .correction(
        original: event.string("original_agent_response"), corrected: text, event.eventID)
    case "user_transcript":
      return transcript(body("user_transcription_event")).map { .transcript($0, $1) }
    case "tentative_user_transcript":
      return transcript(body("tentative_user_transcription_event")).map {
        .tentativeTranscript($0, $1)
      }
    case "interruption": return .interruption(body("interruption_event")?.eventID)
    case "audio": return body("audio_event").flatMap(AudioPiece.init).map { .audio($0) }
    case "client_tool_call":
      return body("client_tool_call").flatMap(ClientToolCall.init).map { .clientTool($0) }
    case "agent_tool_request":
      return body(type).map { .agentTool(AgentToolUse($0, isOver: false)) }
    case "agent_tool_response", "agent_tool_response_full_payload":
      return (body(type) ?? body("agent_tool_response")).map {
        .agentTool(AgentToolUse($0, isOver: true))
      }
    case "mcp_tool_call":
      return body("mcp_tool_call").flatMap(McpToolCall.init).map { .mcpTool($0) }
    case "mcp_connection_status":
      return .mcpStatus(
        body("mcp_connection_status")?.list("integrations", of: McpIntegration.init) ?? [])
    case "context_usage": return body("context_usage_event").map { .contextUsage(.init($0)) }
    case "vad_score":
      return body("vad_score_event")?.double("vad_score").map {
        .voiceActivity(min(1, max(0, $0)))
      }
    case "agent_typing":
      return .typing(body("agent_typing_event")?.bool("is_typing") ?? false)
    case "rich_content":
      let content = body("rich_content")
      return .richContent(
        component: content?.string("component") ?? "an element without a name", content?.eventID)
    case "error": return .error(ConversationError(body("error_event")))
    case "asr_initiation_metadata": return .silent(type: type)
    default:
      if let notice = Notice(rawValue: type) { return .notice(notice) }
      return type.hasPrefix("internal_") ? .silent(type: type) : nil
    }
  }

  private static func transcript(_ event: JSONFields?) -> (String, EventID?)? {
    guard let event, let text = event.string("user_transcript") else { return nil }
    return (text, event.eventID)
  }
}

extension JSONFields {
  var eventID: EventID? { value("event_id").flatMap { EventID($0) } }
}
