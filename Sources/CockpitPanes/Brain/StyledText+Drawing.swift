import TerminalCore
import TerminalUI

extension Canvas {
  /// Writes text runs one after the other, until the width is used up.
  mutating func write(_ spans: [StyledText], x: Int, y: Int, background: Role? = nil) {
    var x = x
    for span in spans {
      guard x < bounds.width else { return }
      let start = x
      x = write(
        span.text.cut(to: bounds.width - x), x: x, y: y, role: span.role,
        attributes: span.attributes, background: background)
      if let target = span.link { link(target, x: start, y: y, count: x - start) }
    }
  }
}

extension Frame {
  /// Writes runs of text into the first row of an area.
  mutating func write(_ spans: [StyledText], in area: Rect, background: Role? = nil) {
    canvas.inside(area) { $0.write(spans, x: 0, y: 0, background: background) }
  }
}
