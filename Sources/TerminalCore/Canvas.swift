import Foundation

/// A grid of cells that panes draw into.
///
/// Drawing outside is clipped, never an error, so a pane need not know how large the terminal is.
/// Invariant: a cell of width 2 is always followed by its continuation, and a continuation always
/// follows one. `put` is the only writer of glyphs.
package struct Canvas: Hashable, Sendable {
  /// How many cells there are.
  package let size: Size
  /// Which glyphs draw symbols, and stand for text the terminal cannot show.
  package let symbols: SymbolSet
  private(set) var cells: [Cell]
  /// Where (0, 0) lies on the whole canvas; may be outside.
  private var origin: (x: Int, y: Int) { (region.x, region.y) }
  /// The region asked for by `inside`, without what lies right of or below the visible part.
  private var region: Rect
  /// The visible part, in coordinates of the whole canvas.
  private var clip: Rect

  /// A blank canvas; a negative width or height counts as zero.
  package init(size: Size, symbols: SymbolSet = .unicode) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    self.symbols = symbols
    cells = Array(repeating: Cell(), count: self.size.width * self.size.height)
    clip = Rect(width: self.size.width, height: self.size.height)
    region = clip
  }

  /// The region being drawn into; its origin is always (0, 0).
  package var bounds: Rect { Rect(width: region.width, height: region.height) }

  /// Whether a row of the whole canvas looks as it does on another canvas of the same width.
  package func isRow(_ y: Int, equalTo other: Canvas) -> Bool {
    guard size.width == other.size.width, y < size.height, y < other.size.height else {
      return false
    }
    let stride = MemoryLayout<Cell>.stride
    let range = y * size.width * stride..<(y + 1) * size.width * stride
    return cells.withUnsafeBytes { left in
      other.cells.withUnsafeBytes { right in
        guard let from = UnsafeRawBufferPointer(rebasing: left[range]).baseAddress,
          let to = UnsafeRawBufferPointer(rebasing: right[range]).baseAddress
        else {
          return true
        }
        return memcmp(from, to, range.count) == 0  // a cell has no padding
      }
    }
  }

  /// The cell at a position of the whole canvas.
  package subscript(x: Int, y: Int) -> Cell { cells[y * size.width + x] }

  /// Narrows drawing to `rect`, so that what `draw` puts at (0, 0) lands at its corner.
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
    var cell = Cell(
      glyph: .space, width: 1, role: role, attributes: attributes, background: background)
    var column = x
    if text.isASCII {
      for byte in text.storage.utf8 {
        guard origin.x + column < clip.maxX else { break }
        if origin.x + column >= clip.x {
          cell.glyph = Glyph(UInt32(byte))
          put(cell, x: column, y: y)
        }
        column += 1
      }
      return end
    }
    text.forEachPiece { piece in
      guard origin.x + column < clip.maxX else { return false }
      write(piece, of: text, cell: cell, x: column, start: x, y: y)
      column += piece.columns
      return true
    }
    return end
  }

  private mutating func write(
    _ piece: PlainText.Piece, of text: PlainText, cell: Cell, x: Int, start: Int, y: Int
  ) {
    var cell = cell
    cell.glyph = piece.glyph
    cell.width = UInt8(piece.columns)
    guard let substitute = symbols.substitute(for: piece.glyph) else {
      put(cell, x: x, y: y)
      return
    }
    cell.glyph = substitute
    cell.width = 1
    for column in x..<x + piece.columns { put(cell, x: column, y: y) }
    // The ellipsis of cut text is three dots; the first two go over what was kept.
    guard text.isCut, piece.glyph.base == 0x2026, x - start >= 2 else { return }
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
    forEachCell(in: rect) { canvas, x, y in
      canvas.put(Cell(glyph: .space, width: 1, background: background), x: x, y: y)
    }
  }

  /// Changes how the cells of a row look, and leaves what is written: a selected or fresh row.
  package mutating func paintRow(_ y: Int, background: Role?, attributes: Attributes = []) {
    paint(
      Rect(y: y, width: bounds.width, height: 1), background: background, attributes: attributes)
  }

  /// Changes how cells look, and leaves what is written.
  package mutating func paint(_ rect: Rect, background: Role?, attributes: Attributes = []) {
    forEachCell(in: rect) { canvas, x, y in
      let index = canvas.index(x: x, y: y)
      canvas.cells[index].background = background
      canvas.cells[index].attributes.formUnion(attributes)
    }
  }

  /// Changes the role of cells, and leaves what is written: find hits, dimmed stale panels.
  package mutating func recolor(_ rect: Rect, role: Role, attributes: Attributes = []) {
    forEachCell(in: rect) { canvas, x, y in
      let index = canvas.index(x: x, y: y)
      canvas.cells[index].role = role
      canvas.cells[index].attributes.formUnion(attributes)
    }
  }

  /// Visits the visible cells of a rectangle, in coordinates of the current region.
  private mutating func forEachCell(in rect: Rect, _ body: (inout Canvas, Int, Int) -> Void) {
    let visible = Rect(
      x: origin.x + rect.x, y: origin.y + rect.y, width: rect.width, height: rect.height
    ).intersection(clip)
    guard !visible.isEmpty else { return }
    for y in visible.y..<visible.maxY {
      for x in visible.x..<visible.maxX { body(&self, x - origin.x, y - origin.y) }
    }
  }

  private func index(x: Int, y: Int) -> Int {
    (origin.y + y) * size.width + origin.x + x
  }

  /// The only writer of glyphs. Both halves of a wide glyph must be visible, or a space is drawn.
  private mutating func put(_ cell: Cell, x: Int, y: Int) {
    let (left, row) = (origin.x + x, origin.y + y)
    guard cell.width == 2 else {
      if clip.contains(x: left, y: row) { set(cell, at: row * size.width + left, column: left) }
      return
    }
    if clip.contains(x: left, y: row), clip.contains(x: left + 1, y: row) {
      set(cell, at: row * size.width + left, column: left)
      return
    }
    var blank = cell
    blank.glyph = .space
    blank.width = 1
    put(blank, x: x, y: y)
    put(blank, x: x + 1, y: y)
  }

  private mutating func set(_ cell: Cell, at index: Int, column: Int) {
    let last = index + Int(cell.width) - 1
    if cells[index].width == 0 { blank(index - 1) }  // the left half of what we cover
    if cells[last].width == 2 { blank(last + 1) }  // and the right half
    var cell = cell
    // Some terminals put marks after the last column on the next line.
    if column + Int(cell.width) >= size.width { cell.glyph.marks = 0 }
    cells[index] = cell
    guard cell.width == 2 else { return }
    cells[last] = cell
    cells[last].glyph = .continuation
    cells[last].width = 0
  }

  private mutating func blank(_ index: Int) {
    cells[index].glyph = .space
    cells[index].width = 1
  }
}
