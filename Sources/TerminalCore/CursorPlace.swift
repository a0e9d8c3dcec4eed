/// Where the terminal's cursor stands when a frame is complete.
///
/// Magnifiers, braille displays and input methods follow it, seen or not: it is where one types, or else
/// on what is selected.
package struct CursorPlace: Hashable, Sendable {
  /// In cells of the whole screen, from 0.
  package var x, y: Int
  /// Whether something is typed there; elsewhere it follows unseen.
  package var isVisible: Bool

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

  /// Puts it where it was in another canvas.
  package mutating func place(_ place: CursorPlace) {
    if cursor?.isVisible == true, !place.isVisible { return }
    cursor = place
  }
}
