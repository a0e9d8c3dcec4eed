internal import CockpitDomain
internal import Networking
package import ClankyWire

/// Row counts by chip since a time from which all rows are stored, at most 24 hours ago, with their
/// window.
package struct WindowCounts: Hashable, Sendable {
  /// The start of the count of each chip, ms since 1970; nil if unknown.
  private(set) var begins = [Int64?](repeating: nil, count: ChipGroup.allCases.count)
  private(set) var counts = [Int](repeating: 0, count: ChipGroup.allCases.count)
  /// The rows of `ALL` by their labels.
  private(set) var labels: [Int] = []
  /// Now less 24 hours, to the minute.
  package private(set) var dayAgoMs: Int64 = 0

  package init() {}

  /// Number of rows since `beginMs`.
  package func count(_ chip: ChipGroup) -> Int { counts[Int(chip.rawValue)] }

  /// The time from which rows of a chip are counted, ms since 1970; nil if unknown.
  package func beginMs(_ chip: ChipGroup) -> Int64? { begins[Int(chip.rawValue)] }

  /// Whether the rows of the last 24 hours are all here.
  package func isWhole(_ chip: ChipGroup) -> Bool { beginMs(chip) == dayAgoMs }

  static let dayMs: Int64 = 86_400_000
  private static let empty = [Int](repeating: 0, count: ChipGroup.allCases.count)

  mutating func begin(dayAgoMs: Int64, _ begins: [Int64?]) {
    self.dayAgoMs = dayAgoMs
    self.begins = begins
    counts = Self.empty
    labels.removeAll(keepingCapacity: true)
  }

  /// Counts rows that are not counted yet, those of a scope.
  mutating func count(_ rows: Range<RowID>, of log: ActionLog, in scope: GuildScope = .all) {
    let places = log.places(of: scope)
    let limits = begins.map { $0 ?? .max }
    let least = limits.min() ?? .max
    let upperBound = log.labelTable.upperBound
    if labels.count < upperBound {
      labels += [Int](repeating: 0, count: upperBound - labels.count)
    }
    for row in rows {
      let record = log.records[row]
      guard record.timeMs >= least, record.flags.isDisjoint(with: [.gap, .former]) else { continue }
      if let places, !places[Int(record.place)] { continue }
      let facts = log.labelTable.payloads[Int(record.label)].facts
      var bits = facts.chips.rawValue
      if record.flags.contains(.failed) || facts.isError { bits |= ChipSet(.error).rawValue }
      while bits != 0 {
        let chip = bits.trailingZeroBitCount
        bits &= bits &- 1
        guard record.timeMs >= limits[chip] else { continue }
        counts[chip] += 1
        if chip == ChipGroup.all.rawValue { labels[Int(record.label)] += 1 }
      }
    }
  }
}

/// Keeps the counts between frames: only new rows are read, unless the window moves by a minute,
/// rows are evicted, or older rows arrive.
@MainActor
final class WindowCounter {
  private var counts = WindowCounts()
  private var coverage: LogCoverage?
  private var kinds: [Set<String>?] = []
  private var seenKinds: Set<String> = []
  private var labelBound = -1
  private var first: RowID = -1
  private var next: RowID = 0
  private var generation = -1
  private let scope: GuildScope

  init(_ scope: GuildScope = .all) { self.scope = scope }

  /// - Parameter minuteMs: the present minute on the backend's clock, ms since 1970.
  func counts(of log: ActionLog, _ coverage: LogCoverage, minuteMs: Int64) -> WindowCounts {
    let dayAgoMs = minuteMs.subtractingReportingOverflow(WindowCounts.dayMs).partialValue
    let hasNewLabels = labelBound != log.labelTable.upperBound
    if hasNewLabels || first != log.firstRow { learnKinds(of: log) }
    if hasNewLabels || coverage != self.coverage || dayAgoMs != counts.dayAgoMs
      || first != log.firstRow || generation != log.generation || next > log.endRow
    {
      self.coverage = coverage
      (first, next, generation) = (log.firstRow, log.firstRow, log.generation)
      counts.begin(
        dayAgoMs: dayAgoMs,
        Self.aligned(
          kinds.map { kinds in
            coverage.beginMs(kinds: kinds, guild: scope.guild).map { max($0, dayAgoMs) }
          },
          minuteMs: minuteMs))
    }
    if next < log.endRow {
      counts.count(next..<log.endRow, of: log, in: scope)
      next = log.endRow
    }
    return counts
  }

  /// Windows that are called the same on the screen (`24m`, `8h`) are the same: else a part could be more than
  /// the whole.
  private static func aligned(_ begins: [Int64?], minuteMs: Int64) -> [Int64?] {
    guard let all = ChipGroup.allCases.firstIndex(of: .all).flatMap({ begins[$0] }) else {
      return begins
    }
    let age = minuteMs - all
    let unit: Int64 = age < 3_600_000 ? 60_000 : 3_600_000
    return begins.map { begin in
      begin.map { $0 < all && (minuteMs - $0) / unit == age / unit ? all : $0 }
    }
  }

  private func learnKinds(of log: ActionLog) {
    labelBound = log.labelTable.upperBound
    let seen = log.seenParts.kinds
    guard seen != seenKinds || kinds.isEmpty else { return }
    seenKinds = seen
    kinds = ChipGroup.allCases.map { $0 == .all ? nil : Query.kinds(of: ChipSet($0), seen: seen) }
  }
}

extension ActionLog {
  /// The most frequent labels among the rows that are counted under `ALL`.
  package func labels(in counts: WindowCounts) -> [LabelCount] {
    counts.labels.indices.filter { counts.labels[$0] > 0 && labelTable.isUsed(UInt32($0)) }.map {
      LabelCount(
        label: labelTable.payloads[$0].label, count: counts.labels[$0],
        costUSD: Double(labelTable.payloads[$0].retainedNanos) / 1e9)
    }
  }
}
