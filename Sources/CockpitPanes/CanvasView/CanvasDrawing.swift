import TerminalCore

/// A drawing in cells, each empty or of one colour, over the whole canvas.
package struct CanvasDrawing: Hashable, Sendable {
  /// In cells.
  package let size: Size
  /// The place of a colour in `colors` plus one; 0 is empty. Rows from the top.
  package private(set) var cells: [UInt8]
  /// What each stroke replaced, for undo.
  private var strokes: [[Change]] = []

  private struct Change: Hashable, Sendable {
    var index: Int
    var before: UInt8
  }

  /// Names and values (0xRRGGBB) of the pencils.
  package static let colors: [(name: String, rgb: UInt32)] = [
    ("white", 0xFFFFFF), ("red", 0xEF4444), ("yellow", 0xFACC15), ("green", 0x22C55E),
    ("cyan", 0x22D3EE), ("blue", 0x3B82F6), ("magenta", 0xD946EF), ("black", 0x000000),
  ]
  /// Strokes that can be taken back.
  private static let maximumStrokes = 1_000

  package init(size: Size) {
    self.size = Size(width: min(max(1, size.width), 1_000), height: min(max(1, size.height), 500))
    cells = Array(repeating: 0, count: self.size.width * self.size.height)
  }

  package var isEmpty: Bool { cells.allSatisfy { $0 == 0 } }
  package var canUndo: Bool { !strokes.isEmpty }

  /// The colour of a cell; nil for an empty one, and outside.
  package func color(x: Int, y: Int) -> UInt32? {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return nil }
    let cell = Int(cells[y * size.width + x])
    return Self.colors.indices.contains(cell - 1) ? Self.colors[cell - 1].rgb : nil
  }

  /// Paints a line of cells; nil erases.
  ///
  /// - Parameter isNew: false adds to the last stroke, which is taken back as one.
  package mutating func paint(
    from start: (x: Int, y: Int), to end: (x: Int, y: Int), color: Int?, isNew: Bool = true
  ) {
    let cell = color.map { UInt8(clamping: $0 + 1) } ?? 0
    if isNew || strokes.isEmpty { strokes.append([]) }
    if strokes.count > Self.maximumStrokes { strokes.removeFirst() }
    let steps = max(abs(end.x - start.x), abs(end.y - start.y))
    for step in 0...steps {
      let part = steps == 0 ? 0 : Double(step) / Double(steps)
      put(
        cell, x: start.x + Int((part * Double(end.x - start.x)).rounded()),
        y: start.y + Int((part * Double(end.y - start.y)).rounded()))
    }
    if strokes.last?.isEmpty == true { strokes.removeLast() }
  }

  private mutating func put(_ cell: UInt8, x: Int, y: Int) {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return }
    let index = y * size.width + x
    guard cells[index] != cell else { return }
    strokes[strokes.count - 1].append(Change(index: index, before: cells[index]))
    cells[index] = cell
  }

  package mutating func undo() {
    for change in (strokes.popLast() ?? []).reversed() { cells[change.index] = change.before }
  }

  /// Empties it; can be taken back.
  package mutating func clear() {
    let stroke = cells.indices.filter { cells[$0] != 0 }.map {
      Change(index: $0, before: cells[$0])
    }
    guard !stroke.isEmpty else { return }
    strokes.append(stroke)
    cells = Array(repeating: 0, count: cells.count)
  }

  /// The most pixels of an image: cells of a very large screen have fewer each.
  private static let maximumPixels = 4_000_000

  /// As an image, in which a cell is twice as high as wide, 8 by 16 pixels mostly: red, green, blue and alpha of each
  /// pixel, rows from the top; empty cells are transparent.
  package var image: (width: Int, height: Int, rgba: [UInt8]) {
    var across = 8
    while across > 1, size.width * across * size.height * across * 2 > Self.maximumPixels {
      across /= 2
    }
    let (width, height) = (size.width * across, size.height * across * 2)
    var rgba: [UInt8] = []
    rgba.reserveCapacity(width * height * 4)
    for y in 0..<size.height {
      var row: [UInt8] = []
      row.reserveCapacity(width * 4)
      for x in 0..<size.width {
        let pixel: [UInt8] =
          color(x: x, y: y).map {
            [UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255), 255]
          } ?? [0, 0, 0, 0]
        for _ in 0..<across { row += pixel }
      }
      for _ in 0..<across * 2 { rgba += row }
    }
    return (width, height, rgba)
  }

  /// Draws its cells.
  package func draw(into canvas: inout Canvas) {
    for y in 0..<min(size.height, canvas.bounds.height) {
      for x in 0..<min(size.width, canvas.bounds.width) {
        guard let color = color(x: x, y: y),
          let pixel = PixelGrid(width: 1, height: 2, colors: [color, color])
        else { continue }
        canvas.draw(pixel, x: x, y: y)
      }
    }
  }
}

/// What the screen asks of a canvas.
package enum CanvasWish: Hashable, Sendable {
  case tap(element: String, seen: String, x: Double, y: Double)
  case longPress(element: String, seen: String, x: Double, y: Double)
  /// Send a drawing over the canvas, or over one element.
  case draw(CanvasDrawing, element: String?)
}
