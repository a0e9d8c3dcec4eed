package import CockpitDomain
package import ClankyWire

/// A document as it came, for who judges each of them and not only the last.
package enum HeardDocument: Sendable {
  /// `atMs`: when it came, on the backend's clock, ms since 1970.
  case voice(VoiceState, atMs: Int64)
  /// Without its voice state.
  case stats(StatsEnvelope, atMs: Int64)
}

/// Writes the events of the link into the stores; their only writer.
@MainActor
package final class StoreSink: SourceSink {
  package let activity: ActivityStore
  package let voice: VoiceStore
  package let memory: MemoryStore
  package let connection: ConnectionStore
  package let actions: ActionCache
  private let control: ControlStore
  private let history: ClientLogRecorder?
  /// The last reported loss from a truncated list.
  private var lastLoss: String?
  /// The log was replaced, and the new rows have not arrived yet.
  private var isReplaced = false

  /// Called after every change of a store, so that the run-time check of access to it would count;
  /// it is set before the first.
  @exclusivity(unchecked) package var onChange: (@MainActor () -> Void)?

  /// Called with each document that differs from the one before it.
  package var onDocument: (@MainActor (HeardDocument) -> Void)?

  package init(
    activity: ActivityStore, voice: VoiceStore, memory: MemoryStore, connection: ConnectionStore,
    actions: ActionCache, control: ControlStore = ControlStore(),
    history: ClientLogRecorder? = nil
  ) {
    self.activity = activity
    self.voice = voice
    self.memory = memory
    self.connection = connection
    self.actions = actions
    self.control = control
    self.history = history
  }

  package var knownRows: (any KnownRows)? { activity }

  package func ingest(_ batch: RowBatch, at time: ReceiveTime) -> RowReport {
    defer { onChange?() }
    let report =
      batch.carriesStats
      ? activity.applySnapshot(batch.json, nowMs: time.wallMs)
      : activity.applyRows(
        batch.json, nowMs: time.wallMs, isHistory: batch.source == .history)
    if report.isComplete || report.count > 0 { connection.noteRows() }
    note(report)
    if let stats = report.stats {
      take(stats: UnsafeRawBufferPointer(rebasing: batch.json[stats]), at: time)
    }
    return RowReport(report)
  }

  package func receive(_ event: SourceEvent, at time: ReceiveTime) {
    switch event {
    case .row(let json, let stream): take(row: json, from: stream, at: time)
    case .restored(let json, let id, let origins):
      take(restored: json, actionID: id, origins, at: time)
    case .document(.stats, let json): take(stats: json, at: time)
    case .document(.voiceState, let json): take(voiceState: json, at: time)
    case .document(.control, let json): control.apply(control: json)
    case .document(.gateway, let json):
      control.apply(gateway: json)
      if let overview = control.overview { connection.learn(overview) }
    case .document(.service, let json): control.apply(service: json)
    case .document(.canvas, let json): control.apply(canvas: json)
    case .repeated(.control), .repeated(.gateway), .repeated(.service), .repeated(.canvas): return
    case .repeated(.stats): return takeRepeatedStats(at: time)
    case .repeated(.voiceState): guard takeRepeatedVoiceState(at: time) else { return }
    // Its sender reads it.
    case .answer: return
    case .found(let lookup, let result): control.apply(lookup, result, atMs: serverMs(time))
    case .status(let status):
      connection.apply(status)
      history?.linkChanged(status)
    case .streamEnded(let stream, _, _):
      activity.endConnection(stream == .activity ? .activity : .voice)
    case .gap(let gap): take(gap)
    case .proven(let claim): activity.apply(claim)
    case .logReplaced:
      activity.applyReset()
      isReplaced = true
    case .batchAccepted:
      guard isReplaced else { return }
      isReplaced = false
      noteReplacedLog(at: time)
    case .rejected(let stream, _, let reason):
      reject("\(stream.name) stream: \(reason)")
    case .raw: return
    }
    onChange?()
  }

  // MARK: Events

  private func take(
    row json: UnsafeRawBufferPointer, from stream: SourceChannel, at time: ReceiveTime
  ) {
    do throws(ActionRejection) {
      let source: ActionSource = stream == .activity ? .activity : .voice
      let row = try activity.applyLive(json, from: source, nowMs: time.wallMs)
      // Clanky's activity stream begins with the stored rows; a source without any begins with this one.
      if stream == .activity { connection.noteRows() }
      if let row { actions.noteArrival(row, atNs: time.ns) }
    } catch {
      let reason = "\(stream.name) stream: \(error)"
      connection.noteRejectedRow(reason)
      history?.rejected(reason)
    }
  }

  private func take(
    restored json: UnsafeRawBufferPointer, actionID: Int?, _ origins: RowOrigins,
    at time: ReceiveTime
  ) {
    do throws(ActionRejection) {
      try activity.applyRestored(json, actionID: actionID, origins: origins, nowMs: time.wallMs)
      connection.noteRows()
    } catch {
      let reason = "recording: \(error)"
      connection.noteRejectedRow(reason)
      history?.rejected(reason)
    }
  }

  private func take(stats json: UnsafeRawBufferPointer, at time: ReceiveTime) {
    let before = activity.statsChanges
    activity.applyStats(json, atMs: serverMs(time))
    if activity.statsChanges != before, let stats = activity.stats {
      onDocument?(.stats(stats, atMs: serverMs(time)))
    }
    activity.statsReceivedNs = time.ns
  }

  private func takeRepeatedStats(at time: ReceiveTime) {
    activity.noteRepeatedStats(atMs: serverMs(time))
    activity.statsReceivedNs = time.ns
  }

  private func take(voiceState json: UnsafeRawBufferPointer, at time: ReceiveTime) {
    if voice.apply(json, atNs: time.ns) {
      voice.teachNames(to: connection, atMs: connection.status.serverMs(time.wallMs))
      if voice.problem == nil, let state = voice.state {
        onDocument?(.voice(state, atMs: serverMs(time)))
      }
    }
    noteVoice(at: time)
  }

  /// - Returns: whether that is news: ages of a session advance, an idle bot has none.
  private func takeRepeatedVoiceState(at time: ReceiveTime) -> Bool {
    voice.applyRepeated(atNs: time.ns)
    guard voice.problem != nil || voice.hasSessions else { return false }
    noteVoice(at: time)
    return true
  }

  private func noteVoice(at time: ReceiveTime) {
    if let problem = voice.problem { reject("voice state: \(problem)") }
  }

  private func take(_ gap: GapEvent) {
    switch gap {
    case .missing(let gap):
      _ = activity.applyGap(
        IDGapRow(
          from: gap.from, to: gap.to, atMs: gap.atMs, kind: gap.isAnswered ? .lost : .unanswered,
          isOutOfReach: gap.isOutOfReach))
      history?.gap(gap)
    case .filled(let count, let atMs, let lostMs):
      guard count > 0 else { return }
      _ = activity.applyGap(
        IDGapRow(from: 0, to: 0, atMs: atMs, kind: .filled(count: count), lostMs: lostMs))
      history?.gapFilled(count: count)
    case .closed(let gap, let count):
      activity.resolveGap(from: gap.from, to: gap.to, as: .filled(count: count))
      history?.gapFilled(count: count)
    case .confirmed(let gap): activity.resolveGap(from: gap.from, to: gap.to, as: .lost)
    case .fetching(let fromMs, let toMs): activity.applyOpenHole(fromMs: fromMs, toMs: toMs)
    case .fetched: activity.applyClosedHole()
    case .unresolved(let ids, let fromMs, let toMs):
      activity.applyHole(ids: ids, fromMs: fromMs, toMs: toMs)
    }
  }

  private func noteReplacedLog(at time: ReceiveTime) {
    // Rows that the new log contains too have been matched by now.
    let rows = activity.log.formerCount
    _ = activity.applyGap(
      IDGapRow(from: 0, to: 0, atMs: serverMs(time), kind: .replaced(rows: rows)))
    history?.logReset(rows: rows)
  }

  private func serverMs(_ time: ReceiveTime) -> Int64 { connection.status.serverMs(time.wallMs) }

  /// Reports a truncated list once, because the same one may be repeated. Unreadable rows are
  /// counted by the log.
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
  /// Converts the log's report for the link.
  package init(_ report: IngestReport) {
    self.init(
      ids: report.ids, count: report.count + report.rejected, added: report.added,
      rejected: report.rejected,
      contradictions: report.contradictions, isComplete: report.isComplete,
      oldestMs: report.oldestMs, newestMs: report.newestMs)
  }
}
