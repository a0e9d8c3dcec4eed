import TerminalCurses

/// How often frames are drawn: at once for keys, for streams as often as is any use.
package struct FramePacing {
  /// `low_bandwidth` of the configuration.
  package enum LowBandwidth: String {
    case auto, on, off
  }

  package var mode: LowBandwidth
  package var isFocused = true
  /// Whether about a screenful of rows came since the last frame.
  package var isFlood = false
  private var line = SlowLineDetector()

  package init(mode: LowBandwidth) { self.mode = mode }

  /// Whether frames are fewer because of the line.
  package var isLow: Bool {
    switch mode {
    case .on: true
    case .off: false
    case .auto: line.isSlow
    }
  }

  /// The terminal took nothing for `ms`.
  package mutating func stalled(ms: Int, nowNs: UInt64) { line.stalled(ms: ms, nowNs: nowNs) }

  /// The terminal answered a question after `ms`.
  package mutating func answered(afterMs ms: Int, nowNs: UInt64) {
    line.answered(afterMs: ms, nowNs: nowNs)
  }

  package mutating func tick(nowNs: UInt64) { line.tick(nowNs: nowNs) }

  /// Whether it is time to ask the terminal how late it is: after frames, and every 3 s at most.
  package mutating func isQuestionDue(nowNs: UInt64) -> Bool {
    guard mode == .auto, nowNs >= askedAtNs + 3_000_000_000 else { return false }
    askedAtNs = nowNs
    return true
  }

  private var askedAtNs: UInt64 = 0

  /// The shortest time between two frames for streams.
  package var streamInterval: Duration {
    if isLow { return mode == .on ? .seconds(1) : .milliseconds(500 << line.level) }
    // Nobody looks: two frames a second are enough (ux.md B, focus events).
    if !isFocused { return .milliseconds(500) }
    // While a screenful and more arrives with every frame nobody reads it: four frames a second
    // show as much as ten and cost a slow line far less.
    return isFlood ? .milliseconds(250) : .milliseconds(100)
  }

  /// A frame is drawn at least this often: ages, clock, rates. It is counted from the last frame
  /// and a little longer than the backend's 3 s, so that on a healthy connection the data is the
  /// tick.
  package var tickNs: UInt64 { isLow ? 10_000_000_000 : 3_100_000_000 }

  /// Whether the frame that lets new rows look like the others is worth its bytes.
  package var settlesFreshRows: Bool { !isLow }
}
