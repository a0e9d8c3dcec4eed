import ClankyWire
import CockpitPanes
import CockpitText
import TerminalCore
import TerminalUI

/// The figures on the screen that have rows behind them, for the keyboard: what a click on each would show.
struct FigureList: Overlay, Hashable {
  /// A figure as it stands on the screen, and the query for its rows.
  struct Figure: Hashable {
    var text: PlainText
    var query: String
  }

  let figures: [Figure]
  private var cursor = TextCursor()

  init(_ figures: [Figure]) { self.figures = figures }

  /// The figures of a frame from top to bottom, each query once. Bars of a chart have no words: the chart's panel,
  /// or the row below it, makes a table of them.
  init(_ frame: Frame) {
    var seen: Set<String> = []
    let marked = frame.marks.compactMap { mark in
      mark.target.as(RowsBehind.self).map { (area: mark.area, query: $0.query) }
    }
    figures = marked.filter { $0.area.height == 1 }
      .sorted { ($0.area.y, $0.area.x) < ($1.area.y, $1.area.x) }
      .compactMap { mark in
        let text = PlainText(frame.canvas.text(in: mark.area).collapsingWhitespace, limit: 200)
        guard text.description.contains(where: { $0.isLetter || $0.isNumber }),
          seen.insert(mark.query).inserted
        else { return nil }
        return Figure(text: text, query: mark.query)
      }
  }

  var title: PlainText { "figures" }
  var keyLine: PlainText { "Enter shows the rows behind it  j k choose  Esc leaves" }

  mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    if let step = press.listStep {
      move(by: step)
      return .stay
    }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return .close
    case (.enter, []): return open(cursor.line)
    default:
      if case .command(.figures) = facts.keys.match([press]) { return .close }
    }
    return .stay
  }

  mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    guard item == cursor.line else {
      cursor.put(line: item)
      return .stay
    }
    return open(item)
  }

  mutating func wheel(_ lines: Int, on facts: ViewContext) { move(by: lines.signum()) }

  private mutating func move(by step: Int) {
    cursor.move(by: step, in: CursorList(count: figures.count, height: figures.count))
  }

  private func open(_ index: Int) -> LayerOutcome {
    figures.indices.contains(index) ? .done([.rows(figures[index].query)]) : .close
  }

  func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = min(body.width, 100)
    let height = min(body.height, figures.count + 2)
    let area = Rect(x: body.maxX - width, y: body.maxY - height, width: width, height: height)
    frame.canvas.clear(area)
    frame.canvas.panel(
      title, trailing: PlainText("\(cursor.line + 1)/\(figures.count)"), in: area, isFocused: true
    ) { _ in }
    let listed = max(0, height - 2)
    let first = max(0, min(cursor.line - listed + 1, figures.count - listed))
    let textWidth = min(40, width / 2)
    for (offset, figure) in figures.dropFirst(first).prefix(listed).enumerated() {
      let index = first + offset
      let line = Rect(x: area.x + 1, y: area.y + 1 + offset, width: max(0, width - 2), height: 1)
      frame.mark(line, .overlay(index))
      frame.canvas.inside(line) { canvas in
        let back: Role? = index == cursor.line ? .selection : nil
        if back != nil {
          canvas.fill(canvas.bounds, background: back)
          canvas.placeCursor()
        }
        canvas.write(figure.text.cut(to: textWidth), x: 1, background: back)
        canvas.write(
          PlainText(figure.query, limit: 400).cut(to: max(0, width - textWidth - 5)),
          x: textWidth + 2, role: .muted, background: back)
      }
    }
  }
}
