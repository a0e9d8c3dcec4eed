internal import ClankyWire
package import CockpitDomain

/// The rules of gap repair as a value: what a batch of rows reveals about missing rows, and what to
/// request. Live rows carry no id (wire contract 4.1), so ids above the newest known one are
/// undecided until a snapshot or a comparison brings them.
package struct GapRepair: Sendable, Equatable {
  /// What a batch revealed.
  package enum Finding: Sendable, Equatable {
    case complete
    /// The log was replaced; the seen ids already belong to the new one.
    case reset
    /// Ids that are missing.
    case holes([ClosedRange<Int>])
  }

  /// Extra time requested before a known hole.
  package static let marginMs: Int64 = 60_000

  /// Which ids are accounted for.
  package private(set) var seenIDs = SeenIDs()
  /// Time of the newest row with an id, server time.
  package private(set) var newestKnownMs: Int64?
  /// The same, but never later than the moment at which it came: a row may claim any time.
  package private(set) var newestSureMs: Int64?
  /// Server time up to which a complete answer was merged.
  package private(set) var coveredToMs: Int64?
  /// Ids above the newest seen id that came with a list of some kinds only.
  private var early: Set<Int> = []
  /// Server time at which the log was empty, until an answer shows which row came first after it.
  private var beganWithoutRowsMs: Int64?

  package init() {}

  /// Processes the report of a batch that arrived at `nowMs` (server time). `requestedAtMs` is the
  /// server time of the request if the answer is contiguous with the known rows; nil if it may not
  /// be.
  package mutating func absorb(
    _ report: RowReport, nowMs: Int64 = .max, requestedAtMs: Int64? = nil
  ) -> Finding {
    let wasReset = showsReplacedLog(report)
    if wasReset { restart() }
    // A truncated first batch shows where the log ends, but not which rows we have.
    guard report.isComplete || !seenIDs.isEmpty else { return wasReset ? .reset : .complete }
    if !seenIDs.isEmpty {
      seenIDs.insert(report.ids)
    } else if let coveredToMs {
      seenIDs.startEmpty(report.ids)
      beganWithoutRowsMs = coveredToMs
    } else {
      seenIDs.start(report.ids)
    }
    accountForEarly()
    if !report.ids.isEmpty, let newest = report.newestMs {
      newestKnownMs = max(newestKnownMs ?? newest, newest)
      newestSureMs = max(newestSureMs ?? .min, min(newest, nowMs))
    }
    if let requestedAtMs, report.isWhole {
      coveredToMs = max(coveredToMs ?? requestedAtMs, requestedAtMs)
    }
    if wasReset { return .reset }
    let holes = seenIDs.holes
    return holes.isEmpty ? .complete : .holes(holes)
  }

  /// Ids restart lower, rows that are newer than all we know carry ids that we have had, or rows have
  /// the ids of others.
  private func showsReplacedLog(_ report: RowReport) -> Bool {
    if report.contradictions > 0 { return true }
    guard let known = seenIDs.newest, let newest = report.ids.max(), let oldest = report.ids.min()
    else { return false }
    guard let knownMs = newestKnownMs, let newestMs = report.newestMs else { return false }
    if newest < known, newestMs > knownMs, seenIDs.contains(newest) { return true }
    guard let oldestMs = report.oldestMs else { return false }
    return oldest <= known && oldestMs > knownMs && seenIDs.contains(oldest)
  }

  /// A snapshot always holds the newest rows, so one that ends below a known id comes from another
  /// log, even if its times are older (a restored copy).
  private func snapshotShowsReplacedLog(_ report: RowReport, newestWhenRequested: Int?) -> Bool {
    guard let known = newestWhenRequested ?? seenIDs.newest, let newest = report.ids.max() else {
      return false
    }
    return newest < known && report.isWhole || report.contradictions > 0
  }

  /// Processes the report of a snapshot that arrived at `nowMs` (server time).
  ///
  /// - Parameter newestWhenAsked: the newest known id when it was requested; nil means the current
  ///   one.
  package mutating func absorbSnapshot(
    _ report: RowReport, nowMs: Int64 = .max, newestWhenRequested: Int? = nil
  ) -> Finding {
    if snapshotShowsReplacedLog(report, newestWhenRequested: newestWhenRequested) {
      restart()
      _ = absorb(report, nowMs: nowMs)
      return .reset
    }
    // A log that is empty has been seen whole.
    let isSeenWhole = seenIDs.isEmpty && report.count == 0
    return absorb(report, nowMs: nowMs, requestedAtMs: isSeenWhole ? nowMs : nil)
  }

  /// Starts over with a new log. Every row after the known end of the old log counts as missing.
  private mutating func restart() {
    let sinceMs = sureUntilMs
    self = GapRepair()
    coveredToMs = sinceMs
  }

  /// From now on (server time) rows are our concern, although none is known.
  package mutating func begin(atMs nowMs: Int64) {
    if seenIDs.isEmpty, coveredToMs == nil { coveredToMs = nowMs }
  }

  /// The moments that no row has named were reckoned by a clock that was wrong by so much, in ms.
  package mutating func clockIsKnown(laterByMs: Int64) {
    coveredToMs = coveredToMs.map { $0 &+ laterByMs }
    beganWithoutRowsMs = beganWithoutRowsMs.map { $0 &+ laterByMs }
  }

  /// Closes the ids before our start once a complete answer has shown which row came first after
  /// it: they belong to rows that already existed, or were never assigned.
  ///
  /// - Parameter sinceMs: server time from which the answer is complete; nil means from the start
  ///   of the log.
  package mutating func settleBeginning(sinceMs: Int64?) {
    guard let beganMs = beganWithoutRowsMs, sinceMs ?? .min <= beganMs else { return }
    beganWithoutRowsMs = nil
    if let hole = seenIDs.holes.first, hole.lowerBound == 1 { seenIDs.insert(hole) }
  }

  /// Server time at which rows became our concern, while it is not known which one was the first.
  package var beganMs: Int64? { beganWithoutRowsMs }

  /// A row that was there before we began: so were those with smaller ids.
  package mutating func settleBeginning(upTo id: Int) {
    guard beganWithoutRowsMs != nil, id >= 1 else { return }
    seenIDs.insert(1...id)
  }

  /// Server time up to which every row is accounted for, live rows included; nil if unknown. Read
  /// it before absorbing the batch that reveals a hole, because that batch moves it.
  package var sureUntilMs: Int64? {
    guard let newestSureMs else { return coveredToMs }
    return max(newestSureMs, coveredToMs ?? newestSureMs)
  }

  /// `sinceHours` for a request that covers everything after `baseMs` (server time) with the margin and
  /// the clocks' difference on top.
  package static func hours(sinceMs baseMs: Int64, serverNowMs: Int64, skewMs: Int) -> Double {
    let (distance, overflow) = serverNowMs.subtractingReportingOverflow(baseMs)
    let skew = Int64(min(skewMs.magnitude, 86_400_000))
    return (overflow ? 0 : Double(max(0, distance)) + Double(marginMs + skew)) / 3_600_000
  }

  /// Rows with these ids are here. Newer ones than all that are known wait for a list that has their
  /// neighbours too: else everything between would look like a hole.
  package mutating func account(for ids: [Int]) {
    early.formUnion(ids.filter { !seenIDs.contains($0) }.prefix(ActionsRoute.rowLimit))
    accountForEarly()
  }

  private mutating func accountForEarly() {
    guard !early.isEmpty, let newest = seenIDs.newest else { return }
    seenIDs.insert(early.filter { $0 <= newest })
    early = early.filter { $0 > newest }
  }

  /// Stops waiting for ids that the backend cannot return.
  package mutating func writeOff(_ ranges: [ClosedRange<Int>]) {
    for range in ranges { seenIDs.insert(range) }
  }
}

extension RowReport {
  /// Whether the batch is complete and no row was rejected.
  fileprivate var isWhole: Bool { rejected == 0 && isComplete }
}
