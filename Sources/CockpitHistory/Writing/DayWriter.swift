internal import CockpitDomain

/// Writes one day file. Not thread-safe. After an error it must be discarded: its state may differ from what is on
/// the disk.
final class DayWriter {
  let name: DayName
  let path: String
  let database: Database
  private let tables: DayTables
  private var tail: [DayTables.BlockRow] = []
  private var tailBytes = 0
  /// How many rows of the tail are in its table. The others came in this transaction: what a burst brings goes into a
  /// block at once, and never into the table.
  private var storedTail = 0
  /// What blocks are packed with; made when a block is. Its tables take 2.4 MB, which is much for a block every half
  /// minute of each of twenty bots, and to make them takes as long as to pack: a burst keeps it.
  private var packer: (prefix: Int64, packer: PackingPrefix)?
  /// Whether this batch has packed a block.
  private var hasSealed = false
  /// Whether the file has a prefix.
  private var hasPrefix = false
  /// The number of the last row, in this file or an earlier one.
  private(set) var lastSeq: Int64
  /// Whether words are indexed: not after the index was found damaged.
  private var hasWords: Bool

  /// How a file is written.
  struct Mode: Hashable, Sendable {
    /// Whether the words of people and models are left out.
    var omitsWords = false
    /// Whether it is on a network file system: without shared memory, and without an index of words.
    var isNetwork = false
  }

  private let mode: Mode

  /// Opens or creates the file.
  ///
  /// - Parameter lastSeq: the number of the last row in earlier files.
  init(
    _ name: DayName, in folder: String, after lastSeq: Int64, _ mode: Mode = Mode()
  ) throws(DatabaseFailure) {
    self.name = name
    self.mode = mode
    path = folder + "/" + name.fileName
    database = try Database(path, for: .writing)
    tables = DayTables(database)
    self.lastSeq = lastSeq
    hasWords = true
    let journal = mode.isNetwork ? "DELETE" : "WAL"
    try database.run(
      """
      PRAGMA journal_mode = \(journal); PRAGMA synchronous = NORMAL; PRAGMA cache_size = -1000;
      PRAGMA wal_autocheckpoint = \(DayFormat.logPages)
      """)
    let version = try database.number("PRAGMA user_version") ?? 0
    let isNew = try database.number("SELECT count(*) FROM sqlite_schema") == 0
    if isNew {
      try database.transaction { () throws(DatabaseFailure) in
        try database.run(DayFormat.tables)
        try database.run(DayFormat.words)
        try database.run(DayFormat.learned)
        try tables.setMeta("first_seq", lastSeq + 1)
      }
    } else {
      guard version == DayFormat.version,
        try database.number("PRAGMA application_id") == DayFormat.application
      else { throw DatabaseFailure(code: 26, message: "the file has another format") }
      try database.run(DayFormat.learned)
      try load()
    }
    guard mode.isNetwork, hasWords else { return }
    hasWords = false
    try tables.setMeta("words_broken", 1)
  }

  private func load() throws(DatabaseFailure) {
    try tables.loadNames()
    let rows = try database.statement(
      """
      SELECT r.seq, r.at_ms, r.delay_ms, r.channels, r.length, r.action_id, r.sum, r.flags, t.json
      FROM tail t JOIN row r ON r.seq = t.seq ORDER BY t.seq
      """)
    var damaged: [Int64] = []
    while try rows.step() {
      let key = RowKey(rows)
      let json = rows.bytes(8)
      guard key.sum(of: json) == key.sum else {
        damaged.append(key.seq)
        continue
      }
      tail.append(
        DayTables.BlockRow(seq: key.seq, atMs: key.atMs, flags: rows.int(7), json: json))
    }
    rows.reset()
    // In a block, a wrong length would shift the rows after it.
    for seq in damaged {
      try database.run("UPDATE row SET length = 0 WHERE seq = ?", seq)
      try database.run("DELETE FROM tail WHERE seq = ?", seq)
    }
    tailBytes = tail.reduce(0) { $0 + $1.json.count }
    storedTail = tail.count
    lastSeq = max(lastSeq, try database.number("SELECT max(seq) FROM row") ?? 0)
    hasWords = try database.number("SELECT value FROM meta WHERE key = 'words_broken'") == nil
    hasPrefix = try database.number("SELECT max(id) FROM prefix") != nil
  }

  private func loadPacker() throws(DatabaseFailure) {
    guard packer == nil, hasPrefix else { return }
    let stored = try database.statement("SELECT id, body FROM prefix ORDER BY id DESC, copy")
    defer { stored.reset() }
    while try stored.step() {
      let id = stored.int(0)
      let raw = stored.withBytes(1) { Compression.unpack($0, limit: DayFormat.maxBlockBytes) }
      guard let raw, let packer = PackingPrefix(raw) else { continue }
      self.packer = (id, packer)
      return
    }
  }

  // MARK: records

  /// Writes a batch: all of it or nothing.
  ///
  /// - Parameters:
  ///   - base: what is added to the numbers of the run.
  ///   - earlier: rows that are on record already and are not written again.
  func write(
    _ batch: RecorderBatch, base: Int64, earlier: EarlierRows? = nil
  ) throws(DatabaseFailure) {
    hasSealed = false
    defer { if !hasSealed { rest() } }
    try database.transaction { () throws(DatabaseFailure) in
      for item in batch.items {
        switch item {
        case .row(let number, let receivedMs, let channels, let range):
          try add(
            base + number, receivedMs: receivedMs, channels, row(batch.bytes[range]), earlier)
          if tailBytes >= DayFormat.blockBytes { try seal() }
        case .learned(let number, let actionID, let channels):
          let seq = base + number
          try learn(
            earlier?.earlier(seq) ?? seq, actionID.map(Int64.init), Int64(channels.rawValue))
        case .replaced(let number, let range):
          // An earlier row keeps its bytes: somebody may have been taken out of them since.
          guard earlier?.earlier(base + number) == nil else { continue }
          try replace(base + number, row(batch.bytes[range]))
        case .document(let name, let atMs, let receivedMs, let range):
          try tables.add(
            RecordedDocument(
              seq: lastSeq, name: name, atMs: atMs, receivedMs: receivedMs,
              body: mode.omitsWords
                ? WordRemoval.document(Array(batch.bytes[range])) : Array(batch.bytes[range])))
        case .link(let what, let atMs, let receivedMs, let range):
          try tables.add(
            RecordedLink(
              seq: lastSeq, atMs: atMs, receivedMs: receivedMs, what: what,
              value: Array(batch.bytes[range])))
        }
      }
      try storeTail()
    }
  }

  /// Gives back memory until the next burst.
  private func rest() {
    packer = nil
    database.releaseCache()
  }

  private func row(_ json: ArraySlice<UInt8>) -> [UInt8] {
    mode.omitsWords ? WordRemoval.row(Array(json)) : Array(json)
  }

  /// Puts the rows of this transaction that are in no block into the table of the tail.
  private func storeTail() throws(DatabaseFailure) {
    guard storedTail < tail.count else { return }
    let waiting = try database.statement("INSERT INTO tail VALUES (?, ?)")
    for row in tail[storedTail...] {
      waiting.bind(row.seq, at: 1)
      waiting.bind(row.json, at: 2)
      try waiting.run()
    }
    storedTail = tail.count
  }

  private func add(
    _ seq: Int64, receivedMs: Int64, _ channels: RowOrigins, _ json: [UInt8],
    _ earlier: EarlierRows?
  ) throws(DatabaseFailure) {
    guard let columns = json.withUnsafeBytes({ RowColumns($0) }) else { return }
    if let known = earlier?.take(columns, as: seq) {
      return try learn(known, columns.actionID, Int64(channels.rawValue))
    }
    let delayMs = receivedMs &- columns.atMs
    let key = RowKey(
      seq: seq, atMs: columns.atMs, delayMs: delayMs, channels: Int64(channels.rawValue),
      length: Int64(json.count), actionID: columns.actionID)
    guard try tables.add(key, columns, sum: key.sum(of: json)) else { return }
    tail.append(
      DayTables.BlockRow(seq: seq, atMs: columns.atMs, flags: columns.flags, json: json))
    tailBytes += json.count
    lastSeq = max(lastSeq, seq)
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
    if old.actionID == nil, new.actionID != nil { try tables.noteLearned(seq) }
  }

  private func replace(_ seq: Int64, _ json: [UInt8]) throws(DatabaseFailure) {
    guard var row = try known(seq) else { return try keepForLater(seq, nil, 0, json) }
    if let index = tail.lastIndex(where: { $0.seq == seq }) {
      tailBytes += json.count - tail[index].json.count
      tail[index].json = json
      row.length = Int64(json.count)
      // Without effect on a row of this transaction, which is stored at its end.
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
    var isNew = actionID != nil
    if try known.step() {
      isNew = isNew && known.isNull(0)
      later.actionID = actionID ?? (known.isNull(0) ? nil : known.int(0))
      later.channels |= known.int(1)
      later.json = json ?? (known.isNull(2) ? nil : known.bytes(2))
    }
    known.reset()
    try tables.add(later, of: seq)
    if isNew { try tables.noteLearned(seq) }
  }

  // MARK: blocks

  /// Packs the rows of the tail into a block.
  private func seal() throws(DatabaseFailure) {
    guard !tail.isEmpty else { return }
    var raw: [UInt8] = []
    raw.reserveCapacity(tailBytes)
    for row in tail { raw += row.json }
    try loadPacker()
    if packer == nil { try makePrefix(Array(raw.prefix(DayFormat.blockBytes))) }
    guard let packer, let packed = packer.packer.pack(raw) else { return }
    hasSealed = true
    try tables.add(tail, prefix: packer.prefix, rawBytes: raw.count, body: packed)
    if storedTail > 0 { try database.run("DELETE FROM tail") }
    try tables.countMinutes(tail)
    try indexWords()
    tail.removeAll(keepingCapacity: true)
    tailBytes = 0
    storedTail = 0
  }

  private func makePrefix(_ raw: [UInt8]) throws(DatabaseFailure) {
    guard let packed = Compression.pack(raw), let packer = PackingPrefix(raw) else { return }
    self.packer = (try tables.addPrefix(packed), packer)
    hasPrefix = true
  }

  /// Indexes the words of the tail. If the index is damaged, recording continues without it.
  private func indexWords() throws(DatabaseFailure) {
    guard hasWords else { return }
    do throws(DatabaseFailure) {
      try database.run("SAVEPOINT words")
      try tables.indexWords(tail)
      try database.run("RELEASE words")
    } catch {
      guard error.isDamage else { throw error }
      try database.run("ROLLBACK TO words; RELEASE words")
      try tables.setMeta("words_broken", 1)
      hasWords = false
    }
  }

  /// Keeps a copy of the pins, for the day on which their own file is damaged.
  func store(pins text: String) throws(DatabaseFailure) {
    guard try database.text("SELECT value FROM meta WHERE key = 'pins'") != text else { return }
    try tables.setMeta("pins", text)
  }

  /// Finishes the file at the end of its day: packs the tail, compacts the file, and removes the write-ahead log.
  func finish() throws(DatabaseFailure) {
    try database.transaction { () throws(DatabaseFailure) in
      try seal()
      packer = nil
      if hasWords { try database.run("INSERT INTO words (words) VALUES ('optimize')") }
      try tables.setMeta("finished", 1)
    }
    try database.run("VACUUM")
    do throws(DatabaseFailure) {
      try database.run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    } catch {
      // A reader has the file open: the log stays, and is empty.
      guard error.isBusy else { throw error }
    }
  }
}

extension DensityBucket {
  mutating func add(flags: Int64) {
    rows += 1
    if flags & DayFormat.failedFlag != 0 { failures += 1 }
    if flags & DayFormat.voiceFlag != 0 { voice += 1 }
  }
}
