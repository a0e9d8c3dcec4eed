internal import CockpitDomain
internal import Synchronization

/// What this machine has recorded of a bot, and where it has nothing, what the database of a team has.
///
/// The database is asked for stretches without a local record alone. While it does not answer, the local history is all that
/// there is, and `trouble` says since when; without a local history its error is thrown.
package final class MergedHistory: HistoryReading {
  let local: HistoryFolder?
  /// Such as `team history`.
  package let name: String
  private let open: @Sendable () throws(HistoryError) -> any HistoryReading
  private let nowMs: @Sendable () -> Int64
  private let state = Mutex(State())

  private struct State {
    var shared: (any HistoryReading)?
    var downSinceMs: Int64?
    /// Why it does not answer.
    var reason = ""
    var triedMs: Int64 = 0
    var parts: HistoryParts?
    var partsMs: Int64 = 0
  }

  /// For how long the parts of the local history, and a failed connection, are not looked at again, in ms.
  private static let partsMs: Int64 = 10_000
  private static let retryMs: Int64 = 15_000

  /// - Parameters:
  ///   - local: nil if nothing is recorded on this machine.
  ///   - name: what the database is called.
  ///   - nowMs: our time, in ms since 1970.
  ///   - open: connects to the database; called again after a while when it fails.
  package init(
    local: HistoryFolder?, name: String, nowMs: @escaping @Sendable () -> Int64,
    open: @escaping @Sendable () throws(HistoryError) -> any HistoryReading
  ) {
    self.local = local
    self.name = name
    self.nowMs = nowMs
    self.open = open
  }

  package var damage: HistoryDamage { local?.damage ?? HistoryDamage() }

  package func origin(atMs: Int64) -> String? {
    guard state.withLock({ $0.downSinceMs == nil && $0.shared != nil }) else { return nil }
    let known = state.withLock(\.parts)
    return local == nil || known?.isLocal(atMs) == false ? name : nil
  }

  package var trouble: String? {
    let (since, reason) = state.withLock { ($0.downSinceMs, $0.reason) }
    guard let since else { return nil }
    let minutes = max(0, nowMs() - since) / 60_000
    let age = minutes == 0 ? "" : minutes < 120 ? " \(minutes) min" : " \(minutes / 60) h"
    return "\(name) down\(age): \(reason)"
  }

  package func cancel() { state.withLock(\.shared)?.cancel() }

  // MARK: which one

  /// Asks the database.
  ///
  /// - Returns: nil if it does not answer and there is a local history.
  func remote<Value>(
    _ ask: (any HistoryReading) throws(HistoryError) -> Value
  ) throws(HistoryError) -> Value? {
    let now = nowMs()
    let (known, isWaiting) = state.withLock { state in
      (state.shared, state.downSinceMs != nil && now - state.triedMs < Self.retryMs)
    }
    if isWaiting, local != nil { return nil }
    do throws(HistoryError) {
      let shared: any HistoryReading
      if let known { shared = known } else { shared = try open() }
      let value = try ask(shared)
      state.withLock { state in
        state.shared = shared
        state.downSinceMs = nil
      }
      return value
    } catch {
      guard error.reason == .unreachable || error.reason == .busy else { throw error }
      let words = error.description
      state.withLock { state in
        state.triedMs = now
        state.reason = words
        if state.downSinceMs == nil { state.downSinceMs = now }
      }
      guard local != nil else {
        throw HistoryError(error.reason, "\(name) does not answer: \(words)")
      }
      return nil
    }
  }

  /// The stretches of both; nil without a local history.
  func parts() throws(HistoryError) -> [HistoryParts.Part] {
    let whole = HistoryParts.Part(after: .min, through: .max, isLocal: local != nil)
    guard let local else { return [whole] }
    let now = nowMs()
    let known = state.withLock { state in
      now - state.partsMs < Self.partsMs ? state.parts : nil
    }
    if let known { return known.parts }
    guard let span = try local.span() else {
      return [HistoryParts.Part(after: .min, through: .max, isLocal: false)]
    }
    let links = try local.links(after: .min, through: .max)
    let parts = HistoryParts(
      startMs: links.first { $0.what == .started }?.atMs ?? span.lowerBound,
      lastMs: max(span.upperBound, links.map(\.atMs).max() ?? .min),
      outages: try local.outages(after: .min, through: .max), nowMs: now)
    state.withLock { state in
      state.parts = parts
      state.partsMs = now
    }
    return parts.parts
  }

  /// Works through the parts that touch a stretch of time.
  ///
  /// - Parameters:
  ///   - work: is given the history of a part; false ends it.
  /// - Returns: false if the database does not answer: the local history is to be asked for all.
  func each(
    after: Int64, through: Int64, isNewestFirst: Bool,
    _ work: (any HistoryReading, HistoryParts.Part) throws(HistoryError) -> Bool
  ) throws(HistoryError) -> Bool {
    let parts = try parts()
    for part in isNewestFirst ? parts : parts.reversed()
    where part.after < through && part.through > after {
      if part.isLocal, let local {
        guard try work(local, part) else { return true }
      } else {
        let more = try remote { shared throws(HistoryError) in try work(shared, part) }
        guard let more else { return false }
        guard more else { return true }
      }
    }
    return true
  }

  /// The local history alone, after the database did not answer.
  func alone<Value>(
    _ ask: (any HistoryReading) throws(HistoryError) -> Value
  ) throws(HistoryError) -> Value {
    guard let local else { throw HistoryError(.unreachable, "\(name) does not answer") }
    return try ask(local)
  }
}
