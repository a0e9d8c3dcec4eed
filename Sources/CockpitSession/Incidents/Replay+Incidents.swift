import CockpitHistory
import CockpitRules
import CockpitStores

extension Replay {
  /// Goes to the nearest incident before or after the playhead. Recorded days are judged off the main thread, one by one; days that
  /// were judged before are there at once.
  ///
  /// - Returns: why it stays where it is; nil if it moved.
  package func jumpIncident(isOlder: Bool) async -> String? {
    let (tracks, edge) = (wholeTimeLine.tracks, atMs)
    let (nowMs, begun) = (liveMs, place)
    let found = await OwnThread.run {
      Result { () throws(HistoryError) in
        var found: [Int64] = []
        for track in tracks {
          let scan = IncidentScan(track.rules)
          let nearest = try Self.nearest(
            scan, track.history, from: edge, nowMs: nowMs, isOlder: isOlder)
          if let nearest { found.append(nearest) }
        }
        return isOlder ? found.max() : found.min()
      }
    }
    // The user moved the playhead during the search: leave it there.
    guard place == begun, atMs == edge || isPlaying else { return nil }
    do throws(HistoryError) {
      guard let ms = try found.get() else {
        return "no \(isOlder ? "older" : "newer") incident is on record"
      }
      stopAndSeek(toMs: ms)
      return nil
    } catch {
      return error.description
    }
  }

  /// When the nearest incident begins, ms since 1970.
  private nonisolated static func nearest(
    _ scan: IncidentScan, _ history: any HistoryReading, from edge: Int64, nowMs: Int64,
    isOlder: Bool
  ) throws(HistoryError) -> Int64? {
    guard let span = try history.span() else { return nil }
    // One end for all days, so that cached results stay valid.
    let endMs = max(edge, min(nowMs, span.upperBound + DayJudge.dayMs))
    var day = IncidentScan.day(edge)
    let days = IncidentScan.day(span.lowerBound)...IncidentScan.day(span.upperBound)
    while days.contains(day) || (isOlder && day > days.upperBound) {
      let begin = day * DayJudge.dayMs
      let begun = try scan.incidents(ofDay: day, history, toMs: endMs).map(\.fromMs)
        .filter { isOlder ? $0 < edge : $0 > edge }
      if let ms = isOlder ? begun.max() : begun.min() { return ms }
      day = isOlder ? IncidentScan.day(begin - 1) : day + 1
    }
    return nil
  }
}
