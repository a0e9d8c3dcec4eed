/// One memory fact (contract 6.1).
struct FactRow: Sendable {
  var id: Int64
  var createdMs: Int64
  var updatedMs: Int64
  var scope: String
  var guild: String?
  var channel: String?
  var user: String?
  var subject: String
  var fact: String
  var factType: String
  var evidence: String?
  var sourceMessage: String?
  var confidence: Double

  /// The row as `/api/memory/facts` sends it; March has fewer columns.
  func json(_ dialect: DemoDialect) -> DemoJSON {
    let head: DemoJSON = [
      "id": .int(Int(id)), "created_at": .time(createdMs), "updated_at": .time(updatedMs),
    ]
    let tail: DemoJSON = [
      "subject": .string(subject), "fact": .string(fact), "fact_type": .string(factType),
      "evidence_text": .text(evidence), "source_message_id": .text(sourceMessage),
      "confidence": .double(confidence),
    ]
    switch dialect {
    case .march:
      return head.merging(["guild_id": .text(guild), "channel_id": .text(channel)]).merging(tail)
    case .may:
      let scoped: DemoJSON = [
        "scope": .string(scope), "guild_id": .text(guild), "channel_id": .text(channel),
        "user_id": .text(user),
      ]
      return head.merging(scoped).merging(tail).merging(["metadata": ["isLegacy": false]])
    }
  }

  /// The camel-case form of the fact profile (contract 6.6).
  func profileJSON(_ dialect: DemoDialect) -> DemoJSON {
    var metadata: DemoJSON = [
      "createdAt": .time(createdMs), "updatedAt": .time(updatedMs), "guildId": .text(guild),
      "channelId": .text(channel), "evidenceText": .text(evidence),
      "sourceMessageId": .text(sourceMessage),
    ]
    var head: DemoJSON = ["id": .int(Int(id))]
    if dialect == .may {
      head = head.merging(["scope": .string(scope), "userId": .text(user)])
      metadata = metadata.setting("isLegacy", false)
    }
    return head.merging([
      "subject": .string(subject), "factType": .string(factType), "fact": .string(fact),
      "confidence": .double(confidence), "metadata": metadata,
    ])
  }

  /// The form inside a voice session (contract 5.2.7).
  var sessionJSON: DemoJSON {
    [
      "id": .int(Int(id)), "createdAt": .time(createdMs), "updatedAt": .time(updatedMs),
      "guildId": .text(guild), "channelId": .text(channel), "subject": .string(subject),
      "fact": .string(fact), "factType": .string(factType), "evidenceText": .text(evidence),
      "sourceMessageId": .text(sourceMessage), "confidence": .double(confidence),
    ]
  }
}

/// The result of an edit.
enum FactEdit: Sendable {
  case saved(FactRow)
  case notFound
  case duplicate
  /// Refused as upstream's database does, with its message.
  case refused(String)
}

/// The memory: facts by recency. A fact that was deleted keeps its words: they are refused a second time, as
/// upstream's unique index does.
struct FactTable: Sendable {
  private struct Key: Hashable {
    var scope: String
    var guild: String
    var user: String
    var subject: String
    var fact: String

    init(_ row: FactRow) {
      scope = row.scope
      guild = row.guild ?? ""
      user = row.user ?? ""
      subject = row.subject
      fact = row.fact
    }
  }

  /// The most recently updated first, then the younger id.
  private var rows: [FactRow] = []
  private var keys: Set<Key> = []
  /// Keys of deleted facts; also in `keys`.
  private var deleted: Set<Key> = []
  private var lastID: Int64 = 0

  /// Adds a fact, or nothing when it is already known; returns its id when added.
  @discardableResult
  mutating func add(_ fact: FactRow) -> Int64? {
    lastID += 1
    guard keys.insert(Key(fact)).inserted else { return nil }
    var fact = fact
    fact.id = lastID
    place(fact)
    return lastID
  }

  /// Adds many facts, skipping known ones.
  mutating func add(_ facts: [FactRow]) {
    for fact in facts {
      lastID += 1
      guard keys.insert(Key(fact)).inserted else { continue }
      rows.append(fact)
      rows[rows.count - 1].id = lastID
    }
    rows.sort(by: Self.isEarlier)
  }

  private static func isEarlier(_ one: FactRow, _ other: FactRow) -> Bool {
    (one.updatedMs, one.id) > (other.updatedMs, other.id)
  }

  private mutating func place(_ fact: FactRow) {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.isEarlier(rows[middle], fact) { low = middle + 1 } else { high = middle }
    }
    rows.insert(fact, at: low)
  }

  private static func isVisible(_ row: FactRow, to guild: String) -> Bool {
    switch row.scope {
    case "guild": row.guild == guild
    case "user", "owner": true
    default: false
    }
  }

  /// Facts a guild's operator sees: its own, and in May every user and owner fact as well.
  func list(guild: String, subject: String? = nil, text: String = "", limit: Int) -> [FactRow] {
    let pattern = LikePattern(text)
    return Array(
      rows.lazy.filter { row in
        Self.isVisible(row, to: guild) && (subject == nil || row.subject == subject)
          && (pattern.isEmpty || pattern.matches(row.fact) || pattern.matches(row.evidence ?? ""))
      }.prefix(limit))
  }

  /// Facts of one scope, newest first.
  func list(scope: String, text: String = "", limit: Int) -> [FactRow] {
    let pattern = LikePattern(text)
    return Array(
      rows.lazy.filter { $0.scope == scope && (pattern.isEmpty || pattern.matches($0.fact)) }
        .prefix(limit))
  }

  /// The ids of the facts about a subject.
  func about(_ subject: String) -> [Int64] { rows.filter { $0.subject == subject }.map(\.id) }

  /// One fact.
  subscript(id: Int64) -> FactRow? { rows.first { $0.id == id } }

  /// Replaces the editable columns of a fact (contract 6.3).
  mutating func replace(_ fact: FactRow) -> FactEdit {
    let index = rows.firstIndex { $0.id == fact.id }
    let key = Key(fact)
    let isOwn = index.map { Key(rows[$0]) == key } ?? false
    if keys.contains(key), !isOwn {
      // Upstream looks for a twin among those that are not deleted; its index knows the others too.
      if !deleted.contains(key) { return .duplicate }
      if index != nil {
        return .refused("UNIQUE constraint failed: index 'memory_facts_unique'")
      }
    }
    guard let index else { return .notFound }
    keys.remove(Key(rows[index]))
    keys.insert(key)
    rows.remove(at: index)
    place(fact)
    return .saved(fact)
  }

  /// Hides a fact; false when there is none.
  mutating func delete(id: Int64) -> Bool {
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return false }
    deleted.insert(Key(rows[index]))
    rows.remove(at: index)
    return true
  }

  /// Subjects with their counts (contract 6.1), newest first.
  func subjects(guild: String, limit: Int) -> [(fact: FactRow, seen: Int64, count: Int)] {
    var groups: [[String]: (fact: Int, count: Int)] = [:]
    var order: [[String]] = []
    for index in rows.indices where Self.isVisible(rows[index], to: guild) {
      let key = [
        rows[index].scope, rows[index].guild ?? "", rows[index].user ?? "", rows[index].subject,
      ]
      // Rows come by recency: the first of a group is its newest.
      if groups[key] == nil { order.append(key) }
      groups[key, default: (index, 0)].count += 1
    }
    let found = order.compactMap { groups[$0] }
    return found.prefix(limit).map { (rows[$0.fact], rows[$0.fact].updatedMs, $0.count) }
  }

  /// Removes every fact of a guild for good; returns how many there were.
  mutating func purge(guild: String) -> Int {
    let before = keys.count
    let isGone = { (key: Key) in key.scope == "guild" && key.guild == guild }
    keys = keys.filter { !isGone($0) }
    deleted = deleted.filter { !isGone($0) }
    rows.removeAll { isGone(Key($0)) }
    return before - keys.count
  }
}

/// `lower(column) LIKE '%text%'` of SQLite: `%` and `_` of the text are wildcards, and only ASCII letters are
/// alike in both cases.
private struct LikePattern {
  private let pattern: [Unicode.Scalar]
  private let isPlain: Bool
  private let text: String

  var isEmpty: Bool { text.isEmpty }

  init(_ text: String) {
    self.text = text.lowercased()
    pattern = Array(self.text.unicodeScalars)
    isPlain = !text.contains { $0 == "%" || $0 == "_" }
  }

  func matches(_ value: String) -> Bool {
    let value = value.asciiLowercased
    guard !isPlain else { return value.holds(text) }
    return matches(Array(value.unicodeScalars)[...], ["%"] + pattern + ["%"])
  }

  private func matches(
    _ value: ArraySlice<Unicode.Scalar>, _ pattern: [Unicode.Scalar]
  ) -> Bool {
    var (at, step, mark, wild) = (value.startIndex, 0, value.startIndex, -1)
    while at < value.endIndex {
      if step < pattern.count, pattern[step] == "%" {
        (wild, mark, step) = (step, at, step + 1)
      } else if step < pattern.count, pattern[step] == "_" || pattern[step] == value[at] {
        (at, step) = (at + 1, step + 1)
      } else if wild >= 0 {
        (mark, step) = (mark + 1, wild + 1)
        at = mark
      } else {
        return false
      }
    }
    return pattern[step...].allSatisfy { $0 == "%" }
  }
}

extension String {
  /// With its ASCII letters in lower case, the others as they are.
  var asciiLowercased: String {
    String(
      decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }
}
