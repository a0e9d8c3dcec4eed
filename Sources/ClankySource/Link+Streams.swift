internal import CockpitDomain
internal import Networking

/// Forwards stream events to the sink: in order, batched under load, and only the latest version of
/// documents that supersede each other.
extension Link {
  // MARK: Newest payloads

  /// At most every 100 ms: each one costs a decode of up to 250 kB. The first waits a moment too:
  /// the two streams tick some milliseconds apart, and together they cost one frame, not two.
  func handOverWhenDue() {
    guard stats.isPending || voice.isPending, handOverTimer == nil else { return }
    let nowNs = clock.nowNs
    let slotEnd = lastHandOverNs.map { ($0 + IngestGovernor.slotNs).since(nowNs) } ?? 0
    let delayNs = max(slotEnd, lastHandOverNs == nil ? 0 : Self.gatherNs)
    guard delayNs > 0 else {
      handOver()
      return
    }
    handOverTimer = clock.schedule(afterNs: delayNs) { [weak self] in
      self?.handOverTimer = nil
      self?.handOver()
    }
  }

  /// Long enough for the second stream's tick, too short to be seen.
  private static let gatherNs = Nanoseconds.milliseconds(20)

  private func handOver() {
    lastHandOverNs = clock.nowNs
    // Take both before emitting the first: the sink may stop the link, which drops pending
    // payloads.
    let (stats, voice) = (stats.take(), voice.take())
    stats?.withUnsafeBytes { emit(.document(.stats, $0)) }
    voice?.withUnsafeBytes { emit(.document(.voiceState, $0)) }
  }

  // MARK: Backpressure

  func apply(_ change: IngestGovernor.Change) {
    switch change {
    case .none: return
    case .pause: for runner in runners { runner.pause() }
    case .resume: for runner in runners { runner.resume() }
    }
    governorTimer?.cancel()
    governorTimer = nil
    guard let due = governor.deadlineNs else { return }
    governorTimer = clock.schedule(afterNs: due.since(clock.nowNs)) { [weak self] in
      guard let self else { return }
      governorTimer = nil
      apply(governor.timeUp(nowNs: clock.nowNs))
    }
  }
}

extension Link: StreamRunnerOwner {
  func runnerOpens(_ runner: StreamRunner) {
    if runner.health.wasLive { outages.tried(runner.name) }
    if runner.name == .activity { logReconciler.snapshotWasRequested() }
  }

  func runner(_ runner: StreamRunner, dispatched event: borrowing SSEEvent) {
    guard sink != nil else { return }
    if configuration.passesRawEvents {
      emit(
        .raw(
          runner.name, name: runner.redacted(event.name), data: event.data,
          lastEventID: runner.redacted(event.lastEventID)))
      guard isRunning else { return }
    }
    let kind = eventKinds.kind(of: event.name)
    guard kind != .other else { return }
    guard !event.data.isEmpty else {
      runner.countRejected()
      emit(.rejected(runner.name, name: event.name, reason: "The event has no payload."))
      return
    }
    switch kind {
    case .activitySnapshot:
      stats.drop()
      let sureUntilMs = logReconciler.repair.sureUntilMs
      let payload = event.data
      guard let report = ingest(RowBatch(payload, source: .snapshot, carriesStats: true)),
        isRunning
      else { return }
      logReconciler.snapshot(report, sureUntilMs: sureUntilMs, mayAsk: !configuration.once) {
        [weak self] in self?.ingest(RowBatch(payload, source: .snapshot))
      }
      rowsMayTellTheClock()
      if history.isWanted { historyRunner.goOn() }
    case .actionEvent, .voiceEvent:
      emit(.row(event.data, from: runner.name))
      if isRunning, skew.milliseconds == nil || skew.isFromRows {
        hear(liveRowMs: knownRows?.lastLiveMs)
      }
      // Every row arrives on the activity stream, voice rows on the other one too.
      if runner.name == .activity, isRunning { liveRowCame() }
    case .statsUpdate:
      if configuration.mergesRepetitions, stats.isRepeated(event.data) {
        emit(.repeated(.stats))
      } else {
        stats.keep(event.data)
      }
    case .voiceState:
      if configuration.mergesRepetitions, voice.isRepeated(event.data) {
        emit(.repeated(.voiceState))
      } else {
        voice.keep(event.data)
      }
    case .other: return
    }
  }

  func runner(_ runner: StreamRunner, ingested events: Int, fromNs: UInt64, toNs: UInt64) {
    guard isRunning else { return }
    apply(governor.worked(events: events, fromNs: fromNs, toNs: toNs))
    handOverWhenDue()
  }

  func runner(_ runner: StreamRunner, rejected name: String, reason: String) {
    emit(
      .rejected(
        runner.name, name: name.isEmpty ? "message" : runner.redacted(name), reason: reason))
    if isRunning, EventKind(name) == .activitySnapshot, !configuration.once {
      logReconciler.missedSnapshot()
    }
    publish()
  }

  func runner(_ runner: StreamRunner, answered head: HTTPHead) { heard(head, latencyMs: nil) }

  func runnerWentLive(_ runner: StreamRunner, isReconnect: Bool) {
    if outages.heard(runner.name) { reconnectedAtNs = clock.nowNs }
    // Without the activity stream there is no snapshot of rows, so request what was missed.
    if isReconnect, !configuration.once, !configuration.streams.contains(.activity) {
      logReconciler.missedSnapshot()
    }
    updatePolling()
  }

  func runner(_ runner: StreamRunner, endedAfter lastEventID: String, retryMs: Int?) {
    handOverWhenDue()
    if runner.name == .activity || !configuration.streams.contains(.activity) {
      logReconciler.lost(heardNs: runner.health.lastByteNs ?? clock.nowNs)
    }
    emit(
      .streamEnded(
        runner.name, lastEventID: runner.redacted(lastEventID), retryMs: retryMs))
  }

  func runnerChanged(_ runner: StreamRunner) {
    guard isRunning else { return }
    switch runner.health.phase {
    case .waiting where runner.health.wasLive: outages.lost(runner.name)
    case .stopped: outages.gaveUp(runner.name)
    case .idle, .opening, .held, .flowing, .waiting: break
    }
    updatePolling()
    publish()
  }

  func runnerNoticesTime(_ runner: StreamRunner) { tick() }

  func updatePolling() {
    poller.replace(Set(runners.filter { $0.health.isHeldBack }.map(\.name)))
  }
}
