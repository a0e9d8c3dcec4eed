internal import CockpitDomain

/// Adds records to the tables of a day file. Not thread-safe.
final class DayTables {
  let database: Database
  private var names: [String: [String: Int64]] = [:]
  private var nameCount: Int64 = 0
  private var chains: [String: Chain] = [:]

  /// A row that goes into a block.
  struct BlockRow {
    var seq: Int64
    var atMs: Int64
    var flags: Int64
    var json: [UInt8]
  }

  /// The last document of a name. Each but the first of a chain is stored as its difference from the one before.
  private struct Chain {
    var lastID: Int64
    var body: [UInt8]
    var count: Int
  }

  /// The next document after a larger one is stored whole, so that large bodies are not kept in memory.
  private static let chainLimit = 4 << 20

  init(_ database: Database) { self.database = database }

  /// Reads the names that the file has.
  func loadNames() throws(DatabaseFailure) {
    let known = try database.statement("SELECT id, sort, text FROM name")
    defer { known.reset() }
    while try known.step() {
      names[known.text(1), default: [:]][known.text(2)] = known.int(0)
      nameCount = max(nameCount, known.int(0))
    }
  }

  /// The id of a text in the table `name`; a new text is added.
  func number(_ sort: String, _ text: String?) throws(DatabaseFailure) -> Int64? {
    guard let text else { return nil }
    if let number = names[sort]?[text] { return number }
    let number = nameCount + 1
    let statement = try database.statement("INSERT INTO name VALUES (?, ?, ?)")
    statement.bind(number, at: 1)
    statement.bind(sort, at: 2)
    statement.bind(text, at: 3)
    try statement.run()
    names[sort, default: [:]][text] = number
    nameCount = number
    return number
  }

  func setMeta(_ key: String, _ value: Int64) throws(DatabaseFailure) {
    let insert = try database.statement("INSERT OR REPLACE INTO meta VALUES (?, ?)")
    insert.bind(key, at: 1)
    insert.bind(value, at: 2)
    try insert.run()
  }

  func setMeta(_ key: String, _ text: String) throws(DatabaseFailure) {
    let insert = try database.statement("INSERT OR REPLACE INTO meta VALUES (?, ?)")
    insert.bind(key, at: 1)
    insert.bind(text, at: 2)
    try insert.run()
  }

  // MARK: rows

  /// Adds the columns of a row.
  ///
  /// - Parameter sum: the checksum of the columns and the bytes.
  /// - Returns: false if there is a row with this number already.
  @discardableResult
  func add(
    _ key: RowKey, _ columns: RowColumns, sum: UInt32
  ) throws(DatabaseFailure) -> Bool {
    let row = try database.statement(
      "INSERT OR IGNORE INTO row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    row.bind(key.seq, at: 1)
    row.bind(key.atMs, at: 2)
    row.bind(key.delayMs, at: 3)
    row.bind(key.actionID, at: 4)
    row.bind(key.channels, at: 5)
    row.bind(try number("kind", columns.kind), at: 6)
    row.bind(try number("event", columns.event), at: 7)
    row.bind(try number("guild", columns.guild), at: 8)
    row.bind(try number("channel", columns.channel), at: 9)
    row.bind(try number("person", columns.person), at: 10)
    row.bind(try number("session", columns.session), at: 11)
    row.bind(columns.costNanos == 0 ? nil : columns.costNanos, at: 12)
    row.bind(columns.durationMs, at: 13)
    row.bind(columns.flags, at: 14)
    row.bind(key.length, at: 15)
    row.bind(Int64(sum), at: 16)
    try row.run()
    return database.changes == 1
  }

  /// Adds a block of rows.
  ///
  /// - Parameter body: their bytes, packed with the prefix.
  func add(
    _ rows: [BlockRow], prefix: Int64, rawBytes: Int, body: [UInt8]
  ) throws(DatabaseFailure) {
    guard let first = rows.first, let last = rows.last else { return }
    let insert = try database.statement(
      "INSERT INTO block VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)")
    insert.bind(first.seq, at: 1)
    insert.bind(last.seq, at: 2)
    insert.bind(Int64(rows.count), at: 3)
    insert.bind(rows.map(\.atMs).min(), at: 4)
    insert.bind(rows.map(\.atMs).max(), at: 5)
    insert.bind(prefix, at: 6)
    insert.bind(Int64(rawBytes), at: 7)
    insert.bind(body, at: 8)
    try insert.run()
  }

  /// Adds a prefix, twice.
  ///
  /// - Returns: its id.
  func addPrefix(_ packed: [UInt8]) throws(DatabaseFailure) -> Int64 {
    // Both copies of an earlier prefix may be damaged.
    let id = (try database.number("SELECT max(id) FROM prefix") ?? 0) + 1
    let insert = try database.statement("INSERT INTO prefix VALUES (?, ?, ?)")
    for copy in 1...2 {
      insert.bind(id, at: 1)
      insert.bind(Int64(copy), at: 2)
      insert.bind(packed, at: 3)
      try insert.run()
    }
    return id
  }

  /// Counts the rows of a block by minute.
  func countMinutes(_ rows: [BlockRow]) throws(DatabaseFailure) {
    var minutes: [Int64: DensityBucket] = [:]
    for row in rows {
      minutes[row.atMs / 60_000, default: DensityBucket()].add(flags: row.flags)
    }
    for (minute, count) in minutes {
      try database.run(
        """
        INSERT INTO minute VALUES (?, ?, ?, ?) ON CONFLICT (minute) DO UPDATE SET
        rows = rows + excluded.rows, failures = failures + excluded.failures,
        voice = voice + excluded.voice
        """, minute, Int64(count.rows), Int64(count.failures), Int64(count.voice))
    }
  }

  /// Indexes the words of the rows of a block.
  func indexWords(_ rows: [BlockRow]) throws(DatabaseFailure) {
    let insert = try database.statement("INSERT INTO words (rowid, text) VALUES (?, ?)")
    for row in rows {
      let line = row.json.withUnsafeBytes { RowText.line($0) }
      guard !line.isEmpty else { continue }
      insert.bind(row.seq, at: 1)
      insert.bindText(line, at: 2)
      try insert.run()
    }
    if let last = rows.last { try setMeta("words_through", last.seq) }
  }

  /// Adds what became known about a row of an earlier file.
  func add(_ later: LaterRow, of seq: Int64) throws(DatabaseFailure) {
    let insert = try database.statement("INSERT OR REPLACE INTO later VALUES (?, ?, ?, ?, ?)")
    insert.bind(seq, at: 1)
    insert.bind(later.actionID, at: 2)
    insert.bind(later.channels, at: 3)
    insert.bind(later.json, at: 4)
    insert.bind(Int64(later.sum(seq)), at: 5)
    try insert.run()
  }

  /// Notes that the id of a row became known.
  func noteLearned(_ seq: Int64) throws(DatabaseFailure) {
    try database.run("INSERT INTO learned VALUES (NULL, ?)", seq)
  }

  // MARK: documents and link records

  /// Adds a document, unless it equals the last of its name.
  func add(_ document: RecordedDocument) throws(DatabaseFailure) {
    guard let name = try number("document", document.name) else { return }
    var chain = chains[document.name]
    if let known = chain, known.body == document.body { return }
    if let known = chain, known.count >= DayFormat.keyframeInterval { chain = nil }
    guard let packed = Compression.pack(document.body, prefix: chain?.body ?? []) else { return }
    let id = (try database.number("SELECT max(id) FROM document") ?? 0) + 1
    let base = chain?.lastID ?? 0
    let insert = try database.statement("INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    insert.bind(id, at: 1)
    insert.bind(document.seq, at: 2)
    insert.bind(name, at: 3)
    insert.bind(document.atMs, at: 4)
    insert.bind(document.receivedMs, at: 5)
    insert.bind(base, at: 6)
    insert.bind(packed, at: 7)
    insert.bind(
      Int64(
        Checksum.of(id, document.seq, name, document.atMs, document.receivedMs, base)), at: 8)
    try insert.run()
    chains[document.name] =
      document.body.count > Self.chainLimit
      ? nil : Chain(lastID: id, body: document.body, count: (chain?.count ?? 0) + 1)
  }

  func add(_ link: RecordedLink) throws(DatabaseFailure) {
    let id = (try database.number("SELECT max(id) FROM link") ?? 0) + 1
    let sum =
      Checksum.of(id, link.seq, link.atMs, link.receivedMs)
      ^ (Array(link.what.rawValue.utf8) + link.value).withUnsafeBytes { Checksum.of($0) }
    let insert = try database.statement("INSERT INTO link VALUES (?, ?, ?, ?, ?, ?, ?)")
    insert.bind(id, at: 1)
    insert.bind(link.seq, at: 2)
    insert.bind(link.atMs, at: 3)
    insert.bind(link.receivedMs, at: 4)
    insert.bind(link.what.rawValue, at: 5)
    insert.bind(String(decoding: link.value, as: UTF8.self), at: 6)
    insert.bind(Int64(sum), at: 7)
    try insert.run()
  }
}
