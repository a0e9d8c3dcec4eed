internal import CockpitStores

/// Judges one promise by its samples: a pure function.
///
/// Burn rates follow the multi-window scheme of the Google SRE workbook, chapter 5, at the scale of a window of a
/// day, which sees few turns: a long window decides, and a short one, a twelfth of it, ends the alarm soon after
/// the burning stops.
struct PromiseJudge {
  let settings: PromiseSettings
  let samples: PromiseSamples
  let nowMs: Int64
  let coveredFromMs: Int64?
  let costTodayUSD: Double?

  /// The share of answers that may be slower than the promised p95.
  private static let slowShare = 0.05
  /// Turns from which on a 95th percentile has an interval: 0.95^59 < 0.05.
  static let leastForP95 = 59
  private static let dayMs: Int64 = 86_400_000
  /// Misses of the long window below which nothing burns: one slow answer of three is an accident.
  private static let leastMissed = 3

  /// The long windows as parts of the promise's window, and the burn rates that count: a quarter of the budget
  /// within 1/24 of the window, half of it within a quarter.
  private static let windows: [(part: Int64, threshold: Double)] = [(24, 6), (4, 2)]
  private static let shortPart: Int64 = 12

  /// One decision of the window: whether it missed the objective.
  private struct Mark {
    var ms: Int64
    var row: RowID
    var isMiss: Bool
  }

  /// The promise and the rows that missed it, oldest first; nil where nothing of the kind is promised.
  func promise(_ kind: Promise.Kind) -> (Promise, [RowID])? {
    switch kind {
    case .text: settings.textMs.map { latency(kind, samples.text, $0) }
    case .voice: settings.voiceMs.map { latency(kind, samples.voice, $0) }
    case .unanswered: settings.unanswered.map(unanswered)
    case .cost: settings.costPerDayUSD.map(cost)
    case .skip: settings.skip.map(skip)
    }
  }

  private var fromMs: Int64 { max(nowMs - settings.windowMs, coveredFromMs ?? 0) }
  private var isComplete: Bool { coveredFromMs.map { $0 <= nowMs - settings.windowMs } ?? false }

  private func within(_ samples: [PromiseSamples.Sample]) -> [PromiseSamples.Sample] {
    samples.filter { $0.ms >= nowMs - settings.windowMs && $0.ms <= nowMs }
  }

  private func draft(_ kind: Promise.Kind, _ objective: Promise.Objective, n: Int) -> Promise {
    var promise = Promise(
      kind: kind, verdict: .unknown, objective: objective, value: nil, n: n, missed: nil,
      fromMs: fromMs, toMs: nowMs, isComplete: isComplete)
    promise.isCovered = coveredFromMs != nil
    return promise
  }

  // MARK: Answers

  private func latency(
    _ kind: Promise.Kind, _ all: [PromiseSamples.Sample], _ limitMs: Int
  ) -> (Promise, [RowID]) {
    let found = within(all)
    var promise = draft(kind, .milliseconds(limitMs), n: found.count)
    promise.leastN = Self.leastForP95
    let sorted = found.map(\.value).sorted()
    if let worst = sorted.last {
      promise.value =
        sorted.count >= Self.leastForP95
        ? .p95(Int(sorted[(95 * sorted.count + 99) / 100 - 1])) : .worst(Int(worst))
    }
    let marks = found.map { Mark(ms: $0.ms, row: $0.row, isMiss: $0.value > Int64(limitMs)) }
    return judged(promise, marks, allowed: Self.slowShare)
  }

  private func unanswered(_ allowance: PromiseSettings.Allowance) -> (Promise, [RowID]) {
    let marks = samples.calls.values.compactMap { call -> Mark? in
      guard call.ms >= nowMs - settings.windowMs, call.ms <= nowMs else { return nil }
      if call.answeredMs == nil, nowMs - call.ms < PromiseBoard.patienceMs { return nil }
      return Mark(ms: call.ms, row: call.row, isMiss: call.answeredMs == nil)
    }.sorted { ($0.ms, $0.row) < ($1.ms, $1.row) }
    let missed = marks.count(where: \.isMiss)
    switch allowance {
    case .share(let share):
      var promise = draft(.unanswered, .share(share), n: marks.count)
      // With fewer the first one that is missed breaks the promise.
      promise.leastN = max(20, share > 0 ? Int(min(1000, (1 / share).rounded(.up))) : 1)
      if !marks.isEmpty { promise.value = .share(Double(missed) / Double(marks.count)) }
      return judged(promise, marks, allowed: share)
    case .count(let count):
      var promise = draft(.unanswered, .count(count), n: marks.count)
      promise.value = .count(missed)
      promise.missed = missed
      let rows = marks.filter(\.isMiss).map(\.row)
      if count > 0 { promise.used = Double(missed) / Double(count) }
      promise.burn = burn(marks) { marks, ms in
        let part = Double(ms) / Double(settings.windowMs)
        return Double(marks.count(where: \.isMiss)) / (Double(max(1, count)) * part)
      }
      promise.breachInMs = breach(promise.used, promise.burn)
      promise.verdict =
        missed > count
        ? .broken
        : count > 0 && promise.burn?.threshold != nil
          ? .burning : marks.isEmpty && !isComplete ? .unknown : .kept
      return (promise, rows)
    }
  }

  /// A promise about the share of decisions that may miss it.
  private func judged(
    _ draft: Promise, _ marks: [Mark], allowed: Double
  ) -> (Promise, [RowID]) {
    var promise = draft
    let missed = marks.count(where: \.isMiss)
    promise.missed = missed
    guard !marks.isEmpty else { return (promise, []) }
    let share = Double(missed) / Double(marks.count)
    if allowed > 0 { promise.used = share / allowed }
    if allowed > 0 {
      promise.burn = burn(marks) { marks, _ in
        marks.isEmpty
          ? 0 : Double(marks.count(where: \.isMiss)) / Double(marks.count) / allowed
      }
      promise.breachInMs = breach(promise.used, promise.burn)
    }
    let interval = ShareInterval(missed, of: marks.count)
    if share > allowed, marks.count >= promise.leastN || interval.lower > allowed {
      promise.verdict = .broken
    } else if promise.burn?.threshold != nil, share <= allowed || marks.count < promise.leastN {
      promise.verdict = .burning
    } else {
      promise.verdict = marks.count < promise.leastN ? .tooFew : .kept
    }
    return (promise, marks.filter(\.isMiss).map(\.row))
  }

  /// The burn rate of the first long window that is over its threshold together with its short one; else that of
  /// the shortest long one, without a threshold.
  private func burn(_ marks: [Mark], rate: ([Mark], Int64) -> Double) -> Promise.Burn? {
    guard !marks.isEmpty else { return nil }
    func window(_ ms: Int64) -> [Mark] { marks.filter { $0.ms > nowMs - ms } }
    for (part, threshold) in Self.windows {
      let longMs = settings.windowMs / part
      let long = window(longMs)
      let value = rate(long, longMs)
      let shortMs = longMs / Self.shortPart
      guard value >= threshold, rate(window(shortMs), shortMs) >= threshold,
        long.count(where: \.isMiss) >= Self.leastMissed
      else { continue }
      return Promise.Burn(overMs: longMs, rate: value, threshold: threshold)
    }
    let longMs = settings.windowMs / Self.windows[0].part
    return Promise.Burn(overMs: longMs, rate: rate(window(longMs), longMs))
  }

  /// When the rest of the budget is used at this rate, as if no older miss left the window.
  private func breach(_ used: Double?, _ burn: Promise.Burn?) -> Int64? {
    guard let used, used < 1, let burn, burn.rate > 0 else { return nil }
    let ms = (1 - used) * Double(settings.windowMs) / burn.rate
    return ms <= Double(settings.windowMs) ? Int64(ms) : nil
  }

  // MARK: Cost

  private func cost(_ budget: Double) -> (Promise, [RowID]) {
    let dayFromMs = nowMs - nowMs % Self.dayMs
    let costs = samples.costs.filter { $0.ms >= dayFromMs && $0.ms <= nowMs }
    var promise = draft(.cost, .usd(budget), n: costs.count)
    (promise.fromMs, promise.isComplete) = (dayFromMs, costTodayUSD != nil)
    let rows = costs.sorted { $0.value < $1.value }.suffix(5).map(\.row)
    guard let cost = costTodayUSD, cost.isFinite, budget > 0 else { return (promise, rows) }
    promise.value = .usd(cost)
    promise.used = cost / budget
    let leftMs = dayFromMs + Self.dayMs - nowMs
    // Rows of a day ago are here too: early in the day the last hour reaches back into yesterday.
    func spent(_ ms: Int64) -> Double {
      Double(samples.costs.reduce(0) { $0 + ($1.ms > nowMs - ms && $1.ms <= nowMs ? $1.value : 0) })
        / 1e9
    }
    func rate(_ ms: Int64) -> Double { spent(ms) / budget * Double(Self.dayMs) / Double(ms) }
    if coveredFromMs.map({ $0 <= nowMs - 3_600_000 }) ?? false {
      promise.burn = Promise.Burn(overMs: 3_600_000, rate: rate(3_600_000))
    }
    if let burn = promise.burn, burn.rate > 0, cost < budget {
      let ms = (1 - cost / budget) * Double(Self.dayMs) / burn.rate
      if ms < Double(leftMs) { promise.breachInMs = Int64(ms) }
    }
    // Half of the budget must be gone: the first dear answers of a day prove nothing.
    let isBurning =
      promise.breachInMs != nil && cost / budget >= 0.5
      && (promise.burn?.rate ?? 0) >= Self.windows[1].threshold
    if isBurning { promise.burn?.threshold = Self.windows[1].threshold }
    promise.verdict = cost > budget ? .broken : isBurning ? .burning : .kept
    return (promise, rows)
  }

  // MARK: Skips

  private func skip(_ range: ClosedRange<Double>) -> (Promise, [RowID]) {
    let found = within(samples.decided)
    var promise = draft(.skip, .range(range), n: found.count)
    promise.leastN = 20
    let skipped = found.filter { $0.value > 0 }
    guard !found.isEmpty else { return (promise, []) }
    let share = Double(skipped.count) / Double(found.count)
    promise.value = .share(share)
    promise.missed = skipped.count
    let interval = ShareInterval(skipped.count, of: found.count)
    let isOutside = interval.lower > range.upperBound || interval.upper < range.lowerBound
    promise.verdict =
      isOutside ? .broken : found.count < promise.leastN || !range.contains(share) ? .tooFew : .kept
    return (promise, skipped.map(\.row))
  }
}

/// Wilson's interval of a share at 95 % (1927).
struct ShareInterval: Hashable {
  var lower: Double
  var upper: Double

  init(_ hits: Int, of count: Int) {
    guard count > 0 else {
      (lower, upper) = (0, 1)
      return
    }
    let (n, z) = (Double(count), 1.959963984540054)
    let share = Double(hits) / n
    let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    let half =
      z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    (lower, upper) = (max(0, middle - half), min(1, middle + half))
  }
}
