extension Canvas {
  /// A horizontal line over the columns `from..<to`.
  package mutating func horizontalRule(
    y: Int, from: Int = 0, to: Int? = nil, role: Role = .border
  ) {
    repeatSymbol(
      .horizontal, columns: clampedColumns(from, to ?? bounds.width), y: y, role: role)
  }

  /// A vertical line over the rows `from..<to`.
  package mutating func verticalRule(x: Int, from: Int = 0, to: Int? = nil, role: Role = .border) {
    let first = max(0, from)
    let last = min(bounds.height, to ?? bounds.height)
    for y in first..<max(first, last) { symbol(.vertical, x: x, y: y, role: role) }
  }

  /// A box with its title set into the border, in capitals, and something short at the right.
  ///
  /// Where a box does not fit (less than two rows or columns) the body gets the whole rectangle.
  package mutating func panel(
    _ title: PlainText, trailing: PlainText = "", in rect: Rect, isFocused: Bool = false,
    _ body: (inout Canvas) -> Void
  ) {
    guard rect.width >= 2, rect.height >= 2 else {
      inside(rect, body)
      return
    }
    let role: Role = isFocused ? .focus : .border
    inside(rect) { canvas in
      let (right, bottom) = (rect.width - 1, rect.height - 1)
      canvas.horizontalRule(y: 0, from: 1, to: right, role: role)
      canvas.horizontalRule(y: bottom, from: 1, to: right, role: role)
      canvas.verticalRule(x: 0, from: 1, to: bottom, role: role)
      canvas.verticalRule(x: right, from: 1, to: bottom, role: role)
      canvas.symbol(.cornerTopLeft, x: 0, y: 0, role: role)
      canvas.symbol(.cornerTopRight, x: right, y: 0, role: role)
      canvas.symbol(.cornerBottomLeft, x: 0, y: bottom, role: role)
      canvas.symbol(.cornerBottomRight, x: right, y: bottom, role: role)
      canvas.header(title, trailing, y: 0, from: 1, to: right, isFocused: isFocused)
    }
    inside(rect.inset(by: 1), body)
  }

  /// A title set into a line, without a box: for narrow layouts.
  package mutating func rule(
    _ title: PlainText, trailing: PlainText = "", y: Int, isFocused: Bool = false
  ) {
    horizontalRule(y: y, role: isFocused ? .focus : .border)
    header(title, trailing, y: y, from: 1, to: bounds.width - 1, isFocused: isFocused)
  }

  /// The columns of a panel's title and of the text at its right; empty where there is no room.
  ///
  /// - Parameter width: of the panel, with its corners.
  package static func headerColumns(
    _ title: PlainText, _ trailing: PlainText, width: Int
  ) -> (title: Range<Int>, trailing: Range<Int>) {
    let room = width - 2
    guard room >= 3 else { return (0..<0, 0..<0) }
    let name = title.isEmpty ? 0 : title.uppercased().cut(to: room - 2).columns
    let end = title.isEmpty ? 1 : name + 3
    let free = width - 1 - end - 3
    guard !trailing.isEmpty, free >= 1 else { return (2..<2 + name, 0..<0) }
    let note = trailing.cut(to: free).columns
    return (2..<2 + name, width - 2 - note..<width - 2)
  }

  /// ` TITLE ` from the left and ` trailing ` from the right of a line; the title goes first.
  private mutating func header(
    _ title: PlainText, _ trailing: PlainText, y: Int, from: Int, to: Int, isFocused: Bool
  ) {
    // Without a selection in the panel, the cursor is at its title.
    if isFocused { placeCursor(x: from, y: y) }
    let room = to - from
    guard room >= 3 else { return }
    var end = from
    if !title.isEmpty {
      let name = title.uppercased().cut(to: room - 2)
      end = write(
        " " + name + " ", x: from, y: y, role: isFocused ? .focus : .heading,
        attributes: isFocused ? .bold : [])
    }
    // One cell of line stays between the two, or they would read as one.
    let free = to - end - 3
    guard !trailing.isEmpty, free >= 1 else { return }
    let note = trailing.cut(to: free)
    write(" " + note + " ", x: to - note.columns - 2, y: y, role: .muted)
  }

  private func clampedColumns(_ from: Int, _ to: Int) -> Range<Int> {
    let first = max(0, from)
    return first..<max(first, min(bounds.width, to))
  }
}
