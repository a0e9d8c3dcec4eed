import CockpitHistory

extension HistoryReading {
  /// What is on record between two times, ms since 1970: oldest first, without overlaps.
  func recorded(fromMs: Int64, toMs: Int64) throws(HistoryError) -> [Range<Int64>] {
    guard let span = try span() else { return [] }
    var at = max(fromMs, span.lowerBound)
    var stretches: [Range<Int64>] = []
    for outage in try outages(after: fromMs, through: toMs) where outage.rows != 0 {
      if outage.fromMs > at { stretches.append(at..<min(toMs, outage.fromMs)) }
      at = max(at, outage.toMs)
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
