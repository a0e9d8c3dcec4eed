/// Cost rates, from the rows if they are complete, and else from the backend's own sums.
struct CostRates {
  let windows: CostWindows
  /// Server time from which every row that may have a cost is stored; nil if unknown.
  let coveredFromMs: Int64?
  let totals: CostTotals
  let nowMs: Int64

  /// A shorter window is meaningless: one call a second after the start is no rate.
  private static let leastMs: Int64 = 60_000
  /// How many slots a forecast looks back: a day.
  private static let mostSlots = 288

  /// How far back the rows are complete.
  private var coveredMs: Int64 {
    guard let coveredFromMs, coveredFromMs < nowMs else { return 0 }
    // The beginning of all rows is the lowest number there is.
    return coveredFromMs < nowMs - 2 * CostWindows.spanMs
      ? 2 * CostWindows.spanMs : nowMs - coveredFromMs
  }

  /// How far back the sums reach from their last sample.
  private var followedMs: Int64 {
    guard let first = totals.firstMs, let last = totals.lastMs else { return 0 }
    return last - first
  }

  /// The earliest start of a rate; nil if unknown.
  var measuredFromMs: Int64? {
    guard coveredFromMs != nil || totals.firstMs != nil else { return nil }
    return coveredMs > followedMs ? nowMs - coveredMs : totals.firstMs
  }

  /// The rate over a window, or over its known part of at least a minute.
  func rate(overMs: Int64) -> CostSummary.Rate? {
    if coveredMs >= overMs { return ofRows(overMs: overMs) }
    if followedMs >= overMs, let spent = totals.spent(overMs: overMs) {
      return .init(usd: spent.usd, overMs: max(1, spent.overMs))
    }
    let longest = max(coveredMs, followedMs)
    guard longest >= Self.leastMs else { return nil }
    if coveredMs == longest { return ofRows(overMs: longest) }
    return totals.spent(overMs: longest).map { .init(usd: $0.usd, overMs: max(1, $0.overMs)) }
  }

  private func ofRows(overMs: Int64) -> CostSummary.Rate {
    .init(usd: windows.spent(overMs: overMs, nowMs: nowMs), overMs: overMs)
  }

  /// The rate over six hours, or over the known part if that says more than the short rate.
  func longRate(beside short: CostSummary.Rate?, today: Double?) -> CostSummary.Rate? {
    let shortMs = short?.overMs ?? 0
    if let rate = rate(overMs: CostSummary.Rate.longMs),
      rate.overMs > max(shortMs, CostSummary.Rate.shortMs)
    {
      return rate
    }
    let sinceMidnight = nowMs - Int64(UTCDay.number(ofMs: nowMs)) * 86_400_000
    guard let today, sinceMidnight > max(shortMs, CostSummary.Rate.shortMs) else { return nil }
    return .init(usd: today, overMs: sinceMidnight, window: .today)
  }

  /// Dollars of the last slots of a forecast, latest first, as far back as they are known: from the
  /// sums since they are followed, from the rows before.
  ///
  /// - Parameter earlierFromMs: since when rows are whole up to the first of the sums.
  func slots(earlierFromMs: Int64?) -> [Double] {
    let lengthMs = CostForecaster.slotMs
    let ofRows = windows.stretches(Self.mostSlots, ofMs: lengthMs, nowMs: nowMs)
    let first = totals.firstMs ?? .max
    var slots: [Double] = []
    for index in 0..<Self.mostSlots {
      let toMs = nowMs - Int64(index) * lengthMs
      let fromMs = toMs - lengthMs
      if let end = totals.spent(atMs: toMs), let start = totals.spent(atMs: fromMs) {
        slots.append(end - start)
      } else if let from = toMs > first ? coveredFromMs : earlierFromMs, from <= fromMs {
        slots.append(ofRows[index])
      } else if let end = totals.spent(atMs: toMs), let earlierFromMs, earlierFromMs <= fromMs {
        // The slot in which the sums begin.
        slots.append(windows.spent(fromMs: fromMs, toMs: first) + end)
      } else {
        break
      }
    }
    return slots
  }
}
