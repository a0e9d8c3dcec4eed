/// Tells whether the line to the terminal is slow: from the times in which it took nothing, and
/// over SSH, where megabytes may wait on the way before anything stops, from how late it answers.
///
/// Three stalls of a tenth of a second within ten seconds mean that it is: one alone is a stopped
/// or a busy terminal. Twenty seconds without any mean that it is not; when it turns out to be slow
/// again soon after, the next calm has to last twice as long, so that the two do not alternate.
/// Stalls that go on although less is sent raise the level: what is sent has to become less still,
/// until the line is empty when a key is answered.
package struct SlowLineDetector: Hashable, Sendable {
  /// Shorter stalls are nothing a person notices, in ms.
  package static let stallMs = 100
  /// An answer that is later than the quickest by so many ms stood behind what was sent before.
  package static let lateMs = 500
  private static let window: UInt64 = 10_000_000_000
  private static let stallsForSlow = 3
  private static let calm: UInt64 = 20_000_000_000
  private static let longestCalm: UInt64 = 600_000_000_000

  /// Whether the line is slow.
  package private(set) var isSlow = false
  /// 0 to 3 while it is slow: how far less has to be sent.
  package private(set) var level = 0
  private static let highestLevel = 3
  /// What was changed is felt after some seconds.
  private static let levelInterval: UInt64 = 4_000_000_000
  private var levelAtNs: UInt64 = 0
  private var quickestMs: Int?
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

  /// The terminal answered a question after `ms`. Two late answers are as bad as three stalls.
  package mutating func answered(afterMs ms: Int, nowNs: UInt64) {
    let quickest = min(quickestMs ?? ms, ms)
    quickestMs = quickest
    guard ms - quickest >= Self.lateMs else { return }
    stalled(ms: ms, nowNs: nowNs)
    if !isSlow { stalled(ms: ms, nowNs: nowNs) }
  }

  /// Time has passed. Call it before each frame.
  package mutating func tick(nowNs: UInt64) {
    guard isSlow, let last = stalls.last, nowNs - last > neededCalm else { return }
    isSlow = false
    level = 0
    stalls = []
    leftAtNs = nowNs
  }
}
