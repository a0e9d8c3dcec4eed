import CNcurses
import TerminalCore

/// Writes rows of cells to ncurses.
///
/// A blank between words takes the style of the preceding word if it looks the same in it: one byte
/// instead of up to fifty. Runs of blanks take the terminal's default style, which ncurses skips in a
/// row that was empty. Rows are written whole, so that a row is equal wherever it stands and ncurses
/// recognises that the feed has only scrolled.
@MainActor
struct RowWriter {
  var theme: Theme
  var depth: ColorDepth
  var styles = StyleTable()
  /// Scratch row, kept for its capacity.
  private var row: [cchar_t] = []
  /// Whether style changes between blanks are free, because `SGRCompressor` drops them.
  private let clears: Bool

  init(theme: Theme, depth: ColorDepth, clears: Bool) {
    self.theme = theme
    self.depth = depth
    self.clears = clears
  }

  /// Shorter runs are cheaper to write than to skip (`CSI n C`).
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

  /// Converts cells to ncurses cells in `row`.
  ///
  /// - Returns: their number.
  private mutating func translate(_ cells: UnsafeBufferPointer<Cell>, wideEnd: Int) -> Int {
    if row.count < cells.count { row = Array(repeating: cchar_t(), count: cells.count) }
    var count = 0
    // Neighbours mostly share a style, so it is looked up only where it changes. Most changes alternate
    // between the style of the words and that of the blanks between them.
    var (key, inkKey, otherKey): (UInt32?, UInt32?, UInt32?)
    var (style, ink) = (StyleTable.Style.standard, StyleTable.Style.standard)
    var other = style
    var blank = style
    var column = 0
    while column < cells.count {
      let cell = PackedCell(cells, column)
      // The right half of a wide glyph: ncurses adds it with the left one.
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
        // A run of ASCII, or of blanks, in one style.
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
      if cell.isPixels {
        let drawn = pixels(of: cells[column], marks: cell.marks)
        row[count] = drawn.style.blank
        if cn_columns(drawn.glyph) == 1 { cn_set_glyph(&row[count], drawn.glyph) }
        count += 1
        continue
      }
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

  /// How ncurses draws a cell of a picture.
  private mutating func pixels(of cell: Cell, marks: UInt64) -> StyleTable.Drawn {
    let key = StyleTable.PictureKey(colors: marks, glyph: cell.glyph.base)
    if let known = styles[key] { return known }
    let pixels = cell.pixels ?? Cell.Pixels(top: 0, bottom: 0)
    let drawn = theme.look(pixels, glyph: key.glyph, depth: depth)
    return styles.add(drawn.style, glyph: drawn.glyph, for: key)
  }

  private mutating func newStyle(of cell: Cell) -> StyleTable.Style {
    styles.add(theme.look(cell, depth: depth), for: cell.styleKey)
  }

  /// Puts a glyph into a blank cell. False if the C library assigns it another width, which ncurses
  /// would use.
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
