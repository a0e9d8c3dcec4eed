internal import LenientJSON

/// What a bundle says about itself: its table `manifest`.
package struct BundleManifest: Hashable, Sendable {
  package var fromMs: Int64 = 0
  package var toMs: Int64 = 0
  /// From when to when all rows are in it; rows of voice sessions may be older.
  package var contextFromMs: Int64 = 0
  package var contextToMs: Int64 = 0
  package var createdMs: Int64 = 0
  /// The bot: its pseudonym, or what its history called it.
  package var bot = ""
  /// The program's version that wrote it.
  package var version = ""
  /// The backend's release: `May`, `March`, or empty if the records do not tell.
  package var dialect = ""
  package var redaction = RedactionLevel.people
  package var hasPrompts = false
  package var note = ""
  package var session: String?
  package var rows = 0
  package var documents = 0
  package var links = 0
  package var marks = 0
  /// How often something of each class was replaced or left out.
  package var replaced: [String: Int] = [:]
  /// Fields that are not on the list of those that pass, and how often each was left out.
  package var unlisted: [String: Int] = [:]
  /// Records that could not be read, and so are not in it.
  package var unreadable = 0
  /// Documents that never leave the machine: the owner's private facts.
  package var privateDocuments = 0
  /// Names that are ordinary words: they are replaced in fields for names only.
  package var wordlikeNames = 0
  /// How many rows were searched for names.
  package var searchedRows = 0

  package init() {}

  static let table = "CREATE TABLE manifest (key TEXT PRIMARY KEY, value) WITHOUT ROWID;"

  /// `redacted: names, ids …; no prompts`: for the header.
  package var redactionWords: String {
    switch redaction {
    case .none: "nothing is redacted"
    case .people: hasPrompts ? "people redacted, prompts are in" : "people and prompts redacted"
    case .words: "people and words redacted"
    }
  }

  // MARK: storing

  private var values: [(key: String, value: String)] {
    [
      ("from_ms", "\(fromMs)"), ("to_ms", "\(toMs)"), ("context_from_ms", "\(contextFromMs)"),
      ("context_to_ms", "\(contextToMs)"), ("created_ms", "\(createdMs)"), ("bot", bot),
      ("version", version), ("dialect", dialect), ("redaction", redaction.rawValue),
      ("prompts", hasPrompts ? "1" : "0"), ("note", note), ("session", session ?? ""),
      ("rows", "\(rows)"), ("documents", "\(documents)"), ("links", "\(links)"),
      ("marks", "\(marks)"),
      ("replaced", Self.json(replaced)), ("unlisted", Self.json(unlisted)),
      ("unreadable", "\(unreadable)"), ("private_documents", "\(privateDocuments)"),
      ("wordlike_names", "\(wordlikeNames)"), ("searched_rows", "\(searchedRows)"),
    ]
  }

  /// The members of its JSON.
  static let keys = Set(BundleManifest().values.map(\.key))

  /// As one JSON object.
  package var json: [UInt8] {
    let numbers: Set<String> = [
      "from_ms", "to_ms", "context_from_ms", "context_to_ms", "created_ms", "prompts", "rows",
      "documents", "links",
      "marks", "unreadable", "private_documents", "wordlike_names", "searched_rows",
    ]
    let members = values.map { key, value -> (key: String, value: JSONValue?) in
      if numbers.contains(key) { return (key, .number(JSONNumber(text: value))) }
      if key == "replaced" || key == "unlisted" { return (key, try? JSONValue.parse(value)) }
      return (key, .string(value))
    }
    return Array(JSONValue.body([("type", .string("manifest"))] + members).serialized().utf8)
  }

  func write(to file: Database) throws(DatabaseFailure) {
    try file.run(Self.table)
    let insert = try file.statement("INSERT INTO manifest VALUES (?, ?)")
    for (key, value) in values {
      insert.bind(key, at: 1)
      insert.bind(value, at: 2)
      try insert.run()
    }
  }

  private static func json(_ counts: [String: Int]) -> String {
    let members = counts.sorted { $0.key < $1.key }.map {
      (key: $0.key, value: Optional(JSONValue.integer($0.value)))
    }
    return JSONValue.body(members).serialized()
  }

  // MARK: reading

  init(_ values: [String: String]) {
    func number(_ key: String) -> Int { values[key].flatMap { Int($0) } ?? 0 }
    func counts(_ key: String) -> [String: Int] {
      var counts: [String: Int] = [:]
      let json = values[key].flatMap { try? JSONValue.parse($0) }
      for member in json?.object?.members ?? [] { counts[member.key] = member.value.int }
      return counts
    }
    fromMs = Int64(number("from_ms"))
    toMs = Int64(number("to_ms"))
    contextFromMs = Int64(number("context_from_ms"))
    contextToMs = Int64(number("context_to_ms"))
    createdMs = Int64(number("created_ms"))
    bot = values["bot"] ?? ""
    version = values["version"] ?? ""
    dialect = values["dialect"] ?? ""
    redaction = values["redaction"].flatMap(RedactionLevel.init(rawValue:)) ?? .people
    hasPrompts = number("prompts") == 1
    note = values["note"] ?? ""
    session = values["session"].flatMap { $0.isEmpty ? nil : $0 }
    rows = number("rows")
    documents = number("documents")
    links = number("links")
    marks = number("marks")
    replaced = counts("replaced")
    unlisted = counts("unlisted")
    unreadable = number("unreadable")
    privateDocuments = number("private_documents")
    wordlikeNames = number("wordlike_names")
    searchedRows = number("searched_rows")
  }

  /// From the first line of an export as JSON lines.
  init?(json: JSONValue) {
    guard json["type"]?.string == "manifest", let object = json.object else { return nil }
    var values: [String: String] = [:]
    for member in object.members {
      switch member.value {
      case .string(let text): values[member.key] = text
      case .number(let number): values[member.key] = number.text
      case .object: values[member.key] = member.value.serialized()
      case .null, .bool, .array: break
      }
    }
    self.init(values)
  }
}

extension DayReader {
  /// nil if the file is no bundle.
  func manifest() throws(DatabaseFailure) -> BundleManifest? {
    let exists = try database.number(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'manifest'")
    guard exists == 1 else { return nil }
    let rows = try database.statement("SELECT key, value FROM manifest")
    defer { rows.reset() }
    var values: [String: String] = [:]
    while try rows.step() { values[rows.text(0)] = rows.text(1) }
    return BundleManifest(values)
  }

  /// The marks of a bundle.
  func marks() throws(DatabaseFailure) -> [HistoryNotes.Mark] {
    let exists = try database.number(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'mark'")
    guard exists == 1 else { return [] }
    let rows = try database.statement("SELECT id, at_ms, note FROM mark ORDER BY at_ms, id")
    defer { rows.reset() }
    var marks: [HistoryNotes.Mark] = []
    while try rows.step() {
      marks.append(HistoryNotes.Mark(id: rows.int(0), atMs: rows.int(1), note: rows.text(2)))
    }
    return marks
  }
}

extension HistoryFolder {
  /// What the bundle says about itself; nil for what a recorder wrote.
  package func manifest() throws(HistoryError) -> BundleManifest? {
    for file in try pool.files() {
      let found = try pool.with(file) { reader throws(DatabaseFailure) in try reader.manifest() }
      if let manifest = found ?? nil { return manifest }
    }
    return nil
  }

  /// Those of a folder and those of a bundle.
  package func marks() throws(HistoryError) -> [HistoryNotes.Mark] {
    var marks = HistoryFiles.isFolder(path) ? try HistoryNotes.marks(in: path) : []
    for file in try pool.files() {
      let found = try pool.with(file) { reader throws(DatabaseFailure) in try reader.marks() }
      marks += found ?? []
    }
    return marks.sorted { ($0.atMs, $0.id) < ($1.atMs, $1.id) }
  }

  package func pins() throws(HistoryError) -> [HistoryNotes.Pin] {
    HistoryFiles.isFolder(path) ? try HistoryNotes.pins(in: path) : []
  }
}
