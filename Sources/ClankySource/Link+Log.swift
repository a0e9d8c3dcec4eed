internal import CockpitDomain
internal import Networking

/// The quiet comparison with the stored log.
extension Link {
  // MARK: Reconcile

  func scheduleReconcile(afterMs: Int) {
    reconcileTimer?.cancel()
    guard isRunning, !configuration.once else { return }
    reconcileTimer = clock.schedule(afterNs: Nanoseconds.milliseconds(UInt64(max(0, afterMs)))) {
      [weak self] in self?.reconcileDue()
    }
  }

  /// One answer holds 1,000 rows (wire contract 3.2): if more arrive within a minute, compare
  /// before that many are new.
  func liveRowCame() {
    guard logReconciler.live() == Self.rowsOfComparison, !configuration.once else { return }
    let soonest = comparedNs.map { ($0 + Self.comparisonPauseNs).since(clock.nowNs) } ?? 0
    scheduleReconcile(afterMs: Int(clamping: max(soonest, quietNs) / 1_000_000))
  }

  private static let rowsOfComparison = 600
  private static let comparisonPauseNs = Nanoseconds.seconds(5)

  private func reconcileDue() {
    tick()
    let isHealthy = runners.contains { $0.health.state(nowNs: clock.nowNs) == .live }
    guard isHealthy, poller.streams.isEmpty else {
      scheduleReconcile(afterMs: configuration.limits.reconcileEveryMs)
      return
    }
    reconcile()
  }

  func reconcile() {
    comparedNs = clock.nowNs
    logReconciler.compare(source: .reconcile) { [weak self] failure in
      guard let self, isRunning else { return }
      restFailure = failure
      let every = configuration.limits.reconcileEveryMs
      let quietMs = Int(clamping: quietNs / 1_000_000)
      scheduleReconcile(afterMs: failure == nil ? every : max(every / 4, quietMs))
      publish()
    }
  }
}

extension Link: PollerOwner {
  var skewMs: Int { isClockDoubted ? 0 : skew.milliseconds ?? 0 }

  var isClockDoubted: Bool {
    guard let skewMs = skew.milliseconds, isDoubtful(skewMs, wallMs: clock.wallMs) else {
      return false
    }
    // A day that our clock was set by says nothing against the header.
    return steppedMs == 0
      || isDoubtful(
        Int(clamping: Int64(skewMs) + steppedMs), wallMs: clock.wallMs - steppedMs)
  }

  private func isDoubtful(_ skewMs: Int, wallMs: Int64) -> Bool {
    ClockSkew.isDoubtful(
      skewMs, newestRowMs: logReconciler.repair.newestKnownMs, wallMs: wallMs)
  }

  /// Call after rows have arrived: the header of an answer precedes the rows that confirm its
  /// clock, and the next event may be a minute away.
  func rowsMayTellTheClock() {
    guard isRunning, let published, isClockDoubted != published.isClockDoubted else { return }
    publish()
  }

  func get(
    _ target: RequestTarget,
    _ completion: @escaping @MainActor (Result<RestAnswer, LinkFailure>) -> Void
  ) {
    let diagnosis = diagnosis
    send(RestRequest(.get, target), isReported: false) { [weak self] result in
      defer { self?.rowsMayTellTheClock() }
      switch result {
      case .failure(let failure): completion(.failure(failure.failure))
      case .success(let answer) where answer.isSuccess: completion(.success(answer))
      case .success(let answer):
        let head = HTTPHead(status: answer.status, headers: answer.headers)
        let failure = diagnosis.failure(head, body: answer.body, expecting: .json)
        completion(.failure(failure ?? .notClanky(.unexpectedStatus(answer.status))))
      }
    }
  }

  func logReconciler(failedToFill failure: LinkFailure) {
    guard isRunning else { return }
    restFailure = failure
    // The same delay as after a failed comparison.
    scheduleReconcile(
      afterMs: max(configuration.limits.reconcileEveryMs / 4, Int(clamping: quietNs / 1_000_000)))
    publish()
  }

  func logReconcilerSawNewLog() {
    gapsFilled = 0
    rowsMissing = 0
    historyRunner.restart()
    publish()
  }

  func logReconciler(filled: Int, missing: Int) {
    gapsFilled += filled
    rowsMissing += missing
    publish()
  }

  func polledStats(_ body: [UInt8]) {
    body.withUnsafeBytes { stats.keep($0) }
    handOverWhenDue()
  }

  func polledVoiceState(_ body: [UInt8]) {
    body.withUnsafeBytes { voice.keep($0) }
    handOverWhenDue()
  }

  func pollEnded(_ polled: Set<SourceChannel>, _ failure: LinkFailure?) {
    guard isRunning else { return }
    for runner in runners where polled.contains(runner.name) {
      if let failure, !failure.isRetryable {
        runner.stop(failure)
      } else {
        runner.pollsSucceed(failure == nil, failure: failure)
      }
    }
    updatePolling()
    publish()
  }
}
