import CockpitText
import TerminalCore
import TerminalUI

/// Lines of label and value, scrolled; the last row says how many follow.
struct ScrolledLines {
  let lines: [DetailLine]
  let scroll: Int
  /// The line under the cursor; nil if there is none.
  var selected: Int?
  var target: (Int) -> BrainTarget? = { _ in nil }

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    let first = max(0, min(scroll, lines.count - area.height))
    for (offset, line) in lines.dropFirst(first).prefix(area.height).enumerated() {
      let index = first + offset
      let row = Rect(x: area.x, y: area.y + offset, width: area.width, height: 1)
      if let target = target(index) { frame.mark(row, .brain(target)) }
      frame.canvas.inside(row) { canvas in
        let background: Role? = index == selected ? .selection : nil
        if let background {
          canvas.fill(canvas.bounds, background: background)
          canvas.placeCursor()
        }
        var x = 2 * line.indent
        if line.fold != nil {
          canvas.symbol(
            line.isOpen ? .unfolded : .folded, x: x, y: 0, role: .focus, background: background)
          x += 2
        }
        for span in line.spans {
          let room = canvas.bounds.width - x
          guard room > 0 else { break }
          x =
            canvas.write(
              span.text.cut(to: room), x: x, role: span.role, background: background) + 1
        }
      }
    }
  }
}
