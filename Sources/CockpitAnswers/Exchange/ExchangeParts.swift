internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

extension Exchange.Note {
  init(_ row: ExchangeRow, _ link: Exchange.Link = .id) {
    self.init(
      source: row.source(link), text: row.content ?? row.string("reason") ?? "",
      messageID: RowTriggers.sentKinds.contains(row.kind) ? row.messageID : nil)
  }
}

extension Exchange.Call {
  init(_ row: ExchangeRow) {
    let usage = row.metadata["usage"]
    self.init(
      source: row.source(), model: row.string("model"), tools: row.toolNames,
      inputTokens: usage?["inputTokens"]?.int, outputTokens: usage?["outputTokens"]?.int,
      output: row.metadata["transcript"]?.string.map { String($0.prefix(4000)) },
      hasPrompt: !row.prompts.isEmpty)
  }

  /// The model's text for users: its output, or the `text` member if the output is an object.
  var text: String? {
    guard let output else { return nil }
    guard output.hasPrefix("{"), let json = try? JSONValue.parse(Array(output.utf8)) else {
      return output
    }
    return json["text"]?.string ?? output
  }
}

extension Exchange.Tool {
  /// From the row that ends the call.
  init(run row: ExchangeRow) {
    self.init(
      name: RunTool.name(row.metadata) ?? row.kind, source: row.source(),
      durationMs: row.milliseconds("durationMs"),
      isSuccess: row.kind == "tool_unknown" ? nil : !row.isFailure,
      error: row.isFailure ? row.content : nil)
  }
}

extension Exchange.Addressing {
  /// nil if the row does not state it.
  init?(_ row: ExchangeRow) {
    guard let object = row.metadata["addressing"] ?? row.metadata["addressSignal"],
      object.object != nil
    else { return nil }
    self.init(
      source: row.source(), isDirect: object["direct"]?.bool, reason: object["reason"]?.string,
      confidence: object["confidence"]?.double, threshold: object["threshold"]?.double)
  }
}

extension Exchange {
  /// Counts what a row cost.
  mutating func add(cost row: ExchangeRow, _ source: Source) {
    guard let usd = row.costUSD, usd > 0 else { return }
    costs.append(Cost(source: source, usd: usd, name: Self.costName(of: row.kind)))
  }

  static func costName(of kind: String) -> String {
    switch kind {
    case "llm_call": "model call"
    case "llm_tool_call": "model step"
    case "memory_embedding_call": "embedding"
    case "image_call": "image"
    case "video_call": "video"
    case "voice_runtime": "realtime answer"
    default: kind.hasPrefix("browser_") ? "browser" : kind
    }
  }
}

/// The rows of services that stand for the results of tools (contract 8.8).
enum ToolRows {
  /// The word of the tool's name that a kind of row stands for.
  private static let words: [String: String] = [
    "search_call": "search", "search_error": "search", "browser_browse_call": "browse",
    "browser_browse_failed": "browse", "browser_agent_session_turn": "browse",
    "image_call": "image", "image_error": "image", "gif_call": "gif", "gif_error": "gif",
    "video_call": "video", "video_error": "video", "video_context_call": "video",
    "video_context_error": "video", "memory_fact": "memory", "memory_embedding_call": "memory",
    "memory_embedding_error": "memory", "code_agent_call": "code", "code_agent_error": "code",
  ]

  static func word(of kind: String) -> String? { words[kind] }

  /// One tool for each name, with the first row that fits it.
  static func tools(
    named names: [String], results: [ExchangeRow], message: String
  ) -> [Exchange.Tool] {
    var left = results
    return names.map { name in
      var tool = Exchange.Tool(name: name)
      let place = left.firstIndex { row in
        guard let word = words[row.kind] else { return false }
        return name.contains(word) && (word == "memory" || !name.contains("memory"))
      }
      guard let place else { return tool }
      let row = left.remove(at: place)
      tool.source = row.source(row.triggers.contains(message) ? .id : .time)
      tool.durationMs = row.milliseconds("latencyMs") ?? row.milliseconds("durationMs")
      tool.isSuccess = !row.isFailure
      tool.error = row.isFailure ? row.string("errorMessage") ?? row.content : nil
      return tool
    }
  }
}
