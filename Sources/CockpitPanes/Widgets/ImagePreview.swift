import CockpitText
import TerminalCore

/// What is shown of an image: a small picture, and in words what it is.
package struct ImagePreview: Hashable, Sendable {
  /// Small enough to be scaled in every frame; nil where there is no picture.
  package var grid: PixelGrid?
  /// Of the image, in pixels; nil where it could not be read.
  package var width, height: Int?
  /// One sentence: why there is no picture.
  package var problem: String?
  /// Whether a part of the image is missing.
  package var isCut = false

  package init(grid: PixelGrid? = nil, problem: String? = nil) {
    self.grid = grid
    self.problem = problem
  }

  /// `1280 x 720 pixels`, or the problem.
  package var words: PlainText {
    guard let width, let height else { return PlainText(problem ?? "", limit: 200) }
    return PlainText("\(width) x \(height) pixels" + (isCut ? ", damaged" : ""))
  }
}

/// Pictures side by side, scaled to a room.
struct ImageStrip: Hashable, Sendable {
  struct Picture: Hashable, Sendable {
    var x: Int
    var grid: PixelGrid
  }

  private(set) var pictures: [Picture] = []
  /// In cells.
  private(set) var height = 0

  /// The most columns and rows of one picture.
  static let largest = Size(width: 48, height: 8)
  private static let narrowest = 10

  /// As many of the pictures as have room, the first ones first.
  init(_ previews: [ImagePreview], room: Size) {
    let grids = previews.compactMap(\.grid)
    let count = min(grids.count, max(1, (room.width + 1) / (Self.narrowest + 1)))
    guard count > 0, room.width > 0, room.height > 0 else { return }
    let each = Size(
      width: min(Self.largest.width, (room.width - count + 1) / count),
      height: min(Self.largest.height, room.height))
    var x = 0
    for grid in grids.prefix(count) {
      let cells = grid.cells(in: each)
      guard let scaled = grid.scaled(width: cells.width, height: cells.height * 2) else { continue }
      pictures.append(Picture(x: x, grid: scaled))
      height = max(height, cells.height)
      x += cells.width + 1
    }
  }

  /// Draws one row of them, or all.
  func draw(row: Int? = nil, x: Int = 0, y: Int = 0, into canvas: inout Canvas) {
    for picture in pictures {
      canvas.draw(picture.grid, x: x + picture.x, y: y, rows: row.map { $0..<$0 + 1 })
    }
  }
}
