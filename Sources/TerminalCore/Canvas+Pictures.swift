import Foundation

/// Comparing, keeping and restoring drawn cells.
extension Canvas {
  /// Calls `body` with the cells of each row that differs from that of another canvas; with all rows
  /// where that has another size.
  package func forEachChangedRow(
    since other: Canvas?, _ body: (_ cells: UnsafeBufferPointer<Cell>, _ y: Int) -> Void
  ) {
    let known = other.flatMap { $0.size == size ? $0.rows : nil }
    for (y, row) in rows.enumerated() {
      row.withUnsafeBufferPointer { cells in
        if let known, Self.isSame(cells, known[y], 0..<size.width) { return }
        body(cells, y)
      }
    }
  }

  /// Whether a range of a row equals that of another one.
  private static func isSame(
    _ cells: UnsafeBufferPointer<Cell>, _ row: [Cell], _ columns: Range<Int>
  ) -> Bool {
    row.withUnsafeBufferPointer { known in
      guard let left = cells.baseAddress, let right = known.baseAddress, left != right else {
        return true
      }
      // A cell has no padding.
      return memcmp(
        left + columns.lowerBound, right + columns.lowerBound,
        columns.count * MemoryLayout<Cell>.stride) == 0
    }
  }

  private mutating func put(_ picture: ArraySlice<Cell>, _ columns: Range<Int>, _ row: Int) {
    rows[row].withUnsafeMutableBufferPointer { cells in
      Self.tear(cells, columns)
      picture.withUnsafeBufferPointer {
        _ = UnsafeMutableBufferPointer(rebasing: cells[columns]).update(fromContentsOf: $0)
      }
    }
  }

  /// Copies a rectangle of another canvas of the same size to the same columns, `rows` further
  /// down; no effect if the sizes differ. It must have been drawn entirely inside that rectangle.
  package mutating func copy(_ rect: Rect, from other: Canvas, movedBy rows: Int = 0) {
    let screen = Rect(width: size.width, height: size.height)
    let target = rect.moved(rows: rows).intersection(screen)
    let rect = target.moved(rows: -rows).intersection(screen)
    guard other.size == size, !rect.isEmpty else { return }
    for y in rect.y..<rect.maxY {
      if rect.width == size.width {
        self.rows[y + rows] = other.rows[y]
      } else {
        put(other.rows[y][rect.x..<rect.maxX], rect.x..<rect.maxX, y + rows)
      }
    }
  }
}
