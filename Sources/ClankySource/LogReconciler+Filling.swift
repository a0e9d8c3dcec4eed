internal import ClankyWire
internal import CockpitDomain
internal import Networking

extension LogReconciler {
  /// A fill in progress.
  struct Fill {
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

  func startFill(sinceMs: Int64) {
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
  func finishFill(isAnswered: Bool = true) {
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
}
