internal import LenientJSON
internal import ClankyWire

/// How a row takes part in the sums of costs (contract 4.5, "Costs").
enum CostRole {
  /// Nothing that costs, as far as anybody knows.
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
  /// Work whose content says what was to be done: a code agent's, a reflection's. Model and usage are in the
  /// metadata, as far as they are anywhere.
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

  /// The model that the content names, as `provider:model` or alone; nil where it names none.
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

  /// The model that the metadata names, or what stands for it: of a realtime answer its provider, as in
  /// `openai_realtime_response_done`.
  func model(of row: ActionRowView, in metadata: JSONValue) -> String {
    let name = metadata[self == .realtimeAnswer ? "responseModel" : "model"]?.string ?? ""
    guard name.isEmpty else { return name }
    let event = row.label.event ?? ""
    return event.hasSuffix("_response_done") ? String(event.dropLast(14)) : CostDay.noModel
  }
}

/// The tokens of one row: `usage` of a call, `responseUsage` of a realtime answer (contract 4.5).
struct CostUsage {
  static let members: Set<String> = ["usage", "responseUsage", "responseModel", "model"]

  var tokens = CostBook.Tokens()

  init(_ metadata: JSONValue) {
    guard let usage = metadata["usage"]?.object ?? metadata["responseUsage"]?.object else { return }
    func count(_ name: String) -> Int { max(0, usage[name]?.int ?? 0) }
    tokens.input = count("inputTokens")
    tokens.output = count("outputTokens")
    tokens.cacheRead = count("cacheReadTokens")
    tokens.cacheWrite = count("cacheWriteTokens")
    if let input = usage["inputTokens"]?.int, let read = usage["cacheReadTokens"]?.int {
      tokens.asked = CachedInput.whole(input: input, read: read) ?? 0
    }
  }
}

/// The total of a browser run, which repeats the model steps of the run where the log has them.
struct BrowserRun {
  /// A minute in which somebody's run took a step somewhere. Steps name neither run nor session;
  /// they have the channel and the user of the run.
  struct Step: Hashable {
    var minute: Int64
    var channel: String?
    var user: String?
  }

  var kind: String
  var nanos: Int64
  /// Nil where the row names none.
  var model: String?
  var endMs: Int64
  private var durationMs: Int64
  private var channel: String?
  private var user: String?

  /// Where a row does not say how long it took. A run has at most some dozen steps of seconds.
  private static let usualMs: Int64 = 600_000
  private static let longestMs: Int64 = 7_200_000

  init(_ row: ActionRowView, nanos: Int64) {
    kind = row.kind
    self.nanos = nanos
    endMs = row.timeMs
    channel = row.channelID
    user = row.userID
    let details = row.withScan { $0.metadata(["durationMs", "model"], in: $1) }
    model = details?["model"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let duration = details?["durationMs"]?.int.map(Int64.init) ?? Self.usualMs
    durationMs = min(max(0, duration), Self.longestMs)
  }

  /// Whether steps of this run are on record, so that its total would count them again.
  func isCounted(by steps: Set<Step>) -> Bool {
    let minutes = (endMs - durationMs) / 60_000...endMs / 60_000
    return minutes.contains { steps.contains(Step(minute: $0, channel: channel, user: user)) }
  }
}

extension BrowserRun.Step {
  init(_ row: ActionRowView) {
    self.init(minute: row.timeMs / 60_000, channel: row.channelID, user: row.userID)
  }
}
