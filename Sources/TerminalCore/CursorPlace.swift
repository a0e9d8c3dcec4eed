/// The terminal's cursor at the end of a frame.
///
/// Magnifiers, braille displays and input methods follow it even if it is hidden: it is at the text
/// input, or else on the selection.
package struct CursorPlace: Hashable, Sendable {
  /// In cells of the whole screen, from 0.
  package var x, y: Int
  /// Whether text is typed there; otherwise the cursor is hidden.
  package var isVisible: Bool

  /// The same place in another row.
  package func moved(rows: Int) -> CursorPlace {
    CursorPlace(x: x, y: y + rows, isVisible: isVisible)
  }

  /// A cell of the screen.
  package init(x: Int, y: Int, isVisible: Bool) {
    (self.x, self.y, self.isVisible) = (x, y, isVisible)
  }

  /// The position without a selection.
  package static let home = CursorPlace(x: 0, y: 0, isVisible: false)
}

extension Canvas {
  /// Puts the cursor into a cell of the current region, if that is visible. A text input wins over
  /// a selection; otherwise the last call wins.
  ///
  /// - Parameter isVisible: whether text is typed there.
  package mutating func placeCursor(x: Int = 0, y: Int = 0, isVisible: Bool = false) {
    guard let (row, columns, _) = visible(x: x, y: y, count: 1) else { return }
    place(CursorPlace(x: columns.lowerBound, y: row, isVisible: isVisible))
  }

  /// The canvas for a terminal that draws its own cursor at the text input: many terminals draw a
  /// block cursor by inverting the cell, so on a reversed cell it would be invisible.
  package var withoutDrawnCursor: Canvas {
    guard let cursor, cursor.isVisible, (0..<size.height).contains(cursor.y),
      (0..<size.width).contains(cursor.x),
      rows[cursor.y][cursor.x].attributes.contains(.reverse)
    else { return self }
    var canvas = self
    let isWide = rows[cursor.y][cursor.x].width == 2
    for x in cursor.x...(isWide ? cursor.x + 1 : cursor.x) {
      canvas.rows[cursor.y][x].attributes.remove(.reverse)
      canvas.rows[cursor.y][x].attributes.insert(.underline)
    }
    return canvas
  }

  /// Puts it where it was in another canvas.
  package mutating func place(_ place: CursorPlace) {
    if cursor?.isVisible == true, !place.isVisible { return }
    cursor = place
  }
}
