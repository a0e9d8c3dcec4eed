/// The frames that a client may send. Objects are closed: a member that is not named is refused.
enum ElevenLabsShape {
  /// What is wrong with a frame; nil when it fits.
  static func problem(_ frame: DemoJSON) -> String? {
    guard case .object(let object) = frame else { return "not an object" }
    if object["user_audio_chunk"] != nil {
      return GatewayShape.object([.need("user_audio_chunk", .text())]).problem(frame, version: 4)
    }
    guard let type = frame["type"]?.stringValue else { return "type is missing" }
    guard let shape = shapes[type] else { return "unknown type \(type)" }
    return GatewayShape.object([.need("type", .text())] + shape).problem(frame, version: 4)
  }

  private typealias Field = GatewayShape.Field

  private static let shapes: [String: [Field]] = [
    "conversation_initiation_client_data": [
      .may("conversation_config_override", .clearable(override)),
      .may("custom_llm_extra_body", .clearable(.map(.any))),
      .may("dynamic_variables", .clearable(.map(.any))), .may("user_id", .clearable(.text())),
      .may(
        "source_info",
        .clearable(
          .object([.may("source", .clearable(.text())), .may("version", .clearable(.text()))]))),
    ],
    "pong": [.need("event_id", .whole())],
    "user_message": [.need("text", .text())],
    "user_activity": [],
    "contextual_update": [.need("text", .text()), .may("context_id", .clearable(.text()))],
    "feedback": [
      .need("event_id", .whole()), .need("score", .clearable(.one(["like", "dislike"]))),
    ],
    "client_tool_result": [
      .need("tool_call_id", .text()), .need("result", .text()), .need("is_error", .flag),
    ],
    "mcp_tool_approval_result": [.need("tool_call_id", .text()), .need("is_approved", .flag)],
    "multimodal_message": [
      .may(
        "text",
        .clearable(.object([.need("type", .one(["user_message"])), .need("text", .text())]))
      ),
      .may(
        "file",
        .clearable(.object([.need("type", .one(["file_input"])), .need("file_id", .text())]))
      ),
    ],
  ]

  private static let override = GatewayShape.object([
    // The official client of Python writes it here as well.
    .may("text_only", .flag),
    .may(
      "conversation",
      .object([.may("text_only", .flag), .may("client_events", .list(.text()))])),
    .may(
      "agent",
      .object([
        .may("prompt", .object([.may("prompt", .text())])), .may("first_message", .text()),
        .may("language", .text()),
      ])),
    .may(
      "tts",
      .object([
        .may("voice_id", .text()), .may("stability", .any), .may("speed", .any),
        .may("similarity_boost", .any),
      ])),
  ])
}
