import CockpitPanes
import TerminalUI
import CockpitText
import TerminalCore

extension CopyItem.Kind {
  /// The key that chooses it in the menu.
  var key: Character { Character(rawValue) }

  /// Its name in the menu and in the confirmation.
  var title: PlainText {
    switch self {
    case .row: "text"
    case .json: "JSON"
    case .id: "id"
    case .pathValue: "path=value"
    case .url: "Discord link"
    case .curl: "curl"
    case .query: "filter"
    case .permalink: "command"
    }
  }
}

/// What can be copied of the selection, one key each: `y y` copies the text, `y j` the JSON.
///
/// The data is captured when the menu opens; each entry shows its start, sanitised, and its length.
struct CopyMenu: Overlay {
  let items: [CopyItem]
  private var cursor = TextCursor()

  init(_ items: [CopyItem]) { self.items = items }

  var title: PlainText { "copy" }
  // `j` is the JSON's key, so it cannot go down here.
  var keyLine: PlainText { "a key copies  Up Down choose  Enter copies  Esc leaves" }

  mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("c"), .ctrl), (.char("g"), .ctrl): return .close
    case (.down, []), (.tab, []), (.char("n"), .ctrl): move(by: 1)
    case (.up, []), (.tab, .shift), (.char("p"), .ctrl): move(by: -1)
    case (.home, []): cursor.perform(.top, in: list)
    case (.end, []): cursor.perform(.bottom, in: list)
    case (.enter, []): return choose(cursor.line)
    case (.char(let key), []):
      if let index = items.firstIndex(where: { $0.kind.key == key }) { return choose(index) }
    default: break
    }
    return .stay
  }

  mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome { choose(item) }

  mutating func wheel(_ lines: Int, on facts: ViewContext) { move(by: lines.signum()) }

  /// The cursor treats all items as visible: how many fit is known only when drawing.
  private var list: CursorList<Never> { CursorList(count: items.count, height: items.count) }

  private mutating func move(by step: Int) { cursor.move(by: step, in: list) }

  private func choose(_ index: Int) -> LayerOutcome {
    guard items.indices.contains(index) else { return .close }
    return .done([items[index].effect])
  }

  func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = min(body.width, DialogPage.textWidth(in: body) + 4)
    let height = min(body.height, items.count + 2)
    let area = Rect(x: body.maxX - width, y: body.maxY - height, width: width, height: height)
    let room = max(0, height - 2)
    let first = max(0, min(cursor.line - room + 1, items.count - room))
    frame.canvas.clear(area)
    frame.canvas.panel(title, trailing: "Esc leaves", in: area, isFocused: true) { _ in }
    for (offset, item) in items.dropFirst(first).prefix(room).enumerated() {
      let index = first + offset
      let line = Rect(
        x: area.x + 1, y: area.y + 1 + offset, width: max(0, area.width - 2), height: 1)
      frame.mark(line, .overlay(index))
      frame.canvas.inside(line) { draw(item, isSelected: index == cursor.line, into: &$0) }
    }
  }

  private func draw(_ item: CopyItem, isSelected: Bool, into canvas: inout Canvas) {
    let back: Role? = isSelected ? .selection : nil
    if isSelected {
      canvas.fill(canvas.bounds, background: back)
      canvas.placeCursor()
    }
    let size = item.size
    let end = canvas.bounds.width - size.columns - 1
    canvas.write(size, x: end, role: .muted, background: back)
    canvas.write(
      PlainText(item.kind.rawValue), x: 1, role: .key, attributes: .bold, background: back)
    let x = canvas.write(item.kind.title.padded(to: 13), x: 3, role: .muted, background: back)
    guard end - x > 3 else { return }
    canvas.write(
      PlainText(item.text, limit: end).cut(to: end - x - 1), x: x, background: back)
  }
}

extension CopyItem {
  /// The effect that copies it.
  var effect: Effect { .copy(text: text, what: kind.title) }

  /// Its length, in bytes of UTF-8.
  var size: PlainText { Figures.bytes(text.utf8.count) }
}
