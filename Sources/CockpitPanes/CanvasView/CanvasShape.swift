import CockpitStores
import TerminalCore

/// A figure of a canvas: what `content` or the style names it.
enum CanvasShape: Hashable {
  case rectangle, ellipse, line, arrow
  /// Drawn as a rectangle with its name in it.
  case unknown(String)

  init(_ element: CanvasElement) {
    let name = element.style["shape"] ?? element.content
    switch name.prefix(24).lowercased() {
    case "rect", "rectangle", "square", "box", "rounded", "roundrect", "": self = .rectangle
    case "circle", "ellipse", "oval", "dot": self = .ellipse
    case "line", "divider", "rule": self = .line
    case "arrow", "vector": self = .arrow
    default: self = .unknown(name)
    }
  }
}

/// Half cells that a figure covers: a cell is one wide and two high.
struct HalfCellArea {
  /// In half rows and columns; edges excluded at the right and bottom.
  let left, top, right, bottom: Int

  /// - Parameter place: in cells.
  init(_ place: Rect) {
    (left, top) = (place.x, place.y * 2)
    (right, bottom) = (place.x + place.width, (place.y + place.height) * 2)
  }

  private func isInEllipse(_ x: Int, _ y: Int) -> Bool {
    guard x >= left, x < right, y >= top, y < bottom else { return false }
    let (width, height) = (Double(right - left), Double(bottom - top))
    let across = (Double(x - left) + 0.5) * 2 / width - 1
    let down = (Double(y - top) + 0.5) * 2 / height - 1
    return across * across + down * down <= 1
  }

  /// Calls `mark` for each half cell of an ellipse that lies in a clip.
  func ellipse(isFilled: Bool, clip: Size, _ mark: (Int, Int) -> Void) {
    let rows = max(0, top)..<max(0, top, min(bottom, clip.height * 2))
    let columns = max(0, left)..<max(0, left, min(right, clip.width))
    for y in rows {
      for x in columns where isInEllipse(x, y) {
        let isEdge =
          isFilled
          || !(isInEllipse(x - 1, y) && isInEllipse(x + 1, y) && isInEllipse(x, y - 1)
            && isInEllipse(x, y + 1))
        if isEdge { mark(x, y) }
      }
    }
  }

  /// Calls `mark` for each half cell of a line that lies in a clip.
  static func line(
    from start: (x: Int, y: Int), to end: (x: Int, y: Int), clip: Size,
    _ mark: (Int, Int) -> Void
  ) {
    let (across, down) = (end.x - start.x, end.y - start.y)
    if abs(across) >= abs(down) {
      let (low, high) = (min(start.x, end.x), max(start.x, end.x))
      for x in max(0, low)...max(0, low, min(high, clip.width - 1)) where x <= high {
        let part = across == 0 ? 0 : Double(x - start.x) / Double(across)
        mark(x, start.y + Int((part * Double(down)).rounded()))
      }
    } else {
      let (low, high) = (min(start.y, end.y), max(start.y, end.y))
      for y in max(0, low)...max(0, low, min(high, clip.height * 2 - 1)) where y <= high {
        let part = Double(y - start.y) / Double(down)
        mark(start.x + Int((part * Double(across)).rounded()), y)
      }
    }
  }
}
