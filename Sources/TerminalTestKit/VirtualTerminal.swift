import CVTerm

/// An independent terminal (libvterm): feed it bytes, read cells back.
package final class VirtualTerminal {
  /// One cell as the terminal shows it.
  package struct Cell: Equatable {
    /// The base character and its marks; empty for a blank.
    package var text: String
    /// Columns.
    package var width: Int
    /// Emphasis.
    package var bold, italic, underline, reverse: Bool
    /// 0xRRGGBB; nil is the default colour.
    package var foreground, background: UInt32?
  }

  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  /// How many rows there are.
  package private(set) var rows: Int
  /// How many columns there are.
  package private(set) var columns: Int

  /// A blank terminal.
  package init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    terminal = vterm_new(Int32(rows), Int32(columns))
    vterm_set_utf8(terminal, 1)
    screen = vterm_obtain_screen(terminal)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
  }

  deinit { vterm_free(terminal) }

  /// Changes the size, as a window does.
  package func resize(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    vterm_set_size(terminal, Int32(rows), Int32(columns))
  }

  /// What a program writes.
  package func feed(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    bytes.withUnsafeBytes { buffer in
      _ = vterm_input_write(
        terminal, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
  }

  /// The cell at a place.
  package subscript(row: Int, column: Int) -> Cell {
    var cell = VTermScreenCell()
    vterm_screen_get_cell(screen, VTermPos(row: Int32(row), col: Int32(column)), &cell)
    var text = String.UnicodeScalarView()
    withUnsafeBytes(of: cell.chars) { raw in
      for value in raw.bindMemory(to: UInt32.self) {
        guard value != 0, value != .max, let scalar = Unicode.Scalar(value) else { break }
        text.append(scalar)
      }
    }
    return Cell(
      text: String(text), width: Int(cell.width), bold: cell.attrs.bold != 0,
      italic: cell.attrs.italic != 0, underline: cell.attrs.underline != 0,
      reverse: cell.attrs.reverse != 0, foreground: rgb(cell.fg), background: rgb(cell.bg))
  }

  private func rgb(_ color: VTermColor) -> UInt32? {
    var color = color
    if color.type & UInt8(VTERM_COLOR_DEFAULT_MASK.rawValue) != 0 { return nil }
    vterm_screen_convert_color_to_rgb(screen, &color)
    return UInt32(color.rgb.red) << 16 | UInt32(color.rgb.green) << 8 | UInt32(color.rgb.blue)
  }

  /// One row without trailing spaces.
  package func line(_ row: Int) -> String {
    var text = ""
    var column = 0
    while column < columns {
      let cell = self[row, column]
      text += cell.text.isEmpty ? " " : cell.text
      column += max(1, cell.width)
    }
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  /// All rows.
  package var text: String { (0..<rows).map { line($0) }.joined(separator: "\n") }
}
