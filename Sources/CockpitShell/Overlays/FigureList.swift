import ClankyWire
import CockpitPanes
import CockpitText
import TerminalCore
import TerminalUI

/// The figures on the screen that have rows behind them, for the keyboard: what a click on each would show.
struct FigureList: Overlay, Hashable {
  /// A figure as it stands on the screen, and what a click on it shows.
  struct Figure: Hashable {
    var text: PlainText
    var target: Frame.Target

    var behind: RowsBehind? { target.as(RowsBehind.self) }

    /// The query for its rows, else what the figure is of.
    var words: PlainText {
      switch behind?.source {
      case .query(let query)?: PlainText(query, limit: 400)
      case .rows(_, let things)?: "the rows of these " + things
      case .some(.none): behind?.remark ?? "-"
      case nil: "its facts, in the list"
      }
    }

    /// Whether no row is behind it.
    var isBare: Bool { behind.map { !$0.hasRows } ?? false }
  }

  let figures: [Figure]
  private var cursor = TextCursor()

  init(_ figures: [Figure]) { self.figures = figures }

  /// The figures of a frame from top to bottom, those with rows first, each target once. Bars of a chart have no
  /// words: the chart's panel, or the row below it, makes a table of them.
  init(_ frame: Frame) {
    var seen: Set<Frame.Target> = []
    let listed = frame.marks.filter { $0.area.height == 1 && Self.isFigure($0.target) }
      .sorted { ($0.area.y, $0.area.x) < ($1.area.y, $1.area.x) }
      .compactMap { mark -> Figure? in
        let text = PlainText(frame.canvas.text(in: mark.area).collapsingWhitespace, limit: 200)
        guard text.description.contains(where: { $0.isLetter || $0.isNumber }),
          seen.insert(mark.target).inserted
        else { return nil }
        return Figure(text: text, target: mark.target)
      }
    figures = listed.filter { !$0.isBare } + listed.filter(\.isBare)
  }

  /// Rows, or the facts of a subject.
  private static func isFigure(_ target: Frame.Target) -> Bool {
    if case .subject? = target.as(MemoryPane.Target.self) { return true }
    return target.as(RowsBehind.self) != nil
  }

  var title: PlainText { "figures" }
  var keyLine: PlainText { "Enter shows what is behind it  j k choose  Esc leaves" }

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
    figures.indices.contains(index) ? .done([.press(figures[index].target)]) : .close
  }

  func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = min(body.width, 120)
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
          figure.words.cut(to: max(0, width - textWidth - 5)),
          x: textWidth + 2, role: .muted, background: back)
      }
    }
  }
}
