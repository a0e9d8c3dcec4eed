internal import ClankyWire
internal import CockpitDomain
internal import Networking

/// What the reconciler needs from its link.
@MainActor
protocol LogReconcilerOwner: AnyObject {
  var knownRows: (any KnownRows)? { get }
  func emit(_ event: SourceEvent)
  func ingest(_ batch: RowBatch) -> RowReport?
  var clock: any LinkClock { get }
  var skewMs: Int { get }
  /// How long the backend wants no automatic requests (`Retry-After`), nanoseconds.
  var quietNs: UInt64 { get }
  func get(
    _ target: RequestTarget,
    _ completion: @escaping @MainActor (Result<RestAnswer, LinkFailure>) -> Void)
  /// Missing rows could not be requested.
  func logReconciler(failedToFill failure: LinkFailure)
  /// Rows were recovered or declared missing.
  func logReconciler(filled: Int, missing: Int)
  /// The log was replaced: earlier counts of missing and recovered rows refer to the old one.
  func logReconcilerSawNewLog()
}

/// Keeps our picture of the action log complete: fills holes after a reconnect and compares quietly.
@MainActor
final class LogReconciler {
  private weak var owner: (any LogReconcilerOwner)?
  private(set) var repair = GapRepair()
  private var fill: Fill?
  /// Gaps that were reported while the backend did not answer. They stay holes of the seen ids, so
  /// the next batch requests them again.
  private var unanswered: [IDGap] = []
  /// Answers for an older fill are dropped.
  private var generation = 0
  /// Answers of a log that was replaced meanwhile are dropped.
  private(set) var era = 0
  private var retryTimer: (any LinkTimer)?
  /// How often holes were found: an answer requested earlier must not cover the latest one.
  private(set) var openings = 0
  /// The newest known id when the snapshot was requested; `Int.min` if none was.
  private var newestWhenRequested = Int.min
  /// A connection loss that has not been reported yet.
  private var loss: ConnectionLoss?
  /// Server time after which the rows of `unanswered` may be missing.
  private var unansweredSinceMs: Int64?
  /// Live rows since the newest ids that a batch of this connection brought. They carry no id, so
  /// their number is all that can be compared with the ids that a later list leaves out.
  private var liveRows = 0
  /// Live rows since the newest id that any batch brought.
  private var unidentifiedCount = 0
  /// Those of them that a list has left out.
  private var unidentifiedRows = UnidentifiedRows()

  /// A fill in progress.
  private struct Fill {
    /// Server time after which rows may be missing.
    var sinceMs: Int64
    /// Where the newest hole is.
    let placeMs: Int64
    /// The part being requested.
    var part = FillPart()
    /// What to request after it.
    var plan = FillPlan()
    var requests = 0
    var added = 0
    var failures = 0
    /// Answers that were longer than is read.
    var tooLarge = 0
    /// The latest start (server time) among full answers that could not be divided: rows before it
    /// may be out of reach.
    var cutMs: Int64?
  }

  /// Maximum requests of one fill. Four groups that are each halved twice need 29.
  private static let maximumRequests = 32
  /// Attempts per request before its rows are reported as missing.
  private static let maximumTries = 3
  /// Oversized answers tolerated per fill: rows hold whole prompts, and a backend that sends only
  /// oversized answers cannot serve the rest.
  private static let maximumTooLarge = 8
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
  private func recordUnidentified(before report: RowReport) {
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

  private func apply(
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

  // MARK: Filling

  private func startFill(sinceMs: Int64) {
    let earlier = fill
    stop()
    // Holes that are still open are part of the new one.
    let since = min(sinceMs, earlier?.sinceMs ?? sinceMs, unansweredSinceMs ?? sinceMs)
    fill = Fill(sinceMs: since, placeMs: sinceMs, added: earlier?.added ?? 0)
    openings += 1
    if let owner { owner.emit(.gap(.fetching(fromMs: since, toMs: serverNowMs(owner)))) }
    ask()
  }

  private func ask() {
    guard let owner, let fill else { return }
    guard owner.quietNs == 0 else { return ask(afterNs: owner.quietNs) }
    let nowMs = serverNowMs(owner)
    let hours = GapRepair.hours(sinceMs: fill.sinceMs, serverNowMs: nowMs, skewMs: owner.skewMs)
    self.fill?.requests += 1
    let current = generation
    let part = fill.part
    owner.get(
      .actions(
        limit: ActionsRoute.rowLimit, sinceHours: hours, kinds: part.kinds, guild: part.guild)
    ) { [weak self] result in
      guard let self, current == generation else { return }
      answered(result, requestedAtMs: nowMs)
    }
  }

  private func answered(_ result: Result<RestAnswer, LinkFailure>, requestedAtMs: Int64) {
    guard let owner, case .success(let answer) = result, let report = hand(answer, .fill) else {
      if case .failure(.answerTooLarge) = result, askForLess() { return }
      tryAgain(after: result)
      return
    }
    guard var fill else { return }
    fill.added += report.added
    recordUnidentified(before: report)
    let isFull = report.count >= ActionsRoute.rowLimit
    let finding = repair.absorb(
      report, nowMs: serverNowMs(owner),
      requestedAtMs: fill.part.isAll && !isFull ? requestedAtMs : nil)
    if finding != .reset { owner.emit(.batchAccepted) }
    if fill.part.isAll, !isFull, report.isComplete {
      repair.settleBeginning(sinceMs: fill.sinceMs)
    }
    self.fill = fill
    if finding == .reset {
      apply(.reset, sinceMs: fill.sinceMs) { self.hand(answer, .fill) }
      return
    }
    guard report.isComplete else {
      tryAgain(after: result)
      return
    }
    fill.failures = 0
    if let claim = RowClaim(
      report, to: fill.part, limit: ActionsRoute.rowLimit, sinceMs: fill.sinceMs)
    {
      owner.emit(.proven(claim))
    }
    let seen = owner.knownRows?.seenParts ?? SeenParts()
    if isFull, !fill.plan.divide(fill.part, by: seen), !fill.part.kinds.isEmpty {
      fill.cutMs = max(fill.cutMs ?? .min, report.oldestMs ?? .min)
    }
    guard !repair.seenIDs.holes.isEmpty, let part = fill.plan.next(seen) else {
      self.fill = fill
      finishFill()
      return
    }
    guard fill.requests < Self.maximumRequests else {
      // Unrequested rows may still exist.
      fill.cutMs = .max
      self.fill = fill
      finishFill()
      return
    }
    fill.part = part
    self.fill = fill
    ask()
  }

  /// Divides an oversized answer; false if it cannot be divided.
  private func askForLess() -> Bool {
    guard var fill, fill.requests < Self.maximumRequests, fill.tooLarge < Self.maximumTooLarge
    else { return false }
    let seen = owner?.knownRows?.seenParts ?? SeenParts()
    fill.plan.divide(fill.part, by: seen, isTooLarge: true)
    guard let part = fill.plan.next(seen) else { return false }
    fill.tooLarge += 1
    fill.part = part
    self.fill = fill
    ask()
    return true
  }

  private func tryAgain(after result: Result<RestAnswer, LinkFailure>) {
    fill?.failures += 1
    var isRetryable = true
    if case .failure(let failure) = result { isRetryable = failure.isRetryable }
    guard let failures = fill?.failures, isRetryable, failures < Self.maximumTries, let owner else {
      finishFill(isAnswered: false)
      if case .failure(let failure) = result { owner?.logReconciler(failedToFill: failure) }
      return
    }
    ask(afterNs: max(Nanoseconds.seconds(1) << UInt64(failures - 1), owner.quietNs))
  }

  private func ask(afterNs delayNs: UInt64) {
    let current = generation
    retryTimer = owner?.clock.schedule(afterNs: delayNs) { [weak self] in
      guard let self, current == generation else { return }
      ask()
    }
  }

  /// Reports the missing rows. Rows that the backend lacks are closed; rows it could not be asked
  /// for stay holes.
  private func finishFill(isAnswered: Bool = true) {
    guard let owner else { return }
    let ended = fill
    stop()
    // Report a loss only once the next connection has started.
    let ending = loss?.lengthMs == nil ? nil : loss
    if ending != nil { loss = nil }
    if isAnswered { settleBeginning(ended) }
    let missed = repair.seenIDs.holes
    let remaining = unidentifiedRows.without(missed) {
      owner.knownRows?.unidentifiedRowCount($0) ?? 0
    }
    let holes = owner.knownRows?.withoutShown(remaining) ?? remaining
    if isAnswered, let newest = missed.last {
      repair.writeOff(missed)
      // Rows that came live may have these ids; which of them have is a guess that no count rests on.
      let ids = missed[0].lowerBound...newest.upperBound
      owner.emit(
        .gap(
          .unresolved(
            ids: ids, fromMs: ended?.sinceMs ?? repair.newestSureMs ?? .min,
            toMs: serverNowMs(owner))))
    }
    unidentifiedRows.keep(for: repair.seenIDs.holes)
    let placeMs = ending?.atMs ?? ended?.placeMs
    let settlement = GapSettlement(
      holes: holes, unanswered: unanswered, placeMs: placeMs ?? serverNowMs(owner),
      isAnswered: isAnswered)
    owner.emit(.gap(.fetched))
    for (gap, count) in settlement.closed { owner.emit(.gap(.closed(gap, count: count))) }
    if isAnswered { for gap in settlement.standing { owner.emit(.gap(.confirmed(gap))) } }
    let filled = (ended?.added ?? 0) + (ending?.added ?? 0) - settlement.found
    if filled > 0, let placeMs {
      owner.emit(.gap(.filled(count: filled, atMs: placeMs, lostMs: ending?.lengthMs)))
    }
    let reports = placed(settlement.reports, cutMs: ended?.cutMs)
    for gap in reports { owner.emit(.gap(.missing(gap))) }
    unanswered = isAnswered ? [] : settlement.standing + reports
    unansweredSinceMs =
      unanswered.isEmpty
      ? nil : [unansweredSinceMs, ended?.sinceMs].compactMap { $0 }.min() ?? serverNowMs(owner)
    owner.logReconciler(
      filled: max(filled, 0) + settlement.found, missing: settlement.missing)
  }

  /// Rows that were there before we began are not missing, although no answer has named the first one after.
  private func settleBeginning(_ ended: Fill?) {
    guard let ended, let beganMs = repair.beganMs else { return }
    if ended.cutMs == nil {
      repair.settleBeginning(sinceMs: ended.sinceMs)
    } else if let id = owner?.knownRows?.newestID(notAfterMs: beganMs) {
      repair.settleBeginning(upTo: id)
    }
  }

  /// Gaps at their places: between the rows next to them, as far as these are known.
  private func placed(_ gaps: [IDGap], cutMs: Int64?) -> [IDGap] {
    let sorted = gaps.sorted { $0.from < $1.from }
    guard let bounds = owner?.knownRows?.bounds(of: sorted.map { $0.from...$0.to }),
      bounds.count == sorted.count
    else { return gaps }
    return zip(sorted, bounds).map { gap, bounds in
      IDGap(
        from: gap.from, to: gap.to, atMs: bounds.nearest(to: gap.atMs), isAnswered: gap.isAnswered,
        isOutOfReach: cutMs.map { gap.isAnswered && bounds.beforeMs ?? .min <= $0 } ?? false)
    }
  }

  // MARK: Helpers

  /// nil if the link was stopped and the sink is gone, or if the answer is not a list.
  private func hand(_ answer: RestAnswer, _ source: RowSource) -> RowReport? {
    guard let owner, answer.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") else {
      return nil
    }
    return answer.body.withUnsafeBytes { owner.ingest(RowBatch($0, source: source)) }
  }

  private func serverNowMs(_ owner: any LogReconcilerOwner) -> Int64 {
    owner.clock.wallMs + Int64(owner.skewMs)
  }

  /// Whether missing rows are being fetched.
  var isFilling: Bool { fill != nil }

  /// Rows came in a list of some kinds, which says nothing of the ids between them.
  func history(_ report: RowReport) { repair.account(for: report.ids) }
}
