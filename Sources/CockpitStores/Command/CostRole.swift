internal import LenientJSON
internal import ClankyWire

/// How a row enters the cost sums (contract 4.5, "Costs").
enum CostRole {
  /// No known cost.
  case none
  /// One generation.
  case modelCall
  /// One model step of a browser run or of the music's loop.
  case toolStep
  /// The sum of a browser run's steps.
  case browserTotal
  /// The end of an answer of a realtime provider, with its usage.
  case realtimeAnswer
  /// Work of a model that is named in the content: a picture, a film, an embedding.
  case named
  /// Work described in the content: a code agent's task, a reflection. Model and usage, if present,
  /// are in the metadata.
  case described

  init(_ label: ActionLabel) {
    switch label.kind {
    case "llm_call": self = .modelCall
    case "llm_tool_call": self = .toolStep
    case "browser_browse_call", "browser_agent_session_turn": self = .browserTotal
    case "image_call", "video_call", "memory_embedding_call": self = .named
    case "code_agent_call", "memory_reflection_complete": self = .described
    case "voice_runtime" where label.event?.hasSuffix("_response_done") == true:
      self = .realtimeAnswer
    default: self = .none
    }
  }

  /// Whether it is a call that an account may pay with a flat rate: then the row has no price.
  var isCall: Bool {
    switch self {
    case .modelCall, .toolStep: true
    case .none, .browserTotal, .realtimeAnswer, .named, .described: false
    }
  }

  /// Whether only the metadata names the model.
  var isNamedByMetadata: Bool {
    switch self {
    case .realtimeAnswer, .described: true
    case .none, .modelCall, .toolStep, .browserTotal, .named: false
    }
  }

  /// Whether the row says how many tokens were used.
  var hasTokens: Bool {
    switch self {
    case .modelCall, .toolStep, .realtimeAnswer, .named, .described: true
    case .none, .browserTotal: false
    }
  }

  /// The model in the content, as `provider:model` or alone; nil if there is none.
  func model(of row: ActionRowView) -> String? {
    switch self {
    case .modelCall, .toolStep, .named:
      guard let content = row.content(limit: 200), !content.isEmpty else { return nil }
      guard let colon = content.firstIndex(of: ":") else { return content }
      let model = content[content.index(after: colon)...]
      return model.isEmpty ? content : String(model)
    case .none, .browserTotal, .realtimeAnswer, .described: return nil
    }
  }

  /// The model in the metadata, or its substitute: for a realtime answer the provider, as in
  /// `openai_realtime_response_done`. nil if neither is present.
  func model(of row: ActionRowView, in metadata: JSONValue) -> String? {
    let name = metadata[self == .realtimeAnswer ? "responseModel" : "model"]?.string ?? ""
    guard name.isEmpty else { return name }
    let event = row.label.event ?? ""
    return event.hasSuffix("_response_done") ? String(event.dropLast(14)) : nil
  }
}
