internal import ClankyWire
internal import CockpitDomain
internal import Networking

/// Keeps our picture of the action log complete: fills holes after a reconnect and compares quietly.
@MainActor
final class LogReconciler {
  weak var owner: (any LogReconcilerOwner)?
  var repair = GapRepair()
  var fill: Fill?
  /// Gaps that were reported while the backend did not answer. They stay holes of the seen ids, so
  /// the next batch requests them again.
  var unanswered: [IDGap] = []
  /// Answers for an older fill are dropped.
  var generation = 0
  /// Answers of a log that was replaced meanwhile are dropped.
  private(set) var era = 0
  var retryTimer: (any LinkTimer)?
  /// How often holes were found: an answer requested earlier must not cover the latest one.
  var openings = 0
  /// The newest known id when the snapshot was requested; `Int.min` if none was.
  private var newestWhenRequested = Int.min
  /// A connection loss that has not been reported yet.
  var loss: ConnectionLoss?
  /// Server time after which the rows of `unanswered` may be missing.
  var unansweredSinceMs: Int64?
  /// Live rows since the newest ids that a batch of this connection brought. They carry no id, so
  /// their number is all that can be compared with the ids that a later list leaves out.
  private var liveRows = 0
  /// Live rows since the newest id that any batch brought.
  private var unidentifiedCount = 0
  /// Those of them that a list has left out.
  var unidentifiedRows = UnidentifiedRows()

  /// Maximum rows of a snapshot (wire contract 2.4). An empty history starts with as many.
  private static let snapshotLimit = 220

  init(owner: any LogReconcilerOwner) {
    self.owner = owner
  }

  func stop() {
    generation += 1
    retryTimer?.cancel()
    retryTimer = nil
    fill = nil
  }

  // MARK: Batches

  /// The connection that brings the rows was lost; the last byte of it came at `heardNs`. One that is lost
  /// again before the rows of the first loss are here is the same loss.
  func lost(heardNs: UInt64) {
    guard let owner, loss == nil, repair.sureUntilMs != nil else { return }
    loss = ConnectionLoss(
      heardNs: heardNs, nowNs: owner.clock.nowNs, serverNowMs: serverNowMs(owner),
      newestRowMs: owner.knownRows?.newestRowMs)
  }

  /// The true server time is this many ms later than the estimate used so far.
  func clockIsKnown(laterByMs: Int64) { repair.clockIsKnown(laterByMs: laterByMs) }

  /// The next connection has begun.
  private func lossIsOver() {
    if let owner { loss?.end(nowNs: owner.clock.nowNs) }
  }

  /// A connection that starts with a batch is being opened: the batch contains the rows known now,
  /// but not those fetched while it is in transit.
  func snapshotWasRequested() { newestWhenRequested = repair.seenIDs.newest ?? .min }

  /// The opening batch of a connection. `sureUntilMs` is `repair.sureUntilMs` from before; `again`
  /// hands the batch over once more.
  func snapshot(
    _ report: RowReport, sureUntilMs: Int64?, mayAsk: Bool, again: () -> RowReport?
  ) {
    guard let owner else { return }
    liveRows = 0
    recordUnidentified(before: report)
    let finding = repair.absorbSnapshot(
      report, nowMs: serverNowMs(owner), newestWhenRequested: newestWhenRequested)
    if finding != .reset { owner.emit(.batchAccepted) }
    loss?.added += report.added
    if !report.isComplete, mayAsk, fill == nil, finding == .complete {
      missedSnapshot()
      return
    }
    lossIsOver()
    apply(finding, sinceMs: sureUntilMs, again)
    if !report.isComplete, mayAsk, fill == nil, finding != .reset { missedSnapshot() }
    if let claim = RowClaim(report, limit: Self.snapshotLimit, sinceMs: nil) {
      owner.emit(.proven(claim))
    }
  }

  /// Counts a live row. Returns how many have come since the last look at the stored log.
  func live() -> Int {
    liveRows += 1
    unidentifiedCount += 1
    return liveRows
  }

  /// Records the live rows before a batch with newer ids; call before its ids are absorbed.
  func recordUnidentified(before report: RowReport) {
    guard unidentifiedCount > 0, let rows = owner?.knownRows, let known = repair.seenIDs.newest,
      let toMs = report.newestMs, report.ids.contains(where: { $0 > known })
    else { return }
    unidentifiedRows.note(
      unidentifiedCount, after: known, fromMs: repair.newestSureMs ?? .min, toMs: toMs)
    // Rows that came while the list was on its way are the first ones after it.
    unidentifiedCount =
      toMs < .max ? min(unidentifiedCount, rows.unidentifiedRowCount(toMs + 1 ... .max)) : 0
  }

  /// A connection started without a usable snapshot, or on a stream that sends none (the voice
  /// stream alone).
  func missedSnapshot() {
    guard let owner else { return }
    liveRows = 0
    lossIsOver()
    if repair.seenIDs.isEmpty {
      repair.begin(atMs: serverNowMs(owner))
      compare(source: .fill) { _ in }
    } else {
      startFill(sinceMs: repair.sureUntilMs ?? serverNowMs(owner))
    }
  }

  /// Compares with the stored log. The completion says how the request went.
  func compare(
    source: RowSource, _ completion: @escaping @MainActor (LinkFailure?) -> Void
  ) {
    guard let owner else { return }
    let sinceMs = repair.sureUntilMs
    let nowMs = serverNowMs(owner)
    let hours = sinceMs.map {
      GapRepair.hours(sinceMs: $0, serverNowMs: nowMs, skewMs: owner.skewMs)
    }
    // With no row known, the rows before our start are wanted too.
    let isFirst = repair.seenIDs.isEmpty
    let target = RequestTarget.actions(
      limit: hours == nil ? Self.snapshotLimit : ActionsRoute.rowLimit,
      sinceHours: isFirst ? nil : hours)
    let limit = hours == nil ? Self.snapshotLimit : ActionsRoute.rowLimit
    let requestedEra = era
    let found = openings
    owner.get(target) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): completion(failure)
      case .success where requestedEra != era: completion(nil)
      case .success(let answer):
        let (failure, report) = merge(answer, source, sinceMs: sinceMs, requestedAtMs: nowMs)
        if let report, found == openings || isFirst,
          let claim = RowClaim(report, limit: limit, sinceMs: isFirst ? nil : sinceMs)
        {
          owner.emit(.proven(claim))
        }
        completion(failure)
      }
    }
  }

  /// Absorbs the answer; returns what was wrong with it, and what it held.
  private func merge(
    _ answer: RestAnswer, _ source: RowSource, sinceMs: Int64?, requestedAtMs: Int64
  ) -> (LinkFailure?, RowReport?) {
    guard let owner else { return (nil, nil) }
    let known = repair.seenIDs.newest
    guard let report = hand(answer, source) else { return (.notClanky(.notJSON), nil) }
    recordUnidentified(before: report)
    // Every live row is in this list, newer than its holes, or inside them.
    let listed = known.map { known in report.ids.count { $0 > known } } ?? report.ids.count
    let reachesBack =
      sinceMs.map { report.count < ActionsRoute.rowLimit || report.oldestMs ?? .max <= $0 } ?? true
    var finding = repair.absorb(
      report, nowMs: serverNowMs(owner), requestedAtMs: reachesBack ? requestedAtMs : nil)
    if finding != .reset { owner.emit(.batchAccepted) }
    if reachesBack, report.isComplete { repair.settleBeginning(sinceMs: sinceMs) }
    // Only a full list omits existing rows. Rows omitted by a shorter list are missing, and so may
    // be those that a fill still looks for.
    if source == .reconcile, fill == nil, report.count >= ActionsRoute.rowLimit,
      case .holes(let holes) = finding,
      cameLive(holes.reduce(listed) { $0 + $1.count })
    {
      repair.writeOff(holes)
      finding = .complete
    }
    // A fill in progress will find the same holes by itself.
    if fill == nil || finding == .reset {
      apply(finding, sinceMs: sinceMs) { self.hand(answer, source) }
      liveRows = 0
    }
    return (report.isComplete ? nil : .notClanky(.notJSON), report)
  }

  func apply(
    _ finding: GapRepair.Finding, sinceMs: Int64?, _ again: () -> RowReport?
  ) {
    switch finding {
    case .complete:
      if fill != nil || !unanswered.isEmpty || loss?.lengthMs != nil { finishFill() }
      owner?.emit(.gap(.fetched))
    case .reset:
      stop()
      era += 1
      unanswered = []
      unansweredSinceMs = nil
      loss = nil
      newestWhenRequested = .min
      unidentifiedCount = 0
      unidentifiedRows = UnidentifiedRows()
      owner?.emit(.logReplaced)
      owner?.logReconcilerSawNewLog()
      _ = again()
      owner?.emit(.batchAccepted)
      if repair.seenIDs.isEmpty {
        missedSnapshot()
      } else if let sinceMs, !repair.seenIDs.holes.isEmpty {
        startFill(sinceMs: sinceMs)
      }
    case .holes:
      guard let owner else { return }
      startFill(sinceMs: sinceMs ?? serverNowMs(owner))
    }
  }

  /// Whether this many rows came live since the last look at the stored log, with a margin for rows
  /// in transit when the list arrives.
  private func cameLive(_ rows: Int) -> Bool { liveRows + 32 + liveRows / 50 >= rows }

  // MARK: Helpers

  /// nil if the link was stopped and the sink is gone, or if the answer is not a list.
  func hand(_ answer: RestAnswer, _ source: RowSource) -> RowReport? {
    guard let owner, answer.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") else {
      return nil
    }
    return answer.body.withUnsafeBytes { owner.ingest(RowBatch($0, source: source)) }
  }

  func serverNowMs(_ owner: any LogReconcilerOwner) -> Int64 {
    owner.clock.wallMs + Int64(owner.skewMs)
  }

  /// Whether missing rows are being fetched.
  var isFilling: Bool { fill != nil }

  /// Rows came in a list of some kinds, which says nothing of the ids between them.
  func history(_ report: RowReport) { repair.account(for: report.ids) }
}
