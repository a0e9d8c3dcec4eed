import CockpitPanes
import TerminalUI
import CockpitText
import TerminalCore

/// The web addresses of a row, each in full with its host in front, for copying. Nothing is ever
/// opened from here: untrusted links must be read first (promise P12).
struct LinkList: Overlay {
  let links: [WebLink]
  private var cursor = TextCursor()

  init(_ links: [WebLink]) { self.links = links }

  var title: PlainText { "links" }
  var keyLine: PlainText { "Enter copies the address  j k choose  Esc leaves" }

  mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    if let step = press.listStep {
      move(by: step)
      return .stay
    }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("o"), []), (.char("c"), .ctrl): return .close
    case (.enter, []), (.char("y"), []), (.char("c"), []): return copy(cursor.line)
    default: break
    }
    return .stay
  }

  mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    guard item == cursor.line else {
      cursor.put(line: item)
      return .stay
    }
    return copy(item)
  }

  mutating func wheel(_ lines: Int, on facts: ViewContext) { move(by: lines.signum()) }

  private mutating func move(by step: Int) {
    cursor.move(by: step, in: CursorList(count: links.count, height: links.count))
  }

  private func copy(_ index: Int) -> LayerOutcome {
    guard links.indices.contains(index) else { return .close }
    return .done([.copy(text: links[index].url, what: "link to " + PlainText(links[index].host))])
  }

  func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = min(body.width, DialogPage.textWidth(in: body) + 4)
    let room = max(1, width - 4)
    // The chosen address is whole, the others have one line each.
    let chosen = links[cursor.line]
    let full = PlainText(chosen.url).wrapped(to: room, limit: 400)
    let height = min(body.height, links.count + full.count + 4)
    let area = Rect(x: body.maxX - width, y: body.maxY - height, width: width, height: height)
    let listed = max(0, min(links.count, height - full.count - 4))
    let first = max(0, min(cursor.line - listed + 1, links.count - listed))
    frame.canvas.clear(area)
    let trailing = PlainText("\(cursor.line + 1)/\(links.count)")
    frame.canvas.panel(title, trailing: trailing, in: area, isFocused: true) { _ in }
    var y = area.y + 1
    for (offset, link) in links.dropFirst(first).prefix(listed).enumerated() {
      let index = first + offset
      let line = Rect(x: area.x + 1, y: y, width: max(0, width - 2), height: 1)
      frame.mark(line, .overlay(index))
      frame.canvas.inside(line) { canvas in
        let back: Role? = index == cursor.line ? .selection : nil
        if back != nil {
          canvas.fill(canvas.bounds, background: back)
          canvas.placeCursor()
        }
        let x = canvas.write(
          PlainText(link.host, limit: 60).cut(to: room / 2), x: 1, role: .heading,
          background: back)
        canvas.write(
          PlainText(link.url, limit: room).cut(to: room - x - 1), x: x + 2, role: .muted,
          background: back)
      }
      y += 1
    }
    y += listed > 0 ? 1 : 0
    var isCut = false
    for part in full {
      guard y < area.maxY - 2 else {
        isCut = true
        break
      }
      frame.canvas.write(part, x: area.x + 2, y: y)
      y += 1
    }
    let button: PlainText = "[COPY]"
    let place = Rect(x: area.x + 2, y: area.maxY - 2, width: button.columns, height: 1)
    frame.canvas.write(button, x: place.x, y: place.y, role: .focus, attributes: [.reverse, .bold])
    let length = PlainText("\(chosen.url.utf8.count) characters")
    let note =
      isCut ? length + ", the end is not shown" : "leads to " + PlainText(chosen.host, limit: 200)
    frame.canvas.write(
      ("  " + note).cut(to: max(0, room - button.columns)), x: place.maxX, y: place.y,
      role: .warning)
    frame.mark(place, .overlay(cursor.line))
  }
}
