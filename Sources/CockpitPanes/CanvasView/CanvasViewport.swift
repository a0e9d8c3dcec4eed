import CockpitStores
import TerminalCore

/// The part of a canvas that is in sight, in thousandths of the canvas.
package struct CanvasViewport: Hashable, Sendable {
  package private(set) var x = 0.0
  package private(set) var y = 0.0
  private var step = 0

  private static let zooms = [1, 1.5, 2, 3, 4, 6, 8]

  package init() {}

  /// How much larger than the whole canvas it is shown: 1 to 8.
  package var zoom: Double { Self.zooms[step] }
  /// Thousandths in sight, in both axes.
  package var side: Double { 1_000 / zoom }
  package var isWhole: Bool { self == CanvasViewport() }

  /// Moves by tenths of what is in sight; not beyond the canvas and its elements.
  package mutating func pan(right: Int, down: Int, over board: CanvasBoard) {
    x += side / 10 * Double(right)
    y += side / 10 * Double(down)
    clamp(to: board)
  }

  /// Zooms around the middle.
  package mutating func zoom(by steps: Int, over board: CanvasBoard) {
    let (middleX, middleY) = (x + side / 2, y + side / 2)
    step = min(max(0, step + steps), Self.zooms.count - 1)
    (x, y) = (middleX - side / 2, middleY - side / 2)
    clamp(to: board)
  }

  /// Keeps a part of the canvas or of an element in sight.
  package mutating func clamp(to board: CanvasBoard) {
    var (left, top, right, bottom) = (0.0, 0.0, 1_000.0, 1_000.0)
    for element in board.elements {
      left = min(left, element.bounds.x)
      top = min(top, element.bounds.y)
      right = max(right, element.bounds.x + element.bounds.width)
      bottom = max(bottom, element.bounds.y + element.bounds.height)
    }
    x = min(max(left, x), max(left, right - side))
    y = min(max(top, y), max(top, bottom - side))
  }

  /// The column of a coordinate on an area of so many columns.
  func column(_ value: Double, of columns: Int) -> Int {
    Self.cell((value - x) / side * Double(columns))
  }

  /// The row of a coordinate, with two half rows a row.
  func halfRow(_ value: Double, of rows: Int) -> Int {
    Self.cell((value - y) / side * Double(rows * 2))
  }

  /// Where a rectangle of the canvas is on an area, in cells; at least one cell.
  func place(_ bounds: CanvasElement.Bounds, on size: Size) -> Rect {
    let left = column(bounds.x, of: size.width)
    let right = column(bounds.x + bounds.width, of: size.width)
    let top = Self.cell((bounds.y - y) / side * Double(size.height))
    let bottom = Self.cell((bounds.y + bounds.height - y) / side * Double(size.height))
    return Rect(x: left, y: top, width: max(1, right - left), height: max(1, bottom - top))
  }

  /// What a cell of an area stands for, in thousandths of the canvas: its middle.
  package func point(column: Int, row: Int, on size: Size) -> (x: Double, y: Double) {
    (
      x + (Double(column) + 0.5) / Double(max(1, size.width)) * side,
      y + (Double(row) + 0.5) / Double(max(1, size.height)) * side
    )
  }

  private static func cell(_ value: Double) -> Int { Int(min(1e7, max(-1e7, value)).rounded()) }
}
