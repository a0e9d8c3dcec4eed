package import ClankyWire

/// Spending between two statistics, from the backend's own daily sums. They are exact even if rows
/// are missing here: after a gap, or before the first fetched row.
///
/// Times are in ms since 1970 on the backend's clock, amounts in US dollars.
package struct CostTotals: Hashable, Sendable {
  /// Spending up to a time, counted from the first statistics.
  private struct Sample: Hashable {
    var atMs: Int64
    var usd: Double
  }

  /// Oldest first, `spacingMs` apart or more, except for the last.
  private var samples: [Sample] = []
  /// When the last sum was last seen unchanged.
  private var seenMs: Int64 = .min
  /// The sums of the last statistics, by UTC day.
  private var days: [Int: Double] = [:]

  private static let spacingMs: Int64 = 10_000
  /// A day and an hour of samples.
  private static let limit = 9000
  /// Sums of many small numbers differ in their last digits.
  private static let rounding = 1e-6

  package init() {}

  /// Since when the sums are followed; nil before the first.
  package var firstMs: Int64? { samples.first?.atMs }
  /// Until when they are known.
  package var lastMs: Int64? { samples.isEmpty ? nil : seenMs }

  /// Processes new statistics.
  ///
  /// A shrinking sum says nothing about costs: the backend dropped old rows of that day, or its log
  /// was replaced. Then, as after a clock step, counting starts over.
  package mutating func take(_ list: [DailyCost]?, atMs nowMs: Int64) {
    guard let list, let sums = Self.sums(list) else { return }
    guard nowMs >= seenMs else { return begin(sums, atMs: nowMs) }
    // The sums of the newest day and of days that began since; a decrease of an earlier day is
    // retention.
    let newest = days.keys.max()
    let added = sums.reduce(0.0) { sum, entry in
      entry.key >= newest ?? .min ? sum + entry.value - (days[entry.key] ?? 0) : sum
    }
    let isWhole = newest.map { sums[$0] != nil } ?? true
    guard let last = samples.last, isWhole, added >= -Self.rounding else {
      return begin(sums, atMs: nowMs)
    }
    days = sums
    if added > Self.rounding {
      // The sum was the old one up to here.
      append(Sample(atMs: seenMs, usd: last.usd))
      append(Sample(atMs: nowMs, usd: last.usd + added))
    }
    seenMs = nowMs
  }

  /// The last statistics were repeated.
  package mutating func repeats(atMs nowMs: Int64) {
    guard !samples.isEmpty else { return }
    if nowMs >= seenMs { seenMs = nowMs } else { begin(days, atMs: nowMs) }
  }

  private mutating func begin(_ sums: [Int: Double], atMs nowMs: Int64) {
    days = sums
    samples = [Sample(atMs: nowMs, usd: 0)]
    seenMs = nowMs
  }

  private mutating func append(_ sample: Sample) {
    if samples.count > 1, let last = samples.last,
      sample.atMs - samples[samples.count - 2].atMs < Self.spacingMs
    {
      samples[samples.count - 1] = Sample(atMs: sample.atMs, usd: max(last.usd, sample.usd))
    } else if samples.last != sample {
      samples.append(sample)
    }
    if samples.count > Self.limit { samples.removeFirst(Self.limit / 10) }
  }

  /// nil if a sum is invalid.
  private static func sums(_ list: [DailyCost]) -> [Int: Double]? {
    var sums: [Int: Double] = [:]
    for entry in list {
      guard let day = entry.day, let usd = entry.usd, usd.isFinite, usd >= 0,
        let time = WireTime(iso: day + "T00:00:00Z")
      else { return nil }
      sums[UTCDay.number(ofMs: time.milliseconds)] = usd
    }
    return sums
  }

  // MARK: Reading

  /// Spending between the first statistics and a time, interpolated linearly; nil if unknown.
  func spent(atMs time: Int64) -> Double? {
    guard let first = samples.first, let last = samples.last, time >= first.atMs else { return nil }
    guard time < last.atMs else { return last.usd }
    var low = 0
    var high = samples.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if samples[middle].atMs <= time { low = middle } else { high = middle }
    }
    let (from, to) = (samples[low], samples[high])
    guard to.atMs > from.atMs else { return to.usd }
    return from.usd + (to.usd - from.usd) * Double(time - from.atMs) / Double(to.atMs - from.atMs)
  }

  /// Spending in the last `overMs` of known time: exact, because the window starts and ends at
  /// statistics. nil if they do not reach back far enough.
  func spent(overMs: Int64) -> (usd: Double, overMs: Int64)? {
    guard let last = samples.last else { return nil }
    let from = seenMs - overMs
    // The window starts at the last sample at or before `from`.
    guard let start = samples.last(where: { $0.atMs <= from }) else { return nil }
    let next = samples.first { $0.atMs > from }
    // Unchanged from the one to the other: then any moment between them is known.
    let isFlat = next.map { $0.usd - start.usd <= Self.rounding } ?? true
    return (last.usd - start.usd, isFlat ? overMs : seenMs - start.atMs)
  }
}
