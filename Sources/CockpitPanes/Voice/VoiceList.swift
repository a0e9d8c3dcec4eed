import TerminalUI
import TerminalCore

/// Draws lines with a cursor into an area and marks each for the mouse.
struct VoiceList {
  var lines: [VoiceLine]
  var cursor: ListCursor<VoiceItem>
  var end: CursorList<VoiceItem>.End
  var panel: VoicePane.Panel
  var isFocused: Bool
  /// Shown instead of lines if there are none.
  var placeholder: PlainText = "-"
  /// Marked where it occurs.
  var needle: PlainText = ""

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    guard !lines.isEmpty else {
      frame.canvas.inside(area) { canvas in
        for (y, part) in placeholder.wrapped(to: max(1, area.width - 1)).enumerated() {
          canvas.write(part, y: y, role: .muted)
        }
      }
      return
    }
    let cursor = cursor.settled(in: lines.list(height: area.height, end: end))
    let first = cursor.scroll
    let selected = cursor.isResting ? nil : cursor.line
    for (row, line) in lines.dropFirst(first).prefix(area.height).enumerated() {
      let lineArea = Rect(x: area.x, y: area.y + row, width: area.width, height: 1)
      frame.mark(lineArea, .voice(.line(panel, first + row)))
      if case .figure(let behind)? = line.item { frame.mark(lineArea, .figure(behind)) }
      // Lines of one item are selected together, if it is selectable.
      let isSelected =
        selected.map { first + row == $0 || line.item != nil && line.item == lines[$0].item }
        ?? false
      let background: Role? = isSelected && isFocused ? .selection : nil
      frame.canvas.inside(lineArea) { canvas in
        if background != nil { canvas.fill(canvas.bounds, background: background) }
        line.render(into: &canvas, background: background)
        for hit in line.hits(of: needle) {
          canvas.recolor(
            Rect(x: hit.lowerBound, width: hit.count, height: 1),
            role: isSelected ? .currentMatch : .match)
        }
      }
      // In the column that every panel leaves free: marks the line without relying on colour.
      guard background != nil, first + row == selected else { continue }
      frame.canvas.placeCursor(x: lineArea.x, y: lineArea.y)
      if area.x > 0 {
        frame.canvas.write(
          ">", x: area.x - 1, y: lineArea.y, role: .focus, attributes: .bold,
          background: .selection)
      }
    }
  }
}
