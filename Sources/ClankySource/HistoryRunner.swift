internal import CockpitDomain
internal import Networking

/// What the runner needs from its link.
@MainActor
protocol HistoryRunnerOwner: LogReconcilerOwner {
  var history: HistoryProgress { get set }
  var logReconciler: LogReconciler { get }
  /// Whether the backend answers, its first rows are stored, and no more important request is
  /// running.
  var mayFetchHistory: Bool { get }
  func publish()
}

/// Fetches rows of the past: one request at a time, with pauses, and only while all is well.
@MainActor
final class HistoryRunner {
  private weak var owner: (any HistoryRunnerOwner)?
  private var waiting: [HistoryRequest] = []
  private var plan: HistoryPlan?
  private var isAsking = false
  private var timer: (any LinkTimer)?
  private var failures = 0
  /// The failed step, to be retried once.
  private var again: HistoryStep?
  /// Answers of an older one are dropped.
  private var generation = 0

  private static let maximumWaiting = 8
  private static let maximumTries = 3
  private static let pauseNs = Nanoseconds.milliseconds(250)
  private static let maximumPauseNs = Nanoseconds.seconds(5)
  private static let retryNs = Nanoseconds.seconds(5)
  /// When as many tries as that have failed.
  private static let restNs = Nanoseconds.seconds(300)
  /// A thousand of the smallest rows.
  private static let leastRoom = 300_000

  init(owner: any HistoryRunnerOwner) {
    self.owner = owner
  }

  func stop() {
    generation += 1
    timer?.cancel()
    timer = nil
    isAsking = false
    waiting = []
    plan = nil
    again = nil
    owner?.history = HistoryProgress()
  }

  /// The log was replaced: request the history again.
  func restart() {
    let wanted = (owner?.history.done ?? []) + [plan?.request].compactMap { $0 } + waiting
    stop()
    for request in wanted { want(request) }
  }

  func want(_ request: HistoryRequest) {
    guard let owner, !owner.history.isDone(request), plan?.request.contains(request) != true,
      !waiting.contains(where: { $0.contains(request) }), waiting.count < Self.maximumWaiting
    else { return }
    // Requests the user waits for come first.
    if request.isUserRequested, let first = waiting.firstIndex(where: { !$0.isUserRequested }) {
      waiting.insert(request, at: first)
    } else {
      waiting.append(request)
    }
    owner.history.isWanted = true
    // A new request does not wait out the pause after an earlier failure.
    if request.isUserRequested, failures >= Self.maximumTries {
      timer?.cancel()
      timer = nil
      failures = 0
    }
    goOn()
  }

  /// Sends the next request if nothing blocks it; the event that unblocks it calls again.
  func goOn() {
    guard let owner, !isAsking, timer == nil else { return }
    if plan == nil, !waiting.isEmpty, owner.mayFetchHistory, let rows = owner.knownRows {
      plan = HistoryPlan(waiting.removeFirst(), last24h: rows.last24h)
      failures = 0
    }
    guard plan != nil, owner.mayFetchHistory else { return }
    guard owner.quietNs == 0 else { return wait(owner.quietNs) }
    ask()
  }

  private func ask() {
    guard let owner, let rows = owner.knownRows, let request = plan?.request else { return }
    guard owner.history.stop != .memory, rows.historyRoom >= Self.leastRoom else {
      owner.history.stop = .memory
      return finish()
    }
    guard
      let step = again
        ?? plan?.next(rows.seenParts, beginMs: { rows.beginMs(kinds: $0, guild: $1) })
    else { return finish() }
    again = nil
    let nowMs = owner.clock.wallMs + Int64(owner.skewMs)
    let hours =
      request.sinceMs == .min
      ? nil
      : GapRepair.hours(sinceMs: request.sinceMs, serverNowMs: nowMs, skewMs: owner.skewMs)
    isAsking = true
    owner.history.topic = step.topic
    owner.history.sinceMs = request.sinceMs
    owner.publish()
    let (current, era, openings) = (
      generation, owner.logReconciler.era, owner.logReconciler.openings
    )
    let askedNs = owner.clock.nowNs
    owner.get(
      .actions(
        limit: step.limit, sinceHours: hours, kinds: step.part.kinds, guild: step.part.guild)
    ) { [weak self] result in
      guard let self, current == generation, let owner = self.owner else { return }
      isAsking = false
      let keeper = owner.logReconciler
      switch result {
      case .success(let answer)
      where answer.body.first(where: { $0 > 0x20 }) != UInt8(ascii: "["):
        return failed(.notClanky(.notJSON), step)
      case .success(let answer):
        let isCurrent = era == keeper.era && openings == keeper.openings
        take(answer, step, sinceMs: request.sinceMs == .min ? nil : request.sinceMs, isCurrent)
      case .failure(.answerTooLarge): plan?.wasTooLarge(step, seen: rows.seenParts)
      case .failure(let failure): return failed(failure, step)
      }
      // A backend that takes long gets longer pauses.
      let tookNs = owner.clock.nowNs.since(askedNs)
      wait(min(Self.maximumPauseNs, max(Self.pauseNs, tookNs)))
    }
  }

  private func take(
    _ answer: RestAnswer, _ step: HistoryStep, sinceMs: Int64?, _ isCurrent: Bool
  ) {
    guard let owner, let rows = owner.knownRows else { return }
    guard isCurrent else {
      // The answer must not cover holes that were found after the request.
      again = step
      return
    }
    guard answer.body.count <= rows.historyRoom else {
      owner.history.stop = .memory
      return
    }
    let report = answer.body.withUnsafeBytes { owner.ingest(RowBatch($0, source: .history)) }
    guard let report, owner.knownRows != nil, report.contradictions == 0 else { return }
    failures = 0
    owner.history.stop = nil
    owner.logReconciler.history(report)
    if let claim = RowClaim(report, to: step.part, limit: step.limit, sinceMs: sinceMs) {
      owner.emit(.proven(claim))
    }
    plan?.answered(
      step, rows: report.count, bytes: answer.body.count, oldestMs: report.oldestMs,
      seen: rows.seenParts)
  }

  private func failed(_ failure: LinkFailure, _ step: HistoryStep) {
    guard let owner else { return }
    failures += 1
    again = step
    let hasTries = failures < Self.maximumTries
    owner.history.topic = nil
    owner.history.stop = .failure(failure)
    owner.publish()
    wait(max(owner.quietNs, hasTries ? Self.retryNs << UInt64(failures - 1) : Self.restNs))
  }

  private func wait(_ delayNs: UInt64) {
    let current = generation
    timer = owner?.clock.schedule(afterNs: delayNs) { [weak self] in
      guard let self, current == generation else { return }
      timer = nil
      goOn()
    }
  }

  private func finish() {
    guard let owner else { return }
    if let plan {
      owner.history.done.removeAll { plan.request.contains($0) }
      owner.history.done.append(plan.request)
      if owner.history.done.count > 64 { owner.history.done.removeFirst() }
      owner.history.limits =
        plan.limits
        + owner.history.limits.filter { old in !plan.limits.contains { $0.part == old.part } }
        .prefix(64)
    }
    plan = nil
    again = nil
    owner.history.topic = nil
    owner.history.isWanted = !waiting.isEmpty
    owner.publish()
    goOn()
  }
}

extension Link: HistoryRunnerOwner {
  var mayFetchHistory: Bool {
    guard isRunning, restFailure == nil, !logReconciler.isFilling,
      knownRows?.beginMs(kinds: nil, guild: nil) != nil
    else { return false }
    return runners.contains {
      let state = $0.health.state(nowNs: clock.nowNs)
      return state == .live || state == .polling
    }
  }
}
