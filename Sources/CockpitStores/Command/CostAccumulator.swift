internal import LenientJSON
package import ClankyWire

/// Sums the costs of the log's rows. It follows the log: each row is read once, and its cost stays
/// in the sums after eviction.
///
/// Sums follow contract 8.9: the totals of browser runs are left out if the run's model steps are
/// present, and `metadata.llm.costUsd` is never added.
@MainActor
package final class CostAccumulator {
  private var cursor = LogCursor(startsOver: true)
  /// The start of complete rows when `CostTotals` took over: a later hole does not change what was
  /// spent before.
  private var earlierFromMs: Int64?
  private var earlierToMs: Int64?

  private var windows = CostWindows()
  private var days: [Int: CostDay] = [:]
  private var browserRuns: [BrowserRun] = []
  private var toolSteps: Set<BrowserRun.Step> = []
  /// Rows whose tokens are still to be read.
  private var unread: [RowID] = []

  private var summary = CostSummary()
  private var made: Made?

  /// The inputs of a cached summary.
  private struct Made: Equatable {
    var row: RowID
    var unread: Int
    var second: Int64
    var stats: Stats?
    var coveredFromMs: Int64?
    var totals: CostTotals
  }

  /// Bytes of metadata that are read at one go: some 10 ms.
  private static let byteBudget = 8 << 20

  private let scope: GuildScope

  /// - Parameter scope: whose costs are summed.
  package init(_ scope: GuildScope = .all) { self.scope = scope }

  /// Whether every row was read. Until then tokens and models are incomplete.
  package var isComplete: Bool { unread.isEmpty }

  /// The known costs.
  ///
  /// - Parameters:
  ///   - coveredFromMs: server time from which every row that may have a cost
  ///     (`CostAccumulator.kinds`) is in the log; nil if unknown.
  ///   - totals: the backend's own sums, for ranges with missing rows.
  ///   - stats: the backend's latest; nil before the first.
  ///   - nowMs: on the backend's clock.
  package func summary(
    of log: ActionLog, coveredFromMs: Int64?, totals: CostTotals = CostTotals(), stats: Stats?,
    nowMs: Int64
  ) -> CostSummary {
    follow(log, nowMs: nowMs)
    readTokens(log)
    let source = Made(
      row: cursor.end, unread: unread.count, second: nowMs / 1000, stats: stats,
      coveredFromMs: coveredFromMs, totals: totals)
    guard source != made else { return summary }
    made = source
    summary = makeSummary(source, nowMs: nowMs)
    return summary
  }

  /// The rate of the short window alone (`CostSummary.rate`). It reads no tokens, so it is cheap for many bots at once.
  ///
  /// - Parameters: as of `summary`.
  package func recentRate(
    of log: ActionLog, coveredFromMs: Int64?, totals: CostTotals = CostTotals(), nowMs: Int64
  ) -> CostSummary.Rate? {
    follow(log, nowMs: nowMs)
    var windows = windows
    for run in browserRuns where !run.isCounted(by: toolSteps) {
      windows.add(run.nanos, atMs: run.endMs)
    }
    return CostRates(
      windows: windows, coveredFromMs: coveredFromMs, totals: totals, nowMs: nowMs
    ).rate(overMs: CostSummary.Rate.shortMs)
  }

  /// The kinds whose rows may have a cost (contract 4.5).
  package nonisolated static let kinds: Set<String> = [
    "llm_call", "llm_tool_call", "image_call", "video_call", "memory_embedding_call",
    "browser_browse_call", "browser_agent_session_turn", "memory_reflection_complete",
    "code_agent_call", "voice_runtime",
  ]

  // MARK: Following the log

  private func follow(_ log: ActionLog, nowMs: Int64) {
    // Rows evicted before they were read leave a hole in all sums: start over with the stored rows.
    let changes = cursor.changes(in: log)
    if changes.isRestart || changes.isOverrun { begin() }
    var roles: [UInt32: CostRole] = [:]
    let today = UTCDay.number(ofMs: nowMs)
    let places = changes.newer.isEmpty ? nil : log.places(of: scope)
    for row in changes.newer {
      let record = log.records[row]
      if let places, !places[Int(record.place)] { continue }
      // Rows of a log that was replaced are not part of the present one's cost.
      guard record.flags.isDisjoint(with: [.gap, .former]) else { continue }
      let role: CostRole
      if let known = roles[record.label] {
        role = known
      } else {
        role = CostRole(log.labelTable.payloads[Int(record.label)].label)
        roles[record.label] = role
      }
      let nanos = record.cost.nanos
      guard nanos > 0 || role != .none else { continue }
      // A row with a cost is model work, whatever its kind.
      take(row, in: log, role: role == .none ? .described : role, nanos: nanos, today: today)
    }
    days = days.filter { $0.key >= today }
    forget(before: nowMs - CostWindows.spanMs)
  }

  private func begin() {
    (earlierFromMs, earlierToMs) = (nil, nil)
    windows = CostWindows()
    (days, browserRuns, toolSteps, unread) = ([:], [], [], [])
    made = nil
  }

  private func take(
    _ row: RowID, in log: ActionLog, role: CostRole, nanos: Int64, today: Int
  ) {
    let view = log.view(row)
    switch role {
    case .browserTotal:
      browserRuns.append(BrowserRun(view, nanos: nanos))
      return
    case .toolStep: toolSteps.insert(BrowserRun.Step(view))
    case .none, .modelCall, .realtimeAnswer, .named, .described: break
    }
    windows.add(nanos, atMs: view.timeMs)
    let day = UTCDay.number(ofMs: view.timeMs)
    // The backend's clock and the row's may be on two sides of midnight.
    guard day == today || day == today + 1 else { return }
    days[day, default: CostDay()].add(
      kind: view.kind, nanos: nanos, isFreeCall: nanos == 0 && role.isCall)
    if let model = role.model(of: view) {
      days[day]?.add(model: model, nanos: nanos)
    } else if !role.isNamedByMetadata, nanos > 0 {
      days[day]?.add(model: CostDay.noModel, nanos: nanos)
    }
    if role.hasTokens { unread.append(row) }
  }

  private func forget(before limitMs: Int64) {
    windows.forget(before: limitMs)
    if let first = browserRuns.first, first.endMs < limitMs {
      browserRuns.removeAll { $0.endMs < limitMs }
    }
    if toolSteps.count > 4096 {
      toolSteps = toolSteps.filter { $0.minute >= limitMs / 60_000 }
    }
  }

  /// Newest first: a limited budget covers today before earlier days.
  private func readTokens(_ log: ActionLog) {
    var budget = Self.byteBudget
    while budget > 0, let row = unread.popLast() {
      guard let view = log.row(row) else { continue }
      budget -= 1024 + view.withRaw { $0.count }
      let details = view.withScan { $0.metadata(CostUsage.members, in: $1) } ?? .null
      let day = UTCDay.number(ofMs: view.timeMs)
      let label = CostRole(view.label)
      let role = label == .none ? .described : label
      var model = role.model(of: view)
      if role.isNamedByMetadata {
        let named = role.model(of: view, in: details) ?? CostDay.noModel
        model = named
        days[day]?.add(model: named, nanos: view.record.cost.nanos)
      }
      days[day]?.add(CostUsage(details), kind: view.kind, model: model)
    }
  }

  // MARK: The book

  private func makeSummary(_ source: Made, nowMs: Int64) -> CostSummary {
    var summary = CostSummary()
    let (stats, totals) = (source.stats, source.totals)
    let today = UTCDay.number(ofMs: nowMs)
    summary.takeDays(stats, today: today)

    var windows = windows
    var day = days[today] ?? CostDay()
    for run in browserRuns {
      let isCounted = run.isCounted(by: toolSteps)
      if !isCounted { windows.add(run.nanos, atMs: run.endMs) }
      guard UTCDay.number(ofMs: run.endMs) == today else { continue }
      day.add(kind: run.kind, nanos: isCounted ? 0 : run.nanos, isFreeCall: false)
      if !isCounted { day.add(model: run.model ?? CostDay.noModel, nanos: run.nanos) }
    }
    summary.coversToday = source.coveredFromMs.map { $0 <= Int64(today) * 86_400_000 } ?? false
    summary.byModel = day.models
    summary.byKind = day.kinds
    summary.tokens = day.tokens
    summary.freeCalls = day.freeCalls
    let rates = CostRates(
      windows: windows, coveredFromMs: source.coveredFromMs, totals: totals, nowMs: nowMs)
    summary.rate = rates.rate(overMs: CostSummary.Rate.shortMs)
    summary.longRate = rates.longRate(beside: summary.rate, today: summary.today)
    summary.measuredFromMs = rates.measuredFromMs
    summary.forecast =
      CostForecaster(
        today: summary.today, days: summary.days, nowMs: nowMs,
        slots: rates.slots(earlierFromMs: earlier(source)), rate: summary.rate
      ).forecast
    return summary
  }
}

extension CostAccumulator {
  /// Since when rows are whole up to the first of the sums.
  private func earlier(_ source: Made) -> Int64? {
    let from = source.coveredFromMs
    guard let first = source.totals.firstMs else { return from }
    if earlierToMs != first { (earlierFromMs, earlierToMs) = (nil, first) }
    if let from, from <= first { earlierFromMs = min(earlierFromMs ?? from, from) }
    return earlierFromMs ?? from
  }
}

extension CostSummary {
  /// The UTC days as the backend sums them (contract 5.1). Its sums count browser runs twice
  /// (contract 4.5); they are shown as they are.
  fileprivate mutating func takeDays(_ stats: Stats?, today number: Int) {
    guard let stats else { return }
    retained = stats.totalCostUsd.flatMap { $0.isFinite ? $0 : nil }
    guard let list = stats.dailyCost else { return }
    var sums: [Int: Double] = [:]
    for entry in list {
      guard let day = entry.day, let usd = entry.usd, usd.isFinite, usd >= 0,
        let time = WireTime(iso: day + "T00:00:00Z")
      else { continue }
      sums[UTCDay.number(ofMs: time.milliseconds)] = usd
    }
    let isTodayBroken = list.contains { $0.day == CostDay.name(number) } && sums[number] == nil
    // The day is missing until its first row (contract 5.1).
    today = isTodayBroken ? nil : sums[number] ?? 0
    days = (number - 13...number).map { sums[$0] }
    days[13] = today
  }
}
