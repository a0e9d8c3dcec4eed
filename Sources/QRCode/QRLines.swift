/// A symbol as lines of text, its quiet zone of four modules included.
package struct QRLines: Sendable {
  /// What the modules are drawn with.
  package enum Form: Hashable, Sendable, CaseIterable {
    /// U+2580 and its relatives: a character is a module wide and two high.
    case halfBlocks
    /// A module is two characters wide.
    case ascii
  }

  /// How dark and light come about.
  package enum Ink: Hashable, Sendable, CaseIterable {
    /// No control sequences: dark modules are ink, as on a page.
    case plain
    /// Black on white by SGR, independent of the terminal's theme: of the eight colours, or exact ones.
    case eight, indexed

    fileprivate var dark: String { self == .indexed ? "\u{1B}[48;5;16m" : "\u{1B}[40m" }
    fileprivate var light: String { self == .indexed ? "\u{1B}[48;5;231m" : "\u{1B}[47m" }
    fileprivate var darkOnLight: String {
      self == .indexed ? "\u{1B}[38;5;16;48;5;231m" : "\u{1B}[30;47m"
    }
    fileprivate static let end = "\u{1B}[0m"
  }

  private static let quiet = 4

  private let code: QRCode
  private let form: Form
  private var side: Int { code.side + 2 * Self.quiet }

  package init(_ code: QRCode, form: Form) {
    self.code = code
    self.form = form
  }

  /// The size in cells.
  package var columns: Int { form == .ascii ? 2 * side : side }
  package var rows: Int { form == .ascii ? side : (side + 1) / 2 }

  private func isDark(_ x: Int, _ y: Int) -> Bool {
    let (x, y) = (x - Self.quiet, y - Self.quiet)
    return (0..<code.side).contains(x) && (0..<code.side).contains(y)
      && code.modules[y * code.side + x]
  }

  /// Rows from the top, each of `columns` cells.
  package func lines(_ ink: Ink) -> [String] {
    (0..<rows).map { form == .ascii ? spaces($0, ink) : blocks($0, ink) }
  }

  private func blocks(_ row: Int, _ ink: Ink) -> String {
    let text = (0..<side).map { column -> Character in
      switch (isDark(column, 2 * row), isDark(column, 2 * row + 1)) {
      case (true, true): "\u{2588}"
      case (true, false): "\u{2580}"
      case (false, true): "\u{2584}"
      case (false, false): " "
      }
    }
    guard ink != .plain else { return String(text) }
    // A dark cell is background: in many fonts the full block leaves seams between rows.
    var line = ""
    var wasFull: Bool?
    for letter in text {
      let isFull = letter == "\u{2588}"
      if isFull != wasFull { line += isFull ? ink.dark : ink.darkOnLight }
      line.append(isFull ? " " : letter)
      wasFull = isFull
    }
    return line + Ink.end
  }

  private func spaces(_ row: Int, _ ink: Ink) -> String {
    guard ink != .plain else {
      return (0..<side).map { isDark($0, row) ? "##" : "  " }.joined()
    }
    var line = ""
    for column in 0..<side {
      let dark = isDark(column, row)
      if column == 0 || dark != isDark(column - 1, row) { line += dark ? ink.dark : ink.light }
      line += "  "
    }
    return line + Ink.end
  }
}
