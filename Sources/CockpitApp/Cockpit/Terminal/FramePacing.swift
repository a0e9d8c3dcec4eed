import TerminalCurses

/// How often frames are drawn: at once for keys, at a limited rate for streams.
package struct FramePacing {
  /// `low_bandwidth` of the configuration.
  package enum LowBandwidth: String {
    case auto, on, off
  }

  package var mode: LowBandwidth
  package var isFocused = true
  /// Whether about a screenful of rows arrived since the last frame.
  package var isFlood = false
  private var line = SlowLineDetector()

  package init(mode: LowBandwidth) { self.mode = mode }

  /// Whether the frame rate is reduced because the line is slow.
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

  /// Whether to measure the terminal's delay now: after a frame, and every 3 s at most.
  package mutating func isQuestionDue(nowNs: UInt64) -> Bool {
    guard mode == .auto, nowNs >= askedAtNs + 3_000_000_000 else { return false }
    askedAtNs = nowNs
    return true
  }

  private var askedAtNs: UInt64 = 0

  /// The shortest time between two frames for streams.
  package var streamInterval: Duration {
    if isLow { return mode == .on ? .seconds(1) : .milliseconds(500 << line.level) }
    // Without focus two frames a second are enough.
    if !isFocused { return .milliseconds(500) }
    // Rows that fill the screen with every frame are unreadable: four frames a second show as much
    // as ten and save bytes on a slow line.
    return isFlood ? .milliseconds(250) : .milliseconds(100)
  }

  /// A frame is drawn at least this often: ages, clock, rates. It is counted from the last frame
  /// and a little longer than the backend's 3 s, so that on a healthy connection the data is the
  /// tick.
  package var tickNs: UInt64 { isLow ? 10_000_000_000 : 3_100_000_000 }

  /// Whether to draw the frame that removes the highlight of new rows.
  package var redrawsFreshRows: Bool { !isLow }
}
