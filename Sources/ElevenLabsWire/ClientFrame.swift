package import LenientJSON

/// Everything that this program says in a conversation. The objects are closed: the server refuses a
/// frame with a member that it does not know.
package enum ClientFrame: Sendable, Equatable {
  /// Always first.
  case initiation(Initiation)
  case pong(EventID)
  case message(String)
  /// The user types: the agent leaves the turn open. At most one a second.
  case activity
  /// What the agent should know without answering it. One with the same id replaces it.
  case contextualUpdate(String, id: String?)
  /// Rates an answer; a nil score takes the rating back.
  case feedback(EventID, Score?)
  case toolResult(call: String, result: String, isError: Bool)
  case approval(call: String, isApproved: Bool)
  /// Samples in the input format that the metadata names.
  case audio([UInt8])

  package enum Score: String, Sendable { case like, dislike }

  package var json: JSONValue {
    switch self {
    case .initiation(let initiation): initiation.json
    case .pong(let id): frame("pong", [("event_id", id.json)])
    case .message(let text): frame("user_message", [("text", .string(text))])
    case .activity: frame("user_activity", [])
    case .contextualUpdate(let text, let id):
      frame(
        "contextual_update",
        [("text", .string(text)), ("context_id", id.map { .string($0) })])
    case .feedback(let id, let score):
      frame(
        "feedback", [("event_id", id.json), ("score", score.map { .string($0.rawValue) } ?? .null)])
    case .toolResult(let call, let result, let isError):
      frame(
        "client_tool_result",
        [
          ("tool_call_id", .string(call)), ("result", .string(result)),
          ("is_error", .bool(isError)),
        ])
    case .approval(let call, let isApproved):
      frame(
        "mcp_tool_approval_result",
        [("tool_call_id", .string(call)), ("is_approved", .bool(isApproved))])
    case .audio(let bytes):
      // The one frame without a type.
      .body([("user_audio_chunk", .string(AudioText.encoded(bytes)))])
    }
  }

  /// The bytes of the message.
  package var bytes: [UInt8] { Array(json.serialized().utf8) }

  private func frame(_ type: String, _ members: [(key: String, value: JSONValue?)]) -> JSONValue {
    .body([("type", .string(type))] + members)
  }
}

/// The first message of a conversation.
package struct Initiation: Sendable, Equatable {
  /// What the agent's configuration has to allow.
  package struct Overrides: Sendable, Equatable {
    package var firstMessage: String?
    /// Such as `en`.
    package var language: String?
    /// The id of a voice.
    package var voice: String?

    package init(firstMessage: String? = nil, language: String? = nil, voice: String? = nil) {
      self.firstMessage = firstMessage
      self.language = language
      self.voice = voice
    }
  }

  /// The events that a conversation in text asks for. Without the list only audio, transcripts,
  /// full answers and pings come.
  package static let events = [
    "agent_response", "agent_response_correction", "agent_chat_response_part", "user_transcript",
    "interruption", "conversation_initiation_metadata", "client_tool_call", "mcp_tool_call",
    "mcp_connection_status", "agent_tool_request", "agent_tool_response", "context_usage", "ping",
    "agent_typing", "guardrail_triggered",
  ]

  /// nil sends no override at all: neither text only nor the events above.
  package var overrides: Overrides?
  /// Audio in both directions instead of text alone.
  package var wantsAudio: Bool
  /// Values for the placeholders of the agent's prompt.
  package var variables: [String: String]
  package var userID: String?
  package var version: String

  package init(
    overrides: Overrides?, wantsAudio: Bool = false, variables: [String: String] = [:],
    userID: String? = nil, version: String
  ) {
    self.overrides = overrides
    self.wantsAudio = wantsAudio
    self.variables = variables
    self.userID = userID
    self.version = version
  }

  var json: JSONValue {
    .body([
      ("type", .string("conversation_initiation_client_data")),
      ("conversation_config_override", overrides.map(json)),
      (
        "dynamic_variables",
        variables.isEmpty
          ? nil : .body(variables.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
      ),
      ("user_id", userID.map { .string($0) }),
      ("source_info", .body([("source", .string("cockpit")), ("version", .string(version))])),
    ])
  }

  private func json(_ overrides: Overrides) -> JSONValue {
    let agent: [(key: String, value: JSONValue?)] = [
      ("first_message", overrides.firstMessage.map { .string($0) }),
      ("language", overrides.language.map { .string($0) }),
    ]
    let events = Self.events + (wantsAudio ? ["audio", "vad_score"] : [])
    return .body([
      (
        "conversation",
        .body([
          ("text_only", wantsAudio ? nil : .bool(true)),
          ("client_events", .array(events.map { .string($0) })),
        ])
      ),
      ("agent", agent.contains { $0.value != nil } ? .body(agent) : nil),
      ("tts", overrides.voice.map { .body([("voice_id", .string($0))]) }),
    ])
  }
}
