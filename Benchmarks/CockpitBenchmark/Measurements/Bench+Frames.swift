import Foundation

extension Bench {
  /// Bytes of a frame while the feed scrolls, against painting the whole screen anew.
  ///
  /// The target is set for 60 frames a second and 50 events a second. The cockpit draws ten times a
  /// second at most, so the same news per frame comes at a sixth of the events; the full rate, with
  /// six times the rows in each frame, is shown beside it.
  func measureFrames() throws {
    report.begin("Bytes per frame while the feed scrolls, 120x40")
    let few = try frameBytes(eventsPerSecond: Self.newsPerFrame * 10)
    let many = try frameBytes(eventsPerSecond: 50)
    report.add("painting the whole screen anew", figure: few.full.text("B", digits: 0))
    for (name, frames) in [("8.3 events per second", few), ("50 events per second", many)] {
      report.add("\(name): frames per second", figure: frames.perSecond.text(digits: 1))
      report.add("\(name): bytes per frame", figure: frames.bytes.text(digits: 0))
      report.add("\(name): bytes per second", figure: frames.bytesPerSecond.text(digits: 0))
    }
    report.compared(
      "bytes per frame against a full redraw, 0.83 rows per frame", few.ratio, digits: 3)
    report.add(
      "50 events per second, drawn 10 times: bytes per frame against a full redraw",
      figure: many.ratio.text("x", digits: 3))
    report.add(
      "50 events per second: bytes per second against 60 full redraws per second",
      figure: Spread(zip(many.bytesPerSecond.values, many.full.values).map { $0 / ($1 * 60) })
        .text("x", digits: 3))
  }

  /// Rows in a frame at 50 events and 60 frames a second.
  static let newsPerFrame = 50.0 / 60

  /// The cost of frames, one value per window.
  struct FrameBytes {
    let full: Spread
    let perSecond: Spread
    let bytes: Spread
    let bytesPerSecond: Spread
    let ratio: Spread
  }

  func frameBytes(
    eventsPerSecond rate: Double, windows: Int = 5, seconds: Double = 4
  ) throws -> FrameBytes {
    let backend = try BackendProcess(itself)
    let screen = try openCockpit(backend)
    guard Screen.serve([screen], seconds: 20, until: { Self.isCockpitComplete(screen) }) else {
      throw BenchmarkError("the cockpit shows no complete frame:\n\(screen.text)")
    }
    var (full, perSecond, bytes, ratio, total) = (
      [Double](), [Double](), [Double](), [Double](), [Double]()
    )
    for _ in 0..<windows {
      try backend.tell(perSecond: 0)
      Screen.serve([screen], seconds: 1)
      let repaint = try bytesOfRepaint(screen)
      try backend.tell(perSecond: rate)
      // The feed scrolls before anything is counted.
      Screen.serve([screen], seconds: 1)
      let before = (screen.byteCount, screen.frames, nowNs())
      Screen.serve([screen], seconds: seconds)
      let elapsed = Double(nowNs() - before.2) / 1e9
      let (count, frames) = (screen.byteCount - before.0, screen.frames - before.1)
      guard frames > 0 else { throw BenchmarkError("no frame came:\n\(screen.text)") }
      full.append(repaint)
      perSecond.append(Double(frames) / elapsed)
      bytes.append(Double(count) / Double(frames))
      ratio.append(Double(count) / Double(frames) / repaint)
      total.append(Double(count) / elapsed)
    }
    return FrameBytes(
      full: Spread(full), perSecond: Spread(perSecond), bytes: Spread(bytes),
      bytesPerSecond: Spread(total), ratio: Spread(ratio))
  }

  /// The bytes written by the redraw key.
  private func bytesOfRepaint(_ screen: Screen) throws -> Double {
    let before = (screen.byteCount, screen.frames)
    screen.send("\u{C}")
    guard Screen.serve([screen], seconds: 20, until: { screen.frames > before.1 }) else {
      throw BenchmarkError("the screen was not painted anew:\n\(screen.text)")
    }
    return Double(screen.byteCount - before.0)
  }
}
