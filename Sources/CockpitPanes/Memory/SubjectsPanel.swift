import TerminalUI
import CockpitText
import CockpitStores
import TerminalCore

/// The subjects of the facts: a column, or a row of chips on a narrow screen.
struct SubjectsPanel {
  let list: SubjectList
  /// The chosen subject; nil for all.
  let subject: String?
  let scroll: Int
  let focus: MemoryPanel

  func render(_ layout: MemoryLayout, into frame: inout Frame) {
    let area = layout.draw(
      .subjects, "subjects", trailing: list.isKnown ? Figures.count(list.entries.count) : "",
      focus: focus, behind: (nil, list.isKnown ? .subjects : nil), into: &frame)
    guard !area.isEmpty else { return }
    let selected = list.line(of: subject)
    let count = list.entries.count + 1
    var place = TextCursor(line: selected, scroll: scroll)
    place.clamp(count: count, height: area.height)
    for line in place.scroll..<max(place.scroll, min(count, place.scroll + area.height)) {
      let row = Rect(
        x: area.x - 1, y: area.y + line - place.scroll, width: area.width + 1, height: 1)
      frame.mark(row, .memory(.subject(list.subject(at: line))))
      frame.canvas.inside(row) { canvas in
        let isSelected = line == selected
        let back: Role? = isSelected ? .selection : nil
        if isSelected {
          if focus == .subjects { canvas.placeCursor() }
          canvas.fill(canvas.bounds, background: back)
          canvas.write(">", role: .focus, attributes: .bold, background: back)
        }
        let entry = line == 0 ? nil : list.entries[line - 1]
        let number = list.isKnown ? Figures.count(entry?.count ?? list.total) : "-"
        let room = canvas.bounds.width - number.columns - 2
        canvas.write(
          (entry?.name ?? "ALL").cut(to: max(0, room)), x: 1,
          role: entry == nil ? .heading : entry?.isSpecial == true ? .memory : .text,
          attributes: entry == nil ? .bold : [], background: back)
        canvas.writeRight(number, role: .number, background: back)
      }
    }
  }

  /// `[ALL 142] james 34  alex 22 … +3`
  @MainActor func chips(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    let selected = list.line(of: subject)
    // The chosen one is always in sight.
    var first = 0
    while first < selected, columns(first...selected) > area.width - 8 { first += 1 }
    var x = area.x + 1
    for line in first...list.entries.count {
      let text = chip(line, isSelected: line == selected)
      let isLast = line == list.entries.count
      guard x + text.columns + (isLast ? 0 : 5) <= area.maxX else {
        let more = PlainText("+\(list.entries.count + 1 - line)")
        frame.canvas.write(more, x: area.maxX - more.columns - 1, y: area.y, role: .muted)
        frame.mark(
          Rect(x: area.maxX - 5, y: area.y, width: 5, height: 1), .memory(.panel(.subjects)))
        break
      }
      let entry = line == 0 ? nil : list.entries[line - 1]
      frame.canvas.write(
        text, x: x, y: area.y,
        role: line == selected
          ? (focus == .subjects ? .focus : .chipActive)
          : entry?.isSpecial == true ? .memory : .chip, attributes: line == selected ? .bold : [])
      frame.mark(
        Rect(x: x, y: area.y, width: text.columns, height: 1),
        .memory(.subject(list.subject(at: line))))
      x += text.columns + 1
    }
  }

  private func chip(_ line: Int, isSelected: Bool) -> PlainText {
    let entry = line == 0 ? nil : list.entries[line - 1]
    let text =
      (entry?.name ?? "ALL").cut(to: 16)
      + (list.isKnown ? " " + Figures.count(entry?.count ?? list.total) : "")
    return isSelected ? "[" + text + "]" : " " + text + " "
  }

  private func columns(_ lines: ClosedRange<Int>) -> Int {
    lines.reduce(0) { $0 + chip($1, isSelected: false).columns + 1 }
  }
}
