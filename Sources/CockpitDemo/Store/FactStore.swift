import GRDB

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

extension FactRow: FetchableRecord {
  init(row: Row) {
    self.init(
      id: row["id"], createdMs: row["created_ms"], updatedMs: row["updated_ms"],
      scope: row["scope"], guild: row["guild_id"], channel: row["channel_id"],
      user: row["user_id"], subject: row["subject"], fact: row["fact"],
      factType: row["fact_type"], evidence: row["evidence_text"],
      sourceMessage: row["source_message_id"], confidence: row["confidence"])
  }
}

/// How an edit ended.
enum FactEdit: Sendable {
  case saved(FactRow)
  case notFound
  case duplicate
  /// The database refused, with its message.
  case refused(String)
}

extension DemoStore {
  /// Adds a fact, or nothing when it is already known; returns its id when added.
  @discardableResult
  func addFact(_ fact: FactRow) throws -> Int64? {
    try database.write { try Self.insert(fact, $0) }
  }

  /// Adds facts in one transaction, leaving out what is already known.
  func addFacts(_ facts: [FactRow]) throws {
    try database.write { db in for fact in facts { try Self.insert(fact, db) } }
  }

  @discardableResult
  private static func insert(_ fact: FactRow, _ db: Database) throws -> Int64? {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO memory_facts (created_ms, updated_ms, scope, guild_id, channel_id,
          user_id, subject, fact, fact_type, evidence_text, source_message_id, confidence)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        fact.createdMs, fact.updatedMs, fact.scope, fact.guild, fact.channel, fact.user,
        fact.subject, fact.fact, fact.factType, fact.evidence, fact.sourceMessage,
        fact.confidence,
      ])
    return db.changesCount > 0 ? db.lastInsertedRowID : nil
  }

  /// Facts a guild's operator sees: its own, and in May every user and owner fact as well.
  func facts(guild: String, subject: String? = nil, text: String = "", limit: Int) throws
    -> [FactRow]
  {
    let like = "%" + text.lowercased() + "%"
    return try database.read { db in
      try FactRow.fetchAll(
        db,
        sql: """
          SELECT * FROM memory_facts WHERE is_active = 1
            AND ((scope = 'guild' AND guild_id = ?1) OR scope IN ('user', 'owner'))
            AND (?2 IS NULL OR subject = ?2)
            AND (?3 = '%%' OR lower(fact) LIKE ?3 OR lower(IFNULL(evidence_text, '')) LIKE ?3)
          ORDER BY updated_ms DESC, id DESC LIMIT ?4
          """, arguments: [guild, subject, like, limit])
    }
  }

  /// Active facts of one scope, newest first.
  func facts(scope: String, text: String = "", limit: Int) throws -> [FactRow] {
    try database.read { db in
      try FactRow.fetchAll(
        db,
        sql: """
          SELECT * FROM memory_facts WHERE is_active = 1 AND scope = ?1
            AND (?2 = '%%' OR lower(fact) LIKE ?2)
          ORDER BY updated_ms DESC, id DESC LIMIT ?3
          """, arguments: [scope, "%" + text.lowercased() + "%", limit])
    }
  }

  /// One active fact.
  func fact(id: Int64) throws -> FactRow? {
    try database.read { db in
      try FactRow.fetchOne(
        db, sql: "SELECT * FROM memory_facts WHERE id = ? AND is_active = 1", arguments: [id])
    }
  }

  /// Replaces the editable columns of a fact (contract 6.3).
  func replaceFact(_ fact: FactRow) throws -> FactEdit {
    try database.write { db in
      let twin = try Int.fetchOne(
        db,
        sql: """
          SELECT id FROM memory_facts WHERE is_active = 1 AND id != ? AND scope = ?
            AND IFNULL(guild_id, '') = IFNULL(?, '') AND IFNULL(user_id, '') = IFNULL(?, '')
            AND subject = ? AND fact = ?
          """,
        arguments: [fact.id, fact.scope, fact.guild, fact.user, fact.subject, fact.fact])
      if twin != nil { return .duplicate }
      do {
        try db.execute(
          sql: """
            UPDATE memory_facts SET subject = ?, fact = ?, fact_type = ?, evidence_text = ?,
              confidence = ?, updated_ms = ? WHERE id = ? AND is_active = 1
            """,
          arguments: [
            fact.subject, fact.fact, fact.factType, fact.evidence, fact.confidence,
            fact.updatedMs, fact.id,
          ])
      } catch let error as DatabaseError {
        return .refused(error.message ?? "constraint failed")
      }
      return db.changesCount > 0 ? .saved(fact) : .notFound
    }
  }

  /// Hides a fact; false when there is none.
  func deleteFact(id: Int64, now: Int64) throws -> Bool {
    try database.write { db in
      try db.execute(
        sql: "UPDATE memory_facts SET is_active = 0, updated_ms = ? WHERE id = ? AND is_active = 1",
        arguments: [now, id])
      return db.changesCount > 0
    }
  }

  /// Subjects with their counts (contract 6.1), newest first. Counted in the order of an index; the plus
  /// signs keep SQLite from looking the rows up by scope and sorting them instead, seven times slower.
  func subjects(guild: String, limit: Int) throws -> [(fact: FactRow, seen: Int64, count: Int)] {
    try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT newest.*, groups.seen_ms, groups.fact_count FROM (
            SELECT id, MAX(updated_ms) AS seen_ms, COUNT(*) AS fact_count FROM memory_facts
            WHERE is_active = 1
              AND ((+scope = 'guild' AND guild_id = ?1) OR +scope IN ('user', 'owner'))
            GROUP BY scope, guild_id, user_id, subject
            ORDER BY seen_ms DESC LIMIT ?2) AS groups
          JOIN memory_facts AS newest ON newest.id = groups.id
          ORDER BY groups.seen_ms DESC
          """, arguments: [guild, limit])
      return rows.map { (FactRow(row: $0), $0["seen_ms"], $0["fact_count"]) }
    }
  }

  /// Removes every fact of a guild for good; returns how many there were.
  func purgeFacts(guild: String) throws -> Int {
    try database.write { db in
      try db.execute(
        sql: "DELETE FROM memory_facts WHERE scope = 'guild' AND guild_id = ?",
        arguments: [guild])
      return db.changesCount
    }
  }
}
