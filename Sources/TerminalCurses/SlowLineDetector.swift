/// Detects a slow line to the terminal from write stalls and, over SSH, where megabytes may be buffered
/// before a write stalls, from late answers.
///
/// Three stalls of 100 ms within 10 s mean a slow line; a single one is a stopped or busy terminal.
/// 20 s without stalls mean a fast one. A relapse soon after doubles the calm required next time, so
/// that the verdict does not flap. Stalls that continue although less is sent raise the level, until
/// the line is empty when a key is answered.
package struct SlowLineDetector: Hashable, Sendable {
  /// Shorter stalls are unnoticeable, in ms.
  package static let stallMs = 100
  /// An answer later than the fastest one by this much was queued behind output, in ms.
  package static let lateMs = 500
  private static let window: UInt64 = 10_000_000_000
  private static let stallsForSlow = 3
  private static let calm: UInt64 = 20_000_000_000
  private static let longestCalm: UInt64 = 600_000_000_000

  /// Whether the line is slow.
  package private(set) var isSlow = false
  /// Throttling level while slow, 0 to 3.
  package private(set) var level = 0
  private static let highestLevel = 3
  /// Minimum time between two levels, in ns: throttling takes effect with a delay.
  private static let levelInterval: UInt64 = 4_000_000_000
  private var levelAtNs: UInt64 = 0
  private var quickestMs: Int?
  private var stalls: [UInt64] = []
  private var neededCalm = Self.calm
  private var leftAtNs: UInt64?

  /// Starts without observations.
  package init() {}

  /// Records that writes to the terminal stalled for `ms`, until now.
  ///
  /// - Parameter nowNs: on a monotonic clock.
  package mutating func stalled(ms: Int, nowNs: UInt64) {
    guard ms >= Self.stallMs else { return }
    stalls.append(nowNs)
    stalls.removeAll { nowNs - $0 > Self.window }
    if isSlow {
      guard nowNs - levelAtNs > Self.levelInterval else { return }
      level = min(level + 1, Self.highestLevel)
      levelAtNs = nowNs
      return
    }
    guard stalls.count >= Self.stallsForSlow else { return }
    isSlow = true
    levelAtNs = nowNs
    let isRelapse = leftAtNs.map { nowNs - $0 < 3 * neededCalm } ?? false
    neededCalm = isRelapse ? min(2 * neededCalm, Self.longestCalm) : Self.calm
  }

  /// Records an answer after `ms`. Two late answers count like three stalls.
  package mutating func answered(afterMs ms: Int, nowNs: UInt64) {
    let quickest = min(quickestMs ?? ms, ms)
    quickestMs = quickest
    guard ms - quickest >= Self.lateMs else { return }
    stalled(ms: ms, nowNs: nowNs)
    if !isSlow { stalled(ms: ms, nowNs: nowNs) }
  }

  /// Re-evaluates the verdict. Call it before each frame.
  package mutating func tick(nowNs: UInt64) {
    guard isSlow, let last = stalls.last, nowNs - last > neededCalm else { return }
    isSlow = false
    level = 0
    stalls = []
    leftAtNs = nowNs
  }
}
