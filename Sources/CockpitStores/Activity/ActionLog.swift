internal import ClankyWire

/// The known actions, each once.
///
/// Every action arrives up to three times, in any order: live on the activity stream, live on the
/// voice stream, and stored; only the stored copy has an id. An arrival therefore fills the first
/// row with the same fingerprint that has no copy from that channel yet, or becomes a new row. So
/// two equal actions of one burst stay two rows, and the result does not depend on the order of
/// arrival (promise P4). A live channel is bound to one connection: what a later connection repeats
/// is no new row.
///
/// Rows are stored as the received bytes, in a ring (`SlabRing`), with a record of 48 bytes each
/// and three small indices: about 60 bytes a row in all.
///
/// Not `Sendable`: it belongs to a store on the main actor.
package final class ActionLog {
  // Storage. Exclusivity checks are off for everything that each action touches: they would cost a
  // fifth of the work. The log belongs to one actor, and no closure passed to one of these parts
  // accesses the same part again.
  @exclusivity(unchecked) var slabs: SlabRing
  @exclusivity(unchecked) var records = RecordStore()
  @exclusivity(unchecked) var order = RowOrder()
  @exclusivity(unchecked) var twins = TwinIndex()
  @exclusivity(unchecked) var labelTable = InternTable<LabelInfo>(
    none: LabelInfo(ActionLabel(kind: "")))
  @exclusivity(unchecked) var placeTable = InternTable<Place>(none: Place())
  @exclusivity(unchecked) var userTable = InternTable<String?>(none: nil)
  var gaps: [RowID: IDGapRow] = [:]
  /// The slab of each row whose bytes were replaced by a longer twin's.
  var movedSlabs: [RowID: Int] = [:]
  @exclusivity(unchecked) var knownIDs = IDRanges()
  @exclusivity(unchecked) var evictedRows = EvictedRows()
  /// Whether a list contained rows without an id.
  var hasNameless = false
  /// Number of rows that belong to a replaced log.
  @exclusivity(unchecked) package internal(set) var formerCount = 0
  /// Whether such a row was found in the present log since the last change.
  @exclusivity(unchecked) var hasTakenBack = false

  // Scratch state.
  let hash: SeededHash
  @exclusivity(unchecked) var scratch: [UInt8] = []
  @exclusivity(unchecked) var textScratch: [UInt8] = []
  @exclusivity(unchecked) var pending: [RowID] = []
  @exclusivity(unchecked) var resorted: Set<Int64> = []

  /// Bytes that rows and their records may take together.
  package let memoryLimit: Int
  @exclusivity(unchecked) package internal(set) var totals = ActionTotals()
  @exclusivity(unchecked) package internal(set) var rate = MinuteRates()
  /// Changes with every change that can be seen.
  @exclusivity(unchecked) package internal(set) var revision = 0
  /// The time of the newest evicted row, in ms since 1970; nil if none was evicted.
  package internal(set) var newestEvictedMs: Int64?
  /// The time of the last live row, a known one too.
  @exclusivity(unchecked) package internal(set) var lastLiveMs: Int64?
  /// Told of every row; one check a row without it.
  @exclusivity(unchecked) package var observer: (any ActionLogObserver)?
  /// Counts the times that the log was emptied.
  package internal(set) var generation = 0
  /// The latest rows whose id, position or bytes changed after their arrival.
  private var updates: [RowID] = []
  private(set) var updateCount = 0

  /// Estimated bytes of indices per row.
  static let indexBytesPerRow = 64

  /// A log limited to `memory` bytes; at least 1 MiB is used.
  package convenience init(memory: Int = 64 << 20) { self.init(memory: memory, hash: SeededHash()) }

  init(memory: Int, hash: SeededHash) {
    memoryLimit = max(memory, SlabRing.minimum)
    slabs = SlabRing(limit: memoryLimit)
    self.hash = hash
  }

  /// How many changed rows are remembered for followers of the log.
  static let maxUpdates = 4096

  func noteUpdate(_ row: RowID) {
    updateCount += 1
    updates.append(row)
    if updates.count > 2 * Self.maxUpdates { updates.removeFirst(updates.count - Self.maxUpdates) }
  }

  /// The rows that changed since a count of updates; nil if that is too long ago.
  func updates(since count: Int) -> ArraySlice<RowID>? {
    let missed = updateCount - count
    return missed <= updates.count ? updates.suffix(missed) : nil
  }

  /// Drops all known ids, because the backend's log was replaced and its ids start over. Kept rows
  /// stay on screen but count in no figure, except those that the new log contains too: they are
  /// matched again.
  package func reset(keepingRows: Bool = true) {
    setApart()
    if !keepingRows {
      while records.count > 0 { evict(upTo: records.end) }
      for record in evictedRows.removeAll() { unpinNames(of: record) }
      rate = MinuteRates()
      newestEvictedMs = nil
      slabs.removeAll()
    }
    rate = MinuteRates()
    generation += 1
    revision += 1
  }

  /// Rows that were fetched from before our time, by their places; the ranges are in order.
  private var pastRows: [Range<RowID>] = []
  private var pastBytes = 0

  /// Takes note of rows that were fetched from before our time.
  func noteHistory(_ rows: Range<RowID>) {
    pastRows.removeAll { $0.upperBound <= records.first }
    if pastRows.isEmpty { pastBytes = 0 }
    guard !rows.isEmpty else { return }
    for row in rows { pastBytes += Int(records[row].length) + Self.indexBytesPerRow }
    if let last = pastRows.last, last.upperBound == rows.lowerBound {
      pastRows[pastRows.count - 1] = last.lowerBound..<rows.upperBound
    } else {
      pastRows.append(rows)
    }
  }

  /// Number of rows from `row` on that are older than the start of this run.
  func pastCount(from row: RowID) -> Int {
    pastRows.reduce(0) { $0 + max(0, $1.upperBound - max($1.lowerBound, row)) }
  }

  /// Whether a row was fetched from before our time.
  func isPast(_ row: RowID) -> Bool { pastRows.contains { $0.contains(row) } }

  /// Free bytes for past rows: they evict no newer row, and half of the ring is reserved for new
  /// ones.
  package var historyRoom: Int {
    let free =
      memoryLimit - slabs.capacity + slabs.free - records.count * Self.indexBytesPerRow
    // Rows are stored in slabs, and the end of a slab may stay empty.
    return max(0, min(free - (1 << 20), memoryLimit / 2 - pastBytes))
  }

  /// The completeness of the rows has changed.
  func noteCoverage() { revision += 1 }

  /// Marks a hole in the log.
  @discardableResult
  package func insertGap(_ gap: IDGapRow) -> RowID {
    let row = records.end
    var record = ActionRecord(timeMs: gap.atMs, label: 0, flags: .gap)
    // Among rows of one millisecond a hole stands where its rows would.
    if gap.kind.isOpen { record.actionID = Int64(gap.from) }
    records.append(record)
    gaps[row] = gap
    pending.append(row)
    finishChanges()
    return row
  }

  /// Missing rows were fetched after all, or are unavailable: updates the gap row.
  package func resolveGap(from: Int, to: Int, as kind: IDGapRow.Kind) {
    for (row, gap) in gaps where gap.kind.isOpen && gap.from == from && gap.to == to {
      gaps[row]?.kind = kind
      noteUpdate(row)
      revision += 1
    }
  }

  // MARK: reading

  package var count: Int { order.count }
  package var isEmpty: Bool { count == 0 }
  /// The oldest retained row; `firstRow..<endRow` are retained.
  package var firstRow: RowID { records.first }
  package var endRow: RowID { records.end }

  /// The row at a place of the display: 0 is the newest.
  package func rowID(at index: Int) -> RowID {
    order.row(at: count - 1 - index, first: records.first)
  }

  /// The row at a display index; 0 is the newest.
  package func row(at index: Int) -> ActionRowView { view(rowID(at: index)) }

  /// The rows of a part of the display, the newest first.
  package func rows(in range: Range<Int>) -> [ActionRowView] {
    range.clamped(to: 0..<count).map(row(at:))
  }

  /// A row by its identity; nil if it was evicted.
  package func row(_ id: RowID) -> ActionRowView? {
    id >= records.first && id < records.end ? view(id) : nil
  }

  /// Whether a stored row belongs to a log that the backend has replaced.
  func isOfFormerLog(_ id: RowID) -> Bool {
    id >= records.first && id < records.end && records[id].flags.contains(.former)
  }

  /// Whether a retained row counts as a failure (`ActionRowView.isFailure`), without a view of it.
  @inline(__always)
  func isFailure(_ id: RowID) -> Bool {
    guard id >= records.first, id < records.end else { return false }
    let record = records[id]
    guard record.flags.isDisjoint(with: [.gap, .former]) else { return false }
    if record.flags.contains(.failed) { return true }
    return labelTable.payloads[Int(record.label)].facts.isError
  }

  /// The time of the oldest counted row, gap rows included; nil if there is none.
  package var oldestMs: Int64? {
    var index = count - 1
    while index >= 0 {
      let record = records[rowID(at: index)]
      if formerCount == 0 || !record.flags.contains(.former) { return record.timeMs }
      index -= 1
    }
    return nil
  }

  func view(_ id: RowID) -> ActionRowView {
    ActionRowView(log: self, id: id, record: records[id])
  }

  /// The place of a row in the display.
  package func index(of id: RowID) -> Int? {
    guard id >= records.first, id < records.end else { return nil }
    let place = order.lowerBound(key(id), first: records.first, key: key)
    guard place < count, order.row(at: place, first: records.first) == id else { return nil }
    return count - 1 - place
  }

  func key(_ row: RowID) -> RowKey { RowKey(records[row], row: row) }

  /// The first display index whose row is not newer than `ms`.
  package func firstIndex(notNewerThan ms: Int64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if records[rowID(at: middle)].timeMs > ms { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a stored row with this id was seen.
  package func knows(actionID: Int) -> Bool { knownIDs.contains(actionID) }

  /// The retained row with this id of the backend.
  package func rowID(actionID: Int) -> RowID? {
    let wanted = Int64(actionID)
    return (records.first..<records.end).last {
      records[$0].actionID == wanted && records[$0].flags.isDisjoint(with: [.gap, .former])
    }
  }

  /// The memory in use.
  package var memory: MemoryUse {
    MemoryUse(
      rawBytes: slabs.used, slabBytes: slabs.capacity,
      indexBytes: records.bytes + order.bytes + twins.bytes, limit: memoryLimit)
  }

  /// The labels of the stored rows, the most frequent first.
  package func labels() -> [LabelCount] {
    (1..<max(1, labelTable.upperBound)).filter { labelTable.isUsed(UInt32($0)) }.map { number in
      let info = labelTable.payloads[number]
      return LabelCount(
        label: info.label, count: labelTable.uses(of: UInt32(number)),
        costUSD: Double(info.retainedNanos) / 1e9)
    }
    .sorted { ($1.count, $0.label.title) < ($0.count, $1.label.title) }
  }

  /// The people of retained rows by id, the most frequent first.
  package func users() -> [ValueCount] {
    var counts: [String: Int] = [:]
    for number in 1..<max(1, userTable.upperBound) {
      if let user = userTable.payloads[number] { counts[user] = userTable.uses(of: UInt32(number)) }
    }
    return Self.sorted(counts)
  }

  /// The channels of retained rows by id, the most frequent first.
  package func channels() -> [ValueCount] { placeCounts(\.channel) }

  /// The guilds of retained rows by id, the most frequent first.
  package func guilds() -> [ValueCount] { placeCounts(\.guild) }

  private func placeCounts(_ id: KeyPath<Place, String?>) -> [ValueCount] {
    var counts: [String: Int] = [:]
    for number in 1..<max(1, placeTable.upperBound) {
      guard let id = placeTable.payloads[number][keyPath: id] else { continue }
      counts[id, default: 0] += placeTable.uses(of: UInt32(number))
    }
    return Self.sorted(counts)
  }

  private static func sorted(_ counts: [String: Int]) -> [ValueCount] {
    counts.map { ValueCount(value: $0.key, count: $0.value) }.filter { $0.count > 0 }
      .sorted { ($1.count, $0.value) < ($0.count, $1.value) }
  }

  // MARK: the bytes of a row

  /// Valid until the log changes.
  func raw(_ row: RowID, _ record: ActionRecord) -> UnsafeRawBufferPointer {
    guard record.length > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let slab =
      record.flags.contains(.moved) ? movedSlabs[row] ?? slabs.slab(of: row) : slabs.slab(of: row)
    return slabs.bytes(slab: slab, offset: record.offset, count: record.length)
  }
}

/// Where something happened.
struct Place {
  var guild: String?
  var channel: String?
}
