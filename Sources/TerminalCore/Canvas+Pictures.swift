import Foundation

/// Cells that were drawn before: compared, kept, and put back.
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

  /// Whether a stretch of a row is the same as that of another one.
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

  /// What the same drawing depends on besides what is drawn: where the current region lies as far
  /// as it decides how cells come out, and the glyphs.
  package struct Place: Hashable, Sendable {
    private let width: Int
    /// Marks of the last column are left out.
    private let isAtRightEdge: Bool
    private let symbols: SymbolSet

    fileprivate init(_ canvas: Canvas) {
      width = canvas.region.width
      isAtRightEdge = canvas.region.maxX == canvas.size.width
      symbols = canvas.symbols
    }
  }

  /// The place of the current region; nil while a part of its width is hidden: cut glyphs come out
  /// otherwise than whole ones.
  package var place: Place? {
    clip.x == region.x && clip.maxX == region.maxX && !clip.isEmpty ? Place(self) : nil
  }

  /// The cells of a row of the current region, to be put back with `putBack` on a later canvas that
  /// has the same `place`; empty when the row is hidden.
  package func cells(ofRow y: Int) -> [Cell] {
    guard let (row, columns, _) = visible(x: 0, y: y, count: region.width) else { return [] }
    return columns.count == size.width ? rows[row] : Array(rows[row][columns])
  }

  /// Draws a row of cells that were drawn at the same `place` before.
  package mutating func putBack(_ picture: [Cell], y: Int) {
    guard let (row, columns, _) = visible(x: 0, y: y, count: region.width),
      columns.count == picture.count
    else { return }
    guard columns.count < size.width else {
      rows[row] = picture
      return
    }
    put(picture[...], columns, row)
  }

  private mutating func put(_ picture: ArraySlice<Cell>, _ columns: Range<Int>, _ row: Int) {
    rows[row].withUnsafeMutableBufferPointer { cells in
      Self.tear(cells, columns)
      picture.withUnsafeBufferPointer {
        _ = UnsafeMutableBufferPointer(rebasing: cells[columns]).update(fromContentsOf: $0)
      }
    }
  }

  /// Puts back what another canvas of the same size has in a rectangle of the whole canvas; nothing
  /// where it has another size. What lies there must have been drawn inside that rectangle alone.
  package mutating func copy(_ rect: Rect, from other: Canvas) {
    let rect = rect.intersection(Rect(width: size.width, height: size.height))
    guard other.size == size, !rect.isEmpty else { return }
    for y in rect.y..<rect.maxY {
      if rect.width == size.width {
        rows[y] = other.rows[y]
      } else {
        put(other.rows[y][rect.x..<rect.maxX], rect.x..<rect.maxX, y)
      }
    }
  }

  /// Whether another canvas shows the same outside of a rectangle of one row.
  package func isSame(as other: Canvas, besides rect: Rect) -> Bool {
    guard size == other.size, size.height > 0, (0..<size.height).contains(rect.y), rect.x >= 0,
      rect.maxX <= size.width
    else { return false }
    return rows.indices.allSatisfy { y in
      rows[y].withUnsafeBufferPointer { cells in
        guard y == rect.y else { return Self.isSame(cells, other.rows[y], 0..<size.width) }
        return Self.isSame(cells, other.rows[y], 0..<rect.x)
          && Self.isSame(cells, other.rows[y], rect.maxX..<size.width)
      }
    }
  }
}
