internal import LenientJSON
package import CockpitDomain
package import ClankyWire
import Observation

/// The bot's activity, observable. The rules are in `ActionLog`; this publishes its changes.
@MainActor
@Observable
package final class ActivityStore {
  /// Changes with every visible change of the log; panes watch this and read the log.
  package var revision: Int {
    access(keyPath: \.revision)
    isWatched = true
    return log.revision
  }
  /// Whether the revision was read since observers were last notified. An observer reads it once
  /// per notification, so a burst of actions between two frames notifies once, and not at all
  /// without observers.
  @ObservationIgnored
  private var isWatched = false
  /// The newest failed row; nil if none is stored.
  package private(set) var newestError: RowID? {
    didSet { knownError = newestError ?? .max }
  }
  /// An unobserved copy, because reading an observed property is slow; `.max` means none.
  @ObservationIgnored
  private var knownError = RowID.max
  /// Why the last piece that was no action was rejected, in words.
  package private(set) var lastRejection: String?

  /// The latest statistics without their voice state, which `VoiceStore` holds; nil until some
  /// arrive.
  package private(set) var stats: StatsEnvelope?
  /// Counts the statistics that differed from the ones before.
  @ObservationIgnored private(set) var statsChanges = 0
  /// When statistics last arrived, repeated ones included, on the monotonic clock in ns; 0 for
  /// never.
  @ObservationIgnored
  package var statsReceivedNs: UInt64 = 0
  /// The payload of the statistics, for JSON output.
  @ObservationIgnored
  package private(set) var statsPayload: [UInt8] = []
  /// Costs since the first statistics, from the backend's daily sums.
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

  /// The time from which the rates of `log.rate` cover all rows, ms since 1970: they include
  /// evicted rows. nil if unknown.
  package var rateBeginMs: Int64? {
    _ = revision
    return covered.beginMs()
  }

  @ObservationIgnored
  private let windowCounter = WindowCounter()

  /// The backend's figures of the guild that the screen is about; nil before the first.
  package private(set) var guildStats: GuildStats?
  /// The guild whose figures could not be had the last time.
  package private(set) var guildWithoutStats: String?
  @ObservationIgnored private var guildFigures: GuildFigures?

  /// What is derived of a guild's rows; another guild begins anew.
  func figures(of scope: GuildScope) -> GuildFigures {
    if let known = guildFigures, known.scope == scope { return known }
    let new = GuildFigures(scope)
    guildFigures = new
    return new
  }

  /// Takes the backend's figures of one guild.
  ///
  /// - Parameter nowMs: server time, in ms since 1970.
  package func applyGuildStats(
    _ new: Stats, payload: [UInt8] = [], of guild: String, atMs nowMs: Int64
  ) {
    if guildWithoutStats != nil { guildWithoutStats = nil }
    if guildStats?.guild == guild {
      guildStats?.take(new, payload, atMs: nowMs)
    } else {
      guildStats = GuildStats(guild: guild, stats: new, atMs: nowMs)
      guildStats?.payload = payload
    }
  }

  /// The figures of a guild could not be had. Those of the last minute stay: nothing beside them says how old they
  /// are.
  ///
  /// - Parameter nowMs: server time, in ms since 1970.
  func applyGuildStatsFailure(of guild: String, atMs nowMs: Int64) {
    guildWithoutStats = guild
    if let known = guildStats, nowMs - known.atMs > 60_000 { guildStats = nil }
  }

  /// The screen is about all guilds again.
  func forgetGuildStats() {
    guildFigures = nil
    if guildStats != nil { guildStats = nil }
    if guildWithoutStats != nil { guildWithoutStats = nil }
  }

  /// Row counts since a time from which all rows are stored, at most 24 hours ago.
  ///
  /// - Parameter minuteMs: the current minute on the backend's clock, ms since 1970.
  package func windowCounts(minuteMs: Int64) -> WindowCounts {
    windowCounter.counts(of: log, coverage, minuteMs: minuteMs)
  }

  /// A store limited to `memory` bytes of actions.
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

  /// Takes in a row of a recording.
  package func applyRestored(
    _ json: UnsafeRawBufferPointer, actionID: Int?, origins: RowOrigins, nowMs: Int64
  ) throws(ActionRejection) {
    do {
      let row = try log.restore(json, actionID: actionID, origins: origins, nowMs: nowMs)
      if log.isFailure(row) || knownError < log.firstRow { noticeErrors(in: row..<row + 1) }
      publish()
    } catch {
      lastRejection = error.description
      publish()
      throw error
    }
  }

  /// Ingests a live action. Returns its row, or nil if it is the twin of a known one.
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
      // The rows after the hole are newer, or the newest.
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

  /// The missing rows arrived, or their ids are known.
  package func applyClosedHole() { changeCoverage { $0.closeOpenHole() } }

  /// Some rows with these ids are missing, or may be.
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

  /// A live stream ended; the next connection may repeat its rows.
  package func endConnection(_ source: ActionSource) { log.endConnection(source) }

  /// The missing rows of a gap were fetched after all, or are unavailable.
  package func resolveGap(from: Int, to: Int, as kind: IDGapRow.Kind) {
    log.resolveGap(from: from, to: to, as: kind)
    if !kind.isOpen, from <= to { covered.removeHole(ids: from...to) }
    publish()
  }

  /// The backend's log was replaced: ids start over.
  package func applyReset(keepingRows: Bool = true) {
    log.reset(keepingRows: keepingRows)
    covered = LogCoverage()
    newestError = nil
    costTotals = CostTotals()
    if guildStats != nil { guildStats = nil }
    noticeErrors(in: log.endRow..<log.endRow)
    publish()
  }

  /// Notifies observers of the revision.
  private func publish() {
    guard isWatched else { return }
    isWatched = false
    withMutation(keyPath: \.revision) {}
  }

  /// The last statistics were repeated, at a server time in ms since 1970.
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
        statsChanges += 1
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
