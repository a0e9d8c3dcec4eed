internal import LenientJSON
internal import ClankyWire

/// A feed row of a model call (contract 4.5, LLM), with the columns of the table. The row has no
/// duration.
package struct LlmCall: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A generation.
    case call
    /// A step of the browser's or the music's loop.
    case toolCall
    case error
  }

  package var row: RowID
  /// Milliseconds since 1970.
  package var timeMs: Int64
  package var kind: Kind
  package var provider: String?
  package var model: String?
  /// Its purpose, in the backend's words.
  package var source: String?
  /// Names of the tools the model called, at most eight.
  package var tools: [String]
  /// Number of tool calls it requested.
  package var toolCount: Int?
  package var inputTokens: Int?
  package var outputTokens: Int?
  package var cacheReadTokens: Int?
  package var cacheWriteTokens: Int?
  /// US dollars; nil if the row says nothing or 0, as it does without an API key (W5).
  package var costUSD: Double?
  /// The message that it answers, of text.
  package var messageID: String?
  /// Status and type of an error, such as `529 overloaded_error`.
  package var failure: String?

  /// Input and output; nil if neither is known.
  package var tokens: Int? {
    guard inputTokens != nil || outputTokens != nil else { return nil }
    return (inputTokens ?? 0).addingReportingOverflow(outputTokens ?? 0).partialValue
  }

  /// The share of the input that came from the cache.
  package var cacheShare: Double? {
    guard let read = cacheReadTokens, let input = inputTokens,
      let whole = CachedInput.whole(input: input, read: read), whole > 0
    else { return nil }
    return Double(read) / Double(whole)
  }

  /// nil if the row is not a model call.
  package init?(_ row: ActionRowView) {
    switch row.kind {
    case "llm_call": kind = .call
    case "llm_tool_call": kind = .toolCall
    case "llm_error": kind = .error
    default: return nil
    }
    self.row = row.id
    timeMs = row.timeMs
    costUSD = row.costUSD
    let metadata = row.metadata()
    provider = metadata["provider"]?.string
    model = metadata["model"]?.string
    source = metadata["source"]?.string
    messageID = metadata["messageId"]?.string
    let usage = metadata["usage"]
    inputTokens = usage?["inputTokens"]?.int
    outputTokens = usage?["outputTokens"]?.int
    cacheReadTokens = usage?["cacheReadTokens"]?.int
    cacheWriteTokens = usage?["cacheWriteTokens"]?.int
    let called = metadata["toolCalls"]?.array
    switch metadata["toolNames"] {
    case .string(let joined):
      tools = joined.split(separator: ",").prefix(16).map { $0.without(prefix: " ").description }
    case .array(let list): tools = list.prefix(16).compactMap(\.string)
    default: tools = called?.prefix(16).compactMap { $0["name"]?.string } ?? []
    }
    toolCount = metadata["toolCallCount"]?.int ?? called?.count
    if kind == .error {
      let status = metadata["status"]?.int.map(String.init)
      let words = [status, metadata["errorType"]?.string].compactMap { $0 }
      failure = words.isEmpty ? row.content(limit: 400) : words.joined(separator: " ")
    }
    // A model call's content is `provider:model`; errors have a message instead.
    if model == nil, kind != .error {
      model = row.content(limit: 200)?.split(separator: ":", maxSplits: 1).last.map(String.init)
    }
  }
}

/// The calls of one model, added up. Costs and tokens that no row gave are nil, not 0.
package struct LlmModelGroup: Hashable, Sendable {
  /// nil for calls without a model.
  package var model: String?
  package var calls: [LlmCall]
  package var failures = 0
  package var inputTokens: Int?
  package var outputTokens: Int?
  package var costUSD: Double?
  /// Cached share of the input, over the calls that report it.
  package var cacheShare: Double?
}

/// Input of a call together with its cached part. Some providers count cached tokens as input; more
/// cached tokens than input means this one does not.
enum CachedInput {
  /// Tokens; nil if the row's figures make no sense.
  static func whole(input: Int, read: Int) -> Int? {
    guard read >= 0, input >= 0 else { return nil }
    let (sum, isTooMuch) = input.addingReportingOverflow(read > input ? read : 0)
    return isTooMuch ? nil : sum
  }
}
