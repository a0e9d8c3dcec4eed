/// Why a conversation is over, and what may follow.
package enum ConversationEnd: Sendable, Equatable {
  /// Ended as intended; a reason if the server names one.
  case ended(reason: String?)
  /// Nothing was said for 60 s.
  case idle
  /// It failed; the user may start another one.
  case failed(String)
  /// The agent does not allow what the profile overrides: one attempt without any override follows.
  case overridesRefused(String)
  /// Another attempt would fail as well.
  case blocked(String)
  /// The server crashed: one attempt follows if nothing was said yet.
  case crashed(String)

  /// - Parameters:
  ///   - code: that of the close; 1006 if the connection broke.
  ///   - reason: of the close.
  ///   - error: the error frame that came before it.
  package init(code: Int, reason: String, error: ConversationError?) {
    let code = error?.code ?? code
    let words = Self.words(error?.message ?? reason)
    // Without an error frame the reason may be the type itself.
    let type = error?.type ?? reason
    switch code {
    case 1_000:
      let isLong = type == "max_duration_exceeded"
      let isUsual = reason.isEmpty || reason == "User ended conversation"
      self = .ended(
        reason: isLong
          ? "The conversation reached the longest duration that the agent allows."
          : isUsual ? nil : Self.sentence(reason))
    case 1_002 where type == "transport_receive_timeout": self = .idle
    case 1_002: self = .failed(Self.failure(type) ?? "The conversation failed\(words).")
    case 1_008 where type == "override_error":
      self = .overridesRefused(
        "The agent does not allow overrides; the conversation runs with its own settings.")
    case 1_008: self = .blocked(Self.missing(type, error?.message ?? reason))
    case 1_011: self = .crashed("The server failed\(words).")
    case 1_006:
      self = .failed("The connection was lost; what was said stays here. Start a new conversation.")
    default: self = .failed("The server closed the conversation (\(code))\(words).")
    }
  }

  /// One sentence; it may contain remote text.
  package var sentence: String {
    switch self {
    case .ended(let reason): reason ?? "The conversation ended."
    case .idle: "The conversation ended after 60 s without input."
    case .failed(let words), .overridesRefused(let words), .blocked(let words),
      .crashed(let words):
      words
    }
  }

  /// Whether this is shown as an error.
  package var isError: Bool {
    switch self {
    case .ended, .idle: false
    case .failed, .overridesRefused, .blocked, .crashed: true
    }
  }

  private static func failure(_ type: String) -> String? {
    switch type {
    case "llm_timeout":
      "The agent's model did not answer within 20 s. Start a new conversation."
    case "llm_error", "custom_llm_error", "cascade_brain_error":
      "The agent's model failed. Start a new conversation; if it fails again, check the model in the agent's settings."
    case "safety_violation":
      "The conversation was ended for safety reasons. Start a new one."
    case "tts_cascade_error":
      "Speech synthesis failed. Start a new conversation; if it fails again, check the agent's voice."
    case "asr_transcription_error", "vad_error", "turn_probability_error":
      "Speech recognition failed. Start a new conversation."
    case "http_exception", "asyncio_timeout", "redis_timeout_error":
      "The server failed inside (\(type)). Start a new conversation."
    default: nil
    }
  }

  private static func missing(_ type: String, _ message: String) -> String {
    let lower = message.lowercased()
    if lower.contains("quota") {
      return
        "The quota of the account is used up. It starts again at the next reset, or upgrade the plan."
    }
    if lower.contains("signed url") || lower.contains("signature") {
      return
        "The signed address was refused: it is valid for 15 minutes and opens one conversation. Start again."
    }
    if lower.contains("auth") || lower.contains("api key") {
      return "The agent is private and the key was refused. Check the API key in the profile."
    }
    switch type {
    case "missing_dynamic_variable", "missing_dynamic_variable_transfer":
      let names = quoted(message)
      return names.isEmpty
        ? "The agent needs variables that the profile does not set; add them under variables."
        : "The agent needs the variables \(names.joined(separator: ", ")); set them in the profile under variables."
    case "mcp_tool_error", "mcp_https_error":
      return "An MCP server of the agent failed\(words(message)). Check it in the agent's settings."
    case "telephony_agent_error":
      return "This agent only takes phone calls. Choose another agent in the profile."
    default: return "The server refused the conversation\(words(message))."
    }
  }

  /// The names in a message such as `Missing required dynamic variables: {'order_id'}`.
  private static func quoted(_ message: String) -> [String] {
    let pieces = message.split(separator: "'", omittingEmptySubsequences: false)
    return pieces.enumerated().compactMap { place, piece in
      place % 2 == 1 && place + 1 < pieces.count && !piece.isEmpty ? String(piece) : nil
    }.prefix(20).map(\.self)
  }

  private static func words(_ text: String) -> String {
    let text = String(text.prefix(300))
    guard !text.isEmpty else { return "" }
    return ": " + (text.hasSuffix(".") ? String(text.dropLast()) : text)
  }

  private static func sentence(_ text: String) -> String {
    let text = String(text.prefix(300))
    return text.hasSuffix(".") ? text : text + "."
  }
}
