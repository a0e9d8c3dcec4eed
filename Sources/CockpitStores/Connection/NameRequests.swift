internal import LenientJSON
internal import ClankyWire

/// Learns names of users from rows of the log: every row once, a few per call, so that neither new
/// rows nor a frame are delayed.
@MainActor
package final class NameRequests {
  private var cursor = LogCursor()
  /// Whether voice rows are read too; the cockpit learns from them as it sorts them into sessions.
  private let readsVoice: Bool

  /// Rows of more bytes than this hold whole prompts and tools; only the author of the prompt is looked
  /// for in them.
  private static let lightBytes = 16_384
  /// Rows that a call passes by at most for each one that it may parse.
  private static let looked = 40
  private static let nameKey = Array("ame\"".utf8)
  private static let tagKey = Array("\"tag\"".utf8)

  package init(readsVoice: Bool = false) { self.readsVoice = readsVoice }

  /// Processes the rows since the last call, parsing at most `budget`.
  ///
  /// - Returns: whether there may be more.
  @discardableResult
  package func follow(
    _ log: ActionLog, into connection: ConnectionStore, budget: Int = 50
  ) -> Bool {
    var budget = budget
    var passes = budget == .max ? Int.max : budget * Self.looked
    _ = cursor.changes(in: log, budget: 0)
    while budget > 0, passes > 0, let row = cursor.next(in: log) {
      passes -= 1
      if let view = log.row(row), !view.isGap, learn(view, into: connection) { budget -= 1 }
    }
    return budget <= 0 || passes <= 0
  }

  /// - Returns: whether the row had to be parsed.
  private func learn(_ row: ActionRowView, into connection: ConnectionStore) -> Bool {
    let kind = row.kind
    let isVoice = kind.hasPrefix("voice_")
    guard readsVoice || !isVoice else { return false }
    if kind == "llm_call" { return learnAuthor(row, into: connection) }
    let isWorthIt = row.withRaw { bytes in
      bytes.count <= Self.lightBytes
        && (ByteSearch.contains(bytes, Self.nameKey) || ByteSearch.contains(bytes, Self.tagKey))
    }
    guard isWorthIt else { return false }
    let metadata = row.metadata()
    let user = row.userID
    // The bot says its own name when it logs in.
    if kind == "bot_lifecycle", let user, let tag = metadata["tag"]?.string {
      connection.learn(user: user, name: String(tag.prefix { $0 != "#" }), atMs: row.timeMs)
    }
    let isSpeakers = isVoice && row.label.title.contains("_asr_")
    PersonNames.find(in: metadata, user: user, isSpeakers: isSpeakers) { id, name in
      connection.learn(user: id, name: name, atMs: row.timeMs)
    }
    return true
  }

  /// Reads a prompt only while a user has no name yet: prompts are long.
  private func learnAuthor(_ row: ActionRowView, into connection: ConnectionStore) -> Bool {
    guard let user = row.userID, connection.names.users[user] == nil else { return false }
    let metadata = row.metadata()
    if let prompt = metadata["userPrompt"]?.string, let name = PersonNames.author(of: prompt) {
      connection.learn(user: user, name: name, atMs: row.timeMs)
    }
    return true
  }
}
