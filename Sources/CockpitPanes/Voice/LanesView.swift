import CockpitStores

/// Which stretch of time the lanes show, and which of them are folded to a heat strip.
package struct LanesView: Hashable, Sendable {
  /// The zoom levels of `+` and `-`, in ms: 5 s to 30 minutes.
  static let spans: [Int64] = [
    5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
  ]

  /// The place in `spans`.
  var zoom = 4
  /// The playhead: the right end of the window, in ms since 1970; nil is live.
  var playheadMs: Int64?
  var collapsed: Set<Lane> = []
  /// The lane under the cursor.
  var lane = Lane.capture

  var spanMs: Int64 { Self.spans[zoom] }

  mutating func zoom(by step: Int) { zoom = min(max(0, zoom + step), Self.spans.count - 1) }

  /// Moves the window by an eighth of itself; at now it is live again.
  mutating func pan(by eighths: Int64, nowMs: Int64, oldestMs: Int64?) {
    let wanted = (playheadMs ?? nowMs) + eighths * spanMs / 8
    guard wanted < nowMs else {
      playheadMs = nil
      return
    }
    let first = min(nowMs, (oldestMs ?? nowMs) + spanMs / 8)
    playheadMs = max(wanted, first)
  }

  /// Scrolls a time range into the window, if it is not visible.
  mutating func show(from start: Int64, to end: Int64, nowMs: Int64) {
    let last = playheadMs ?? nowMs
    guard start < last - spanMs || end > last else { return }
    let wanted = max(end, start) + spanMs / 8
    playheadMs = wanted < nowMs ? min(wanted, start + spanMs) : nil
  }
}

/// The window of a drawing: maps times to columns.
///
/// Its end is aligned to a whole column, so the drawing moves only when a column has passed, and
/// frames in between write nothing.
struct LaneWindow: Hashable {
  let startMs: Int64
  let spanMs: Int64
  let width: Int

  init(endMs: Int64, spanMs: Int64, width: Int) {
    self.width = max(1, width)
    self.spanMs = spanMs
    let step = max(1, spanMs / Int64(self.width))
    let end = (endMs / step + 1) * step
    startMs = end - spanMs
  }

  var endMs: Int64 { startMs + spanMs }

  /// The column of a time; outside of `0..<width` if it is not in the window.
  func column(_ ms: Int64) -> Int {
    let offset = ms - startMs
    // A day away is as good as anywhere outside, and no product overflows.
    guard abs(offset) < 1_000_000_000_000 else { return offset < 0 ? -1 : width }
    return Int((offset * Int64(width)).quotientRoundedDown(by: spanMs))
  }
}

extension Int64 {
  fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
