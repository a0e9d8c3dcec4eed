/// Actions per minute of the last hour, by the time of the action.
///
/// Evicted rows stay in the rates.
package struct MinuteRates: Sendable {
  private struct Minute {
    var number: Int64 = .min
    var actions = 0
    var failures = 0
  }

  /// An hour, and a few minutes for clocks that run ahead.
  private static let size = 128
  /// How far the backend's clock may be ahead of ours, in minutes. Later rows are ignored: one
  /// wrong date would push out the hour.
  private static let ahead: Int64 = 10

  private var minutes = [Minute](repeating: Minute(), count: size)

  package init() {}

  mutating func add(timeMs: Int64, failed: Bool, nowMs: Int64) {
    let number = Self.minute(timeMs)
    let now = Self.minute(nowMs)
    guard number <= now + Self.ahead, number > now - Int64(Self.size) + Self.ahead else { return }
    let slot = Int(number & Int64(Self.size - 1))
    var minute = minutes[slot]
    if minute.number != number { minute = Minute(number: number) }
    minute.actions += 1
    if failed { minute.failures += 1 }
    minutes[slot] = minute
  }

  /// Counts of one minute.
  package struct Rate: Hashable, Sendable {
    package var actions: Int
    package var failures: Int

    package init(actions: Int = 0, failures: Int = 0) {
      self.actions = actions
      self.failures = failures
    }
  }

  /// One for each minute, the oldest first; the last one is the minute of `nowMs`.
  package func perMinute(last count: Int = 60, nowMs: Int64) -> [Rate] {
    let now = Self.minute(nowMs)
    return (0..<max(0, min(count, 60))).reversed().map { back in
      let number = now - Int64(back)
      let minute = minutes[Int(number & Int64(Self.size - 1))]
      guard minute.number == number else { return Rate() }
      return Rate(actions: minute.actions, failures: minute.failures)
    }
  }

  /// Failures in the last `count` minutes, at most 60, including the minute of `nowMs`.
  package func failures(last count: Int, nowMs: Int64) -> Int {
    let now = Self.minute(nowMs)
    var failures = 0
    for back in 0..<Int64(max(0, min(count, 60))) {
      let minute = minutes[Int((now - back) & Int64(Self.size - 1))]
      if minute.number == now - back { failures += minute.failures }
    }
    return failures
  }

  private static func minute(_ ms: Int64) -> Int64 {
    let (quotient, rest) = ms.quotientAndRemainder(dividingBy: 60_000)
    return rest < 0 ? quotient - 1 : quotient
  }
}
