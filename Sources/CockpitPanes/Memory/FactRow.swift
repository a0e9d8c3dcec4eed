import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// One fact in the list.
struct FactRow {
  let item: FactView.Row
  let list: FactListState
  let columns: FactColumns
  let isSelected: Bool
  let isDuplicate: Bool
  let needle: PlainText

  @MainActor func render(_ facts: ViewContext, into canvas: inout Canvas) {
    let fact = item.fact
    let mark = FactMark(item.id, facts, selection: list.selection)
    let back: Role? = isSelected ? .selection : nil
    if isSelected {
      if list.hasFocus { canvas.placeCursor() }
      canvas.fill(canvas.bounds, background: back)
      canvas.write(">", role: .focus, attributes: .bold, background: back)
    } else {
      canvas.symbol(.accent, x: 0, y: 0, role: .memory)
    }
    var x = 2
    if list.selection.contains(item.id) {
      canvas.write("*", x: 1, role: .focus, attributes: .bold, background: back)
    } else if let mark {
      canvas.write(mark.letter, x: 1, role: mark.role, attributes: .bold, background: back)
    }
    let isFading = mark.map { if case .held = $0 { true } else { $0 == .deleting } } ?? false
    let subject = fact.subject.map { facts.names.subject($0) } ?? "-"
    canvas.write(
      PlainText(subject, limit: 60).cut(to: columns.subject), x: x,
      role: isFading ? .muted : .memory, background: back)
    x += columns.subject + 1
    if columns.type > 0 {
      canvas.write(
        PlainText(fact.factType?.rawValue ?? "-", limit: 40).cut(to: columns.type - 1), x: x,
        role: .muted, background: back)
      x += columns.type
    }
    canvas.write(
      Figures.unit(fact.confidence).leftPadded(to: 4), x: x, role: .number, background: back)
    x += columns.confidence
    if columns.bar > 0 {
      canvas.bar(
        fact.confidence ?? 0, x: x, width: columns.bar - 1, role: .memory, background: back)
      x += columns.bar
    }
    text(fact, mark, isFading, facts.keys, x: x, back, into: &canvas)
    if canvas.bounds.height > 1 { secondLine(fact, x: x, facts, back, into: &canvas) }
    x += columns.text + 1
    if columns.scope > 0 {
      canvas.write(
        PlainText(fact.scope?.rawValue ?? "guild", limit: 20).cut(to: columns.scope - 1), x: x,
        role: .muted, background: back)
      x += columns.scope
    }
    canvas.writeRight(right(fact, facts), role: .number, background: back)
  }

  @MainActor private func text(
    _ fact: Fact, _ mark: FactMark?, _ isFading: Bool, _ keys: KeyTable, x: Int, _ back: Role?,
    into canvas: inout Canvas
  ) {
    var room = columns.text
    if let short = mark?.short(keys), let mark, room > short.columns + 8 {
      room -= short.columns + 1
      canvas.write(
        short, x: x + room + 1, role: mark.role, attributes: .bold, background: back)
    }
    guard !list.mask.hides(fact) else {
      canvas.write(OwnerMask.text(keys).cut(to: room), x: x, role: .warning, background: back)
      return
    }
    let whole = PlainText(fact.fact ?? "-", limit: 400)
    let text = canvas.bounds.height > 1 ? firstLine(whole, room) : whole.cut(to: room)
    canvas.write(
      text, x: x, role: isFading ? .muted : .text, attributes: isFading ? .dim : [],
      background: back)
    highlight(text, x: x, y: 0, into: &canvas)
  }

  private func firstLine(_ text: PlainText, _ room: Int) -> PlainText {
    text.wrapped(to: max(1, room), limit: 2).first ?? text
  }

  private func highlight(_ text: PlainText, x: Int, y: Int, into canvas: inout Canvas) {
    guard item.isHit, !needle.isEmpty else { return }
    for hit in text.ranges(of: needle).prefix(20) {
      canvas.recolor(
        Rect(x: x + hit.lowerBound, y: y, width: hit.count, height: 1),
        role: isSelected ? .currentMatch : .match)
    }
  }

  /// The text that did not fit on the first line, else the evidence; and warnings.
  @MainActor private func secondLine(
    _ fact: Fact, x: Int, _ facts: ViewContext, _ back: Role?, into canvas: inout Canvas
  ) {
    var right = canvas.bounds.width
    let badges = FactBadge.badges(of: fact, isDuplicate: isDuplicate, nowMs: facts.nowMs)
    for badge in badges.reversed() {
      right -= badge.title.columns
      canvas.write(
        badge.title, x: right, y: 1, role: badge.role, attributes: .bold, background: back)
      right -= 1
    }
    guard !list.mask.hides(fact) else { return }
    let room = right - x - 1
    let lines = PlainText(fact.fact ?? "-", limit: 400).wrapped(to: max(1, columns.text), limit: 2)
    if lines.count > 1 {
      let text = lines[1].cut(to: room)
      canvas.write(text, x: x, y: 1, background: back)
      highlight(text, x: x, y: 1, into: &canvas)
    } else if let evidence = fact.evidenceText, !evidence.isEmpty {
      let text = "\"" + PlainText(evidence, limit: 300) + "\""
      canvas.write(text.cut(to: room), x: x, y: 1, role: .muted, background: back)
    }
  }

  /// The age by which the list is ordered, or the score in a search.
  @MainActor private func right(_ fact: Fact, _ facts: ViewContext) -> PlainText {
    if list.query.source == .search { return Figures.unit(item.score) }
    let time = list.query.order == .created ? fact.createdAt : fact.updatedAt ?? fact.createdAt
    return Figures.age(ms: time.map { facts.nowMs - $0.milliseconds })
  }
}
