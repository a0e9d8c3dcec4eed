internal import CockpitDomain

/// Reads one day file.
///
/// Unchecked: `ReaderPool` hands a reader to one call at a time, and takes it back afterwards.
final class DayReader: @unchecked Sendable {
  let path: String
  let identity: HistoryFiles.Identity
  let database: Database
  let damage: DamageLog
  private var prefixes: [Int64: UnpackingPrefix] = [:]
  private var blocks: [Block] = []

  /// How many unpacked blocks are cached.
  private static let keptBlocks = 4

  private struct Block {
    var first: Int64
    var last: Int64
    /// The unpacked bytes; nil if they are damaged.
    var raw: [UInt8]?
    var places: [Int64: Range<Int>]
  }

  init(
    _ path: String, _ identity: HistoryFiles.Identity, _ damage: DamageLog
  ) throws(DatabaseFailure) {
    self.path = path
    self.identity = identity
    self.damage = damage
    var database = try Database(path, for: .reading)
    var version: Int64?
    do throws(DatabaseFailure) {
      version = try database.number("PRAGMA user_version")
      _ = try database.number("SELECT count(*) FROM sqlite_schema")
    } catch {
      // SQLite cannot create the files of the write-ahead log in a read-only folder.
      guard !error.isDamage, !error.isBusy else { throw error }
      database = try Database(path, for: .immutable)
      version = try database.number("PRAGMA user_version")
    }
    self.database = database
    guard try database.number("PRAGMA application_id") == DayFormat.application else {
      throw DatabaseFailure(code: 26, message: "the file is no history")
    }
    guard let version, version <= DayFormat.version else {
      throw DatabaseFailure(
        code: 26,
        message:
          "written by a newer version (format \(version ?? 0)), this one reads up to \(DayFormat.version)"
      )
    }
    try database.run(
      "PRAGMA cell_size_check = ON; PRAGMA cache_size = -2000; PRAGMA query_only = ON")
  }

  // MARK: rows

  /// The columns of rows.
  ///
  /// - Parameters:
  ///   - rest: the SQL from WHERE on.
  ///   - isMeant: repeats the condition on the row itself, because an index may be damaged.
  func keys(
    _ rest: String, _ values: [Int64], where isMeant: (RowKey) -> Bool = { _ in true }
  ) throws(DatabaseFailure) -> [RowKey] {
    let rows = try database.statement("SELECT \(RowKey.columns) FROM row \(rest)")
    for (index, value) in values.enumerated() { rows.bind(value, at: index + 1) }
    defer { rows.reset() }
    var keys: [RowKey] = []
    do throws(DatabaseFailure) {
      while try rows.step() {
        let key = RowKey(rows)
        if isMeant(key) { keys.append(key) }
      }
    } catch {
      // The rows before the damaged page are good.
      guard error.isDamage else { throw error }
      damage.note(file: path, "a page of it is damaged")
    }
    return keys
  }

  /// The row with its bytes; nil if it is damaged.
  func row(_ key: RowKey) throws(DatabaseFailure) -> RecordedRow? {
    guard let json = try bytes(key), key.sum(of: json) == key.sum else {
      damage.note(row: key.seq)
      return nil
    }
    return RecordedRow(
      seq: key.seq, atMs: key.atMs, receivedMs: key.atMs &+ key.delayMs,
      actionID: key.actionID.flatMap { Int(exactly: $0) },
      channels: RowOrigins(rawValue: UInt8(truncatingIfNeeded: key.channels)), json: json)
  }

  private func bytes(_ key: RowKey) throws(DatabaseFailure) -> [UInt8]? {
    do throws(DatabaseFailure) {
      let longer = try database.statement("SELECT json FROM longer WHERE seq = ?")
      longer.bind(key.seq, at: 1)
      defer { longer.reset() }
      if try longer.step() { return longer.bytes(0) }
      if let block = try block(with: key.seq) {
        guard let raw = block.raw, let place = block.places[key.seq] else { return nil }
        return Array(raw[place])
      }
      let tail = try database.statement("SELECT json FROM tail WHERE seq = ?")
      tail.bind(key.seq, at: 1)
      defer { tail.reset() }
      return try tail.step() ? tail.bytes(0) : nil
    } catch {
      guard error.isDamage else { throw error }
      damage.note(file: path, "a page of it is damaged")
      return nil
    }
  }

  private func block(with seq: Int64) throws(DatabaseFailure) -> Block? {
    if let index = blocks.lastIndex(where: { $0.first <= seq && seq <= $0.last }) {
      return blocks[index]
    }
    let stored = try database.statement(
      """
      SELECT first_seq, last_seq, prefix, raw_bytes, body, from_ms, to_ms, rows FROM block
      WHERE last_seq >= ? ORDER BY last_seq LIMIT 1
      """)
    stored.bind(seq, at: 1)
    defer { stored.reset() }
    guard try stored.step(), stored.int(0) <= seq else { return nil }
    var block = Block(first: stored.int(0), last: stored.int(1), places: [:])
    if let prefix = try prefix(stored.int(2)) {
      block.raw = stored.withBytes(4) { prefix.unpack($0, limit: DayFormat.maxBlockBytes) }
    }
    if let raw = block.raw {
      block.places = try places(block.first, block.last, within: raw.count)
    } else {
      damage.note(
        block: RecordedOutage(
          fromMs: stored.int(5), toMs: max(stored.int(5), stored.int(6)), reason: .damaged,
          rows: Int(clamping: stored.int(7))))
    }
    blocks.append(block)
    if blocks.count > Self.keptBlocks { blocks.removeFirst() }
    return block
  }

  private func places(
    _ first: Int64, _ last: Int64, within size: Int
  ) throws(DatabaseFailure) -> [Int64: Range<Int>] {
    // The bytes that a longer twin replaced stay in the block.
    let rows = try database.statement(
      "SELECT seq, length FROM row WHERE seq BETWEEN ? AND ? ORDER BY seq")
    rows.bind(first, at: 1)
    rows.bind(last, at: 2)
    defer { rows.reset() }
    var places: [Int64: Range<Int>] = [:]
    var at = 0
    while try rows.step() {
      let length = Int(clamping: rows.int(1))
      guard length >= 0, length <= size - at else { break }
      places[rows.int(0)] = at..<at + length
      at += length
    }
    return places
  }

  private func prefix(_ id: Int64) throws(DatabaseFailure) -> UnpackingPrefix? {
    if let known = prefixes[id] { return known }
    let copies = try database.statement("SELECT body FROM prefix WHERE id = ? ORDER BY copy")
    copies.bind(id, at: 1)
    defer { copies.reset() }
    while try copies.step() {
      let raw = copies.withBytes(0) { Compression.unpack($0, limit: DayFormat.maxBlockBytes) }
      guard let raw, let prefix = UnpackingPrefix(raw) else { continue }
      prefixes[id] = prefix
      return prefix
    }
    return nil
  }

  /// What this file holds about rows of earlier files.
  func later(_ rows: ClosedRange<Int64>) throws(DatabaseFailure) -> [Int64: LaterRow] {
    let stored = try database.statement(
      "SELECT seq, action_id, channels, json, sum FROM later WHERE seq BETWEEN ? AND ?")
    stored.bind(rows.lowerBound, at: 1)
    stored.bind(rows.upperBound, at: 2)
    defer { stored.reset() }
    var found: [Int64: LaterRow] = [:]
    do throws(DatabaseFailure) {
      while try stored.step() {
        let later = LaterRow(
          actionID: stored.isNull(1) ? nil : stored.int(1), channels: stored.int(2),
          json: stored.isNull(3) ? nil : stored.bytes(3))
        guard UInt32(truncatingIfNeeded: stored.int(4)) == later.sum(stored.int(0)) else {
          damage.note(record: "\(path) later \(stored.int(0))")
          continue
        }
        found[stored.int(0)] = later
      }
    } catch {
      // What comes before the damaged page is good.
      guard error.isDamage else { throw error }
      damage.note(record: "\(path) later")
    }
    return found
  }

  /// The rows whose id became known while this file was written, in that order.
  ///
  /// - Parameter id: the last entry that is known already; 0 for none.
  func learned(
    after id: Int64, limit: Int = .max
  ) throws(DatabaseFailure) -> [(id: Int64, seq: Int64)] {
    var found: [(id: Int64, seq: Int64)] = []
    do throws(DatabaseFailure) {
      guard try HistoryNotes.hasTable("learned", database) else { return [] }
      let entries = try database.statement(
        "SELECT id, seq FROM learned WHERE id > ? ORDER BY id LIMIT ?")
      entries.bind(id, at: 1)
      entries.bind(Int64(limit), at: 2)
      defer { entries.reset() }
      while try entries.step() { found.append((entries.int(0), entries.int(1))) }
    } catch {
      guard error.isDamage else { throw error }
      damage.note(record: "\(path) learned")
    }
    return found
  }

  /// The times of its rows; nil if it has none.
  func span() throws(DatabaseFailure) -> ClosedRange<Int64>? {
    guard let first = try database.number("SELECT min(at_ms) FROM row"),
      let last = try database.number("SELECT max(at_ms) FROM row"), first <= last
    else { return nil }
    return first...last
  }

  /// The id of a text in the table `name`; nil if it is not there.
  func number(_ sort: String, _ text: String) throws(DatabaseFailure) -> Int64? {
    let name = try database.statement("SELECT id FROM name WHERE sort = ? AND text = ?")
    name.bind(sort, at: 1)
    name.bind(text, at: 2)
    defer { name.reset() }
    return try name.step() ? name.int(0) : nil
  }
}
