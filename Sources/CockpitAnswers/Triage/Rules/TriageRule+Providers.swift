internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

/// Services that the bot calls, each of which tells of success and failure in rows of its own: three failures
/// in a row are no accident, and one success ends them.
extension TriageRule {
  /// Calls of a tool loop (`llm_tool_call`) are of another model, and say nothing about this one.
  static let models = provider(
    "models", .critical, word: "models fail", what: "model calls",
    failures: ["llm_error"], successes: ["llm_call"], perMinute: 8,
    sentence: { "Model calls\($0.whom) fail" }, recovery: "Model calls succeed again.",
    next: "Check the model provider's status and key.")

  static let search = provider(
    "search", .warning, word: "search down", what: "web searches",
    failures: ["search_error"], successes: ["search_call"],
    sentence: { _ in "Web search fails" }, recovery: "Web search works again.",
    next: "Check the search provider's status and key.")

  static let embeddings = provider(
    "embeddings", .warning, word: "memory slow", what: "embeddings",
    failures: ["memory_embedding_error"], successes: ["memory_embedding_call"],
    sentence: { _ in "Embeddings fail" }, recovery: "Embeddings succeed again.",
    next: "See the embedding provider's key and quota.")

  static let browser = provider(
    "browser", .warning, word: "web down", what: "runs of the browser",
    failures: ["browser_browse_failed"], successes: ["browser_browse_call"],
    sentence: { _ in "The bot's browser fails" }, recovery: "The bot's browser works again.",
    next: "See whether a browser starts on its host.")

  static let recognition = provider(
    "recognition", .warning, word: "asr fails", what: "speech recognitions",
    failures: ["asr_error"], successes: ["asr_call"],
    sentence: { _ in "Speech recognition fails" }, recovery: "Speech recognition works again.",
    next: "Check the speech recognition provider.")

  static let speech = provider(
    "speech", .warning, word: "tts fails", what: "speech syntheses",
    failures: ["tts_error"], successes: ["tts_call"],
    sentence: { _ in "Speech synthesis fails" }, recovery: "Speech synthesis works again.",
    next: "Check the speech synthesis provider.")

  /// A service of which each failure and each success is a row.
  private static func provider(
    _ name: String, _ level: TriageLevel, word: StaticWord, what: String,
    failures: Set<String>, successes: Set<String>, perMinute: Int? = nil,
    sentence: @escaping @Sendable (Case) -> String, recovery: String, next: String
  ) -> TriageRule {
    let filter = "kind:" + failures.sorted().joined(separator: "|")
    let rate = perMinute.map { ", or \($0) within a minute" } ?? ""
    return TriageRule(
      name, level, word: word,
      condition: "3 \(what) in a row fail, each within 30 min of the one before\(rate).",
      rows: Rows(failures.union(successes), perMinute: perMinute) { row in
        guard failures.contains(row.kind) else { return .success() }
        let metadata = row.metadata()
        return .failure(
          reason: metadata["errorMessage"]?.string ?? cause(row.content(limit: 600) ?? ""),
          isForPeople: !isOwn(metadata["source"]?.string))
      },
      recovery: recovery,
      next: { _ in Answer.NextStep(next, target: .filter(filter)) },
      sentence: { TriageRule.sentence(sentence($0), because: $0.reason) })
  }

  /// Whether the bot called of its own accord: then the user of the row is itself.
  package static func isOwn(_ source: String?) -> Bool {
    source.map { text in
      ["automation", "initiative", "memory", "thought"].contains(where: text.contains)
    } ?? false
  }

  /// What a provider says where it answers with a status and JSON: `529 Overloaded`.
  private static func cause(_ content: String) -> String {
    guard let brace = content.firstIndex(of: "{"),
      let json = try? JSONValue.parse(Array(content[brace...].utf8)),
      let message = json[path: "error", "message"]?.string ?? json["message"]?.string
    else { return content }
    return content[..<brace] + message
  }
}
