import ClankyWire
import CockpitStores
import TerminalCore
import TerminalUI

/// Where the columns of the list are: a mark for what differs, name, value, default, type.
struct SettingsColumns: Hashable {
  let name: Int
  let value: Int
  let standard: Int
  let type: Int

  private static let indent = 2

  init(width: Int) {
    type = width >= 76 ? 12 : 0
    standard = width >= 88 ? min(30, width / 5) : 0
    let rest = max(0, width - Self.indent - 2)
    name = min(46, rest * (width >= 88 ? 38 : 50) / 100)
    value = max(
      0, rest - name - 1 - (standard > 0 ? standard + 1 : 0) - (type > 0 ? type + 1 : 0))
  }

  func drawNames(into canvas: inout Canvas) {
    write("name", "value", "default", "type", roles: (.muted, .muted, .muted), nil, into: &canvas)
  }

  func draw(_ row: SettingsRow, background: Role?, into canvas: inout Canvas) {
    switch row {
    case .section(let section, let count, let differing, let isOpen):
      canvas.symbol(isOpen ? .unfolded : .folded, x: 0, y: 0, role: .focus, background: background)
      canvas.write(
        PlainText(section.title), x: Self.indent, role: .heading, attributes: .bold,
        background: background)
      var text = PlainText(count == 1 ? "1 setting" : "\(count) settings")
      if differing > 0 { text += PlainText("  \(differing) differ") }
      canvas.writeRight(
        text, y: 0, role: differing > 0 ? .warning : .muted, background: background)
    case .setting(let entry):
      let differs = entry.item.differs
      if differs {
        canvas.write(
          "*", x: Self.indent, role: .warning, attributes: .bold, background: background)
      }
      write(
        entry.name, entry.value, entry.standard,
        PlainText(entry.item.field?.kind.shortWord ?? "JSON"),
        roles: (differs ? .text : .muted, differs ? .text : .muted, .faint), background,
        into: &canvas)
    case .action(let action):
      canvas.symbol(.bullet, x: 0, y: 0, role: .muted, background: background)
      canvas.write(
        action.title, x: Self.indent, role: .heading, background: background)
    }
  }

  private func write(
    _ name: PlainText, _ value: PlainText, _ standard: PlainText, _ type: PlainText,
    roles: (name: Role, value: Role, rest: Role), _ background: Role?, into canvas: inout Canvas
  ) {
    var x = Self.indent + 2
    canvas.write(name.cut(to: self.name), x: x, role: roles.name, background: background)
    x += self.name + 1
    canvas.write(value.cut(to: self.value), x: x, role: roles.value, background: background)
    x += self.value + 1
    if self.standard > 0 {
      canvas.write(standard.cut(to: self.standard), x: x, role: roles.rest, background: background)
      x += self.standard + 1
    }
    if self.type > 0 {
      canvas.write(type.cut(to: self.type), x: x, role: roles.rest, background: background)
    }
  }
}

/// Draws rows with a cursor, each with a mark for the mouse. The sign of the selected row is in the free column on
/// the left.
struct ListedRows {
  var count: Int
  var cursor: (line: Int, scroll: Int)
  var isFocused: Bool

  func render(
    in area: Rect, into frame: inout Frame, target: (Int) -> Frame.Target,
    _ draw: (Int, inout Canvas, Role?) -> Void
  ) {
    guard area.height > 0 else { return }
    let first = max(0, min(cursor.scroll, count - area.height))
    let rest = count - first - area.height
    let more: PlainText = rest > 0 && area.width >= 16 ? PlainText(" +\(rest)") : ""
    for offset in 0..<min(area.height, count - first) {
      let index = first + offset
      let line = Rect(x: area.x - 1, y: area.y + offset, width: area.width + 1, height: 1)
      frame.mark(line, target(index))
      let isSelected = index == cursor.line
      let back: Role? = isFocused && isSelected ? .selection : nil
      frame.canvas.inside(line) { canvas in
        if back != nil {
          canvas.placeCursor()
          canvas.fill(canvas.bounds, background: back)
        }
        if isSelected {
          canvas.write(
            ">", role: isFocused ? .focus : .muted, attributes: .bold, background: back)
        }
        let taken = offset == area.height - 1 ? more.columns : 0
        canvas.inside(Rect(x: 1, width: area.width - taken, height: 1)) { draw(index, &$0, back) }
      }
    }
    guard !more.isEmpty else { return }
    frame.canvas.write(
      more, x: area.maxX - more.columns, y: area.maxY - 1, role: .muted,
      background: isFocused && cursor.line == first + area.height - 1 ? .selection : nil)
  }
}
