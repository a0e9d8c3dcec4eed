/// The events of a session that were fetched, apart from the rows of the log.
package struct FetchedEvents: Hashable, Sendable {
  /// Whether the backend's limit was reached: it gives the oldest `SessionSummary.cap` events.
  package var isCapped: Bool
  /// When the last of the first events was, in ms since 1970; nil if there was none.
  package var lastMs: Int64?
  /// The time from which a second answer brought all later events, in ms since 1970; nil if none
  /// was requested or it was inconclusive.
  package var restFromMs: Int64?

  package init(isCapped: Bool, lastMs: Int64?, restFromMs: Int64? = nil) {
    self.isCapped = isCapped
    self.lastMs = lastMs
    self.restFromMs = restFromMs
  }
}

/// How much of a session is recorded here; counts over its events are true only together with it.
package enum SessionExtent: Hashable, Sendable {
  /// All events that the backend has written.
  case whole
  /// No event has arrived, which does not mean that there are none.
  case nothing
  /// All events from this time on, in ms since 1970; those before are not here.
  case since(Int64)
  /// The first events and the last ones; those between these times, in ms since 1970, are not here.
  case broken(from: Int64, to: Int64)
  /// The first events only, up to this time, in ms since 1970.
  case until(Int64)

  package var isWhole: Bool { self == .whole }
}

extension VoiceSessionRecord {
  /// How much of the session is recorded.
  ///
  /// - Parameters:
  ///   - rowsBeginMs: the time from which all rows of voice sessions are in the log, in ms since
  ///     1970; nil if unknown.
  ///   - isLive: whether it is running: then all new events are recorded.
  package func extent(rowsBeginMs: Int64?, isLive: Bool) -> SessionExtent {
    if dropped > 0, let first = events.first?.timeMs { return .since(first) }
    let begin = [rowsBeginMs, fetched?.restFromMs].compactMap(\.self).min()
    if let begin, begin <= startedAt ?? .min { return .whole }
    guard let fetched else {
      guard let first = events.first?.timeMs else { return .nothing }
      return .since(begin.map { max($0, first) } ?? first)
    }
    guard fetched.isCapped, let last = fetched.lastMs else { return .whole }
    if let begin {
      if begin <= last { return .whole }
      // Nothing is known after the first events of a session that ended before the rows begin.
      guard isLive || (events.last?.timeMs ?? .min) > last else { return .until(last) }
      return .broken(from: last, to: begin)
    }
    return .until(last)
  }
}
