import ClankyWire
import CockpitDomain
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

extension CanvasOverlay {
  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let layout = CanvasLayout(body, facts.canvas)
    let raster = CanvasRaster(
      facts.canvas ?? CanvasBoard(), viewport: viewport, pictures: facts.canvasPictures,
      selected: selected)
    frame.cover()
    frame.canvas.clear(body)
    let owner = facts.canvas?.agent.map { PlainText($0, limit: 30) } ?? frame.owner
    let title = owner.map { self.title + " - " + $0 } ?? self.title
    frame.canvas.panel(title, trailing: state(facts, raster), in: body, isFocused: true) { _ in }
    if case .json(let first) = mode {
      drawJSON(facts, first, in: layout, into: &frame)
    } else {
      draw(raster, facts, layout, into: &frame)
      drawList(facts, in: layout.list, into: &frame)
    }
    drawFooter(facts, raster, in: layout.footer, into: &frame)
    if case .actions(let place) = mode { drawActions(place, facts, layout, into: &frame) }
  }

  /// Age, number of elements, and which part is in sight.
  @MainActor private func state(_ facts: ViewContext, _ raster: CanvasRaster) -> PlainText {
    guard let board = facts.canvas else { return "" }
    var words: [PlainText] = []
    if let changed = board.changedMs {
      words.append(
        isOld(facts)
          ? "as of " + facts.clock.time(ms: changed)
          : "changed " + Figures.age(ms: facts.nowMs - changed) + " ago")
    }
    let count = board.elements.count
    words.append(PlainText(count == 1 ? "1 element" : "\(count) elements"))
    if viewport.zoom > 1 { words.append(PlainText("zoom \(zoomWords)")) }
    return words.joined(separator: "  ")
  }

  private var zoomWords: String {
    viewport.zoom == 1.5 ? "1.5" : String(Int(viewport.zoom))
  }

  /// Whether what is shown may have changed without this program hearing of it.
  @MainActor private func isOld(_ facts: ViewContext) -> Bool {
    facts.replay != nil || facts.status.overall != .live
  }

  @MainActor private func draw(
    _ raster: CanvasRaster, _ facts: ViewContext, _ layout: CanvasLayout, into frame: inout Frame
  ) {
    guard facts.canvas != nil || mode == .pencil else {
      let words: PlainText =
        facts.status.overall == .live
        ? "no agent has drawn anything yet"
        : "not connected, and nothing was drawn before"
      frame.canvas.inside(layout.canvas) { canvas in
        canvas.write(
          words.cut(to: canvas.bounds.width),
          x: max(0, (canvas.bounds.width - words.columns) / 2), y: canvas.bounds.height / 2,
          role: .muted)
      }
      return
    }
    frame.canvas.inside(layout.canvas) { canvas in
      raster.draw(into: &canvas)
      if isOld(facts), facts.replay == nil { canvas.fade(canvas.bounds) }
      guard let pencil, mode == .pencil else { return }
      pencil.drawing.draw(into: &canvas)
      canvas.placeCursor(x: pencil.x, y: pencil.y, isVisible: true)
      canvas.paint(
        Rect(x: pencil.x, y: pencil.y, width: 1, height: 1), background: .currentMatch)
      if pencil.drawing.color(x: pencil.x, y: pencil.y) != nil {
        canvas.write("+", x: pencil.x, y: pencil.y, role: .focus, attributes: [.bold, .reverse])
      }
    }
    mark(layout.canvas, facts, into: &frame)
  }

  /// Marks what answers to the mouse: elements, or with the pencil every cell.
  @MainActor private func mark(_ area: Rect, _ facts: ViewContext, into frame: inout Frame) {
    guard mode == .pencil, let size = pencil?.drawing.size else {
      guard let board = facts.canvas else { return }
      let places = CanvasRaster(board, viewport: viewport).places(
        on: Size(width: area.width, height: area.height))
      for (item, place) in places.enumerated() {
        let rect = Rect(
          x: area.x + place.x, y: area.y + place.y, width: place.width, height: place.height)
        frame.mark(rect.intersection(area), .overlay(item))
      }
      return
    }
    for y in 0..<min(area.height, size.height) {
      for x in 0..<min(area.width, size.width) {
        frame.mark(
          Rect(x: area.x + x, y: area.y + y, width: 1, height: 1),
          .overlay(Self.firstCell + y * size.width + x))
      }
    }
  }

  @MainActor private func drawList(
    _ facts: ViewContext, in area: Rect, into frame: inout Frame
  ) {
    guard let elements = facts.canvas?.interactive, !area.isEmpty else { return }
    let chosen = elements.firstIndex { $0.id == selected } ?? 0
    let first = max(0, min(chosen - area.height + 1, elements.count - area.height))
    for (row, element) in elements.dropFirst(first).prefix(area.height).enumerated() {
      let item = first + row
      let line = Rect(x: area.x, y: area.y + row, width: area.width, height: 1)
      frame.mark(line, .overlay(item))
      frame.canvas.inside(line) { canvas in
        let isSelected = element.id == selected
        if isSelected {
          canvas.paintRow(0, background: .selection)
          if mode == .look { canvas.placeCursor() }
        }
        let back: Role? = isSelected ? .selection : nil
        if item < 9 {
          canvas.write(
            PlainText("\(item + 1)"), x: 1, role: .key, attributes: .bold, background: back)
        }
        canvas.write(
          Self.label(element).cut(to: max(1, canvas.bounds.width - 4)), x: 3, background: back)
      }
    }
  }

  /// What an element is called in the list.
  static func label(_ element: CanvasElement) -> PlainText {
    let isText = element.kind == .text || element.kind == .highlight
    let name = element.style["title"] ?? element.style["label"] ?? element.style["alt"]
    let text = name ?? (isText ? element.content : "")
    let words = PlainText(String(text.prefix(1_000)).collapsingWhitespace, limit: 200)
    let id = PlainText(element.id, limit: 60)
    return words.isEmpty ? PlainText(element.kind.name, limit: 30) + " " + id : words
  }

  @MainActor private func drawFooter(
    _ facts: ViewContext, _ raster: CanvasRaster, in area: Rect, into frame: inout Frame
  ) {
    frame.canvas.inside(area) { canvas in
      let room = canvas.bounds.width
      let right = mode == .pencil ? pencilWords : PlainText()
      canvas.writeRight(right.cut(to: room), role: .key)
      let free = max(0, room - right.columns - (right.isEmpty ? 0 : 2))
      if let remark {
        canvas.write(remark.cut(to: free), role: isWrong ? .warning : .text)
        return
      }
      var words: [PlainText] = []
      if isOld(facts), facts.replay == nil { words.append("not connected: it may have changed") }
      if raster.outside > 0 {
        words.append(PlainText("\(raster.outside) outside, the arrows move"))
      }
      let hidden = raster.hidden(on: self.room)
      if hidden > 0 { words.append(PlainText("\(hidden) not drawn: too many over each other")) }
      for loss in facts.canvas?.leftOut ?? [] {
        words.append(PlainText("\(loss.count) left out: ") + PlainText(loss.reason, limit: 60))
      }
      canvas.write(
        words.joined(separator: "  ").cut(to: free), role: isOld(facts) ? .warning : .muted)
    }
  }

  private var pencilWords: PlainText {
    guard let pencil else { return "" }
    return PlainText(pencil.colorName) + (pencil.isDown ? "  pen down" : "")
  }

  @MainActor private func drawActions(
    _ place: Int, _ facts: ViewContext, _ layout: CanvasLayout, into frame: inout Frame
  ) {
    let title = selected.flatMap { facts.canvas?[$0] }.map(Self.label) ?? ""
    let width = min(max(1, layout.frame.width - 4), max(24, min(50, title.columns + 8)))
    let area = Rect(
      x: layout.frame.x + (layout.frame.width - width) / 2,
      y: layout.frame.y + max(0, (layout.frame.height - 4) / 2), width: width,
      height: Self.actions.count + 2
    ).intersection(layout.frame)
    frame.cover()
    frame.canvas.clear(area)
    frame.canvas.panel(title.cut(to: width - 6), in: area, isFocused: true) { canvas in
      for (row, action) in Self.actions.enumerated() {
        if row == place {
          canvas.paintRow(row, background: .selection)
          canvas.placeCursor(y: row)
        }
        canvas.write(action, x: 1, y: row, background: row == place ? .selection : nil)
      }
    }
  }

  @MainActor private func drawJSON(
    _ facts: ViewContext, _ first: Int, in layout: CanvasLayout, into frame: inout Frame
  ) {
    let lines = CanvasJSON.lines(facts.canvas ?? CanvasBoard())
    let area = Rect(
      x: layout.canvas.x, y: layout.canvas.y, width: layout.frame.width - 2,
      height: layout.footer.y - layout.canvas.y)
    frame.canvas.inside(area) { canvas in
      for (y, line) in lines.dropFirst(first).prefix(area.height).enumerated() {
        canvas.write(line.cut(to: canvas.bounds.width), y: y)
      }
    }
  }
}
