/// Stretches that are not on record: what is missing in them was perhaps only not seen.
struct Outages: Sendable {
  private var ranges: [ClosedRange<Int64>] = []
  private static let kept = 64

  mutating func add(_ event: RuleEvent) {
    guard case .outage(let fromMs, let toMs, let rows) = event.body, fromMs <= toMs, rows != 0
    else { return }
    ranges.append(fromMs...toMs)
    if ranges.count > Self.kept { ranges.removeFirst() }
  }

  func touch(_ fromMs: Int64, _ toMs: Int64) -> Bool {
    ranges.contains { $0.lowerBound <= toMs && $0.upperBound >= fromMs }
  }
}
