#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How far each sink has delivered a history, in `notes.db`.
extension HistoryNotes {
  /// What is known about a sink. Counts are since its beginning.
  package struct SinkRecord: Hashable, Sendable {
    package var name: String
    package var kind: String
    /// The last row that the far end has accepted, or that was parked.
    package var place = SequencePlace()
    package var delivered = 0
    /// Rows that are parked now.
    package var parked = 0
    /// Parked rows that the far end accepted later.
    package var retried = 0
    /// Rows that the far end accepted a batch without.
    package var rejected = 0
    /// Rows that retention removed before they were delivered.
    package var missed = 0
    /// When it was last written, in ms since 1970.
    package var updatedMs: Int64 = 0
    /// How far it is behind, in ms; 0 when all is delivered.
    package var behindMs: Int64 = 0
    /// Why nothing was delivered last; nil while all goes well.
    package var problem: String?
    /// For how long retention waits for it, in ms.
    package var maxLagMs: Int64 = 0
    /// What the sink keeps itself, as JSON; empty if nothing.
    package var state = ""

    package init(name: String, kind: String) {
      (self.name, self.kind) = (name, kind)
    }
  }

  /// A row that a far end refused.
  package struct ParkedRow: Hashable, Sendable {
    package var id: Int64 = 0
    package var sink: String
    package var seq: Int64
    /// The time of the row, in ms since 1970.
    package var atMs: Int64
    package var key: String
    package var kind: String
    /// What the far end said.
    package var answer: String
    package var parkedMs: Int64

    package init(
      sink: String, seq: Int64, atMs: Int64, key: String, kind: String, answer: String,
      parkedMs: Int64
    ) {
      self.sink = sink
      self.seq = seq
      self.atMs = atMs
      self.key = key
      self.kind = kind
      self.answer = answer
      self.parkedMs = parkedMs
    }
  }

  private static let sinkTables = """
    CREATE TABLE IF NOT EXISTS sink (name TEXT PRIMARY KEY, kind TEXT, day TEXT, seq INTEGER,
      delivered INTEGER, parked INTEGER, rejected INTEGER, missed INTEGER, updated_ms INTEGER,
      behind_ms INTEGER, problem TEXT, max_lag_ms INTEGER, state TEXT);
    CREATE TABLE IF NOT EXISTS parked (id INTEGER PRIMARY KEY, sink TEXT, seq INTEGER,
      at_ms INTEGER, key TEXT, kind TEXT, answer TEXT, parked_ms INTEGER, UNIQUE (sink, seq));
    CREATE TABLE IF NOT EXISTS sink_retried (name TEXT PRIMARY KEY, rows INTEGER);
    CREATE TABLE IF NOT EXISTS sink_side (name TEXT, what TEXT, place INTEGER,
      PRIMARY KEY (name, what));
    CREATE TABLE IF NOT EXISTS sink_bot (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT,
      secret BLOB);
    """

  private static let sinkColumns =
    "name, kind, day, seq, delivered, parked, rejected, missed, updated_ms, behind_ms, problem, max_lag_ms, state"

  /// The sinks of a history, by their names.
  package static func sinks(in folder: String) throws(HistoryError) -> [SinkRecord] {
    try read(folder) { file throws(DatabaseFailure) in
      guard try hasTable("sink", file) else { return [] }
      return try sinks(file)
    }
  }

  private static func sinks(_ file: Database) throws(DatabaseFailure) -> [SinkRecord] {
    let parked = try parkedCounts(file)
    let retried = try retriedCounts(file)
    let rows = try file.statement("SELECT \(sinkColumns) FROM sink ORDER BY name")
    defer { rows.reset() }
    var found: [SinkRecord] = []
    while try rows.step() {
      var record = SinkRecord(name: rows.text(0), kind: rows.text(1))
      record.place = SequencePlace(day: rows.text(2), seq: rows.int(3))
      record.delivered = Int(clamping: rows.int(4))
      record.parked = parked[record.name] ?? 0
      record.retried = retried[record.name] ?? 0
      record.rejected = Int(clamping: rows.int(6))
      record.missed = Int(clamping: rows.int(7))
      record.updatedMs = rows.int(8)
      record.behindMs = rows.int(9)
      record.problem = rows.isNull(10) ? nil : rows.text(10)
      record.maxLagMs = rows.int(11)
      record.state = rows.text(12)
      found.append(record)
    }
    return found
  }

  /// Keeps how far a sink is, and the rows that were parked, in one transaction. Rows that retention counts meanwhile
  /// are not lost: `missed` is taken from the file.
  ///
  /// - Parameter beside: how far later ids and findings were sent; nil keeps the stored places.
  package static func keep(
    _ record: SinkRecord, parking rows: [ParkedRow] = [], beside: SidePlaces? = nil,
    in folder: String
  ) throws(HistoryError) {
    try change(folder) { file throws(DatabaseFailure) in
      try file.run("PRAGMA secure_delete = ON; \(sinkTables)")
      try file.transaction { () throws(DatabaseFailure) in
        let missed = try sinks(file).first { $0.name == record.name }?.missed ?? record.missed
        let insert = try file.statement(
          "INSERT OR REPLACE INTO sink (\(sinkColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        insert.bind(record.name, at: 1)
        insert.bind(record.kind, at: 2)
        insert.bind(record.place.day, at: 3)
        let numbers: [Int64] = [
          record.place.seq, Int64(record.delivered), Int64(record.parked), Int64(record.rejected),
          Int64(missed), record.updatedMs, record.behindMs,
        ]
        for (index, number) in numbers.enumerated() { insert.bind(number, at: 4 + index) }
        if let problem = record.problem {
          insert.bind(problem, at: 11)
        } else {
          insert.bind(nil as Int64?, at: 11)
        }
        insert.bind(record.maxLagMs, at: 12)
        insert.bind(record.state, at: 13)
        try insert.run()
        for row in rows { try park(row, file) }
        if let beside { try keep(beside, of: record.name, file) }
      }
    }
  }

  private static func park(_ row: ParkedRow, _ file: Database) throws(DatabaseFailure) {
    let insert = try file.statement(
      """
      INSERT OR REPLACE INTO parked (sink, seq, at_ms, key, kind, answer, parked_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    insert.bind(row.sink, at: 1)
    insert.bind(row.seq, at: 2)
    insert.bind(row.atMs, at: 3)
    insert.bind(row.key, at: 4)
    insert.bind(row.kind, at: 5)
    insert.bind(row.answer, at: 6)
    insert.bind(row.parkedMs, at: 7)
    try insert.run()
  }

  /// The parked rows of a sink, oldest first; of all sinks without a name.
  package static func parkedRows(
    of sink: String? = nil, in folder: String
  ) throws(HistoryError) -> [ParkedRow] {
    try read(folder) { file throws(DatabaseFailure) in
      guard try hasTable("parked", file) else { return [] }
      let rows = try file.statement(
        """
        SELECT id, sink, seq, at_ms, key, kind, answer, parked_ms FROM parked
        WHERE ?1 = '' OR sink = ?1 ORDER BY sink, seq
        """)
      rows.bind(sink ?? "", at: 1)
      defer { rows.reset() }
      var found: [ParkedRow] = []
      while try rows.step() {
        var row = ParkedRow(
          sink: rows.text(1), seq: rows.int(2), atMs: rows.int(3), key: rows.text(4),
          kind: rows.text(5), answer: rows.text(6), parkedMs: rows.int(7))
        row.id = rows.int(0)
        found.append(row)
      }
      return found
    }
  }

  /// Forgets a sink: its place, its counts and its parked rows.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  package static func dropSink(_ name: String, in folder: String) throws(HistoryError) -> Bool {
    try change(folder) { file throws(DatabaseFailure) in
      guard try hasTable("sink", file) else { return false }
      let drop = try file.statement("DELETE FROM sink WHERE name = ?")
      drop.bind(name, at: 1)
      try drop.run()
      let isKnown = file.changes > 0
      let rows = try file.statement("DELETE FROM parked WHERE sink = ?")
      rows.bind(name, at: 1)
      try rows.run()
      try dropRetried(of: name, file)
      if try hasTable("sink_label", file) {
        let label = try file.statement("DELETE FROM sink_label WHERE name = ?")
        label.bind(name, at: 1)
        try label.run()
      }
      if try hasTable("sink_side", file) { try dropSidePlaces(of: name, file) }
      return isKnown
    }
  }

  // MARK: the bot

  /// What sinks know the bot of a history by.
  package struct SinkBot: Hashable, Sendable {
    /// The name that its keys are made of: it stays the same once it was used.
    package var name: String
    /// Keys the pseudonyms: 32 random bytes that never leave this file.
    package var secret: [UInt8]
  }

  /// The name and the secret of the bot; they are made at the first call.
  ///
  /// - Parameter name: for the first call.
  package static func sinkBot(
    named name: String, in folder: String
  ) throws(HistoryError) -> SinkBot {
    try change(folder) { file throws(DatabaseFailure) in
      try file.run(sinkTables)
      var random = SystemRandomNumberGenerator()
      let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let insert = try file.statement("INSERT OR IGNORE INTO sink_bot VALUES (1, ?, ?)")
      insert.bind(name, at: 1)
      insert.bind(secret, at: 2)
      try insert.run()
      let row = try file.statement("SELECT name, secret FROM sink_bot WHERE id = 1")
      defer { row.reset() }
      guard try row.step() else { return SinkBot(name: name, secret: secret) }
      return SinkBot(name: row.text(0), secret: row.bytes(1))
    }
  }

  /// What rows of a sink call the bot: the name of its first run, for far ends that tell rows apart by it.
  ///
  /// - Parameter bot: the name for the first call.
  package static func sinkLabel(
    of sink: String, else bot: String, in folder: String
  ) throws(HistoryError) -> String {
    try change(folder) { file throws(DatabaseFailure) in
      try file.run("CREATE TABLE IF NOT EXISTS sink_label (name TEXT PRIMARY KEY, bot TEXT)")
      let insert = try file.statement("INSERT OR IGNORE INTO sink_label VALUES (?, ?)")
      insert.bind(sink, at: 1)
      insert.bind(bot, at: 2)
      try insert.run()
      let row = try file.statement("SELECT bot FROM sink_label WHERE name = ?")
      row.bind(sink, at: 1)
      defer { row.reset() }
      return try row.step() ? row.text(0) : bot
    }
  }

  // MARK: retention

  /// The place that retention waits for: files whose last row is newer than `afterSeq` are kept while their last
  /// record is younger than `maxLagMs`.
  struct Awaited: Hashable, Sendable {
    var afterSeq: Int64
    var maxLagMs: Int64
  }

  /// What retention waits for; empty without sinks.
  static func awaited(in folder: String) -> [Awaited] {
    let found = Result { () throws(HistoryError) in try sinks(in: folder) }
    return ((try? found.get()) ?? []).map {
      Awaited(afterSeq: $0.place.seq, maxLagMs: $0.maxLagMs)
    }
  }

  /// Counts the rows of files that are about to be removed as not delivered, for each sink that had them before it.
  static func noteMissed(
    _ days: [DayName], in folder: String
  ) throws(HistoryError) {
    guard !days.isEmpty, HistoryFiles.identity(folder + "/" + fileName) != nil else { return }
    let records = try sinks(in: folder)
    for record in records {
      let missed = days.reduce(0) {
        $0 + rows(in: folder + "/" + $1.fileName, afterSeq: record.place.seq)
      }
      guard missed > 0 else { continue }
      try change(folder) { file throws(DatabaseFailure) in
        let update = try file.statement("UPDATE sink SET missed = missed + ? WHERE name = ?")
        update.bind(Int64(missed), at: 1)
        update.bind(record.name, at: 2)
        try update.run()
      }
    }
  }

  /// The number of rows of a file after a place; 0 if it cannot be read.
  private static func rows(in path: String, afterSeq seq: Int64) -> Int {
    let found = Result { () throws(DatabaseFailure) in
      try Database(path, for: .reading).number("SELECT count(*) FROM row WHERE seq > ?", seq)
    }
    return Int(clamping: (try? found.get())?.flatMap(\.self) ?? 0)
  }
}
