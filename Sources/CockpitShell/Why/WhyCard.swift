import CockpitPanes
import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// Why the bot said that, or why it was silent: the sentence, the steps, cost, slowest step, facts, and at the
/// foot what to do next.
package struct WhyCard: Overlay {
  private(set) var why: Why
  private var lines: [WhyLine]
  /// The rows that the answer was made from.
  private var version: [Int] = []
  /// The selected line.
  private var cursor = 0
  /// The first row in sight.
  private var first = 0
  private var room = 1

  package init(_ why: Why) {
    self.why = why
    lines = WhyLine.all(of: why)
    // Where it stopped is what is asked about.
    cursor = lines.firstIndex(where: \.isStop) ?? 0
  }

  package var title: PlainText { "why" }

  package var keyLine: PlainText {
    "j k move  Enter goes to the row  n does the next step  Esc closes"
  }

  /// The facts that may stand in its prompt.
  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    guard why.exchange.prompt != nil else { return [] }
    return [.memory(.load(guild: why.exchange.guildID))]
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return .close
    case (.down, []), (.char("j"), []): cursor += 1
    case (.up, []), (.char("k"), []): cursor -= 1
    case (.pageDown, _), (.char("d"), .ctrl), (.char(" "), []): cursor += room
    case (.pageUp, _), (.char("u"), .ctrl): cursor -= room
    case (.char("g"), []), (.home, []): cursor = 0
    case (.char("G"), _), (.end, []): cursor = lines.count - 1
    case (.enter, []): return go(lines.indices.contains(cursor) ? lines[cursor].target : nil)
    case (.char("n"), []): return go(why.answer.next?.target)
    default:
      if case .command(.why) = facts.keys.match([press]) { return .close }
    }
    return .stay
  }

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    guard lines.indices.contains(item) else { return .stay }
    if item == cursor { return go(lines[item].target) }
    cursor = item
    return .stay
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) { cursor += lines }

  private func go(_ target: Answer.NextStep.Target?) -> LayerOutcome {
    switch target {
    case .row(let row): .done([.show(row: row)])
    case .filter(let query): .done([.rows(query)])
    case .line(let line): .done([.line(line, isWhole: true)])
    case nil: .stay
    }
  }

  // MARK: Layout

  /// The parts of the box: what stands above and below the lines is always in sight.
  private struct Page {
    var head: [PlainText]
    var foot: [PlainText]
    var area: Rect
    var room: Int
    /// The rows between them.
    var rows: [CardRow]
  }

  /// The lines as rows: long texts are wrapped where there is room for all of them, else that of the selected
  /// line alone.
  private func rows(width: Int, height: Int) -> [CardRow] {
    func wrapped(_ index: Int) -> [CardRow] {
      let line = lines[index]
      let room = max(8, width - line.detailColumn)
      return line.detail.wrapped(to: room, limit: 8).enumerated().map {
        CardRow(line: index, text: $0.element, isFirst: $0.offset == 0)
      }
    }
    let all = lines.indices.map { index in
      let rows = wrapped(index)
      return rows.isEmpty ? [CardRow(line: index, text: "", isFirst: true)] : rows
    }
    if all.reduce(0, { $0 + $1.count }) <= height { return all.flatMap(\.self) }
    return all.enumerated().flatMap { index, rows in
      if index == cursor { return rows }
      let room = max(8, width - lines[index].detailColumn)
      return [CardRow(line: index, text: lines[index].detail.cut(to: room), isFirst: true)]
    }
  }

  @MainActor private func page(_ facts: ViewContext, in body: Rect) -> Page {
    let width = min(body.width, 110)
    let inner = max(1, width - 4)
    let head =
      PlainText(why.answer.sentence, limit: 1000).wrapped(to: inner, limit: 4)
      + [WhyText(why, clock: facts.clock).about.cut(to: inner)]
    let next = why.answer.next.map { PlainText($0.sentence, limit: 300) } ?? "-"
    let foot = ("next: " + next).wrapped(to: inner, limit: 3)
    // Border above and below, a line between the parts.
    let fixed = head.count + foot.count + 4
    let rows = rows(width: inner, height: max(1, body.height - fixed))
    let height = min(body.height, fixed + rows.count)
    let area = Rect(x: body.maxX - width, y: body.y, width: width, height: height)
    return Page(head: head, foot: foot, area: area, room: max(1, height - fixed), rows: rows)
  }

  /// Makes the answer anew where it is not over, its author has no name or facts may stand in its prompt, and
  /// such has come.
  @MainActor private mutating func refresh(_ facts: ViewContext) {
    let exchange = why.exchange
    let now = [
      exchange.author == nil ? facts.names.directory.revision : 0,
      exchange.prompt == nil ? 0 : facts.memory.facts.revision,
      exchange.isOpen ? facts.activity.log.revision : 0,
    ]
    defer { version = now }
    guard !version.isEmpty, version != now,
      let exchange = facts.exchanges.exchange(why.exchange.key)
    else { return }
    why = Why(exchange)
    lines = WhyLine.all(of: why)
  }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    refresh(facts)
    let body = Rect(width: screen.width, height: max(1, screen.height - 2))
    cursor = min(max(0, cursor), max(0, lines.count - 1))
    let page = page(facts, in: body)
    room = page.room
    first = CardRow.scroll(page.rows, to: cursor, from: first, room: room)
  }

  // MARK: Drawing

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let page = page(facts, in: body)
    let area = page.area
    frame.canvas.clear(area)
    let shown = page.rows.dropFirst(first).prefix(page.room)
    let place: PlainText =
      page.rows.count > page.room
      ? PlainText("\((shown.first?.line ?? 0) + 1)-\((shown.last?.line ?? 0) + 1)/\(lines.count)")
      : ""
    frame.canvas.panel(title, trailing: place, in: area, isFocused: true) { canvas in
      canvas.inside(Rect(x: 1, width: max(0, area.width - 4), height: max(0, area.height - 2))) {
        draw(page, into: &$0)
      }
    }
    for (y, row) in shown.enumerated() {
      frame.mark(
        Rect(x: area.x + 1, y: area.y + 2 + page.head.count + y, width: area.width - 2, height: 1),
        .overlay(row.line))
    }
  }

  private var stateRole: Role {
    switch why.answer.state {
    case .observed: .positive
    case .inferred: .info
    case .unknown: .warning
    case .contradicted: .negative
    }
  }

  private func draw(_ page: Page, into canvas: inout Canvas) {
    for (y, line) in page.head.enumerated() {
      let isAbout = y == page.head.count - 1
      canvas.write(
        line, x: 0, y: y, role: isAbout ? stateRole : .text,
        attributes: isAbout ? [] : .bold)
    }
    let top = page.head.count + 1
    for (y, row) in page.rows.dropFirst(first).prefix(page.room).enumerated() {
      draw(row, y: top + y, into: &canvas)
    }
    for (y, line) in page.foot.enumerated() {
      canvas.write(line, x: 0, y: top + page.room + 1 + y, role: .key)
    }
  }

  private func draw(_ row: CardRow, y: Int, into canvas: inout Canvas) {
    let line = lines[row.line]
    let isSelected = row.line == cursor
    let back: Role? = isSelected ? .selection : nil
    if isSelected {
      if row.isFirst { canvas.placeCursor(y: y) }
      canvas.fill(Rect(y: y, width: canvas.bounds.width, height: 1), background: back)
    }
    canvas.write(row.text, x: line.detailColumn, y: y, role: line.role, background: back)
    guard row.isFirst else { return }
    let mark: PlainText = isSelected ? ">" : line.isStop ? "!" : ""
    canvas.write(mark, x: 0, y: y, role: line.isStop ? .warning : .focus, background: back)
    canvas.write(
      line.name.cut(to: 9), x: 2, y: y, role: line.isStop ? .warning : .muted, background: back)
    if !line.state.isEmpty {
      canvas.write(line.state, x: 12, y: y, role: line.role, background: back)
    }
    canvas.write(line.id, x: line.idColumn, y: y, role: .number, background: back)
  }
}
