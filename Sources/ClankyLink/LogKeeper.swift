/// What the keeper needs from the link around it.
@MainActor
protocol LogKeeperOwner: AnyObject {
  var sink: (any LinkSink)? { get }
  var clock: any LinkClock { get }
  var skewMs: Int { get }
  func get(
    _ target: RequestTarget,
    _ completion: @escaping @MainActor (Result<RestAnswer, LinkFailure>) -> Void)
  /// Rows were recovered or given up.
  func logKeeper(filled: Int, missing: Int)
}

/// Keeps our picture of the action log complete: fills holes after a reconnect and compares quietly.
@MainActor
final class LogKeeper {
  private weak var owner: (any LogKeeperOwner)?
  private(set) var repair = GapRepair()
  private var fill: Fill?
  /// Answers for an older fill are dropped.
  private var generation = 0
  private var retryTimer: (any LinkTimer)?

  /// A fill in progress.
  private struct Fill {
    /// Server time after which rows may be missing.
    let sinceMs: Int64
    /// Next group of `GapRepair.kindGroups` to ask for; nil: all kinds at once.
    var group: Int?
    var added = 0
    var failures = 0
  }

  /// Tries of one request of a fill before its rows are reported as missing.
  private static let maximumTries = 3
  /// What an empty history is started with: as many rows as a snapshot has (wire contract 2.4).
  private static let firstLimit = 220

  init(owner: any LogKeeperOwner) {
    self.owner = owner
  }

  func stop() {
    generation += 1
    retryTimer?.cancel()
    retryTimer = nil
    fill = nil
  }

  // MARK: Batches

  /// The opening batch of a connection. `sureUntilMs` is `repair.sureUntilMs` from before.
  func snapshot(_ report: RowReport, sureUntilMs: Int64?) {
    settle(repair.absorbSnapshot(report), sinceMs: sureUntilMs)
  }

  /// A connection without a snapshot of rows (the voice stream alone) was replaced.
  func reconnectedWithoutSnapshot() {
    guard let owner else { return }
    let sinceMs = repair.sureUntilMs ?? (serverNowMs(owner) - GapRepair.marginMs)
    startFill(sinceMs: sinceMs)
  }

  /// Compares with the stored log. The completion says how the request went.
  func compare(
    source: RowSource, _ completion: @escaping @MainActor (LinkFailure?) -> Void
  ) {
    guard let owner else { return }
    let sinceMs = repair.sureUntilMs
    let nowMs = serverNowMs(owner)
    let target =
      sinceMs.map {
        RequestTarget.actions(
          limit: GapRepair.rowLimit,
          sinceHours: GapRepair.hours(sinceMs: $0, serverNowMs: nowMs, skewMs: owner.skewMs))
      } ?? RequestTarget.actions(limit: Self.firstLimit)
    owner.get(target) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): completion(failure)
      case .success(let answer):
        if let report = hand(answer, source) {
          let reachesBack = sinceMs == nil || report.count < GapRepair.rowLimit
          let finding = repair.absorb(report, askedAtMs: reachesBack ? nowMs : nil)
          // A fill in progress will find the same holes by itself.
          if fill == nil || finding == .reset { settle(finding, sinceMs: sinceMs) }
        }
        completion(nil)
      }
    }
  }

  private func settle(_ finding: GapRepair.Finding, sinceMs: Int64?) {
    switch finding {
    case .complete: if fill != nil { finishFill() }
    case .reset:
      stop()
      owner?.sink?.logReset()
    case .holes:
      guard let owner else { return }
      startFill(sinceMs: sinceMs ?? serverNowMs(owner))
    }
  }

  // MARK: Filling

  private func startFill(sinceMs: Int64) {
    let earlier = fill
    stop()
    // A hole that was still open is part of the new one.
    fill = Fill(
      sinceMs: min(sinceMs, earlier?.sinceMs ?? sinceMs), group: nil, added: earlier?.added ?? 0)
    ask()
  }

  private func ask() {
    guard let owner, let fill else { return }
    let nowMs = serverNowMs(owner)
    let hours = GapRepair.hours(sinceMs: fill.sinceMs, serverNowMs: nowMs, skewMs: owner.skewMs)
    let kinds = fill.group.map { GapRepair.kindGroups[$0] } ?? []
    let current = generation
    owner.get(.actions(limit: GapRepair.rowLimit, sinceHours: hours, kinds: kinds)) {
      [weak self] result in
      guard let self, current == generation else { return }
      answered(result, askedAtMs: nowMs)
    }
  }

  private func answered(_ result: Result<RestAnswer, LinkFailure>, askedAtMs: Int64) {
    guard case .success(let answer) = result, let report = hand(answer, .fill) else {
      tryAgain(after: result)
      return
    }
    guard var fill else { return }
    fill.failures = 0
    fill.added += report.added
    let isFull = report.count >= GapRepair.rowLimit
    let finding = repair.absorb(
      report, askedAtMs: fill.group == nil && !isFull ? askedAtMs : nil)
    self.fill = fill
    switch finding {
    case .complete: finishFill()
    case .reset: settle(.reset, sinceMs: nil)
    case .holes:
      let next = fill.group.map { $0 + 1 } ?? 0
      if fill.group == nil && !isFull || next >= GapRepair.kindGroups.count {
        finishFill()
      } else {
        self.fill?.group = next
        ask()
      }
    }
  }

  private func tryAgain(after result: Result<RestAnswer, LinkFailure>) {
    fill?.failures += 1
    var isRetryable = true
    if case .failure(let failure) = result { isRetryable = failure.isRetryable }
    guard let failures = fill?.failures, isRetryable, failures < Self.maximumTries, let owner else {
      finishFill()
      return
    }
    let current = generation
    retryTimer = owner.clock.schedule(afterNs: Nanoseconds.seconds(1) << UInt64(failures - 1)) {
      [weak self] in
      guard let self, current == generation else { return }
      ask()
    }
  }

  private func finishFill() {
    guard let fill, let owner else { return }
    stop()
    let holes = repair.ledger.holes
    repair.writeOff(holes)
    if fill.added > 0 { owner.sink?.gapFilled(count: fill.added, atMs: fill.sinceMs) }
    var missing = 0
    for hole in holes {
      missing += hole.count
      owner.sink?.gap(IDGap(from: hole.lowerBound, to: hole.upperBound, atMs: fill.sinceMs))
    }
    owner.logKeeper(filled: fill.added, missing: missing)
  }

  // MARK: Helpers

  /// Nil when the link has been stopped and nobody listens.
  private func hand(_ answer: RestAnswer, _ source: RowSource) -> RowReport? {
    guard let sink = owner?.sink else { return nil }
    return answer.body.withUnsafeBytes { sink.storedRows($0, source: source) }
  }

  private func serverNowMs(_ owner: any LogKeeperOwner) -> Int64 {
    owner.clock.wallMs + Int64(owner.skewMs)
  }
}
