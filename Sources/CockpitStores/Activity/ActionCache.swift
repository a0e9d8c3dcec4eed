package import LenientJSON
package import ClankyWire

/// Rows of the log as Swift values with parsed metadata, for those that are drawn: a screen shows
/// some dozens of rows, and draws them again with every frame.
@MainActor
package final class ActionCache {
  /// A row and its metadata.
  @MainActor
  package final class Parsed {
    package let action: Action
    package let metadata: JSONValue

    init(action: Action) {
      self.action = action
      metadata = action.metadata()
    }
  }

  private struct Entry {
    var parsed: Parsed
    var actionID: Int?
    var lastUse: UInt64
    var lastFrame: Int
  }

  /// A range of rows that arrived in succession, and the time.
  private struct Arrival {
    var rows: Range<RowID>
    var atNs: UInt64
  }

  /// More than three screens of the tallest terminals.
  private let limit: Int
  private var entries: [RowID: Entry] = [:]
  private var clock: UInt64 = 0
  private var frame = 0
  /// A row that was not drawn for this many frames is dropped: each takes some 4 kB, and each bot of a screen has a
  /// cache.
  private static let keptFrames = 64
  /// Touched by every row; no code called meanwhile accesses it.
  @exclusivity(unchecked) private var arrivals: [Arrival] = []

  /// Rows that arrive within this many ns count as one arrival.
  private static let burstNs: UInt64 = 20_000_000

  package init(limit: Int = 400) { self.limit = limit }

  /// The row, parsed at most once while it is on screen; nil if it was evicted.
  package func action(for row: ActionRowView) -> Parsed? {
    clock += 1
    if let index = entries.index(forKey: row.id), entries.values[index].actionID == row.actionID {
      entries.values[index].lastUse = clock
      entries.values[index].lastFrame = frame
      return entries.values[index].parsed
    }
    guard let action = row.action() else { return nil }
    let parsed = Parsed(action: action)
    if entries.count >= limit { evict() }
    entries[row.id] = Entry(
      parsed: parsed, actionID: row.actionID, lastUse: clock, lastFrame: frame)
    return parsed
  }

  private func evict() {
    let uses = entries.values.map(\.lastUse).sorted()
    let oldest = uses[uses.count / 2]
    entries = entries.filter { $0.value.lastUse > oldest }
  }

  /// Records that a live row arrived now, on the monotonic clock in ns.
  package func noteArrival(_ row: RowID, atNs now: UInt64) {
    if let last = arrivals.last, last.rows.upperBound == row, now &- last.atNs < Self.burstNs {
      arrivals[arrivals.count - 1].rows = last.rows.lowerBound..<row + 1
    } else {
      arrivals.append(Arrival(rows: row..<row + 1, atNs: now))
      if arrivals.count > 1000 { arrivals.removeFirst(500) }
    }
  }

  /// Whether the row arrived within the last `ms` milliseconds.
  package func isFresh(_ row: RowID, atNs now: UInt64, within ms: UInt64) -> Bool {
    arrivals.contains { arrival in
      arrival.rows.contains(row) && (now < arrival.atNs || now - arrival.atNs < ms * 1_000_000)
    }
  }

  /// Whether rows are remembered as new.
  package var hasArrivals: Bool { !arrivals.isEmpty }

  /// Number of rows that arrived within the last `ms` milliseconds.
  package func freshCount(atNs now: UInt64, within ms: UInt64) -> Int {
    arrivals.reduce(0) { count, arrival in
      let isFresh = now < arrival.atNs || now - arrival.atNs < ms * 1_000_000
      return isFresh ? count + arrival.rows.count : count
    }
  }

  /// Call after each frame: forgets arrivals that are no longer fresh, and rows that were not drawn lately.
  ///
  /// - Returns: whether some are fresh.
  package func dropStale(atNs now: UInt64, within ms: UInt64) -> Bool {
    frame += 1
    if frame.isMultiple(of: Self.keptFrames) {
      entries = entries.filter { $0.value.lastFrame > frame - Self.keptFrames }
    }
    arrivals.removeAll { now >= $0.atNs && now - $0.atNs >= ms * 1_000_000 }
    return !arrivals.isEmpty
  }
}
