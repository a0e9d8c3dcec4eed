import TerminalTestKit

/// The number of cells of a text according to libvterm, not to the program's own tables.
enum CellWidth {
  static func columns(of text: some StringProtocol) -> Int {
    let terminal = VirtualTerminal(rows: 1, columns: 1200)
    terminal.feed(Array(text.utf8))
    var end = 0
    var column = 0
    while column < terminal.columns {
      let cell = terminal[0, column]
      column += max(1, cell.width)
      if !cell.text.isEmpty, cell.text != " " { end = column }
    }
    return end
  }
}
