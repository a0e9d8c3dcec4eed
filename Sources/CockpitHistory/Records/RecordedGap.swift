internal import LenientJSON

/// Rows that are missing although a recorder ran: the backend gave others before and after them. Times are milliseconds
/// since 1970.
package struct RecordedGap: Hashable, Sendable {
  /// The first and the last missing id.
  package var ids: ClosedRange<Int>
  /// From the newest row known before it to the first one after it, or until it was noticed.
  package var fromMs: Int64
  package var toMs: Int64
  /// When it was noticed.
  package var recordedMs: Int64

  package init(ids: ClosedRange<Int>, fromMs: Int64, toMs: Int64, recordedMs: Int64) {
    self.ids = ids
    (self.fromMs, self.toMs, self.recordedMs) = (fromMs, toMs, recordedMs)
  }
}

extension RecordedGap {
  /// The same, for a history that is not in files.
  package static func gaps(
    _ links: [RecordedLink], in history: some HistoryReading, after: Int64, through: Int64
  ) throws(HistoryError) -> [RecordedGap] {
    try open(links, history, after: after, through: through)
  }

  /// The gaps of link records that no later record closes and that touch a stretch of time, by their beginning.
  ///
  /// - Parameter links: in order of arrival; those of other types are ignored.
  static func open(
    _ links: [RecordedLink], _ history: some HistoryReading, after: Int64, through: Int64
  ) throws(HistoryError) -> [RecordedGap] {
    var gaps: [RecordedGap] = []
    for link in links where link.what == .gap || link.what == .gapClosed {
      guard let json = link.value.withUnsafeBytes({ try? JSONValue.parse($0) }),
        let first = json["from"]?.int, let last = json["to"]?.int, first <= last, last < .max,
        let atMs = json["at_ms"]?.int
      else { continue }
      if link.what == .gapClosed {
        gaps.removeAll { $0.ids == first...last }
      } else {
        gaps.append(
          RecordedGap(
            ids: first...last, fromMs: Int64(atMs), toMs: max(link.atMs, Int64(atMs)),
            recordedMs: link.atMs))
      }
    }
    gaps.removeAll { $0.toMs <= after || $0.fromMs > through }
    for index in gaps.indices {
      let range = gaps[index].fromMs...gaps[index].toMs
      // Another log may have given the same id.
      guard let next = try history.row(actionID: gaps[index].ids.upperBound + 1),
        range.contains(next.atMs)
      else { continue }
      gaps[index].toMs = next.atMs
    }
    return gaps.filter { $0.toMs > after }.sorted { ($0.fromMs, $0.toMs) < ($1.fromMs, $1.toMs) }
  }
}
