import TerminalTestKit

/// Whether boxes on a screen are whole.
enum Borders {
  /// Rows in which a box is open to the left or to the right. Below a corner every row of the
  /// box has its border in the corner's column.
  static func tears(of terminal: VirtualTerminal) -> [String] {
    var tears: [String] = []
    for row in 0..<terminal.rows {
      for column in 0..<terminal.columns {
        let corner = terminal[row, column].text
        guard corner == "┌" || corner == "┐" else { continue }
        var below = row + 1
        while below < terminal.rows, terminal[below, column].text == "│" { below += 1 }
        let end = below < terminal.rows ? terminal[below, column].text : ""
        if end != (corner == "┌" ? "└" : "┘") {
          tears.append("\(corner) of row \(row), column \(column) is open in row \(below)")
        }
      }
    }
    return tears
  }
}
