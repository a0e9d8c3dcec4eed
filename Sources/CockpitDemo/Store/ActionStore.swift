import Foundation

/// One row of the action log as stored.
struct ActionRow: Sendable {
  var id: Int64 = 0
  var createdMs: Int64
  var guild: String?
  var channel: String?
  var message: String?
  var user: String?
  var kind: String
  /// JSON text of the content: a string literal, or `null`.
  var content: String
  /// JSON text of the metadata, or nil.
  var metadata: String?
  var cost: Double

  /// The stored shape (contract 4.1).
  var json: DemoJSON {
    [
      "id": .int(Int(id)), "created_at": .time(createdMs), "guild_id": .text(guild),
      "channel_id": .text(channel), "message_id": .text(message), "user_id": .text(user),
      "kind": .string(kind), "content": .raw(Array(content.utf8)),
      "metadata": metadata.map { .raw(Array($0.utf8)) } ?? .null, "usd_cost": .double(cost),
    ]
  }
}

/// A filter over the action log; every part is optional.
struct ActionQuery: Sendable {
  var limit = 200
  var kinds: [String] = []
  var kindPrefix: String?
  var since: Int64?
  var guild: String?
  var sessionID: String?
  var oldestFirst = false

  fileprivate func matches(_ row: ActionRow, kinds: Set<String>) -> Bool {
    if !kinds.isEmpty, !kinds.contains(row.kind) { return false }
    if let kindPrefix, !row.kind.hasPrefix(kindPrefix) { return false }
    if let guild, row.guild != guild { return false }
    if let sessionID { return row.metadata.map { $0.holds(sessionID) } ?? false }
    return true
  }
}

extension String {
  /// Whether the bytes of `other` occur in it; JSON text has no NUL that would end the search early.
  func holds(_ other: String) -> Bool {
    withCString { text in other.withCString { strstr(text, $0) != nil } }
  }
}

/// The storage of the demo backend: the action log here; facts and automations in separate files.
struct DemoStore: Sendable {
  /// Retention of the backend (contract 4.1): 14 days and a number of rows, checked every 250
  /// writes.
  static let retentionMs = 14 * DemoTime.day
  static let pruneEvery = 250

  var facts = FactTable()
  var automations = AutomationTable()
  /// Ordered by time, then id.
  private var rows: [ActionRow] = []
  /// The id that was given last.
  private(set) var newestID: Int64 = 0
  private let maxRows: Int
  private var writes = 0

  init(maxRows: Int) { self.maxRows = maxRows }

  /// Stores rows and returns their ids, in their order.
  @discardableResult
  mutating func insert(_ new: [ActionRow]) -> [Int64] {
    rows.reserveCapacity(rows.count + new.count)
    return new.map { row in
      newestID += 1
      var row = row
      row.id = newestID
      if let last = rows.last, last.createdMs > row.createdMs {
        rows.insert(row, at: firstIndex(after: row.createdMs))
      } else {
        rows.append(row)
      }
      return newestID
    }
  }

  /// The index of the first row that is younger than `ms`.
  private func firstIndex(after ms: Int64) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].createdMs > ms { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Rows matching `query`; newest first by default. Rows of one millisecond are in ascending order
  /// of ids, and grouped by kind if kinds are requested.
  func actions(_ query: ActionQuery) -> [ActionRow] {
    let kinds = Set(query.kinds)
    let start = query.since.map { firstIndex(after: $0 - 1) } ?? 0
    var found: [ActionRow] = []
    func take(_ moment: Range<Int>) {
      var some = moment.filter { query.matches(rows[$0], kinds: kinds) }.map { rows[$0] }
      if !kinds.isEmpty, some.count > 1 { some.sort { ($0.kind, $0.id) < ($1.kind, $1.id) } }
      found += some.prefix(query.limit - found.count)
    }
    if query.oldestFirst {
      var at = start
      while at < rows.count, found.count < query.limit {
        var end = at + 1
        while end < rows.count, rows[end].createdMs == rows[at].createdMs { end += 1 }
        take(at..<end)
        at = end
      }
    } else {
      var end = rows.count
      while end > start, found.count < query.limit {
        var at = end - 1
        while at > start, rows[at - 1].createdMs == rows[end - 1].createdMs { at -= 1 }
        take(at..<end)
        end = at
      }
    }
    return found
  }

  /// Applies the retention rules now and then; returns true when rows were removed.
  mutating func pruneIfDue(adding count: Int, now: Int64) -> Bool {
    writes += count
    guard writes >= Self.pruneEvery else { return false }
    writes = 0
    let expired = firstIndex(after: now - Self.retentionMs - 1)
    let removed = max(expired, rows.count - maxRows)
    guard removed > 0 else { return false }
    rows.removeFirst(removed)
    return true
  }

  /// Deletes the row with which a voice session began.
  mutating func forgetStart(of session: String) {
    rows.removeAll { row in
      row.kind == "voice_session_start" && (row.metadata?.holds(session) ?? false)
    }
  }

  /// Money over the retained rows.
  func costs() -> (total: Double, byDay: [String: Double]) {
    var days: [Int64: Double] = [:]
    for row in rows { days[row.createdMs / DemoTime.day, default: 0] += row.cost }
    var byDay: [String: Double] = [:]
    for (day, usd) in days { byDay[DemoTime.utcDay(day * DemoTime.day)] = usd }
    return (days.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value }, byDay)
  }

  /// Statistics of one guild, computed from its rows.
  func statsTotals(guild: String) -> StatsTotals {
    var totals = StatsTotals()
    for row in rows where row.guild == guild {
      let timings =
        StatsTotals.timed.contains(row.kind)
        ? row.metadata.flatMap { try? DemoJSON.parse($0.utf8)["performance"] } : nil
      totals.add(
        kind: row.kind, ms: row.createdMs, cost: row.cost,
        timings: timings.flatMap(StatsTotals.timings))
    }
    return totals
  }
}

extension DemoStore {
  private static let reflection = "memory_reflection_"

  /// Deletes the rows of a reflection run; returns how many there were.
  mutating func deleteReflection(_ runID: String) -> Int {
    let mark = "\"runId\":" + DemoJSON.string(runID).text
    return delete {
      $0.kind.hasPrefix(Self.reflection) && ($0.metadata.map { $0.holds(mark) } ?? false)
    }
  }

  /// Deletes the reflection rows of a guild; returns how many there were.
  mutating func deleteReflections(guild: String) -> Int {
    delete { $0.kind.hasPrefix(Self.reflection) && $0.guild == guild }
  }

  private mutating func delete(where isGone: (ActionRow) -> Bool) -> Int {
    let before = rows.count
    rows.removeAll(where: isGone)
    return before - rows.count
  }

  /// Number of messages of a guild with a row, which is what the bot remembers of conversations.
  func conversationRows(guild: String, since ms: Int64) -> Int {
    Set(rows.lazy.filter { $0.guild == guild && $0.createdMs >= ms }.compactMap(\.message)).count
  }
}
