/// Tells from the times in which the terminal took nothing whether the line to it is slow.
///
/// Three stalls of a tenth of a second within ten seconds mean that it is: one alone is a stopped
/// or a busy terminal. Twenty seconds without any mean that it is not; when it turns out to be slow
/// again soon after, the next calm has to last twice as long, so that the two do not alternate.
package struct SlowLineDetector: Hashable, Sendable {
  /// Shorter stalls are nothing a person notices, in ms.
  package static let stallMs = 100
  private static let window: UInt64 = 10_000_000_000
  private static let stallsForSlow = 3
  private static let calm: UInt64 = 20_000_000_000
  private static let longestCalm: UInt64 = 600_000_000_000

  /// Whether the line is slow.
  package private(set) var isSlow = false
  private var stalls: [UInt64] = []
  private var neededCalm = Self.calm
  private var leftAtNs: UInt64?

  /// Nothing has been seen yet.
  package init() {}

  /// The terminal took nothing for `ms`, up to now.
  ///
  /// - Parameter nowNs: on a monotonic clock.
  package mutating func stalled(ms: Int, nowNs: UInt64) {
    guard ms >= Self.stallMs else { return }
    stalls.append(nowNs)
    stalls.removeAll { nowNs - $0 > Self.window }
    guard !isSlow, stalls.count >= Self.stallsForSlow else { return }
    isSlow = true
    let isRelapse = leftAtNs.map { nowNs - $0 < 3 * neededCalm } ?? false
    neededCalm = isRelapse ? min(2 * neededCalm, Self.longestCalm) : Self.calm
  }

  /// Time has passed. Call it before each frame.
  package mutating func tick(nowNs: UInt64) {
    guard isSlow, let last = stalls.last, nowNs - last > neededCalm else { return }
    isSlow = false
    stalls = []
    leftAtNs = nowNs
  }
}
