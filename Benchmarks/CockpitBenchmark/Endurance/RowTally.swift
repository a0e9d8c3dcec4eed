import Foundation

/// A row as in the backend's log, and as printed by `tail --json`.
struct LoggedRow: Decodable {
  let id: Int?
  let createdAt: String
  let kind: String
  let content: String?
  let guild, channel, message, user: String?

  enum CodingKeys: String, CodingKey {
    case id, kind, content
    case createdAt = "created_at"
    case guild = "guild_id"
    case channel = "channel_id"
    case message = "message_id"
    case user = "user_id"
  }

  /// The identity of a row: live rows have no id on the wire.
  var key: String {
    [createdAt, kind, guild, channel, message, user, content].map { $0 ?? "-" }.joined(
      separator: "\u{1F}")
  }
}

/// The rows in the backend's log, and those that were printed.
struct RowTally {
  private struct Entry {
    var logged = 0
    var printed = 0
  }

  /// By the hash of the key: hours have hundreds of thousands of rows, and two of them in a million
  /// have the same 64 bits once in 40 million runs.
  private var entries: [Int: Entry] = [:]
  /// Rows of the log that were not printed yet, with how often.
  private(set) var missing: [String: Int] = [:]
  private(set) var loggedCount = 0
  private var lastID = 0
  private var since: String

  /// - Parameter since: rows before this time are history that was there already, as in
  ///   `2026-01-01T00:00:00.000Z`.
  init(since: String) { self.since = since }

  /// Adds rows of the log, newest first.
  ///
  /// - Returns: false if rows between these and the previous ones are missing.
  mutating func note(log rows: [LoggedRow]) -> Bool {
    let fresh = rows.filter { ($0.id ?? 0) > lastID }
    if lastID > 0, let oldest = fresh.last?.id, oldest > lastID + 1 { return false }
    for row in fresh where row.createdAt >= since {
      change(row.key) { $0.logged += 1 }
      loggedCount += 1
    }
    lastID = fresh.first?.id ?? lastID
    return true
  }

  /// The backend has a new log, with a history of its own before this time.
  mutating func startNewLog(since: String) {
    lastID = 0
    self.since = since
  }

  mutating func note(printed row: LoggedRow) {
    if row.createdAt >= since { change(row.key) { $0.printed += 1 } }
  }

  private mutating func change(_ key: String, _ body: (inout Entry) -> Void) {
    let hash = key.hashValue
    body(&entries[hash, default: Entry()])
    guard let entry = entries[hash] else { return }
    missing[key] = entry.logged > entry.printed ? entry.logged - entry.printed : nil
  }

  /// How often a row was printed twice.
  var doubled: Int {
    entries.values.reduce(0) { $0 + max(0, $1.printed - max(1, $1.logged)) }
  }

  /// Rows that were printed but never in an answer of the log: sent just before a backend was
  /// killed.
  var unlogged: Int { entries.values.count { $0.logged == 0 } }
}
