import CockpitPanes
import CockpitText
import TerminalCore
import TerminalUI

/// The columns of the list of all sources.
struct FleetColumns {
  private static let figures: [(name: PlainText, columns: Int)] = [
    ("rows/min", 8), ("errors", 6), ("$/h", 7), ("over", 4), ("newest", 6),
  ]
  private static let linkColumns = 10
  private static let wordColumns = 12
  /// Before the name: mark and tag.
  private static let markColumns = 5

  private let nameColumns: Int

  /// - Parameter width: of a row. Names have what the rest leaves, and are left out on a screen that is too narrow.
  init(width: Int) {
    let figures = Self.figures.reduce(0) { $0 + $1.columns + 1 }
    let rest = width - Self.markColumns - figures - Self.linkColumns - Self.wordColumns - 2
    nameColumns = min(28, max(0, rest))
  }

  private var linkX: Int { Self.markColumns + nameColumns + (nameColumns > 0 ? 1 : 0) }
  private var wordX: Int { linkX + Self.linkColumns + 1 }
  private var figuresX: Int { wordX + Self.wordColumns }

  func drawNames(into canvas: inout Canvas) {
    if nameColumns > 0 { canvas.write("source", x: Self.markColumns, role: .muted) }
    canvas.write("link", x: linkX, role: .muted)
    canvas.write("state", x: wordX, role: .muted)
    var x = figuresX
    for (name, columns) in Self.figures {
      canvas.write(name.leftPadded(to: columns), x: x + 1, role: .muted)
      x += columns + 1
    }
  }

  /// Draws a row, whose first cell is one left of the names of the columns.
  ///
  /// - Parameter isShown: whether the tabs show this source.
  @MainActor func draw(
    _ entry: FleetEntry, isShown: Bool, on back: Role?, into canvas: inout Canvas
  ) {
    let isKnown = entry.standing != .away && entry.standing != .unknown
    switch entry.standing {
    case .critical: canvas.write("!", x: 1, role: .negative, attributes: .bold, background: back)
    case .away: canvas.write("!", x: 1, role: .warning, attributes: .bold, background: back)
    case .warning, .waiting, .suspected:
      canvas.write("~", x: 1, role: .warning, attributes: .bold, background: back)
    case .unknown: canvas.write("?", x: 1, role: .muted, background: back)
    case .silenced, .info, .none: break
    case .well: canvas.symbol(.dot, x: 1, role: .positive, background: back)
    }
    if isShown { canvas.write(">", x: 0, role: .focus, background: back) }
    canvas.write(
      entry.tag.letters, x: 3, role: entry.tag.role, attributes: .bold, background: back)
    if nameColumns > 0 {
      canvas.write(
        entry.name.cut(to: nameColumns), x: 1 + Self.markColumns, role: .text, background: back)
    }
    canvas.write(
      entry.link.cut(to: Self.linkColumns), x: 1 + linkX, role: entry.linkRole, background: back)
    canvas.write(
      entry.word.cut(to: Self.wordColumns), x: 1 + wordX, role: entry.role, background: back)
    let figures = entry.figures
    let values = [
      figures.perMinute, figures.errors, figures.costPerHour, figures.window, figures.newestAge,
    ]
    var x = 1 + figuresX
    for ((_, columns), value) in zip(Self.figures, values) {
      canvas.write(
        value.cut(to: columns).leftPadded(to: columns), x: x + 1,
        role: isKnown ? .number : .muted, background: back)
      x += columns + 1
    }
  }
}
