package import OpenClawWire

/// Decides what is done with the commands that a gateway asks of this node: a pure machine. It carries out
/// `system.notify` alone, and a limited number of them.
package struct NodeDesk {
  package enum Verdict: Equatable {
    case show(SystemNotification)
    /// The same request was taken before; it is answered, and nothing is shown again.
    case known
    /// - Parameter isNews: whether it is shown to the owner: an agent could ask any number of times.
    case refuse(NodeResult.Failure, isNews: Bool)
  }

  /// Notifications within any 60 s.
  static let perMinute = 10
  /// Commands that run at the same time.
  static let maximumRunning = 4
  /// Refusals within any 60 s that are shown.
  static let shownPerMinute = 5
  static let maximumKeys = 256
  static let minuteNs: UInt64 = 60_000_000_000

  /// Whether everything is refused: the owner has stopped all agents.
  var isFrozen = false
  private var taken: [UInt64] = []
  private var shown: [UInt64] = []
  /// Idempotency keys of what was taken, the oldest first.
  private var keys: [String] = []
  private(set) var running = 0

  package init() {}

  /// - Parameter nowNs: of a monotonic clock.
  package mutating func take(_ invocation: NodeInvocation, nowNs: UInt64) -> Verdict {
    do throws(NodeResult.Failure) {
      return try judge(invocation, nowNs: nowNs)
    } catch {
      let isNews = Self.count(&shown, nowNs: nowNs, limit: Self.shownPerMinute)
      return .refuse(error, isNews: isNews)
    }
  }

  private mutating func judge(
    _ invocation: NodeInvocation, nowNs: UInt64
  ) throws(NodeResult.Failure) -> Verdict {
    guard invocation.command == SystemNotification.command else {
      throw NodeResult.Failure(
        "INVALID_REQUEST", "this node carries out \(SystemNotification.command) and nothing else")
    }
    guard !isFrozen else {
      throw NodeResult.Failure("PANIC", "the owner has stopped all agents")
    }
    let notification = try SystemNotification(invocation.parameters)
    if let key = invocation.idempotencyKey, keys.contains(key) { return .known }
    guard running < Self.maximumRunning else {
      throw NodeResult.Failure(
        "UNAVAILABLE", "other notifications are still being shown; try again")
    }
    guard Self.count(&taken, nowNs: nowNs, limit: Self.perMinute) else {
      throw NodeResult.Failure(
        "UNAVAILABLE", "this node shows \(Self.perMinute) notifications a minute; try again later")
    }
    if let key = invocation.idempotencyKey {
      if keys.count >= Self.maximumKeys { keys.removeFirst() }
      keys.append(key)
    }
    running += 1
    return .show(notification)
  }

  /// The command of an invocation has ended. One that failed may be asked for again with the same key.
  package mutating func ended(_ invocation: NodeInvocation, hasFailed: Bool) {
    running -= 1
    if hasFailed, let key = invocation.idempotencyKey { keys.removeAll { $0 == key } }
  }

  /// - Returns: whether there is room for one more within the last minute; then it is counted.
  private static func count(_ times: inout [UInt64], nowNs: UInt64, limit: Int) -> Bool {
    times.removeAll { $0 + minuteNs <= nowNs }
    guard times.count < limit else { return false }
    times.append(nowNs)
    return true
  }
}
