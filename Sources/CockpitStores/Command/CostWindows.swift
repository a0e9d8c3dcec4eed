/// Costs by the time they arose, fine enough for rates over minutes and hours.
struct CostWindows {
  /// The covered time, in ms: a day.
  static let spanMs: Int64 = 86_400_000
  private static let slotMs: Int64 = 10_000

  /// Billionths of a dollar by slot of 10 s since 1970.
  private var slots: [Int64: Int64] = [:]

  mutating func add(_ nanos: Int64, atMs timeMs: Int64) {
    guard nanos > 0 else { return }
    let slot = timeMs / Self.slotMs
    slots[slot] = (slots[slot] ?? 0).addingReportingOverflow(nanos).partialValue
  }

  mutating func forget(before limitMs: Int64) {
    // A day has 8,640 slots; some more may stay, or every row would look at all of them.
    guard slots.count > 10_000 else { return }
    slots = slots.filter { $0.key >= limitMs / Self.slotMs }
  }

  /// Dollars of the last `overMs`, exact to a slot.
  func spent(overMs: Int64, nowMs: Int64) -> Double { sum(fromMs: nowMs - overMs, toMs: nowMs) }

  /// Dollars in each of the last `count` periods of this length, latest first. They are counted
  /// back from now, so that none is partial.
  func stretches(_ count: Int, ofMs lengthMs: Int64, nowMs: Int64) -> [Double] {
    var sums = [Double](repeating: 0, count: max(0, count))
    for (slot, nanos) in slots {
      let age = nowMs - slot * Self.slotMs - Self.slotMs / 2
      // Times slightly ahead of the clock count as now.
      let index = max(0, age / lengthMs)
      if index < count { sums[Int(index)] += Double(nanos) / 1e9 }
    }
    return sums
  }

  /// Dollars between two times, exact to a slot.
  func spent(fromMs: Int64, toMs: Int64) -> Double { sum(fromMs: fromMs, toMs: toMs - Self.slotMs) }

  /// Slots count from their middle.
  private func sum(fromMs: Int64, toMs: Int64) -> Double {
    var nanos = 0.0
    for (slot, value) in slots {
      let middle = slot * Self.slotMs + Self.slotMs / 2
      if middle >= fromMs, middle <= toMs + Self.slotMs { nanos += Double(value) }
    }
    return nanos / 1e9
  }
}
