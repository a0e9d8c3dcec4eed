import Foundation

/// Cells that were drawn before: compared, kept, and put back.
extension Canvas {
  /// Calls `body` with the cells of each row that differs from that of another canvas; with all rows
  /// where that has another size.
  package func forEachChangedRow(
    since other: Canvas?, _ body: (_ cells: Slice<UnsafeBufferPointer<Cell>>, _ y: Int) -> Void
  ) {
    let width = size.width
    cells.withUnsafeBufferPointer { cells in
      guard let other, other.size == size else {
        for y in 0..<size.height { body(cells[y * width..<(y + 1) * width], y) }
        return
      }
      other.cells.withUnsafeBufferPointer { known in
        guard let left = cells.baseAddress, let right = known.baseAddress else { return }
        for y in 0..<size.height {
          // A cell has no padding.
          let isSame =
            memcmp(left + y * width, right + y * width, width * MemoryLayout<Cell>.stride) == 0
          if !isSame { body(cells[y * width..<(y + 1) * width], y) }
        }
      }
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
    guard let (range, _) = visible(x: 0, y: y, count: region.width) else { return [] }
    return Array(cells[range])
  }

  /// Draws a row of cells that were drawn at the same `place` before.
  package mutating func putBack(_ picture: [Cell], y: Int) {
    guard let (range, _) = visible(x: 0, y: y, count: region.width),
      range.count == picture.count
    else { return }
    cells.withUnsafeMutableBufferPointer { cells in
      Self.tear(cells, range)
      picture.withUnsafeBufferPointer {
        _ = UnsafeMutableBufferPointer(rebasing: cells[range]).update(fromContentsOf: $0)
      }
    }
  }

  /// Puts back what another canvas of the same size has in a rectangle of the whole canvas; nothing
  /// where it has another size. What lies there must have been drawn inside that rectangle alone.
  package mutating func copy(_ rect: Rect, from other: Canvas) {
    let rect = rect.intersection(Rect(width: size.width, height: size.height))
    guard other.size == size, !rect.isEmpty else { return }
    let width = size.width
    other.cells.withUnsafeBufferPointer { known in
      cells.withUnsafeMutableBufferPointer { cells in
        for y in rect.y..<rect.maxY {
          let row = y * width + rect.x..<y * width + rect.maxX
          Self.tear(cells, row)
          _ = UnsafeMutableBufferPointer(rebasing: cells[row]).update(
            fromContentsOf: UnsafeBufferPointer(rebasing: known[row]))
        }
      }
    }
  }

  /// Whether another canvas shows the same outside of a rectangle of one row.
  package func isSame(as other: Canvas, besides rect: Rect) -> Bool {
    guard size == other.size, size.height > 0, (0..<size.height).contains(rect.y), rect.x >= 0,
      rect.maxX <= size.width
    else { return false }
    let start = rect.y * size.width
    return cells.withUnsafeBufferPointer { cells in
      other.cells.withUnsafeBufferPointer { known in
        guard let left = cells.baseAddress, let right = known.baseAddress else { return false }
        func isSame(_ range: Range<Int>) -> Bool {
          // A cell has no padding.
          memcmp(
            left + range.lowerBound, right + range.lowerBound,
            range.count * MemoryLayout<Cell>.stride) == 0
        }
        return isSame(0..<start + rect.x) && isSame(start + rect.maxX..<cells.count)
      }
    }
  }
}
