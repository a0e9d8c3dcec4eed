import CockpitPanes
import TerminalCore

/// Drawing by keys or the mouse over a canvas.
struct CanvasPencil: Hashable {
  var drawing: CanvasDrawing
  /// The cell that the keys paint.
  private(set) var x: Int
  private(set) var y: Int
  /// The place of the colour; nil erases.
  private(set) var color: Int? = 1
  /// Whether moving paints.
  private(set) var isDown = false
  /// The last cell of a stroke of the mouse.
  private var dragged: Int?

  init(size: Size) {
    drawing = CanvasDrawing(size: size)
    (x, y) = (drawing.size.width / 2, drawing.size.height / 2)
  }

  var colorName: String { color.map { CanvasDrawing.colors[$0].name } ?? "eraser" }

  /// Whether the key was one of the pencil's.
  mutating func press(_ press: KeyPress) -> Bool {
    dragged = nil
    switch (press.key, press.modifiers) {
    case (.left, []), (.char("h"), []): move(-1, 0)
    case (.right, []), (.char("l"), []): move(1, 0)
    case (.up, []), (.char("k"), []): move(0, -1)
    case (.down, []), (.char("j"), []): move(0, 1)
    case (.char(" "), []): paint(to: (x, y), isNew: true)
    case (.char("p"), []):
      isDown.toggle()
      if isDown { paint(to: (x, y), isNew: true) }
    case (.char("u"), []): drawing.undo()
    case (.char("c"), []): color = ((color ?? -1) + 1) % CanvasDrawing.colors.count
    case (.char("e"), []): color = nil
    case (.char("X"), _): drawing.clear()
    case (.char(let digit), []):
      guard let place = digit.wholeNumberValue, CanvasDrawing.colors.indices.contains(place - 1)
      else { return false }
      color = place - 1
    default: return false
    }
    return true
  }

  private mutating func move(_ across: Int, _ down: Int) {
    let start = (x: x, y: y)
    x = min(max(0, x + across), drawing.size.width - 1)
    y = min(max(0, y + down), drawing.size.height - 1)
    if isDown { drawing.paint(from: start, to: (x, y), color: color) }
  }

  private mutating func paint(to end: (x: Int, y: Int), isNew: Bool) {
    drawing.paint(from: isNew ? end : (x, y), to: end, color: color, isNew: isNew)
    (x, y) = end
  }

  /// The mouse pressed a cell, or was dragged to it; cells are counted by rows.
  mutating func mouse(_ cell: Int, isDrag: Bool) {
    guard cell >= 0, cell < drawing.size.width * drawing.size.height else { return }
    let end = (x: cell % drawing.size.width, y: cell / drawing.size.width)
    let isNew = !isDrag || dragged == nil
    paint(to: end, isNew: isNew)
    dragged = cell
  }
}
