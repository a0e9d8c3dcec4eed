import CockpitPanes
import CockpitAnswers
import TerminalCore
import TerminalUI

/// Explains the terms under the cursor: a small layer in the corner.
struct ExplainCard: Overlay {
  let texts: [Explanation]
  private var first = 0
  private var height = 1
  private var lines: [DialogLine] = []

  init(_ texts: [Explanation]) { self.texts = texts }

  var title: PlainText { "explain" }
  var keyLine: PlainText { "Esc closes  j k scroll  :explain NAME explains another" }

  mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    if case .command(.explain) = facts.keys.match([press]) { return .close }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.enter, []), (.char("c"), .ctrl): return .close
    case (.down, []), (.char("j"), []): first += 1
    case (.up, []), (.char("k"), []): first -= 1
    case (.pageDown, _), (.char(" "), []): first += height
    case (.pageUp, _): first -= height
    default: break
    }
    return .stay
  }

  mutating func wheel(_ lines: Int, on facts: ViewContext) { first += lines }

  mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    // Header and hints are not the tab's.
    let body = Rect(width: screen.width, height: max(1, screen.height - 2))
    lines = Self.lines(texts, width: Self.width(in: body) - 4)
    height = max(1, min(body.height - 2, lines.count))
    first = min(max(0, first), max(0, lines.count - height))
  }

  private static func width(in body: Rect) -> Int { min(body.width, 64) }

  private static func lines(_ texts: [Explanation], width: Int) -> [DialogLine] {
    texts.enumerated().flatMap { index, text in
      let heading = DialogLine(
        [DialogRun(PlainText(text.name).cut(to: max(1, width - 8)), .heading, .bold)],
        right: DialogRun(PlainText(text.family.rawValue), .muted))
      let gap = index > 0 ? [DialogLine()] : []
      return gap + [heading] + DialogLine.wrapped(PlainText(text.text), to: width)
    }
  }

  func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = Self.width(in: body)
    let lines = Self.lines(texts, width: width - 4)
    let height = min(body.height, lines.count + 2)
    let area = Rect(x: body.maxX - width, y: body.maxY - height, width: width, height: height)
    let room = max(0, height - 2)
    let first = max(0, min(first, lines.count - room))
    frame.canvas.clear(area)
    let last = min(lines.count, first + room)
    let place: PlainText = room < lines.count ? PlainText("\(last)/\(lines.count)") : ""
    frame.canvas.panel(title, trailing: place, in: area, isFocused: true) { canvas in
      canvas.inside(Rect(x: 1, width: max(0, width - 4), height: room)) { canvas in
        for (y, line) in lines.dropFirst(first).prefix(room).enumerated() {
          line.draw(into: &canvas, y: y)
        }
      }
    }
  }
}

extension CockpitShell {
  /// Explains the item under the cursor of the open tab.
  @MainActor mutating func explain(_ facts: ViewContext) {
    let (body, screen) = place()
    let texts = ExplainedName.texts(of: pane.explained(facts, body: body, screen: screen))
    guard !texts.isEmpty else {
      note("nothing under the cursor has a text; :explain NAME explains a name")
      return
    }
    layers.push(ExplainCard(texts))
  }
}
