extension Canvas {
  /// One row as text, without colours or trailing spaces.
  package func text(row y: Int) -> String {
    var text = String.UnicodeScalarView()
    for x in 0..<size.width { text.append(contentsOf: self[x, y].glyph.scalars) }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// The text of the first row of an area, in cells of the whole canvas, without blanks around it.
  package func text(in area: Rect) -> String {
    guard (0..<size.height).contains(area.y) else { return "" }
    var text = String.UnicodeScalarView()
    for x in max(0, area.x)..<max(0, area.x, min(size.width, area.maxX)) {
      text.append(contentsOf: self[x, area.y].glyph.scalars)
    }
    return String(String(text).drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// The text without colours, one line per row.
  package var text: String { (0..<size.height).map { text(row: $0) }.joined(separator: "\n") }

  /// The content of golden files: text, roles, backgrounds, attributes, and a legend. Grids that
  /// hold only defaults are left out.
  package var golden: String {
    let cells = rows.joined()
    var parts = [grid { String(String.UnicodeScalarView($0.glyph.scalars)) }]
    parts.append(grid { $0.role == .text ? "." : String($0.role.letter) })
    if cells.contains(where: { $0.background != nil }) {
      parts.append("behind:\n" + grid { $0.background.map { String($0.letter) } ?? " " })
    }
    if cells.contains(where: { !$0.attributes.subtracting(.link).isEmpty }) {
      parts.append("emphasis:\n" + grid { Self.emphasis($0.attributes) })
    }
    let used = Set(cells.map(\.role)).union(cells.compactMap(\.background))
    let legend = Role.allCases.filter { used.contains($0) && $0 != .text }
      .map { "\($0.letter) \($0.rawValue)" }
    if !legend.isEmpty { parts.append(legend.joined(separator: "\n")) }
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// One line for each row, closed by a bar so that trailing spaces show.
  private func grid(_ cell: (Cell) -> String) -> String {
    (0..<size.height).map { y in
      (0..<size.width).map { cell(self[$0, y]) }.joined() + "|"
    }.joined(separator: "\n")
  }

  /// One letter: the strongest emphasis; `*` for several at once.
  private static func emphasis(_ attributes: Attributes) -> String {
    switch attributes.subtracting(.link) {
    case []: " "
    case .bold: "b"
    case .dim: "d"
    case .italic: "i"
    case .underline: "u"
    case .reverse: "r"
    default: "*"
    }
  }
}
