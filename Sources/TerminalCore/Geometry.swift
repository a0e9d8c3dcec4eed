/// A width and a height in cells.
package struct Size: Hashable, Sendable {
  /// Columns.
  package var width: Int
  /// Rows.
  package var height: Int

  /// A size in cells, as it is: negative values are the caller's.
  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle of cells. Layout is cutting strips off one, in reading order.
package struct Rect: Hashable, Sendable {
  /// The leftmost column.
  package var x: Int
  /// The topmost row.
  package var y: Int
  /// Columns.
  package var width: Int
  /// Rows.
  package var height: Int

  /// A negative width or height counts as zero.
  package init(x: Int = 0, y: Int = 0, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// Whether it contains no cell.
  package var isEmpty: Bool { width <= 0 || height <= 0 }
  /// Its width and height.
  package var size: Size { Size(width: width, height: height) }
  /// The column after the last.
  package var maxX: Int { x + width }
  /// The row after the last.
  package var maxY: Int { y + height }

  /// The same rectangle `rows` further down.
  package func moved(rows: Int) -> Rect { Rect(x: x, y: y + rows, width: width, height: height) }

  /// Cuts off the top `count` rows, or as many as there are, and leaves the rest.
  package mutating func takeTop(_ count: Int) -> Rect {
    let taken = min(max(0, count), height)
    defer {
      y += taken
      height -= taken
    }
    return Rect(x: x, y: y, width: width, height: taken)
  }

  /// Cuts off the bottom `count` rows, or as many as there are, and leaves the rest.
  package mutating func takeBottom(_ count: Int) -> Rect {
    let taken = min(max(0, count), height)
    height -= taken
    return Rect(x: x, y: y + height, width: width, height: taken)
  }

  /// Cuts off the leftmost `count` columns, or as many as there are, and leaves the rest.
  package mutating func takeLeft(_ count: Int) -> Rect {
    let taken = min(max(0, count), width)
    defer {
      x += taken
      width -= taken
    }
    return Rect(x: x, y: y, width: taken, height: height)
  }

  /// Cuts off the rightmost `count` columns, or as many as there are, and leaves the rest.
  package mutating func takeRight(_ count: Int) -> Rect {
    let taken = min(max(0, count), width)
    width -= taken
    return Rect(x: x + width, y: y, width: taken, height: height)
  }

  /// The rectangle without `count` cells on every side; empty when there are not enough.
  package func inset(by count: Int) -> Rect {
    let horizontal = min(count, width / 2)
    let vertical = min(count, height / 2)
    return Rect(
      x: x + horizontal, y: y + vertical, width: width - 2 * count, height: height - 2 * count)
  }

  /// A rectangle of this size, or as much of it as fits, in the middle of `outer`.
  package func centered(in outer: Rect) -> Rect {
    let width = min(width, outer.width)
    let height = min(height, outer.height)
    return Rect(
      x: outer.x + (outer.width - width) / 2, y: outer.y + (outer.height - height) / 2,
      width: width, height: height)
  }

  /// The common area; empty if they do not overlap.
  package func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }

  /// Whether a cell, such as the mouse position, is inside.
  package func contains(x column: Int, y row: Int) -> Bool {
    (x..<x + width).contains(column) && (y..<y + height).contains(row)
  }
}
