/// Where the terminal's cursor stands when a frame is complete.
///
/// Magnifiers, braille displays and input methods follow it, seen or not: it is where one types, or else
/// on what is selected.
package struct CursorPlace: Hashable, Sendable {
  /// In cells of the whole screen, from 0.
  package var x, y: Int
  /// Whether something is typed there; elsewhere it follows unseen.
  package var isVisible: Bool

  /// The same place in another row.
  package func moved(rows: Int) -> CursorPlace {
    CursorPlace(x: x, y: y + rows, isVisible: isVisible)
  }

  /// A cell of the screen.
  package init(x: Int, y: Int, isVisible: Bool) {
    (self.x, self.y, self.isVisible) = (x, y, isVisible)
  }

  /// Where it stands while nothing is selected.
  package static let home = CursorPlace(x: 0, y: 0, isVisible: false)
}

extension Canvas {
  /// Puts the cursor into a cell of the current region, where that is to be seen. What is typed into
  /// wins over what is selected; else the last one wins.
  ///
  /// - Parameter isVisible: something is typed there.
  package mutating func placeCursor(x: Int = 0, y: Int = 0, isVisible: Bool = false) {
    guard let (row, columns, _) = visible(x: x, y: y, count: 1) else { return }
    place(CursorPlace(x: columns.lowerBound, y: row, isVisible: isVisible))
  }

  /// The canvas as a terminal gets it, whose own cursor marks the cell that is typed into: a block turns a
  /// cell in reverse video back in many terminals, and would not be seen there.
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
