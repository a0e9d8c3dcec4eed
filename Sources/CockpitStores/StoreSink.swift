package import ClankyLink
internal import ClankyWire

/// Brings what the link hears into the stores. The only writer of the stores.
@MainActor
package final class StoreSink: LinkSink {
  package let activity: ActivityStore
  package let voice: VoiceStore
  package let memory: MemoryStore
  package let connection: ConnectionStore
  package let actions: ActionCache
  private let clock: any LinkClock
  private let history: HistoryKeeper?
  /// What was last said about a list that breaks off.
  private var lastLoss: String?
  /// The log was replaced, and its rows have not been handed over once more.
  private var isReplaced = false

  /// Called after every change of a store, so that the run-time check of access to it would count;
  /// it is set before the first.
  @exclusivity(unchecked) package var onChange: (@MainActor () -> Void)?
  /// Whether the backend's rows have come at least once, from the stream or by polling.
  package private(set) var hasRows = false

  package var wantsRawEvents: Bool { false }

  package init(
    activity: ActivityStore, voice: VoiceStore, memory: MemoryStore, connection: ConnectionStore,
    actions: ActionCache, clock: any LinkClock, history: HistoryKeeper? = nil
  ) {
    self.activity = activity
    self.voice = voice
    self.memory = memory
    self.connection = connection
    self.actions = actions
    self.clock = clock
    self.history = history
  }

  package func activitySnapshot(_ json: UnsafeRawBufferPointer) -> RowReport {
    let report = activity.applySnapshot(json, nowMs: clock.wallMs)
    hasRows = hasRows || report.isComplete || report.count > 0
    note(report)
    defer { onChange?() }
    if let stats = report.stats {
      statsUpdate(UnsafeRawBufferPointer(rebasing: json[stats]))
    }
    return RowReport(report)
  }

  package func storedRows(_ json: UnsafeRawBufferPointer, source: RowSource) -> RowReport {
    defer { onChange?() }
    let report = activity.applyRows(
      json, nowMs: clock.wallMs, isHistory: source == .history)
    hasRows = hasRows || report.isComplete || report.count > 0
    note(report)
    return RowReport(report)
  }

  package var seenParts: SeenParts { activity.log.seenParts }

  package var newestRowMs: Int64? {
    activity.log.isEmpty ? nil : activity.log.row(at: 0).timeMs
  }

  package func bounds(of holes: [ClosedRange<Int>]) -> [HoleBounds] {
    activity.log.bounds(of: holes)
  }

  package func newestID(notAfterMs ms: Int64) -> Int? { activity.log.newestID(notAfterMs: ms) }

  package var lastLiveMs: Int64? { activity.log.lastLiveMs }

  package func unnamedRows(_ times: ClosedRange<Int64>) -> Int { activity.log.unnamedRows(times) }

  package func liveAction(_ json: UnsafeRawBufferPointer, from stream: StreamName) {
    defer { onChange?() }
    do throws(ActionRejection) {
      let source: ActionSource = stream == .activity ? .activity : .voice
      let row = try activity.applyLive(json, from: source, nowMs: clock.wallMs)
      if let row { actions.noteArrival(row, atNs: clock.nowNs) }
    } catch {
      reject("\(stream.rawValue) stream: \(error)")
    }
  }

  package func statsUpdate(_ json: UnsafeRawBufferPointer) {
    activity.applyStats(json, atMs: serverNowMs)
    activity.statsReceivedNs = clock.nowNs
    connection.note(activity.stats?.runtime, wallMs: clock.wallMs)
    onChange?()
  }

  package func voiceState(_ json: UnsafeRawBufferPointer) {
    defer { onChange?() }
    if voice.apply(json, atNs: clock.nowNs) {
      voice.teachNames(to: connection, atMs: connection.status.serverMs(clock.wallMs))
    }
    connection.note(voice: voice.troubles, wallMs: clock.wallMs)
    if let problem = voice.problem { reject("voice state: \(problem)") }
  }

  package func repeats(stats json: UnsafeRawBufferPointer) -> Bool {
    guard activity.repeats(stats: json) else { return false }
    activity.noteRepeatedStats(atMs: serverNowMs)
    activity.statsReceivedNs = clock.nowNs
    // What they say is the same; how long they have said it is not.
    if !connection.botWatch.pending.isEmpty {
      connection.note(activity.stats?.runtime, wallMs: clock.wallMs)
    }
    return true
  }

  private var serverNowMs: Int64 { connection.status.serverMs(clock.wallMs) }

  package func repeats(voiceState json: UnsafeRawBufferPointer) -> Bool {
    voice.repeats(json, atNs: clock.nowNs)
  }

  package func sse(
    _ stream: StreamName, event: String, data: UnsafeRawBufferPointer, lastEventID: String
  ) {}

  package func streamEnded(_ stream: StreamName, lastEventID: String, retryMs: Int?) {
    activity.endConnection(stream == .activity ? .activity : .voice)
  }

  package func linkChanged(_ status: LinkStatus) {
    connection.apply(status)
    history?.linkChanged(status)
    onChange?()
  }

  package func gap(_ gap: IDGap) {
    _ = activity.applyGap(
      IDGapRow(
        from: gap.from, to: gap.to, atMs: gap.atMs, kind: gap.isAnswered ? .lost : .unanswered,
        isOutOfReach: gap.isOutOfReach))
    history?.gap(gap)
  }

  package func gapFilled(count: Int, atMs: Int64, lostMs: Int?) {
    guard count > 0 else { return }
    _ = activity.applyGap(
      IDGapRow(from: 0, to: 0, atMs: atMs, kind: .filled(count: count), lostMs: lostMs))
    history?.gapFilled(count: count)
  }

  package func gapClosed(_ gap: IDGap, count: Int) {
    defer { onChange?() }
    activity.settleGap(from: gap.from, to: gap.to, as: .filled(count: count))
    history?.gapFilled(count: count)
  }

  package func gapStays(_ gap: IDGap) {
    defer { onChange?() }
    activity.settleGap(from: gap.from, to: gap.to, as: .lost)
  }

  package func proven(_ claim: RowClaim) {
    activity.apply(claim)
    onChange?()
  }

  package func holeOpened(fromMs: Int64, toMs: Int64) {
    activity.applyOpenHole(fromMs: fromMs, toMs: toMs)
    onChange?()
  }

  package func holeClosed() {
    activity.applyClosedHole()
    onChange?()
  }

  package func holeStays(_ ids: ClosedRange<Int>, fromMs: Int64, toMs: Int64) {
    activity.applyHole(ids: ids, fromMs: fromMs, toMs: toMs)
    onChange?()
  }

  package func beginMs(kinds: Set<String>?, guild: String?) -> Int64? {
    activity.coverage.beginMs(kinds: kinds, guild: guild)
  }

  package var last24h: [String: Int] { activity.stats?.stats?.last24h ?? [:] }

  package var historyRoom: Int { activity.log.historyRoom }

  package func logReset() {
    activity.applyReset()
    isReplaced = true
  }

  package func batchIsAccepted() {
    guard isReplaced else { return }
    isReplaced = false
    // What the new log has too has been found again by now.
    let rows = activity.log.formerCount
    let nowMs = connection.status.serverMs(clock.wallMs)
    _ = activity.applyGap(IDGapRow(from: 0, to: 0, atMs: nowMs, kind: .replaced(rows: rows)))
    history?.logReset(rows: rows)
    onChange?()
  }

  package func withoutShown(_ holes: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    activity.log.withoutShown(holes)
  }

  package func eventRejected(_ stream: StreamName, name: String, reason: String) {
    reject("\(stream.rawValue) stream: \(reason)")
  }

  /// Notes a list that breaks off; once, because the same one may come again and again. Rows that
  /// could not be read are counted by the log.
  private func note(_ report: IngestReport) {
    guard !report.isComplete, let loss = report.loss, loss != lastLoss else { return }
    lastLoss = loss
    reject(loss)
  }

  private func reject(_ reason: String) {
    connection.reject(reason)
    history?.rejected(reason)
  }
}

extension RowReport {
  /// The link's view of what the log did with a batch.
  package init(_ report: IngestReport) {
    self.init(
      ids: report.ids, count: report.count + report.rejected, added: report.added,
      rejected: report.rejected,
      contradictions: report.contradictions, isComplete: report.isComplete,
      oldestMs: report.oldestMs, newestMs: report.newestMs)
  }
}
