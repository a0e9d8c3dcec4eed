package import LenientJSON

/// The server's first message: the conversation is active.
package struct ConversationMetadata: Sendable, Equatable {
  package var conversationID: String?
  /// Such as `pcm_16000`: 16-bit little-endian mono samples at 16 kHz.
  package var outputFormat: String?
  package var inputFormat: String?

  init(_ fields: JSONFields?) {
    conversationID = fields?.id("conversation_id")
    outputFormat = fields?.string("agent_output_audio_format")
    inputFormat = fields?.string("user_input_audio_format")
  }
}

/// A piece of a text that grows.
package struct ResponsePart: Sendable, Equatable {
  package enum Kind: String, Sendable { case start, delta, stop }

  package var text: String
  /// Anything else that is sent counts as `delta`: its text must not get lost.
  package var kind: Kind
  package var id: EventID?

  init(_ fields: JSONFields) {
    text = fields.string("text") ?? ""
    kind = fields.string("type").flatMap(Kind.init) ?? .delta
    id = fields.eventID
  }
}

/// A piece of speech.
package struct AudioPiece: Sendable, Equatable {
  /// In base64, as sent: a conversation in text never decodes it.
  package var base64: String
  package var id: EventID?

  init?(_ fields: JSONFields) {
    guard let text = fields.string("audio_base_64") else { return nil }
    base64 = text
    id = fields.eventID
  }

  /// The samples, in the format that the metadata names; nil if this is not base64.
  package var bytes: [UInt8]? { AudioText.decoded(base64) }
}

/// The agent calls a tool of this program. Every call gets exactly one result.
package struct ClientToolCall: Sendable, Equatable {
  package var name: String
  package var id: String
  package var parameters: JSONValue
  package var eventID: EventID?

  init?(_ fields: JSONFields) {
    guard let id = fields.id("tool_call_id") else { return nil }
    self.id = id
    name = fields.string("tool_name") ?? ""
    parameters = fields.value("parameters") ?? .null
    eventID = fields.eventID
  }
}

/// A tool that the server runs for the agent.
package struct AgentToolUse: Sendable, Equatable {
  package var name: String
  package var id: String?
  /// `webhook`, `system`, …, as sent.
  package var kind: String?
  package var isOver: Bool
  package var isError: Bool
  /// The whole result, where the server sends it.
  package var result: JSONValue?
  package var eventID: EventID?

  init(_ fields: JSONFields, isOver: Bool) {
    name = fields.string("tool_name") ?? ""
    id = fields.id("tool_call_id")
    kind = fields.string("tool_type")
    self.isOver = isOver
    isError = fields.bool("is_error") ?? false
    result = fields.value("full_tool_result")
    eventID = fields.eventID
  }
}

/// A tool of an MCP server that is used, or that waits for the owner's approval.
package struct McpToolCall: Sendable, Equatable {
  package enum State: Sendable, Equatable {
    /// Seconds until the server gives up; nil if it names none.
    case awaitingApproval(timeoutSeconds: Int?)
    case loading
    case success(JSONValue?)
    case failure(String?)
    /// As sent.
    case other(String)
  }

  package var id: String
  package var service: String?
  package var name: String
  package var summary: String?
  package var parameters: JSONValue
  package var state: State

  init?(_ fields: JSONFields) {
    guard let id = fields.id("tool_call_id") else { return nil }
    self.id = id
    service = fields.id("service_id")
    name = fields.string("tool_name") ?? ""
    summary = fields.string("tool_description")
    parameters = fields.value("parameters") ?? .null
    state =
      switch fields.string("state") ?? "" {
      case "awaiting_approval":
        .awaitingApproval(timeoutSeconds: fields.int("approval_timeout_secs"))
      case "loading": .loading
      case "success": .success(fields.value("result"))
      case "failure": .failure(fields.string("error_message"))
      case let other: .other(other)
      }
  }
}

/// An MCP server of the agent.
package struct McpIntegration: Sendable, Equatable {
  package var id: String
  /// `mcp_server` or `mcp_integration`.
  package var kind: String?
  package var isConnected: Bool?
  package var toolCount: Int?

  init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("integration_id") else { return nil }
    self.id = id
    kind = fields.string("integration_type")
    isConnected = fields.bool("is_connected")
    toolCount = fields.int("tool_count")
  }
}

/// How much of the model's context is in use, in tokens.
package struct ContextUsage: Sendable, Equatable {
  package var model: String?
  package var tokens: Int?
  package var limit: Int?

  init(_ fields: JSONFields) {
    model = fields.string("model")
    tokens = fields.int("context_tokens")
    limit = fields.int("context_limit_tokens")
  }
}

/// The server gives up; a close follows.
package struct ConversationError: Sendable, Equatable {
  package var code: Int?
  /// `llm_timeout`, `override_error`, …, as sent.
  package var type: String?
  /// Remote text.
  package var message: String?

  package init(code: Int?, type: String?, message: String?) {
    self.code = code
    self.type = type
    self.message = message
  }

  init(_ fields: JSONFields?) {
    code = fields?.int("code")
    type = fields?.string("error_type")
    message =
      fields?.string("message") ?? fields?.string("reason")
      ?? fields?.string("debug_message")
  }
}
