internal import CockpitDomain

/// Copies a finished day file into a new one: without what is damaged, without a person, or only some stretches of time.
final class DayCopy {
  /// What was copied, and what was not.
  struct Report: Hashable, Sendable {
    var rows = 0
    /// Rows in blocks that were copied as they are.
    var untouchedRows = 0
    var changedRows = 0
    var tombstones = 0
    /// Rows that cannot be read.
    var lostRows = 0
    /// Rows outside of the stretches that are kept.
    var leftRows = 0
    var documents = 0
    var changedDocuments = 0
    var removedDocuments = 0
    var lostDocuments = 0
    var links = 0
    var lostLinks = 0
    var changedLinks = 0
    /// The receive times of the first and the last row that is lost.
    var lostFromMs: Int64?
    var lostToMs: Int64?
    /// Whether pages of the file could not be read.
    var isDamaged = false
  }

  let reader: DayReader
  private let target: Database
  let tables: DayTables
  /// Takes a person out of what is copied.
  var eraser: PersonEraser?
  /// The stretches whose blocks are kept, on the backend's clock; nil keeps all.
  var kept: [ClosedRange<Int64>]?
  var report = Report()
  private var scan: DayScan
  private var prefixes: [Int64: Prefix] = [:]
  /// All rows by their index, once the table is found damaged.
  private var allByTime: [RowKey]?
  /// The prefix of the blocks that are packed anew.
  private var own: (id: Int64, packer: PackingPrefix)?

  private struct Prefix {
    /// Its id in the new file.
    var id: Int64
    /// Whether the blocks that use it may be copied as they are.
    var isClean: Bool
  }

  private struct BlockPlace {
    var first: Int64
    var last: Int64
    var rows: Int64
    var fromMs: Int64
    var toMs: Int64
    var prefix: Int64
    var rawBytes: Int64
  }

  /// - Parameter path: an empty file, or none.
  init(_ reader: DayReader, to path: String) throws(DatabaseFailure) {
    self.reader = reader
    target = try Database(path, for: .writing)
    tables = DayTables(target)
    scan = DayScan(reader.database)
  }

  /// Writes the new file. It is complete and on the disk only when this returns.
  func run() throws(DatabaseFailure) {
    // The file is of no use before it is complete: no journal, and forced to the disk by the caller.
    try target.run(
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON")
    try target.run("BEGIN; \(DayFormat.tables)\(DayFormat.words)\(DayFormat.learned)")
    try copyMeta()
    try copyRows()
    try copyLater()
    try copyDocuments()
    try copyLinks()
    try target.run("INSERT INTO words (words) VALUES ('optimize')")
    try target.run("COMMIT; VACUUM")
    report.isDamaged = report.isDamaged || scan.isDamaged
  }

  func setMeta(_ key: String, _ text: String) throws(DatabaseFailure) {
    try tables.setMeta(key, text)
  }

  private func copyMeta() throws(DatabaseFailure) {
    let insert = try target.statement("INSERT OR REPLACE INTO meta VALUES (?, ?)")
    do throws(DatabaseFailure) {
      let rows = try reader.database.statement("SELECT key, value, typeof(value) FROM meta")
      defer { rows.reset() }
      while try rows.step() {
        let key = rows.text(0)
        guard key != "words_broken", key != "words_through" else { continue }
        insert.bind(key, at: 1)
        if rows.text(2) == "integer" {
          insert.bind(rows.int(1), at: 2)
        } else {
          let text = rows.text(1)
          insert.bind(eraser?.text(text) ?? text, at: 2)
        }
        try insert.run()
      }
    } catch {
      guard error.isDamage else { throw error }
      report.isDamaged = true
    }
    try tables.setMeta("finished", 1)
  }

  // MARK: rows

  private func copyRows() throws(DatabaseFailure) {
    var blocks: [BlockPlace] = []
    try scan.read(
      "SELECT id, first_seq, last_seq, rows, from_ms, to_ms, prefix, raw_bytes FROM block",
      key: "id", 1...Int64.max
    ) { row in
      blocks.append(
        BlockPlace(
          first: row.int(1), last: row.int(2), rows: row.int(3), fromMs: row.int(4),
          toMs: row.int(5), prefix: row.int(6), rawBytes: row.int(7)))
    }
    blocks.sort { $0.first < $1.first }
    var next = Int64.min
    for block in blocks where block.first >= next && block.last >= block.first {
      // Rows between two blocks belong to one that cannot be read.
      try skipRows(max(next, 0), block.first - 1)
      next = block.last + 1
      guard isKept(block.fromMs, block.toMs) else {
        report.leftRows += Int(clamping: block.rows)
        continue
      }
      try copy(block)
    }
    try copyTail(from: max(next, 0))
  }

  private func isKept(_ fromMs: Int64, _ toMs: Int64) -> Bool {
    kept?.contains { $0.lowerBound <= toMs && $0.upperBound >= fromMs } ?? true
  }

  /// Notes rows without bytes as lost.
  private func skipRows(_ first: Int64, _ last: Int64) throws(DatabaseFailure) {
    guard first <= last, kept == nil else { return }
    for key in try keys(first, last) { noteLost(key) }
  }

  private func noteLost(_ key: RowKey) {
    let ms = key.atMs &+ key.delayMs
    noteLost(1, ms, ms)
  }

  private func noteLost(_ count: Int, _ fromMs: Int64, _ toMs: Int64) {
    report.lostRows += count
    // Times of a damaged page may be anything.
    let day = reader.path.split(separator: "/").last.flatMap { DayName(String($0)) }
    if let day,
      !((day.day - 2) * DayName.msPerDay..<(day.day + 2) * DayName.msPerDay).contains(fromMs)
    {
      return
    }
    report.lostFromMs = min(report.lostFromMs ?? fromMs, fromMs)
    report.lostToMs = max(report.lostToMs ?? toMs, toMs)
  }

  /// The columns of rows, in order.
  ///
  /// - Parameter count: how many there must be; nil if unknown.
  private func keys(
    _ first: Int64, _ last: Int64, count: Int? = nil
  ) throws(DatabaseFailure) -> [RowKey] {
    var keys: [RowKey] = []
    guard first <= last else { return [] }
    try scan.read("SELECT \(RowKey.columns) FROM row", key: "seq", first...last) {
      keys.append(RowKey($0))
    }
    if count.map({ $0 > keys.count }) ?? scan.isDamaged {
      // An index may lead to rows whose page is not reached in their order.
      let known = Set(keys.map(\.seq))
      keys += try keysByTime().filter {
        $0.seq >= first && $0.seq <= last && !known.contains($0.seq)
      }
    }
    return keys.sorted { $0.seq < $1.seq }
  }

  private func keysByTime() throws(DatabaseFailure) -> [RowKey] {
    if let found = allByTime { return found }
    let found = try reader.keys("INDEXED BY row_at ORDER BY at_ms", [])
    allByTime = found
    return found
  }

  /// The row; nil if it is damaged, which is noted.
  private func row(_ key: RowKey) throws(DatabaseFailure) -> RecordedRow? {
    do throws(DatabaseFailure) {
      if let row = try reader.row(key) { return row }
    } catch {
      guard error.isDamage else { throw error }
    }
    noteLost(key)
    return nil
  }

  private func copy(_ block: BlockPlace) throws(DatabaseFailure) {
    var rows: [(key: RowKey, json: [UInt8])] = []
    var isUntouched = true
    let keys = try keys(block.first, block.last, count: Int(clamping: block.rows))
    if keys.count != Int(clamping: block.rows) {
      let missing = max(0, Int(clamping: block.rows) - keys.count)
      if missing > 0 { noteLost(missing, block.fromMs, block.toMs) }
      isUntouched = false
    }
    for key in keys {
      guard let row = try row(key) else {
        isUntouched = false
        continue
      }
      if let json = changed(row.json) {
        isUntouched = false
        rows.append((key, json))
      } else {
        rows.append((key, row.json))
      }
    }
    if isUntouched, let packed = try packed(block) {
      try tables.add(
        try add(rows), prefix: packed.prefix, rawBytes: Int(clamping: block.rawBytes),
        body: packed.body)
      report.untouchedRows += rows.count
    } else {
      try pack(rows)
    }
  }

  /// The block's bytes and the prefix in the new file; nil if the block must be packed anew. Its rows are read
  /// already, so that a damaged page here loses nothing.
  private func packed(
    _ block: BlockPlace
  ) throws(DatabaseFailure) -> (prefix: Int64, body: [UInt8])? {
    do throws(DatabaseFailure) {
      // The former bytes of a row that got longer ones are in the block too.
      let longer = try reader.database.number(
        "SELECT count(*) FROM longer WHERE seq BETWEEN ? AND ?", block.first, block.last)
      guard longer == 0 else { return nil }
      let stored = try reader.database.statement(
        "SELECT body FROM block WHERE first_seq = ? AND last_seq = ?")
      stored.bind(block.first, at: 1)
      stored.bind(block.last, at: 2)
      defer { stored.reset() }
      guard try stored.step() else { return nil }
      let body = stored.bytes(0)
      guard let prefix = try prefix(block.prefix), prefix.isClean else { return nil }
      return (prefix.id, body)
    } catch {
      guard error.isDamage else { throw error }
      report.isDamaged = true
      return nil
    }
  }

  /// The row's new bytes; nil if it stays as it is.
  private func changed(_ json: [UInt8]) -> [UInt8]? {
    switch eraser?.row(json) ?? .unchanged {
    case .unchanged: return nil
    case .changed(let new):
      report.changedRows += 1
      return new
    case .tombstone(let new):
      report.tombstones += 1
      return new
    }
  }

  /// Packs rows into a new block.
  private func pack(_ rows: [(key: RowKey, json: [UInt8])]) throws(DatabaseFailure) {
    guard !rows.isEmpty else { return }
    let raw = rows.flatMap(\.json)
    if own == nil {
      let text = Array(raw.prefix(DayFormat.blockBytes))
      guard let packed = Compression.pack(text), let packer = PackingPrefix(text) else { return }
      own = (try tables.addPrefix(packed), packer)
    }
    guard let own, let body = own.packer.pack(raw) else { return }
    let added = try add(rows)
    try tables.add(added, prefix: own.id, rawBytes: raw.count, body: body)
  }

  /// Adds the columns, counts and words of rows. The block must be added with all of them.
  private func add(
    _ rows: [(key: RowKey, json: [UInt8])]
  ) throws(DatabaseFailure) -> [DayTables.BlockRow] {
    var added: [DayTables.BlockRow] = []
    for (key, json) in rows {
      guard var columns = json.withUnsafeBytes({ RowColumns($0) }) else { continue }
      var key = key
      key.length = Int64(json.count)
      columns.atMs = key.atMs
      try tables.add(key, columns, sum: key.sum(of: json))
      added.append(
        DayTables.BlockRow(seq: key.seq, atMs: key.atMs, flags: columns.flags, json: json))
    }
    report.rows += added.count
    try tables.countMinutes(added)
    try tables.indexWords(added)
    return added
  }

  /// The prefix in the new file; nil if both copies are damaged.
  private func prefix(_ id: Int64) throws(DatabaseFailure) -> Prefix? {
    if let known = prefixes[id] { return known }
    let copies = try reader.database.statement(
      "SELECT body FROM prefix WHERE id = ? ORDER BY copy")
    copies.bind(id, at: 1)
    defer { copies.reset() }
    while try copies.step() {
      let packed = copies.bytes(0)
      let raw = packed.withUnsafeBytes {
        Compression.unpack($0, limit: DayFormat.maxBlockBytes)
      }
      guard let raw else { continue }
      let isClean = eraser.map { !$0.isIn(part: raw) } ?? true
      let prefix = Prefix(id: isClean ? try tables.addPrefix(packed) : 0, isClean: isClean)
      prefixes[id] = prefix
      return prefix
    }
    return nil
  }

  /// Rows that are in no block yet: of a file that nobody finished.
  private func copyTail(from seq: Int64) throws(DatabaseFailure) {
    let keys = try keys(seq, .max)
    var rows: [(key: RowKey, json: [UInt8])] = []
    for key in keys {
      guard isKept(key.atMs, key.atMs) else {
        report.leftRows += 1
        continue
      }
      guard let row = try row(key) else { continue }
      rows.append((key, changed(row.json) ?? row.json))
      if rows.reduce(0, { $0 + $1.json.count }) >= DayFormat.blockBytes {
        try pack(rows)
        rows = []
      }
    }
    try pack(rows)
  }

  private func copyLater() throws(DatabaseFailure) {
    let known = try reader.later(0...Int64.max)
    for (seq, later) in known.sorted(by: { $0.key < $1.key }) {
      var later = later
      if let json = later.json, let new = changed(json) { later.json = new }
      try tables.add(later, of: seq)
    }
    // Sinks keep places in it.
    let insert = try target.statement("INSERT INTO learned VALUES (?, ?)")
    for (id, seq) in try reader.learned(after: 0) {
      insert.bind(id, at: 1)
      insert.bind(seq, at: 2)
      try insert.run()
    }
  }
}
