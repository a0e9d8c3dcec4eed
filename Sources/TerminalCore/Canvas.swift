/// A grid of cells that panes draw into.
///
/// Drawing outside is clipped, never an error, so a pane need not know how large the terminal is.
/// Invariant: a cell of width 2 is always followed by its continuation, and a continuation always
/// follows one. Only `put`, `putRun` and `putRepeated` write glyphs, and `Canvas+Pictures` puts back
/// what they wrote.
package struct Canvas: Hashable, Sendable {
  /// The size in cells.
  package let size: Size
  /// Which glyphs draw symbols, and stand for text the terminal cannot show.
  package let symbols: SymbolSet
  /// The terminal cursor's position; nil if none was requested.
  package var cursor: CursorPlace?
  /// The cells, a row each. A row that a later canvas has not changed is the same memory in both.
  var rows: [[Cell]]
  /// The links that were drawn, in this order; see `linkRuns`.
  package internal(set) var links: [LinkSpan] = []
  /// The position of (0, 0) on the whole canvas; may be outside.
  private var origin: (x: Int, y: Int) { (region.x, region.y) }
  /// The region passed to `inside`, cut to the visible part at the right and bottom.
  private(set) var region: Rect
  /// The visible part, in coordinates of the whole canvas.
  private(set) var clip: Rect

  /// A blank canvas; a negative width or height counts as zero.
  package init(size: Size, symbols: SymbolSet = .unicode) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    self.symbols = symbols
    let row = [Cell](repeating: Cell(), count: self.size.width)
    rows = Array(repeating: row, count: self.size.height)
    clip = Rect(width: self.size.width, height: self.size.height)
    region = clip
  }

  /// The region being drawn into; its origin is always (0, 0).
  package var bounds: Rect { Rect(width: region.width, height: region.height) }

  /// The cell at a position of the whole canvas.
  package subscript(x: Int, y: Int) -> Cell { rows[y][x] }

  /// Restricts drawing to `rect`: position (0, 0) in `draw` is its corner.
  package mutating func inside(_ rect: Rect, _ draw: (inout Canvas) -> Void) {
    let outer = (region, clip)
    defer { (region, clip) = outer }
    var inner = Rect(
      x: region.x + rect.x, y: region.y + rect.y, width: rect.width, height: rect.height)
    clip = inner.intersection(clip)
    inner.width = max(0, min(inner.maxX, outer.1.maxX) - inner.x)
    inner.height = max(0, min(inner.maxY, outer.1.maxY) - inner.y)
    region = inner
    draw(&self)
  }

  /// Writes one line of text, clipped, and returns the column after it.
  @discardableResult
  package mutating func write(
    _ text: PlainText, x: Int = 0, y: Int = 0, role: Role = .text, attributes: Attributes = [],
    background: Role? = nil
  ) -> Int {
    let end = x + text.columns
    guard clip.contains(x: clip.x, y: origin.y + y), end > clip.x - origin.x, !clip.isEmpty else {
      return end
    }
    let cell = Cell(
      glyph: .space, width: 1, role: role, attributes: attributes, background: background)
    if text.isASCII {
      text.withBytes { putRun(of: $0, like: cell, x: x, y: y) }
      return end
    }
    var column = x
    text.forEachGlyph { glyph, columns in
      guard origin.x + column < clip.maxX else { return false }
      write(glyph, columns, of: text, cell: cell, x: column, start: x, y: y)
      column += columns
      return true
    }
    return end
  }

  private mutating func write(
    _ glyph: Glyph, _ columns: Int, of text: PlainText, cell: Cell, x: Int, start: Int, y: Int
  ) {
    var cell = cell
    cell.glyph = glyph
    cell.width = UInt8(columns)
    guard let substitute = symbols.substitute(for: glyph) else {
      put(cell, x: x, y: y)
      return
    }
    cell.glyph = substitute
    cell.width = 1
    for column in x..<x + columns { put(cell, x: column, y: y) }
    // The ellipsis of cut text is three dots; the first two overwrite kept text.
    guard text.isCut, glyph.base == 0x2026, x - start >= 2 else { return }
    put(cell, x: x - 2, y: y)
    put(cell, x: x - 1, y: y)
  }

  /// Writes one line of text that ends at the right edge; clipped on the left when too long.
  package mutating func writeRight(
    _ text: PlainText, y: Int = 0, role: Role = .text, attributes: Attributes = [],
    background: Role? = nil
  ) {
    write(
      text, x: bounds.width - text.columns, y: y, role: role, attributes: attributes,
      background: background)
  }

  /// Draws one symbol.
  package mutating func symbol(
    _ symbol: Symbol, x: Int, y: Int = 0, role: Role = .text, attributes: Attributes = [],
    background: Role? = nil
  ) {
    put(
      Cell(
        glyph: symbols.glyph(symbol), width: 1, role: role, attributes: attributes,
        background: background),
      x: x, y: y)
  }

  /// Blanks a rectangle.
  package mutating func clear(_ rect: Rect) { fill(rect, background: nil) }

  /// Blanks a rectangle and lays a background behind it.
  package mutating func fill(_ rect: Rect, background: Role?) {
    let cell = Cell(glyph: .space, width: 1, background: background)
    let first = max(rect.y, clip.y - origin.y)
    let end = min(rect.maxY, clip.maxY - origin.y)
    for y in first..<max(first, end) { putRepeated(cell, x: rect.x, y: y, count: rect.width) }
  }

  /// Draws one symbol in every column of `columns`.
  mutating func repeatSymbol(_ symbol: Symbol, columns: Range<Int>, y: Int, role: Role) {
    let cell = Cell(glyph: symbols.glyph(symbol), width: 1, role: role)
    putRepeated(cell, x: columns.lowerBound, y: y, count: columns.count)
  }

  /// Restyles the cells of a row without changing its text: a selected or fresh row.
  package mutating func paintRow(_ y: Int, background: Role?, attributes: Attributes = []) {
    paint(
      Rect(y: y, width: bounds.width, height: 1), background: background, attributes: attributes)
  }

  /// Restyles cells without changing their text.
  package mutating func paint(_ rect: Rect, background: Role?, attributes: Attributes = []) {
    forEachCell(in: rect) { cell in
      cell.background = background
      cell.attributes.formUnion(attributes)
    }
  }

  /// Changes the role of cells without changing their text: find hits, dimmed stale panels.
  package mutating func recolor(_ rect: Rect, role: Role, attributes: Attributes = []) {
    forEachCell(in: rect) { cell in
      cell.role = role
      cell.attributes.formUnion(attributes)
    }
  }

  /// Gives another role to the cells that have one.
  package mutating func recolor(_ rect: Rect, from role: Role, to other: Role) {
    forEachCell(in: rect) { cell in
      if cell.role == role { cell.role = other }
    }
  }

  /// Dims old data: everything in a rectangle is muted except frames, headings and text that is
  /// fainter already. The selection stays visible.
  package mutating func fade(_ rect: Rect) {
    forEachCell(in: rect) { cell in
      switch cell.role {
      case .border, .focus, .heading, .title, .key, .muted, .faint: break
      default:
        cell.role = .muted
        cell.attributes.remove(.bold)
      }
    }
  }

  /// Changes the visible cells of a rectangle, in coordinates of the current region.
  private mutating func forEachCell(in rect: Rect, _ change: (inout Cell) -> Void) {
    let visible = Rect(
      x: origin.x + rect.x, y: origin.y + rect.y, width: rect.width, height: rect.height
    ).intersection(clip)
    guard !visible.isEmpty else { return }
    for y in visible.y..<visible.maxY {
      rows[y].withUnsafeMutableBufferPointer { cells in
        for x in visible.x..<visible.maxX { change(&cells[x]) }
      }
    }
  }

  /// The visible part of `count` cells from a position of the current region, in coordinates of the
  /// whole canvas, and the number hidden on the left; nil if none is visible.
  func visible(x: Int, y: Int, count: Int) -> (row: Int, columns: Range<Int>, hidden: Int)? {
    let (left, row) = (origin.x + x, origin.y + y)
    guard row >= clip.y, row < clip.maxY else { return nil }
    let (from, to) = (max(left, clip.x), min(left + count, clip.maxX))
    guard from < to else { return nil }
    return (row, from..<to, from - left)
  }

  /// Writes ASCII, a cell for each byte, clipped.
  private mutating func putRun(
    of bytes: UnsafeBufferPointer<UInt8>, like cell: Cell, x: Int, y: Int
  ) {
    guard let (row, columns, hidden) = visible(x: x, y: y, count: bytes.count) else { return }
    rows[row].withUnsafeMutableBufferPointer { cells in
      Self.tear(cells, columns)
      var cell = cell
      for offset in 0..<columns.count {
        cell.glyph = Glyph(UInt32(bytes[hidden + offset]))
        cells[columns.lowerBound + offset] = cell
      }
    }
  }

  /// Writes one narrow glyph without marks several times side by side, clipped.
  private mutating func putRepeated(_ cell: Cell, x: Int, y: Int, count: Int) {
    guard let (row, columns, _) = visible(x: x, y: y, count: count) else { return }
    rows[row].withUnsafeMutableBufferPointer { cells in
      Self.tear(cells, columns)
      for column in columns { cells[column] = cell }
    }
  }

  /// Blanks the halves that stay of wide glyphs when these cells of a row are written over.
  static func tear(_ cells: UnsafeMutableBufferPointer<Cell>, _ range: Range<Int>) {
    if cells[range.lowerBound].width == 0 { cells[range.lowerBound - 1].blank() }
    if cells[range.upperBound - 1].width == 2 { cells[range.upperBound].blank() }
  }

  /// Writes one glyph. Both halves of a wide one must be visible, or spaces are drawn.
  private mutating func put(_ cell: Cell, x: Int, y: Int) {
    guard let (row, columns, _) = visible(x: x, y: y, count: Int(cell.width)) else { return }
    guard columns.count == Int(cell.width) else {
      var blank = cell
      blank.blank()
      putRepeated(blank, x: x, y: y, count: 2)
      return
    }
    let width = size.width
    rows[row].withUnsafeMutableBufferPointer { cells in
      Self.tear(cells, columns)
      var cell = cell
      // Some terminals put marks after the last column on the next line.
      if columns.upperBound == width { cell.glyph.marks = 0 }
      cells[columns.lowerBound] = cell
      guard cell.width == 2 else { return }
      cell.glyph = .continuation
      cell.width = 0
      cells[columns.lowerBound + 1] = cell
    }
  }
}

extension Cell {
  /// Takes the glyph away and leaves how the cell looks.
  fileprivate mutating func blank() {
    glyph = .space
    width = 1
  }
}
