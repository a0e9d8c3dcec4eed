internal import LenientJSON

/// The tokens of one row: `usage` of a call, `responseUsage` of a realtime answer (contract 4.5).
struct CostUsage {
  static let members: Set<String> = ["usage", "responseUsage", "responseModel", "model"]

  var tokens = CostSummary.Tokens()

  init(_ metadata: JSONValue) {
    guard let usage = metadata["usage"]?.object ?? metadata["responseUsage"]?.object else { return }
    func count(_ name: String) -> Int { max(0, usage[name]?.int ?? 0) }
    tokens.input = count("inputTokens")
    tokens.output = count("outputTokens")
    tokens.cacheRead = count("cacheReadTokens")
    tokens.cacheWrite = count("cacheWriteTokens")
    if let input = usage["inputTokens"]?.int, let read = usage["cacheReadTokens"]?.int {
      tokens.cacheableInput = CachedInput.whole(input: input, read: read) ?? 0
    }
  }
}
