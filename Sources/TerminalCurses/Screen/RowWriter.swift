import CNcurses
import TerminalCore

/// Gives ncurses rows of cells.
///
/// Between words a blank has a style of its own, which nobody sees. Drawn in that of the word before
/// it, it costs one byte instead of up to fifty; where many come together they are the terminal's own, which
/// ncurses passes by in a row that is new. Whole rows, so that a row looks the same to ncurses
/// wherever it stands: else it would not find that the feed has only scrolled.
@MainActor
struct RowWriter {
  var theme: Theme
  var depth: ColorDepth
  var styles = StyleTable()
  /// The row that is being drawn; kept for its memory.
  private var row: [cchar_t] = []
  /// Whether a change of style that blanks do not show costs nothing.
  private let clears: Bool

  init(theme: Theme, depth: ColorDepth, clears: Bool) {
    self.theme = theme
    self.depth = depth
    self.clears = clears
  }

  /// Fewer blanks are written sooner than passed by (`CSI n C`).
  private static let manyBlanks = 6

  /// - Parameter wideEnd: the column from which wide glyphs are not drawn.
  mutating func write(_ cells: UnsafeBufferPointer<Cell>, at y: Int, wideEnd: Int) {
    let count = translate(cells, wideEnd: wideEnd)
    _ = cn_put(cn_stdscr(), Int32(y), row, Int32(count))
  }

  /// How ncurses draws a cell.
  private mutating func style(of cell: Cell) -> StyleTable.Style {
    styles[cell.styleKey] ?? newStyle(of: cell)
  }

  /// Turns a row of cells into what ncurses takes, in `row`.
  ///
  /// - Returns: how many there are.
  private mutating func translate(_ cells: UnsafeBufferPointer<Cell>, wideEnd: Int) -> Int {
    if row.count < cells.count { row = Array(repeating: cchar_t(), count: cells.count) }
    var count = 0
    // Neighbours mostly share a style: what is to be known of it is looked up where it changes.
    // Most changes are between that of the words and that of the blanks between them.
    var (key, inkKey, otherKey): (UInt32?, UInt32?, UInt32?)
    var (style, ink) = (StyleTable.Style.standard, StyleTable.Style.standard)
    var other = style
    var blank = style
    var column = 0
    while column < cells.count {
      let cell = PackedCell(cells, column)
      // ncurses takes the right half of a wide glyph with the left one.
      guard cell.width > 0 else {
        column += 1
        continue
      }
      if key != cell.styleKey {
        key = cell.styleKey
        if key == inkKey {
          style = ink
        } else if key == otherKey {
          style = other
        } else {
          style = self.style(of: cells[column])
          if cell.isSpace { (other, otherKey) = (style, key) }
        }
        blank = inkKey != nil && style.looksLike(onBlank: ink) ? ink : style
      }
      if !cell.isSpace, inkKey != key {
        inkKey = key
        ink = style
        blank = style
      }
      if cell.isASCII {
        // The rest of the word, or of the blanks.
        let drawn = cell.isSpace ? blank.blank : style.blank
        let start = count
        var next = cell
        repeat {
          row[count] = drawn
          cn_set_glyph(&row[count], next.base)
          count += 1
          column += 1
          guard column < cells.count else { break }
          next = PackedCell(cells, column)
        } while next.isASCII && next.styleKey == key && next.isSpace == cell.isSpace
        if clears, cell.isSpace, count - start >= Self.manyBlanks,
          blank.looksLike(onBlank: .standard)
        {
          let own = StyleTable.Style.standard.blank
          for index in start..<count { row[index] = own }
        }
        continue
      }
      defer { column += 1 }
      row[count] = style.blank
      if cell.width < 2 || column < wideEnd, Self.put(cell, style, &row[count]) {
        count += 1
        continue
      }
      for _ in 0..<cell.width {
        row[count] = style.blank
        cn_set_glyph(&row[count], UInt32(UInt8(ascii: "?")))
        count += 1
      }
    }
    return count
  }

  private mutating func newStyle(of cell: Cell) -> StyleTable.Style {
    styles.add(theme.look(cell, depth: depth), for: cell.styleKey)
  }

  /// Puts a glyph into a cell that is blank. False when the C library gives it another width: ncurses
  /// would believe the library.
  private nonisolated static func put(
    _ cell: PackedCell, _ style: StyleTable.Style, _ drawn: inout cchar_t
  ) -> Bool {
    if cell.base >= 0x80, cn_columns(cell.base) != Int32(cell.width) { return false }
    guard cell.marks != 0 else {
      cn_set_glyph(&drawn, cell.base)
      return true
    }
    return cn_cell(&drawn, cell.base, cell.marks, style.attributes, style.pair) != ERR
  }
}
