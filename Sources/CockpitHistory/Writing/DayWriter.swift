internal import CockpitDomain

/// Writes one day file. Not thread-safe. After an error it must be discarded: its state may differ from what is on
/// the disk.
final class DayWriter {
  let name: DayName
  let path: String
  let database: Database
  private var names: [String: [String: Int64]] = [:]
  private var tail: [TailRow] = []
  private var tailBytes = 0
  private var prefix: (id: Int64, packer: PackingPrefix)?
  private var chains: [Int64: Chain] = [:]
  /// The number of the last row, in this file or an earlier one.
  private(set) var lastSeq: Int64
  /// Whether words are indexed: not after the index was found damaged.
  private var hasWords: Bool

  private struct TailRow {
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

  /// Opens or creates the file.
  ///
  /// - Parameter lastSeq: the number of the last row in earlier files.
  init(_ name: DayName, in folder: String, after lastSeq: Int64) throws(DatabaseFailure) {
    self.name = name
    path = folder + "/" + name.fileName
    database = try Database(path, for: .writing)
    self.lastSeq = lastSeq
    hasWords = true
    try database.run(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -1000")
    let version = try database.number("PRAGMA user_version") ?? 0
    let isNew = try database.number("SELECT count(*) FROM sqlite_schema") == 0
    if isNew {
      try database.transaction { () throws(DatabaseFailure) in
        try database.run(DayFormat.tables)
        try database.run(DayFormat.words)
        try setMeta("first_seq", lastSeq + 1)
      }
    } else {
      guard version == DayFormat.version,
        try database.number("PRAGMA application_id") == DayFormat.application
      else { throw DatabaseFailure(code: 26, message: "the file has another format") }
      try load()
    }
  }

  private func load() throws(DatabaseFailure) {
    let known = try database.statement("SELECT id, sort, text FROM name")
    while try known.step() { names[known.text(1), default: [:]][known.text(2)] = known.int(0) }
    known.reset()
    let rows = try database.statement(
      "SELECT t.seq, r.at_ms, r.flags, t.json FROM tail t JOIN row r ON r.seq = t.seq ORDER BY t.seq"
    )
    while try rows.step() {
      tail.append(
        TailRow(seq: rows.int(0), atMs: rows.int(1), flags: rows.int(2), json: rows.bytes(3)))
    }
    rows.reset()
    tailBytes = tail.reduce(0) { $0 + $1.json.count }
    lastSeq = max(lastSeq, try database.number("SELECT max(seq) FROM row") ?? 0)
    hasWords = try database.number("SELECT value FROM meta WHERE key = 'words_broken'") == nil
    try loadPrefix()
  }

  private func loadPrefix() throws(DatabaseFailure) {
    let stored = try database.statement("SELECT id, body FROM prefix ORDER BY id DESC, copy")
    defer { stored.reset() }
    while try stored.step() {
      let id = stored.int(0)
      let raw = stored.withBytes(1) { Compression.unpack($0, limit: DayFormat.maxBlockBytes) }
      guard let raw, let packer = PackingPrefix(raw) else { continue }
      prefix = (id, packer)
      return
    }
  }

  // MARK: records

  /// Writes a batch: all of it or nothing.
  ///
  /// - Parameter base: what is added to the numbers of the run.
  func write(_ batch: RecorderBatch, base: Int64) throws(DatabaseFailure) {
    try database.transaction { () throws(DatabaseFailure) in
      for item in batch.items {
        switch item {
        case .row(let number, let receivedMs, let channels, let range):
          try add(
            base + number, receivedMs: receivedMs, channels, Array(batch.bytes[range]))
        case .learned(let number, let actionID, let channels):
          try learn(base + number, actionID.map(Int64.init), Int64(channels.rawValue))
        case .replaced(let number, let range):
          try replace(base + number, Array(batch.bytes[range]))
        case .document(let name, let atMs, let receivedMs, let range):
          try add(name, atMs: atMs, receivedMs: receivedMs, Array(batch.bytes[range]))
        case .link(let what, let atMs, let receivedMs, let range):
          try add(what, atMs: atMs, receivedMs: receivedMs, Array(batch.bytes[range]))
        }
      }
      if tailBytes >= DayFormat.blockBytes { try seal() }
    }
  }

  private func add(
    _ seq: Int64, receivedMs: Int64, _ channels: RowOrigins, _ json: [UInt8]
  ) throws(DatabaseFailure) {
    guard let columns = json.withUnsafeBytes({ RowColumns($0) }) else { return }
    let delayMs = receivedMs &- columns.atMs
    let key = RowKey(
      seq: seq, atMs: columns.atMs, delayMs: delayMs, channels: Int64(channels.rawValue),
      length: Int64(json.count), actionID: columns.actionID)
    let row = try database.statement(
      "INSERT OR IGNORE INTO row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    row.bind(seq, at: 1)
    row.bind(columns.atMs, at: 2)
    row.bind(delayMs, at: 3)
    row.bind(columns.actionID, at: 4)
    row.bind(Int64(channels.rawValue), at: 5)
    row.bind(try number("kind", columns.kind), at: 6)
    row.bind(try number("event", columns.event), at: 7)
    row.bind(try number("guild", columns.guild), at: 8)
    row.bind(try number("channel", columns.channel), at: 9)
    row.bind(try number("person", columns.person), at: 10)
    row.bind(try number("session", columns.session), at: 11)
    row.bind(columns.costNanos == 0 ? nil : columns.costNanos, at: 12)
    row.bind(columns.durationMs, at: 13)
    row.bind(columns.flags, at: 14)
    row.bind(Int64(json.count), at: 15)
    row.bind(Int64(key.sum(of: json)), at: 16)
    try row.run()
    guard database.changes == 1 else { return }
    let waiting = try database.statement("INSERT INTO tail VALUES (?, ?)")
    waiting.bind(seq, at: 1)
    waiting.bind(json, at: 2)
    try waiting.run()
    tail.append(TailRow(seq: seq, atMs: columns.atMs, flags: columns.flags, json: json))
    tailBytes += json.count
    lastSeq = max(lastSeq, seq)
  }

  /// The id of a text in the table `name`; a new text is added.
  private func number(_ sort: String, _ text: String?) throws(DatabaseFailure) -> Int64? {
    guard let text else { return nil }
    if let number = names[sort]?[text] { return number }
    let number = Int64(names.values.reduce(0) { $0 + $1.count }) + 1
    let statement = try database.statement("INSERT INTO name VALUES (?, ?, ?)")
    statement.bind(number, at: 1)
    statement.bind(sort, at: 2)
    statement.bind(text, at: 3)
    try statement.run()
    names[sort, default: [:]][text] = number
    return number
  }

  private func known(_ seq: Int64) throws(DatabaseFailure) -> RowKey? {
    let row = try database.statement("SELECT \(RowKey.columns) FROM row WHERE seq = ?")
    row.bind(seq, at: 1)
    defer { row.reset() }
    return try row.step() ? RowKey(row) : nil
  }

  private func learn(
    _ seq: Int64, _ actionID: Int64?, _ channels: Int64
  ) throws(DatabaseFailure) {
    guard let old = try known(seq) else { return try keepForLater(seq, actionID, channels, nil) }
    var new = old
    new.channels |= channels
    new.actionID = actionID ?? old.actionID
    guard new.channels != old.channels || new.actionID != old.actionID else { return }
    let update = try database.statement(
      "UPDATE row SET action_id = ?, channels = ?, sum = ? WHERE seq = ?")
    update.bind(new.actionID, at: 1)
    update.bind(new.channels, at: 2)
    update.bind(Int64(old.sum ^ old.columnSum ^ new.columnSum), at: 3)
    update.bind(seq, at: 4)
    try update.run()
  }

  private func replace(_ seq: Int64, _ json: [UInt8]) throws(DatabaseFailure) {
    guard var row = try known(seq) else { return try keepForLater(seq, nil, 0, json) }
    if let index = tail.lastIndex(where: { $0.seq == seq }) {
      tailBytes += json.count - tail[index].json.count
      tail[index].json = json
      row.length = Int64(json.count)
      let update = try database.statement("UPDATE tail SET json = ? WHERE seq = ?")
      update.bind(json, at: 1)
      update.bind(seq, at: 2)
      try update.run()
    } else {
      // The block and `length` keep the former bytes: the places of the rows after it depend on them.
      let insert = try database.statement("INSERT OR REPLACE INTO longer VALUES (?, ?)")
      insert.bind(seq, at: 1)
      insert.bind(json, at: 2)
      try insert.run()
    }
    try database.run(
      "UPDATE row SET length = ?, sum = ? WHERE seq = ?", row.length, Int64(row.sum(of: json)), seq)
  }

  /// Stores what became known about a row of an earlier file, which is not changed any more.
  private func keepForLater(
    _ seq: Int64, _ actionID: Int64?, _ channels: Int64, _ json: [UInt8]?
  ) throws(DatabaseFailure) {
    var later = LaterRow(actionID: actionID, channels: channels, json: json)
    let known = try database.statement(
      "SELECT action_id, channels, json FROM later WHERE seq = ?")
    known.bind(seq, at: 1)
    if try known.step() {
      later.actionID = actionID ?? (known.isNull(0) ? nil : known.int(0))
      later.channels |= known.int(1)
      later.json = json ?? (known.isNull(2) ? nil : known.bytes(2))
    }
    known.reset()
    let insert = try database.statement("INSERT OR REPLACE INTO later VALUES (?, ?, ?, ?, ?)")
    insert.bind(seq, at: 1)
    insert.bind(later.actionID, at: 2)
    insert.bind(later.channels, at: 3)
    insert.bind(later.json, at: 4)
    insert.bind(Int64(later.sum(seq)), at: 5)
    try insert.run()
  }

  private func add(
    _ name: String, atMs: Int64, receivedMs: Int64, _ body: [UInt8]
  ) throws(DatabaseFailure) {
    guard let name = try number("document", name) else { return }
    var chain = chains[name]
    if let known = chain, known.body == body { return }
    if let known = chain, known.count >= DayFormat.keyframeInterval { chain = nil }
    guard let packed = Compression.pack(body, prefix: chain?.body ?? []) else { return }
    let id = (try database.number("SELECT max(id) FROM document") ?? 0) + 1
    let base = chain?.lastID ?? 0
    let insert = try database.statement("INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    insert.bind(id, at: 1)
    insert.bind(lastSeq, at: 2)
    insert.bind(name, at: 3)
    insert.bind(atMs, at: 4)
    insert.bind(receivedMs, at: 5)
    insert.bind(base, at: 6)
    insert.bind(packed, at: 7)
    insert.bind(Int64(Checksum.of(id, lastSeq, name, atMs, receivedMs, base)), at: 8)
    try insert.run()
    chains[name] =
      body.count > Self.chainLimit
      ? nil : Chain(lastID: id, body: body, count: (chain?.count ?? 0) + 1)
  }

  private func add(
    _ what: RecordedLink.What, atMs: Int64, receivedMs: Int64, _ value: [UInt8]
  ) throws(DatabaseFailure) {
    let id = (try database.number("SELECT max(id) FROM link") ?? 0) + 1
    let sum =
      Checksum.of(id, lastSeq, atMs, receivedMs)
      ^ (Array(what.rawValue.utf8) + value).withUnsafeBytes { Checksum.of($0) }
    let insert = try database.statement("INSERT INTO link VALUES (?, ?, ?, ?, ?, ?, ?)")
    insert.bind(id, at: 1)
    insert.bind(lastSeq, at: 2)
    insert.bind(atMs, at: 3)
    insert.bind(receivedMs, at: 4)
    insert.bind(what.rawValue, at: 5)
    insert.bind(String(decoding: value, as: UTF8.self), at: 6)
    insert.bind(Int64(sum), at: 7)
    try insert.run()
  }

  // MARK: blocks

  /// Packs the rows of the tail into a block.
  private func seal() throws(DatabaseFailure) {
    guard let first = tail.first, let last = tail.last else { return }
    let raw = tail.flatMap(\.json)
    if prefix == nil { try makePrefix(Array(raw.prefix(DayFormat.blockBytes))) }
    guard let prefix, let packed = prefix.packer.pack(raw) else { return }
    let insert = try database.statement(
      "INSERT INTO block VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)")
    insert.bind(first.seq, at: 1)
    insert.bind(last.seq, at: 2)
    insert.bind(Int64(tail.count), at: 3)
    insert.bind(tail.map(\.atMs).min(), at: 4)
    insert.bind(tail.map(\.atMs).max(), at: 5)
    insert.bind(prefix.id, at: 6)
    insert.bind(Int64(raw.count), at: 7)
    insert.bind(packed, at: 8)
    try insert.run()
    try database.run("DELETE FROM tail")
    try countMinutes()
    try indexWords()
    tail.removeAll(keepingCapacity: true)
    tailBytes = 0
  }

  private func makePrefix(_ raw: [UInt8]) throws(DatabaseFailure) {
    guard let packed = Compression.pack(raw), let packer = PackingPrefix(raw) else { return }
    // Both copies of an earlier prefix may be damaged.
    let id = (try database.number("SELECT max(id) FROM prefix") ?? 0) + 1
    let insert = try database.statement("INSERT INTO prefix VALUES (?, ?, ?)")
    for copy in 1...2 {
      insert.bind(id, at: 1)
      insert.bind(Int64(copy), at: 2)
      insert.bind(packed, at: 3)
      try insert.run()
    }
    prefix = (id, packer)
  }

  private func countMinutes() throws(DatabaseFailure) {
    var minutes: [Int64: DensityBucket] = [:]
    for row in tail {
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

  /// Indexes the words of the tail. If the index is damaged, recording continues without it.
  private func indexWords() throws(DatabaseFailure) {
    guard hasWords, let last = tail.last else { return }
    do throws(DatabaseFailure) {
      try database.run("SAVEPOINT words")
      let insert = try database.statement("INSERT INTO words (rowid, text) VALUES (?, ?)")
      for row in tail {
        let words = row.json.withUnsafeBytes { RowText.words($0) }
        guard !words.isEmpty else { continue }
        insert.bind(row.seq, at: 1)
        insert.bind(words.joined(separator: " "), at: 2)
        try insert.run()
      }
      try setMeta("words_through", last.seq)
      try database.run("RELEASE words")
    } catch {
      guard error.isDamage else { throw error }
      try database.run("ROLLBACK TO words; RELEASE words")
      try setMeta("words_broken", 1)
      hasWords = false
    }
  }

  func setMeta(_ key: String, _ value: Int64) throws(DatabaseFailure) {
    let insert = try database.statement("INSERT OR REPLACE INTO meta VALUES (?, ?)")
    insert.bind(key, at: 1)
    insert.bind(value, at: 2)
    try insert.run()
  }

  /// Finishes the file at the end of its day: packs the tail, compacts the file, and removes the write-ahead log.
  func finish() throws(DatabaseFailure) {
    try database.transaction { () throws(DatabaseFailure) in
      try seal()
      if hasWords { try database.run("INSERT INTO words (words) VALUES ('optimize')") }
      try setMeta("finished", 1)
    }
    try database.run("VACUUM")
    try database.run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
  }
}

extension DensityBucket {
  mutating func add(flags: Int64) {
    rows += 1
    if flags & DayFormat.failedFlag != 0 { failures += 1 }
    if flags & DayFormat.voiceFlag != 0 { voice += 1 }
  }
}
