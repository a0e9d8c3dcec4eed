import TerminalCore

/// What lies in each cell of a canvas while it is drawn, so that text over a figure keeps its ground.
struct CanvasSheet {
  private struct Ground {
    var role = Role.text
    /// Bit 0: the upper half is covered, bit 1: the lower one.
    var halves: UInt8 = 0
    var isImage = false
    var hasText = false
  }

  let size: Size
  private var cells: [Ground]

  init(size: Size) {
    self.size = size
    cells = Array(repeating: Ground(), count: size.width * size.height)
  }

  private func index(_ x: Int, _ y: Int) -> Int? {
    x >= 0 && y >= 0 && x < size.width && y < size.height ? y * size.width + x : nil
  }

  private func visible(_ rect: Rect) -> Rect {
    rect.intersection(Rect(width: size.width, height: size.height))
  }

  /// Covers a half cell; `y` counts half rows.
  mutating func mark(_ x: Int, _ y: Int, _ role: Role, into canvas: inout Canvas) {
    guard y >= 0, let index = index(x, y / 2) else { return }
    let bit: UInt8 = y % 2 == 0 ? 1 : 2
    let known = cells[index]
    let isSame = known.role == role && !known.hasText && !known.isImage
    let halves = (isSame ? known.halves : 0) | bit
    cells[index] = Ground(role: role, halves: halves)
    let symbol: Symbol = halves == 3 ? .block(8) : halves == 1 ? .halfUpper : .halfLower
    canvas.symbol(symbol, x: x, y: y / 2, role: role)
  }

  /// Covers whole cells.
  mutating func fill(_ rect: Rect, _ role: Role, into canvas: inout Canvas) {
    let area = visible(rect)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        cells[y * size.width + x] = Ground(role: role, halves: 3)
        canvas.symbol(.block(8), x: x, y: y, role: role)
      }
    }
  }

  /// A frame along the edge of a rectangle.
  mutating func box(_ rect: Rect, _ role: Role, into canvas: inout Canvas) {
    let (right, bottom) = (rect.maxX - 1, rect.maxY - 1)
    let area = visible(rect)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        let isSide = x == rect.x || x == right
        let isEnd = y == rect.y || y == bottom
        guard isSide || isEnd else { continue }
        let symbol: Symbol =
          rect.height == 1
          ? .horizontal
          : rect.width == 1 || !isEnd
            ? .vertical
            : !isSide
              ? .horizontal
              : y == rect.y
                ? (x == rect.x ? .cornerTopLeft : .cornerTopRight)
                : (x == rect.x ? .cornerBottomLeft : .cornerBottomRight)
        self.symbol(symbol, x: x, y: y, role: role, into: &canvas)
      }
    }
  }

  mutating func symbol(
    _ symbol: Symbol, x: Int, y: Int, role: Role, attributes: Attributes = [],
    into canvas: inout Canvas
  ) {
    guard let index = index(x, y) else { return }
    cells[index] = Ground()
    cells[index].hasText = true
    canvas.symbol(symbol, x: x, y: y, role: role, attributes: attributes)
  }

  /// One line of text; over a figure it is cut out of its colour.
  mutating func write(
    _ text: PlainText, x: Int, y: Int, role: Role, attributes: Attributes = [],
    background: Role? = nil, into canvas: inout Canvas
  ) {
    guard y >= 0, y < size.height, x < size.width, x + text.columns > 0 else { return }
    canvas.write(text, x: x, y: y, role: role, attributes: attributes, background: background)
    for column in max(0, x)..<min(size.width, x + text.columns) {
      let index = y * size.width + column
      if background == nil, cells[index].halves == 3 {
        canvas.recolor(
          Rect(x: column, y: y, width: 1, height: 1), role: cells[index].role,
          attributes: .reverse)
      } else {
        cells[index].halves = 0
      }
      cells[index].isImage = false
      cells[index].hasText = true
    }
  }

  /// Lays a background behind what is there. A background shows neither behind a figure, which is blanked, nor behind
  /// an image, which gets a frame.
  mutating func highlight(_ rect: Rect, into canvas: inout Canvas) {
    let area = visible(rect)
    guard !area.isEmpty else { return }
    var hasImage = false
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        let index = y * size.width + x
        let cell = Rect(x: x, y: y, width: 1, height: 1)
        if cells[index].isImage {
          hasImage = true
        } else if cells[index].halves != 0, !cells[index].hasText {
          canvas.fill(cell, background: .match)
          cells[index] = Ground()
        } else {
          canvas.paint(cell, background: .match)
        }
      }
    }
    if hasImage { box(rect, .warning, into: &canvas) }
  }

  /// An image was drawn there.
  mutating func noteImage(_ rect: Rect) {
    let area = visible(rect)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        cells[y * size.width + x] = Ground()
        cells[y * size.width + x].isImage = true
      }
    }
  }
}
