import CockpitDomain
import CockpitHistory
import CockpitPanes
import CockpitRules
import CockpitStores
import CockpitText
import TerminalCore

/// The recorded histories of the bots of a replay as one time line. Times are ms since 1970.
struct ReplayTimeLine: Sendable {
  struct Track: Sendable {
    /// The profile of the bot.
    var name: String
    var history: any HistoryReading
    var rules: RuleSettings
  }

  let tracks: [Track]

  var isOfSeveral: Bool { tracks.count > 1 }

  /// The times of the oldest and the newest row; nil if there is none.
  func span() throws(HistoryError) -> ClosedRange<Int64>? {
    var all: ClosedRange<Int64>?
    for track in tracks {
      guard let span = try track.history.span() else { continue }
      all =
        all.map {
          min($0.lowerBound, span.lowerBound)...max($0.upperBound, span.upperBound)
        } ?? span
    }
    return all
  }

  /// The time of the first row after a time.
  func row(after ms: Int64, through endMs: Int64) throws(HistoryError) -> Int64? {
    var first: Int64?
    for track in tracks {
      let row = try track.history.rows(after: ms, through: first ?? endMs, limit: 1).first
      first = [first, row?.atMs].compacted.min()
    }
    return first
  }

  /// The time of the last row before a time.
  func row(before ms: Int64) throws(HistoryError) -> Int64? {
    var last: Int64?
    for track in tracks {
      let row = try track.history.rows(notAfterMs: ms - 1, limit: 1, skipping: 0).first
      last = [last, row?.atMs].compacted.max()
    }
    return last
  }

  /// The time of the nearest thing of a sort before (older) or after (newer) a time.
  func next(
    _ what: HistoryMark, from ms: Int64, isOlder: Bool
  ) throws(HistoryError) -> Int64? {
    var found: [Int64] = []
    for track in tracks {
      if let ms = try track.history.next(what, from: ms, isOlder: isOlder) { found.append(ms) }
    }
    return isOlder ? found.max() : found.min()
  }

  /// The note of a mark at a time.
  func mark(at ms: Int64) throws(HistoryError) -> String? {
    for track in tracks {
      if let mark = try track.history.marks().last(where: { $0.atMs == ms }) { return mark.note }
    }
    return nil
  }

  /// Incidents of days that were judged before.
  func knownIncidents(fromMs: Int64, toMs: Int64) throws(HistoryError) -> [Incident] {
    var all: [Incident] = []
    for track in tracks {
      all += try IncidentScan(track.rules).knownIncidents(
        track.history, fromMs: fromMs, toMs: toMs)
    }
    return all
  }

  // MARK: What is missing

  /// What is missing at a time: the outage of the only bot, or of one of several with its name.
  struct Missing: Hashable {
    var outage: RecordedOutage?
    /// The bots of several that have no record there.
    var names: [String] = []
  }

  /// nil where nothing is missing. A bot of several whose record begins later, or ended before, is missing too.
  func missing(at ms: Int64) throws(HistoryError) -> Missing? {
    var missing = Missing()
    for track in tracks {
      let outage = try track.history.outages(after: ms - 1, through: ms).last { $0.toMs > ms }
      let beginMs = isOfSeveral ? try track.history.span()?.lowerBound ?? .max : ms
      guard outage != nil || beginMs > ms else { continue }
      missing.names.append(track.name)
      missing.outage = missing.names.count == 1 ? outage : nil
    }
    return missing.names.isEmpty ? nil : missing
  }

  /// `not recorded 14:02:00-14:31:10 (recorder stopped)`, `prod, test not recorded here`
  func missingWords(at ms: Int64, _ clock: ClockFormat) throws(HistoryError) -> String? {
    guard let missing = try missing(at: ms) else { return nil }
    guard isOfSeveral else {
      guard let outage = missing.outage else { return nil }
      return "not recorded \(clock.time(ms: outage.fromMs).description)"
        + "-\(clock.time(ms: outage.toMs).description) (\(outage.reason.rawValue))"
    }
    let (named, more) = (missing.names.prefix(2), missing.names.count - 2)
    return named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
      + " not recorded here"
  }

  // MARK: Parts

  /// What is on record in equal parts of a stretch of time: of several bots the sums. Records are missing from a part
  /// where they are missing of each bot.
  func parts(
    of window: ClosedRange<Int64>, count: Int
  ) throws(HistoryError) -> [ReplayState.Part] {
    var parts = Array(repeating: ReplayState.Part(), count: count)
    var missing = Array(repeating: 0, count: count)
    let length = max(1, window.upperBound - window.lowerBound)
    // Outside the window, an index is outside the parts.
    func index(_ ms: Int64) -> Int {
      let offset = max(window.lowerBound - length, min(ms, window.upperBound + length))
      return Int((offset - window.lowerBound) * Int64(count) / length)
    }
    func indices(_ fromMs: Int64, _ toMs: Int64) -> Range<Int> {
      let first = max(0, index(fromMs))
      return first..<max(first, min(max(first, index(toMs)), count - 1) + 1)
    }
    for track in tracks {
      let density = try track.history.density(
        after: window.lowerBound, through: window.upperBound, buckets: count)
      for (index, bucket) in density.enumerated() where index < count {
        parts[index].rows += bucket.rows
        parts[index].failures += bucket.failures
      }
      var absent = Set<Int>()
      for outage in try track.history.outages(
        after: window.lowerBound, through: window.upperBound)
      {
        absent.formUnion(indices(outage.fromMs, outage.toMs).filter { $0 < count })
      }
      for index in absent { missing[index] += 1 }
      for mark in try track.history.marks() where window.contains(mark.atMs) {
        parts[min(index(mark.atMs), count - 1)].hasMark = true
      }
      for pin in try track.history.pins()
      where pin.toMs >= window.lowerBound && pin.fromMs <= window.upperBound {
        for index in indices(pin.fromMs, pin.toMs) where index < count {
          parts[index].isPinned = true
        }
      }
    }
    for index in parts.indices { parts[index].isMissing = missing[index] == tracks.count }
    return parts
  }
}

extension [Int64?] {
  fileprivate var compacted: [Int64] { compactMap { $0 } }
}
