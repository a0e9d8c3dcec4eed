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

    /// Without the foreground of a blank, which is invisible.
    package var seen: Cell {
      var cell = self
      if cell.text.isEmpty { cell.text = " " }
      guard cell.text == " " else { return cell }
      (cell.bold, cell.italic) = (false, false)
      if !cell.underline, !cell.reverse { cell.foreground = nil }
      return cell
    }
  }

  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  /// The first bytes of a character whose last ones have not come yet.
  private var held: [UInt8] = []
  private var emoji = YoungEmoji()
  /// How many rows there are.
  package private(set) var rows: Int
  /// How many columns there are.
  package private(set) var columns: Int

  /// A blank terminal.
  package init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    terminal = vterm_new(Int32(rows), Self.width(columns))
    vterm_set_utf8(terminal, 1)
    screen = vterm_obtain_screen(terminal)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
  }

  deinit { vterm_free(terminal) }

  /// libvterm 0.1.4 writes the second half of a wide character through a null pointer where there is
  /// only one column, and such a character may be on its way when a terminal becomes that small.
  private static func width(_ columns: Int) -> Int32 { Int32(max(2, columns)) }

  /// Changes the size, as a window does.
  package func resize(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    vterm_set_size(terminal, Int32(rows), Self.width(columns))
  }

  /// What a program writes, in any pieces.
  package func feed(_ bytes: some Sequence<UInt8>) {
    var bytes = held + Array(bytes)
    // libvterm 0.1.4 loses a character whose bytes come in two pieces when ASCII stands before it:
    // it decodes the piece that begins in the middle with another decoder.
    held = Array(bytes.suffix(Self.unfinished(bytes)))
    bytes.removeLast(held.count)
    bytes = emoji.replaced(bytes)
    bytes.withUnsafeBytes { buffer in
      _ = vterm_input_write(
        terminal, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
  }

  /// How many bytes at the end begin a UTF-8 character that is not complete.
  private static func unfinished(_ bytes: [UInt8]) -> Int {
    for count in 1...3 where count <= bytes.count {
      let byte = bytes[bytes.count - count]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count ? count : 0
    }
    return 0
  }

  /// Where the cursor is.
  package var cursor: (row: Int, column: Int) {
    var place = VTermPos()
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &place)
    return (Int(place.row), Int(place.col))
  }

  /// The cell at a place.
  package subscript(row: Int, column: Int) -> Cell {
    var cell = VTermScreenCell()
    vterm_screen_get_cell(screen, VTermPos(row: Int32(row), col: Int32(column)), &cell)
    var text = String.UnicodeScalarView()
    withUnsafeBytes(of: cell.chars) { raw in
      for value in raw.bindMemory(to: UInt32.self) {
        guard value != 0, value != .max, let scalar = Unicode.Scalar(emoji.original(value)) else {
          break
        }
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
