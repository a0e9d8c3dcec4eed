import CockpitHistory

extension HistoryReading {
  /// What is on record between two times, ms since 1970: oldest first, without overlaps. Neither a stretch without a
  /// recorder nor one in which it lacks rows.
  func recorded(fromMs: Int64, toMs: Int64) throws(HistoryError) -> [Range<Int64>] {
    guard let span = try span() else { return [] }
    var at = max(fromMs, span.lowerBound)
    var stretches: [Range<Int64>] = []
    let missing =
      try outages(after: fromMs, through: toMs).filter { $0.rows != 0 }
      .map { (fromMs: $0.fromMs, toMs: $0.toMs) }
      + gaps(after: fromMs, through: toMs).map { (fromMs: $0.fromMs, toMs: $0.toMs) }
    for stretch in missing.sorted(by: { $0.fromMs < $1.fromMs }) {
      if stretch.fromMs > at { stretches.append(at..<min(toMs, stretch.fromMs)) }
      at = max(at, stretch.toMs)
    }
    // The recorder may have stopped after the newest record.
    let end = min(toMs, try lastRecordMs(notAfterMs: toMs) ?? span.upperBound)
    if end > at { stretches.append(at..<end) }
    return stretches
  }

  private func lastRecordMs(notAfterMs ms: Int64) throws(HistoryError) -> Int64? {
    guard let span = try span() else { return nil }
    guard span.upperBound < ms else { return ms }
    // Documents and links come while no row does.
    let documents = try documents(after: max(span.upperBound, ms - 600_000), through: ms)
    return max(span.upperBound, documents.map(\.atMs).max() ?? .min)
  }
}
