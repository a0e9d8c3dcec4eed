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

  private mutating func put(_ picture: [Cell], _ columns: Range<Int>, _ row: Int) {
    picture.withUnsafeBufferPointer { picture in
      // A row that is the same memory already needs no copy of its own.
      let isSame = rows[row].withUnsafeBufferPointer { $0.baseAddress == picture.baseAddress }
      guard !isSame else { return }
      rows[row].withUnsafeMutableBufferPointer { cells in
        Self.tear(cells, columns)
        _ = UnsafeMutableBufferPointer(rebasing: cells[columns])
          .update(fromContentsOf: UnsafeBufferPointer(rebasing: picture[columns]))
      }
    }
  }

  /// The rows of a rectangle as they are now.
  package struct Picture: Sendable {
    /// The first row's place.
    fileprivate let y: Int
    fileprivate let rows: [[Cell]]
    fileprivate let links: [LinkSpan]
  }

  package func picture(of rect: Rect) -> Picture {
    let rect = rect.intersection(Rect(width: size.width, height: size.height))
    return Picture(
      y: rect.y, rows: rect.isEmpty ? [] : Array(rows[rect.y..<rect.maxY]), links: links)
  }

  /// Copies a rectangle of another canvas of the same size to the same columns, `rows` further
  /// down; no effect if the sizes differ. It must have been drawn entirely inside that rectangle.
  package mutating func copy(_ rect: Rect, from other: Canvas, movedBy rows: Int = 0) {
    guard other.size == size else { return }
    copy(rect, from: other.rows, at: 0, movedBy: rows)
    if !other.links.isEmpty { takeLinks(other.links, in: rect, movedBy: rows) }
  }

  /// The same of a picture that was made of this rectangle, on a canvas of the same size.
  package mutating func copy(_ rect: Rect, from picture: Picture, movedBy rows: Int = 0) {
    copy(rect, from: picture.rows, at: picture.y, movedBy: rows)
    if !picture.links.isEmpty { takeLinks(picture.links, in: rect, movedBy: rows) }
  }

  /// - Parameter first: the place of the first of the other rows.
  private mutating func copy(
    _ rect: Rect, from others: [[Cell]], at first: Int, movedBy rows: Int
  ) {
    let screen = Rect(width: size.width, height: size.height)
    let target = rect.moved(rows: rows).intersection(screen)
    let rect = target.moved(rows: -rows).intersection(screen)
    guard !rect.isEmpty else { return }
    for y in rect.y..<rect.maxY {
      if rect.width == size.width {
        self.rows[y + rows] = others[y - first]
      } else {
        put(others[y - first], rect.x..<rect.maxX, y + rows)
      }
    }
  }
}
