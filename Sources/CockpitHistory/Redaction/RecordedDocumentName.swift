/// The name of a recorded document: `voice_state`, `stats`, or a request as `GET /api/memory/facts?guildId=…`.
struct RecordedDocumentName {
  private let name: String

  init(_ name: String) { self.name = name }

  /// The program's own words in it: they stay, even if a channel or a person is called like one of them.
  private static let words: Set<String> = [
    "GET", "voice_state", "stats", "api", "agents", "automations", "browser-sessions", "channels",
    "events", "fact-profile", "facts", "guild", "guilds", "health", "history", "mcp", "memory",
    "owner-private", "public-https", "reflections", "runs", "sessions", "status", "subjects",
    "voice",
  ]

  /// The name with something else in place of each part that came from the bot: ids, and values of the query.
  func mapped(_ replace: (String) -> String) -> String {
    let halves = name.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = (halves.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
      .map { part in
        let text = String(part)
        let word = text.hasSuffix(" ") ? String(text.dropLast()) : text
        return word.isEmpty || Self.words.contains(word) ? text : replace(text)
      }.joined(separator: "/")
    guard halves.count == 2 else { return path }
    let query = halves[1].split(separator: "&", omittingEmptySubsequences: false).map { item in
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else { return replace(String(item)) }
      return sides[0] + "=" + replace(String(sides[1]))
    }
    return path + "?" + query.joined(separator: "&")
  }
}
