import CockpitText
import CockpitDomain
import ClankyWire
import CockpitStores
import TerminalCore

/// Where the rows begin, which request is running, and what is unavailable.
extension ViewContext {
  /// Counts of rows with their windows.
  package var windowCounts: WindowCounts { activity.windowCounts(minuteMs: minuteMs, in: scope) }

  /// `/47m`, `/24h`: the window of a count; empty if unknown.
  func window(_ beginMs: Int64?) -> PlainText {
    beginMs.map { "/" + span(since: $0) } ?? ""
  }

  /// `47m`, `24h`
  func span(since beginMs: Int64) -> PlainText {
    WindowCounts.span(since: beginMs, minuteMs: minuteMs)
  }

  /// `23:54`, `23:54:12` in the last ten minutes, `11-24 23:54` of another day. Never rounded to an
  /// earlier time.
  func beginning(_ ms: Int64) -> PlainText {
    let unit: Int64 = ms > minuteMs - 600_000 ? 1000 : 60_000
    let (quotient, rest) = ms.quotientAndRemainder(dividingBy: unit)
    let shown = (quotient + (rest > 0 ? 1 : 0)) * unit
    let time = clock.time(ms: shown)
    guard unit > 1000 else { return time }
    let short = time.prefix(columns: 5)
    return clock.dayNumber(ms: shown) == clock.dayNumber(ms: minuteMs)
      ? short : clock.monthDay(ms: shown) + " " + short
  }

  /// The time from which all rows that a query can match are stored: `LogCoverage.everything` for
  /// all that the backend keeps, nil if unknown.
  func rowsBegin(_ query: Query) -> Int64? {
    coverageBegin(kinds: query.rowKinds(seen: activity.log.seenParts.kinds))
  }

  /// The start of the stored rows if the query reaches further back; nil if they cover it, or if
  /// unknown.
  func partialBegin(_ query: Query) -> Int64? {
    guard let begin = rowsBegin(query), begin != LogCoverage.everything else { return nil }
    if let earliest = query.earliestMs(nowMs: minuteMs), begin <= earliest { return nil }
    return begin
  }

  /// The request in progress: `fetching model calls of 24h`.
  var fetching: PlainText? {
    guard let topic = status.history.topic, status.overall == .live || status.overall == .polling
    else { return nil }
    let words = "fetching " + PlainText(topic.rawValue)
    let sinceMs = status.history.sinceMs
    guard sinceMs != .min, topic != .newest else { return words }
    let age = minuteMs + 59_999 - sinceMs
    let isDay = age >= WindowCounts.day && age < 2 * WindowCounts.day
    return words + " of " + (isDay ? "24h" : Figures.age(ms: age))
  }

  /// The request for rows that a query names by `since:` or `at:` and that are not stored; nil if
  /// there are none.
  func missingRequest(for query: Query) -> HistoryRequest? {
    guard let earliest = query.earliestMs(nowMs: minuteMs), let begin = rowsBegin(query),
      begin > earliest
    else { return nil }
    let request = HistoryRequest(
      kinds: query.rowKinds(seen: activity.log.seenParts.kinds), sinceMs: earliest)
    return status.history.isDone(request) ? nil : request
  }

  /// The request for the next part of the past beyond the stored rows: a day, three days,
  /// everything; nil if all of that was requested.
  func olderRequest(for query: Query) -> HistoryRequest? {
    let kinds = query.rowKinds(seen: activity.log.seenParts.kinds)
    let begin = rowsBegin(query) ?? .max
    for sinceMs in [minuteMs - WindowCounts.day, minuteMs - 3 * WindowCounts.day, .min]
    where sinceMs < begin {
      let request = HistoryRequest(kinds: kinds, sinceMs: sinceMs)
      if !status.history.isDone(request) { return request }
    }
    return nil
  }

  /// Why rows before a time are missing and will not arrive.
  func whyNoOlder(_ query: Query) -> PlainText {
    whyNoOlder(kinds: query.rowKinds(seen: activity.log.seenParts.kinds))
  }

  /// The same for rows of some kinds; nil means all.
  func whyNoOlder(kinds: Set<String>?) -> PlainText {
    switch status.history.stop {
    case .memory: return "there is no room for older ones (memory, docs/pulse.md)"
    case .failure: return "the backend gave no answer for older ones"
    case nil: break
    }
    let limits = status.history.limits.filter { limit in
      kinds.map { !$0.isDisjoint(with: limit.part.kinds) } ?? !limit.part.kinds.isEmpty
    }
    guard let limit = limits.first(where: { $0.part.kinds.count == 1 }) ?? limits.first else {
      return "older ones cannot be had: the backend gives the newest 1,000"
    }
    let kind = PlainText(limit.part.kinds.first ?? "", limit: 40)
    let more: PlainText = limits.count > 1 || limit.part.kinds.count > 1 ? " and others" : ""
    return "older ones cannot be had: "
      + (limit.isTooLarge ? "too large: " : "more than 1,000 of ") + kind + more
  }
}

extension WindowCounts {
  static let day: Int64 = 86_400_000
}
