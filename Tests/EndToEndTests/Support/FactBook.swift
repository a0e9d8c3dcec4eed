import Foundation

/// The facts of a `FactServer`, and the rules of the wire contract (3.2 and 6) that lists, edits
/// and deletions keep to. Written from the contract: it shares no code with the program and none
/// with its demo backend.
struct FactBook: Sendable {
  /// Which backend is played: the one of March 2026 or the one of May.
  enum Dialect: Sendable { case march, may }

  struct Fact: Sendable {
    var id: Int
    var created = ""
    var updated = ""
    var scope = "guild"
    var guild: String?
    var channel: String?
    var user: String?
    var subject: String
    var fact: String
    var type = "other"
    var evidence: String?
    var source: String?
    var confidence = 0.5
    /// A deleted row stays in the table and goes on colliding (contract 6.3).
    var isActive = true
  }

  /// An answer: a status and a body as the backend spells it.
  struct Answer: Sendable {
    var status: Int
    var body: String

    static func error(_ status: Int, _ words: String) -> Answer {
      Answer(status: status, body: #"{"ok":false,"error":\#(FactJSON.text(words))}"#)
    }
  }

  var dialect = Dialect.may
  private(set) var facts: [Fact] = []
  /// Whether March's one reflection run is gone.
  var isRunDeleted = false
  private var lastWriteMs: Int64 = 0

  init(_ dialect: Dialect = .may, _ facts: [Fact] = []) {
    self.dialect = dialect
    for fact in facts { add(fact) }
  }

  /// Adds a fact; one without times was written before every other.
  mutating func add(_ fact: Fact) {
    var fact = fact
    let age = TimeInterval(facts.count + 1) * 3600
    if fact.updated.isEmpty { fact.updated = Self.time(Date(timeIntervalSinceNow: -age)) }
    if fact.created.isEmpty { fact.created = fact.updated }
    facts.append(fact)
  }

  subscript(id: Int) -> Fact? { facts.first { $0.id == id && $0.isActive } }

  /// A change by another client: nothing is checked, `updated_at` is bumped.
  mutating func change(_ id: Int, _ edit: (inout Fact) -> Void) {
    guard let index = facts.firstIndex(where: { $0.id == id && $0.isActive }) else { return }
    edit(&facts[index])
    facts[index].updated = nextTime()
  }

  /// Hides the facts of a guild; in May those of users and the owner belong to none.
  ///
  /// - Returns: how many there were.
  mutating func purge(_ guild: String) -> Int {
    let places = facts.indices.filter { facts[$0].isActive && facts[$0].guild == guild }
    for place in places { facts[place].isActive = false }
    isRunDeleted = true
    return places.count
  }

  mutating func remove(_ id: Int) { change(id) { $0.isActive = false } }

  // MARK: Lists

  /// The content of `/facts` of a guild: its own facts, and in May those of users and the owner
  /// too.
  func list(guild: String, subject: String?, text: String, limit: Int) -> [Fact] {
    let text = text.lowercased()
    let found = facts.filter { fact in
      guard fact.isActive, subject == nil || fact.subject == subject else { return false }
      guard isListed(fact, in: guild) else { return false }
      return text.isEmpty || fact.fact.lowercased().contains(text)
        || (fact.evidence ?? "").lowercased().contains(text)
    }
    return Array(found.sorted { ($0.updated, $0.id) > ($1.updated, $1.id) }.prefix(limit))
  }

  func owners(text: String, limit: Int) -> [Fact] {
    let text = text.lowercased()
    let found = facts.filter {
      $0.isActive && $0.scope == "owner"
        && (text.isEmpty || $0.fact.lowercased().contains(text))
    }
    return Array(found.sorted { ($0.updated, $0.id) > ($1.updated, $1.id) }.prefix(limit))
  }

  /// Subjects with their counts, newest first.
  func subjects(guild: String, limit: Int) -> [(newest: Fact, count: Int)] {
    var groups: [[String?]: [Fact]] = [:]
    for fact in list(guild: guild, subject: nil, text: "", limit: .max) {
      groups[[fact.scope, fact.guild, fact.user, fact.subject], default: []].append(fact)
    }
    let rows = groups.values.compactMap { rows in rows.first.map { ($0, rows.count) } }
    return Array(rows.sorted { ($0.0.updated, $0.0.id) > ($1.0.updated, $1.0.id) }.prefix(limit))
  }

  private func isListed(_ fact: Fact, in guild: String) -> Bool {
    switch fact.scope {
    case "guild": fact.guild == guild
    case "user", "owner": dialect == .may
    default: false
    }
  }

  // MARK: Writes

  /// `PUT`, in the contract's order of checks; `ownerOnly` is the owner's own route.
  mutating func replace(_ idText: String, _ body: [String: Any], ownerOnly: Bool) -> Answer {
    if let error = addressProblem(idText, body, ownerOnly: ownerOnly) { return error }
    let subject = Self.stored(body["subject"], 120)
    if subject.isEmpty { return .error(400, "subject required") }
    let text = Self.stored(body["fact"], 400, withoutPrefix: dialect == .may)
    if text.isEmpty { return .error(400, "fact required") }
    guard let confidence = Self.number(body["confidence"]) else {
      return .error(400, "confidence must be a number between 0 and 1")
    }
    guard let index = index(idText, body, ownerOnly: ownerOnly) else {
      return .error(404, "not_found")
    }
    var fact = facts[index]
    fact.subject = subject
    fact.fact = text
    fact.type = Self.stored(body["factType"], 40).lowercased()
    if fact.type.isEmpty { fact.type = "other" }
    if dialect == .may, ["lore", "self", "general"].contains(fact.type) { fact.type = "other" }
    let evidence = Self.stored(body["evidenceText"], 240)
    fact.evidence = evidence.isEmpty ? nil : evidence
    fact.confidence = min(1, max(0, confidence))
    let twins = facts.filter {
      $0.id != fact.id && $0.scope == fact.scope && $0.guild == fact.guild && $0.user == fact.user
        && $0.subject == fact.subject && $0.fact == fact.fact
    }
    if twins.contains(where: \.isActive) { return .error(409, "duplicate") }
    if !twins.isEmpty {
      let columns = ["scope", "guild_id", "user_id", "subject", "fact"]
      let words = columns.map { "memory_facts.\($0)" }.joined(separator: ", ")
      return Answer(status: 500, body: #"{"error":"UNIQUE constraint failed: \#(words)"}"#)
    }
    fact.updated = nextTime()
    facts[index] = fact
    return Answer(status: 200, body: #"{"ok":true,"fact":\#(row(fact))}"#)
  }

  /// `DELETE`: the row is hidden, a second time is 404.
  mutating func delete(_ idText: String, _ body: [String: Any], ownerOnly: Bool) -> Answer {
    if let error = addressProblem(idText, body, ownerOnly: ownerOnly) { return error }
    guard let index = index(idText, body, ownerOnly: ownerOnly) else {
      return .error(404, "not_found")
    }
    facts[index].isActive = false
    return Answer(status: 200, body: #"{"ok":true,"deleted":1}"#)
  }

  private func addressProblem(_ id: String, _ body: [String: Any], ownerOnly: Bool) -> Answer? {
    if !ownerOnly, Self.stored(body["guildId"], .max).isEmpty {
      return .error(400, "guildId required")
    }
    guard let id = Int(id), id > 0 else { return .error(400, "valid factId required") }
    return nil
  }

  /// In March a fact answers to its own guild only; in May facts of users and the owner answer to
  /// any guild.
  private func index(_ id: String, _ body: [String: Any], ownerOnly: Bool) -> Int? {
    let guild = Self.stored(body["guildId"], .max)
    return facts.firstIndex { fact in
      guard String(fact.id) == id, fact.isActive else { return false }
      if ownerOnly { return fact.scope == "owner" }
      return fact.guild == guild || (dialect == .may && fact.scope != "guild")
    }
  }

  private mutating func nextTime() -> String {
    lastWriteMs = max(lastWriteMs + 1, Int64(Date().timeIntervalSince1970 * 1000))
    return Self.time(Date(timeIntervalSince1970: Double(lastWriteMs) / 1000))
  }

  static func time(_ date: Date) -> String {
    Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
  }

  /// A text as it is stored: white space collapsed, and cut without a word.
  private static func stored(_ value: Any?, _ limit: Int, withoutPrefix: Bool = false) -> String {
    var text = collapsed(value as? String ?? "")
    if withoutPrefix, text.hasPrefix("Memory line:") {
      text = collapsed(String(text.dropFirst(12)))
    }
    return String(decoding: Array(text.utf16.prefix(limit)), as: UTF16.self)
  }

  private static func collapsed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// `Number(value)`: null, blank text and false are 0; missing or no number is an error.
  private static func number(_ value: Any?) -> Double? {
    switch value {
    case nil: return nil
    case is NSNull: return 0
    case let text as String:
      let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
      return text.isEmpty ? 0 : Double(text)
    case let number as NSNumber: return number.doubleValue
    default: return nil
    }
  }
}

// MARK: - Rows

extension FactBook {
  /// A row of `/facts`; March has fewer columns.
  func row(_ fact: Fact) -> String { FactJSON.object(columns(fact) + tail) }

  /// A row of `/search`: no metadata, three scores.
  func hit(_ fact: Fact, _ scores: [(String, Double)]) -> String {
    let columns = columns(fact).filter { dialect == .may || $0.0 != "updated_at" }
    return FactJSON.object(columns + scores.map { ($0, FactJSON.number($1)) })
  }

  /// A row of `/subjects`.
  func subjectRow(_ newest: Fact, _ count: Int) -> String {
    let scope = ("scope", FactJSON.text(newest.scope))
    let guild = ("guild_id", FactJSON.text(newest.guild))
    let user = ("user_id", FactJSON.text(newest.user))
    let columns = [
      ("subject", FactJSON.text(newest.subject)), ("last_seen_at", FactJSON.text(newest.updated)),
      ("fact_count", "\(count)"),
    ]
    return FactJSON.object((dialect == .may ? [scope, guild, user] : [guild]) + columns)
  }

  /// The camel-case form of profile and snapshot (contract 6.6).
  func profileRow(_ fact: Fact) -> String {
    let scoped = [("scope", FactJSON.text(fact.scope)), ("userId", FactJSON.text(fact.user))]
    let metadata = FactJSON.object([
      ("createdAt", FactJSON.text(fact.created)), ("updatedAt", FactJSON.text(fact.updated)),
      ("guildId", FactJSON.text(fact.guild)), ("channelId", FactJSON.text(fact.channel)),
      ("evidenceText", FactJSON.text(fact.evidence)),
      ("sourceMessageId", FactJSON.text(fact.source)),
    ])
    return FactJSON.object(
      [("id", "\(fact.id)")] + (dialect == .may ? scoped : []) + [
        ("subject", FactJSON.text(fact.subject)), ("factType", FactJSON.text(fact.type)),
        ("fact", FactJSON.text(fact.fact)), ("confidence", FactJSON.number(fact.confidence)),
        ("metadata", metadata),
      ])
  }

  private var tail: [(String, String)] {
    dialect == .may ? [("metadata", #"{"isLegacy":false}"#)] : []
  }

  private func columns(_ fact: Fact) -> [(String, String)] {
    let isMay = dialect == .may
    return [
      ("id", "\(fact.id)"), ("created_at", FactJSON.text(fact.created)),
      ("updated_at", FactJSON.text(fact.updated)),
    ] + (isMay ? [("scope", FactJSON.text(fact.scope))] : []) + [
      ("guild_id", FactJSON.text(fact.guild)), ("channel_id", FactJSON.text(fact.channel)),
    ] + (isMay ? [("user_id", FactJSON.text(fact.user))] : []) + [
      ("subject", FactJSON.text(fact.subject)), ("fact", FactJSON.text(fact.fact)),
      ("fact_type", FactJSON.text(fact.type)), ("evidence_text", FactJSON.text(fact.evidence)),
      ("source_message_id", FactJSON.text(fact.source)),
      ("confidence", FactJSON.number(fact.confidence)),
    ]
  }
}

/// JSON as the backend spells it: members in order, numbers as ECMAScript writes them.
enum FactJSON {
  static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(text($0)):\($1)" }.joined(separator: ",") + "}"
  }

  static func array(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

  static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  /// A string, or null.
  static func text(_ value: String?) -> String {
    guard let value else { return "null" }
    var out = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
