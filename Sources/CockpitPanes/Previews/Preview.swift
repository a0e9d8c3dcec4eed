import ClankyWire
import CockpitStores
import TerminalCore

/// Helpers of the four tabs whose own issues are still open: each says what it will show and
/// draws what is already known.
enum Preview {
  /// Label and value on one line.
  static func pair(
    _ label: PlainText, _ value: PlainText, _ role: Role = .text, y: Int, into canvas: inout Canvas
  ) {
    canvas.write(label, x: 1, y: y, role: .muted)
    let room = canvas.bounds.width - 16
    canvas.write(value.cut(to: max(0, room)), x: 15, y: y, role: role)
  }

  /// A panel with a box where there is room, else under a rule.
  static func panel(
    _ title: PlainText, trailing: PlainText = "", in area: Rect, into frame: inout Frame,
    _ body: (inout Canvas) -> Void
  ) {
    guard area.height >= 2, area.width >= 10 else { return }
    if frame.canvas.size.width >= 100 {
      frame.canvas.panel(title, trailing: trailing, in: area, isFocused: false, body)
    } else {
      frame.canvas.inside(area) { canvas in
        canvas.rule(title, trailing: trailing, y: 0, isFocused: false)
        canvas.inside(Rect(x: 0, y: 1, width: area.width, height: area.height - 1), body)
      }
    }
  }

  /// The last line of a preview: what the tab will become.
  static func outlook(_ text: PlainText, in area: Rect, into frame: inout Frame) {
    frame.canvas.inside(area) { canvas in
      for (y, line) in text.wrapped(to: max(10, canvas.bounds.width - 2)).enumerated() {
        canvas.write(line, x: 1, y: y, role: .muted)
      }
    }
  }
}
