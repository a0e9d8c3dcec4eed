internal import LenientJSON
package import CockpitDomain
package import ClankyWire
import Observation

/// The activity of the bot, observable. All the rules are in `ActionLog`; this only lets others
/// see that something changed.
@MainActor
@Observable
package final class ActivityStore {
  /// Changes with every visible change of the log; panes watch this and read the log.
  package var revision: Int {
    access(keyPath: \.revision)
    isWatched = true
    return log.revision
  }
  /// Whether the revision was read since its observers were last told. Who watches has read it, and
  /// is told once, so while nobody has there is nobody to tell: a burst of actions between two
  /// frames tells observers once.
  @ObservationIgnored
  private var isWatched = false
  /// The newest row that failed; nil when there is none among the retained rows.
  package private(set) var newestError: RowID? {
    didSet { knownError = newestError ?? .max }
  }
  /// The same for ourselves, since reading what is observed has its price; `.max` for none.
  @ObservationIgnored
  private var knownError = RowID.max
  /// Why the last piece that was no action was rejected, in words.
  package private(set) var lastRejection: String?

  /// The last statistics of the backend, without the voice state in them: `VoiceStore` has it. Nil
  /// until some came.
  package private(set) var stats: StatsEnvelope?
  /// When statistics came last, repeated ones included, on the monotonic clock in ns; 0 for never.
  @ObservationIgnored
  package var statsReceivedNs: UInt64 = 0
  /// The payload they came in, for output as JSON.
  @ObservationIgnored
  package private(set) var statsPayload: [UInt8] = []
  /// What the backend's daily sums say about the time since the first statistics.
  @ObservationIgnored
  package private(set) var costTotals = CostTotals()

  @ObservationIgnored
  package let log: ActionLog
  /// The model calls of the log.
  @ObservationIgnored
  package let calls = LlmCallTable()

  @ObservationIgnored
  private var covered = LogCoverage()

  /// From when on the rows of the log are all that the backend has written; changes with `revision`.
  package var coverage: LogCoverage {
    _ = revision
    var coverage = covered
    coverage.evictedMs = log.newestEvictedMs
    return coverage
  }

  /// From when on the rates of `log.rate` are those of all rows, ms since 1970: they keep rows that the ring
  /// has given up. Nil while nothing is known.
  package var rateBeginMs: Int64? {
    _ = revision
    return covered.beginMs()
  }

  @ObservationIgnored
  private let windowCounter = WindowCounter()

  /// How many rows there were since a time from which on all of them are here, at most 24 hours ago.
  ///
  /// - Parameter minuteMs: the present minute on the backend's clock, ms since 1970.
  package func windowCounts(minuteMs: Int64) -> WindowCounts {
    windowCounter.counts(of: log, coverage, minuteMs: minuteMs)
  }

  /// A store that keeps at most so many bytes of actions.
  package init(memory: Int = 64 << 20) { log = ActionLog(memory: memory) }

  /// Takes in the payload of an `activity_snapshot`; the range of its stats is in the report.
  @discardableResult
  package func applySnapshot(_ json: UnsafeRawBufferPointer, nowMs: Int64) -> IngestReport {
    applyRows(json, nowMs: nowMs)
  }

  /// Takes in stored rows: the body of `/api/actions`.
  ///
  /// - Parameter isHistory: they are from before our time, so none of them is news.
  @discardableResult
  package func applyRows(
    _ json: UnsafeRawBufferPointer, nowMs: Int64, isHistory: Bool = false
  ) -> IngestReport {
    let generation = log.generation
    let report = log.ingestRows(json, nowMs: nowMs)
    if isHistory { log.noteHistory(report.addedRows) }
    if report.rejected > 0 {
      lastRejection = report.firstRejection?.description ?? "a row is not JSON"
    }
    // Rows of a log that was replaced may have been found in the present one.
    noticeErrors(
      in: log.generation == generation ? report.addedRows : log.firstRow..<log.endRow)
    publish()
    return report
  }

  /// Takes in a live action. Gives its row, or nil when it is the twin of a known one.
  @discardableResult
  package func applyLive(
    _ json: UnsafeRawBufferPointer, from source: ActionSource, nowMs: Int64
  ) throws(ActionRejection) -> RowID? {
    do {
      let row = try log.ingestLive(json, from: source, nowMs: nowMs)
      if let row, log.isFailure(row) || knownError < log.firstRow {
        noticeErrors(in: row..<row + 1)
      }
      publish()
      return row
    } catch {
      lastRejection = error.description
      publish()
      throw error
    }
  }

  /// Marks a hole in the log.
  @discardableResult
  package func applyGap(_ gap: IDGapRow) -> RowID {
    defer { publish() }
    if gap.kind.isOpen, gap.from <= gap.to {
      // What came after the hole is newer, or is the newest.
      let newestMs = log.isEmpty ? gap.atMs : log.row(at: 0).timeMs
      covered.addHole(ids: gap.from...gap.to, fromMs: gap.atMs, toMs: newestMs)
    }
    return log.insertGap(gap)
  }

  /// Takes note of a list that is whole.
  package func apply(_ claim: RowClaim) { changeCoverage { $0.add(claim) } }

  /// Rows of a stretch of server time (ms since 1970) may be missing, and are being fetched.
  package func applyOpenHole(fromMs: Int64, toMs: Int64) {
    changeCoverage { $0.openHole(fromMs: fromMs, toMs: toMs) }
  }

  /// They are here, or are known by their ids.
  package func applyClosedHole() { changeCoverage { $0.closeOpenHole() } }

  /// Rows with some of these ids are not here, or are not known to be.
  package func applyHole(ids: ClosedRange<Int>, fromMs: Int64, toMs: Int64) {
    changeCoverage { $0.addHole(ids: ids, fromMs: fromMs, toMs: toMs) }
  }

  private func changeCoverage(_ change: (inout LogCoverage) -> Void) {
    let before = covered
    change(&covered)
    guard covered != before else { return }
    log.noteCoverage()
    publish()
  }

  /// A live stream has ended; the next connection may repeat what it told.
  package func endConnection(_ source: ActionSource) { log.endConnection(source) }

  /// What a mark says is missing was fetched after all, or cannot be had.
  package func settleGap(from: Int, to: Int, as kind: IDGapRow.Kind) {
    log.settleGap(from: from, to: to, as: kind)
    if !kind.isOpen, from <= to { covered.removeHole(ids: from...to) }
    publish()
  }

  /// The backend's log was replaced: ids start anew.
  package func applyReset(keepingRows: Bool = true) {
    log.reset(keepingRows: keepingRows)
    covered = LogCoverage()
    newestError = nil
    costTotals = CostTotals()
    noticeErrors(in: log.endRow..<log.endRow)
    publish()
  }

  /// Tells who watches the revision that the log has changed.
  private func publish() {
    guard isWatched else { return }
    isWatched = false
    withMutation(keyPath: \.revision) {}
  }

  /// The last statistics have come again, at a server time in ms since 1970.
  package func noteRepeatedStats(atMs nowMs: Int64) { costTotals.repeats(atMs: nowMs) }

  /// Takes in the payload of a `stats_update`; bytes that equal the last ones are not read again.
  ///
  /// - Parameter nowMs: server time.
  package func applyStats(_ json: UnsafeRawBufferPointer, atMs nowMs: Int64) {
    guard !json.hasSameBytes(as: statsPayload) else { return noteRepeatedStats(atMs: nowMs) }
    do throws(JSONError) {
      guard let envelope = try StatsEnvelope.withoutVoice(json) else { return }
      if envelope == stats {
        costTotals.repeats(atMs: nowMs)
      } else {
        stats = envelope
        costTotals.take(envelope.stats?.dailyCost, atMs: nowMs)
      }
      statsPayload.removeAll(keepingCapacity: true)
      statsPayload.append(contentsOf: json)
    } catch {
      lastRejection = "statistics: \(error.description)"
    }
  }

  private func noticeErrors(in rows: Range<RowID>) {
    if let known = newestError, known < log.firstRow { newestError = nil }
    for row in rows where log.isFailure(row) {
      guard let view = log.row(row) else { continue }
      if let known = newestError, let other = log.row(known), other.timeMs > view.timeMs {
        continue
      }
      newestError = row
    }
  }
}
