import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The table of a filter with stages, with bars, and below it over which time it speaks.
struct TablePanel {
  var pane: PulsePane
  var hasBox: Bool

  private func inner(_ area: Rect) -> Rect { hasBox ? area.inset(by: 1) : area }

  /// Lines of the table that fit.
  @MainActor func height(_ facts: ViewContext, in area: Rect) -> Int {
    let inner = inner(area)
    return max(1, inner.height - 1 - notes(facts, width: inner.width).count)
  }

  @MainActor func render(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    let isFocused = pane.focus == .feed && pane.bar == nil
    frame.mark(area, .pulse(.panel(.feed)))
    let inner = inner(area)
    if hasBox {
      let lines = facts.feed.table?.lines.count ?? 0
      frame.canvas.panel(
        facts.dataEndMs(.activity) == nil ? "live table" : "table",
        trailing: Figures.count(lines) + (lines == 1 ? " line" : " lines"), in: area,
        isFocused: isFocused
      ) { _ in }
    }
    guard !inner.isEmpty else { return }
    guard let table = facts.feed.table else {
      frame.canvas.inside(inner) { $0.write("reading the rows…", x: 1, role: .muted) }
      return
    }
    let notes = notes(facts, width: inner.width)
    let height = height(facts, in: area)
    let first = pane.table.first(in: table, height: height)
    let shown = first..<min(table.lines.count, first + height)
    let text = TableText(table, shown: shown, clock: facts.clock, nowMs: facts.minuteMs)
    let layout = text.layout(width: inner.width - 2)
    frame.canvas.inside(Rect(x: inner.x, y: inner.y, width: inner.width, height: 1)) { canvas in
      canvas.write(
        text.text(text.heads, layout).cut(to: canvas.bounds.width - 2), x: 1, role: .heading)
    }
    let selected = pane.table.line(in: table)
    for (offset, line) in shown.enumerated() {
      let row = Rect(x: inner.x, y: inner.y + 1 + offset, width: inner.width, height: 1)
      frame.mark(row, .pulse(.tableLine(line)))
      draw(
        text.cells[offset], text.bars[offset], text, layout, isSelected: line == selected, in: row,
        into: &frame)
    }
    for (offset, note) in notes.enumerated() {
      let y = inner.maxY - notes.count + offset
      guard y > inner.y else { continue }
      frame.canvas.inside(Rect(x: inner.x, y: y, width: inner.width, height: 1)) { canvas in
        canvas.write(note.text, x: 1, role: note.role)
      }
    }
    if pane.focus == .feed {
      frame.canvas.placeCursor(
        x: inner.x, y: inner.y + (table.lines.isEmpty ? 0 : 1 + selected - first))
    }
  }

  private func draw(
    _ cells: [PlainText], _ part: Double, _ text: TableText, _ layout: TableText.Layout,
    isSelected: Bool, in row: Rect, into frame: inout Frame
  ) {
    let back: Role? = isSelected && pane.focus == .feed ? .selection : nil
    frame.canvas.inside(row) { canvas in
      if back != nil { canvas.fill(canvas.bounds, background: back) }
      if isSelected { canvas.write(">", role: .focus, attributes: .bold, background: back) }
      var x = 1
      for (column, cell) in text.row(cells, layout).enumerated() {
        canvas.write(cell, x: x, role: text.isKey(column) ? .text : .number, background: back)
        x += layout.widths[column] + TableText.gap
      }
      guard layout.bar > 0, part > 0 else { return }
      // Every nonzero value has a visible bar.
      let eighths = max(1, Int((part * Double(layout.bar * 8)).rounded()))
      for place in 0..<(eighths + 7) / 8 {
        canvas.symbol(
          .block(min(8, eighths - place * 8)), x: x + place, role: .info, background: back)
      }
    }
  }

  // MARK: Below the table

  /// The window first: a figure without one says nothing.
  @MainActor private func notes(
    _ facts: ViewContext, width: Int
  ) -> [(text: PlainText, role: Role)] {
    guard let table = facts.feed.table else { return [] }
    let query = pane.feedQuery
    let notes = TableNotes(table)
    var lines: [(text: PlainText, role: Role)] = []
    func add(_ text: PlainText, _ role: Role, limit: Int = 2) {
      lines += text.wrapped(to: max(8, width - 2), limit: limit).map { (text: $0, role: role) }
    }
    let end = facts.dataEndMs(.activity) ?? facts.nowMs
    var window: PlainText = "of a time that is not known yet"
    if let begin = facts.rowsBegin(query) {
      let from = max(begin, query.earliestMs(nowMs: facts.minuteMs) ?? .min)
      window = TableNotes.window(fromMs: from == .min ? nil : from, toMs: end, facts.clock)
    }
    add(notes.rows + " " + window, .muted)
    if !facts.feed.isComplete {
      let left = facts.activity.log.count - facts.feed.scanned
      add("still reading: " + Figures.count(max(0, left)) + " rows to go", .warning)
    } else if let beginning = facts.partialBegin(query),
      let reach = query.earliestMs(nowMs: facts.minuteMs)
    {
      add(
        "not all: the filter reaches back to " + facts.beginning(reach) + ", rows here begin "
          + facts.beginning(beginning), .warning)
    }
    let sentences = notes.sentences
    if !sentences.isEmpty { add(sentences.joined(separator: "; "), .muted) }
    return lines
  }
}
