import TerminalUI
import TerminalCore

extension CommandPane {
  /// The panels' rectangles. A hidden panel has none: Tab still reaches it, and then it replaces a
  /// neighbour.
  ///
  /// Drop order: client log, automations, guilds, details of the system, chart of the cost; its
  /// numbers stay.
  struct Layout: Hashable {
    /// Profile, read-write or read-only, address, place of the token.
    var summary = Rect(width: 0, height: 0)
    var panels: [Panel: Rect] = [:]
    /// Columns between panels that share rules instead of having boxes.
    var dividers: [Rect] = []
    var hasBoxes = false
    /// One panel at a time: `2/9` in its heading.
    var isSingle = false
    var width = LayoutClass.Width.small
    /// Whether columns share the height by what the panels have to show.
    var isTall = false

    subscript(panel: Panel) -> Rect { panels[panel] ?? Rect(width: 0, height: 0) }

    /// Rows and columns inside a panel.
    func content(_ panel: Panel) -> Rect { PanelFrame.content(of: self[panel], hasBox: hasBoxes) }

    /// Places panels side by side. They share the width by weight, with a divider between two if
    /// there are no boxes.
    fileprivate mutating func fill(_ row: Rect, _ cells: [Cell]) {
      var rest = row
      var weights = cells.reduce(0) { $0 + $1.weight }
      for (index, cell) in cells.enumerated() {
        let isLast = index == cells.count - 1
        var area = rest.takeLeft(isLast ? rest.width : rest.width * cell.weight / max(1, weights))
        weights -= cell.weight
        if !isLast, !hasBoxes { dividers.append(area.takeRight(1)) }
        if let below = cell.below {
          panels[below.panel] = area.takeBottom(area.height * below.share / 100)
        }
        panels[cell.panel] = area
      }
    }
  }

  /// A panel in a row, perhaps with another one below it.
  fileprivate struct Cell {
    var panel: Panel
    var weight = 1
    /// The panel below it, and its share of the height in percent.
    var below: (panel: Panel, share: Int)?
  }

  /// A row of panels of one height.
  fileprivate struct Row {
    var cells: [Cell]
    /// Rows that it needs at least, and ideally; frames included.
    var least: Int
    var ideal: Int
    /// With too little room the row with the lowest rank is dropped first.
    var rank: Int
    /// Its share of the remaining height.
    var growth = 0

    func holds(_ panel: Panel) -> Bool {
      cells.contains { $0.panel == panel || $0.below?.panel == panel }
    }
  }

  /// Tall and wide screens share their height by what the panels have to show.
  @MainActor func layout(_ facts: ViewContext, in body: Rect, of screen: Size) -> Layout {
    let size = LayoutClass(screen)
    var rest = body
    var parts = Layout()
    parts.width = size.width
    parts.hasBoxes = size.width >= .medium && size.height > .short
    if body.height >= 10, size.width > .extraSmall { parts.summary = rest.takeTop(1) }
    guard !isZoomed, size.width > .extraSmall else {
      parts.isSingle = !isZoomed
      parts.panels[focus] = rest
      return parts
    }
    if size.width == .large, rest.height >= 52 {
      tall(facts, rest, &parts)
      return parts
    }
    var rows = rows(size, height: rest.height)
    if !rows.contains(where: { $0.holds(focus) }) {
      // A hidden focused panel replaces its neighbour.
      rows = rows.map { row in
        var row = row
        row.cells = row.cells.map { cell in
          guard neighbour == cell.panel else { return cell }
          var cell = cell
          cell.panel = focus
          cell.below = nil
          return cell
        }
        return row
      }
    }
    for (row, height) in share(rest.height, among: rows) {
      parts.fill(rest.takeTop(height), row.cells)
    }
    return parts
  }

  /// Three columns and the log below: each panel has its rows, the last of a column what is left.
  @MainActor private func tall(_ facts: ViewContext, _ body: Rect, _ parts: inout Layout) {
    parts.isTall = true
    var rest = body
    let columns: [(panels: [Panel], width: Int)] = [
      ([.connection, .actions, .guilds, .latency], 52), ([.system, .automations], 52),
      ([.history, .browsers, .cost], rest.width - 104),
    ]
    for (panels, width) in columns {
      for panel in panels { parts.panels[panel] = Rect(width: width, height: 20) }
    }
    parts.panels[.log] = Rect(width: rest.width, height: 20)
    // The rows depend on the widths.
    let draft = parts
    func height(_ panel: Panel, most: Int) -> Int {
      min(max(1, content(panel, facts, draft).rows.count) + 2, most)
    }
    parts.panels[.log] = rest.takeBottom(height(.log, most: 8))
    var left = rest.takeLeft(52)
    parts.panels[.connection] = left.takeTop(height(.connection, most: left.height * 2 / 5))
    parts.panels[.actions] = left.takeTop(height(.actions, most: left.height / 3))
    parts.panels[.latency] = left.takeBottom(
      height(.latency, most: max(0, left.height - Self.leastGuilds)))
    parts.panels[.guilds] = left
    var middle = rest.takeLeft(52)
    parts.panels[.system] = middle.takeTop(height(.system, most: middle.height * 2 / 3))
    parts.panels[.automations] = middle
    parts.panels[.browsers] = rest.takeBottom(height(.browsers, most: 8))
    parts.panels[.history] = rest.takeBottom(height(.history, most: rest.height / 3))
    parts.panels[.cost] = rest
  }

  /// Rows of the guilds on tall screens, frame included, before the latency is cut.
  private static let leastGuilds = 6

  /// The neighbour that a hidden focused panel replaces.
  private var neighbour: Panel {
    switch focus {
    case .cost, .latency: .system
    case .browsers: .automations
    default: focus
    }
  }

  private func rows(_ size: LayoutClass, height: Int) -> [Row] {
    switch size.width {
    case .extraSmall, .small:
      var rows = [
        Row(
          cells: [Cell(panel: .connection), Cell(panel: .system)], least: 4, ideal: 7, rank: 4),
        Row(cells: [Cell(panel: .actions), Cell(panel: .guilds)], least: 4, ideal: 6, rank: 5),
        Row(
          cells: [Cell(panel: .history), Cell(panel: .automations)], least: 4, ideal: 5, rank: 2,
          growth: 2),
        Row(cells: [Cell(panel: .log)], least: 3, ideal: 3, rank: 1, growth: 1),
      ]
      guard height >= 30 else { return rows }
      rows[0].ideal = 11
      rows[1].ideal = 9
      rows.insert(Row(cells: [Cell(panel: .cost)], least: 8, ideal: 9, rank: 3), at: 1)
      if height >= 44 { rows[3].cells[1].below = (.browsers, 45) }
      return rows
    case .medium:
      let isLow = height < 24
      return [
        Row(
          cells: [Cell(panel: .connection), Cell(panel: .system), Cell(panel: .cost)],
          least: isLow ? 5 : 8, ideal: height >= 44 ? 18 : 13, rank: 4),
        Row(
          cells: [
            Cell(panel: .actions), Cell(panel: .guilds),
            Cell(panel: .automations, below: height >= 34 ? (.browsers, 45) : nil),
          ], least: isLow ? 5 : 8, ideal: 13, rank: 5, growth: 1),
        Row(
          cells: [Cell(panel: .history, weight: 2), Cell(panel: .log)], least: isLow ? 4 : 6,
          ideal: 11, rank: 2, growth: 1),
      ]
    case .large:
      return [
        Row(
          cells: [
            Cell(panel: .connection, weight: 48), Cell(panel: .system, weight: 48),
            Cell(panel: .latency, weight: 46), Cell(panel: .cost, weight: 58),
          ], least: height < 24 ? 5 : 9, ideal: height >= 54 ? 28 : height >= 44 ? 20 : 14,
          rank: 4, growth: 2),
        Row(
          cells: [
            Cell(panel: .actions, weight: 44), Cell(panel: .guilds, weight: 40),
            Cell(panel: .history, weight: 72),
            Cell(panel: .automations, weight: 44, below: height >= 30 ? (.browsers, 45) : nil),
          ], least: height < 24 ? 5 : 9, ideal: 16, rank: 5, growth: 2),
        Row(cells: [Cell(panel: .log)], least: 4, ideal: 8, rank: 1, growth: 1),
      ]
    }
  }

  /// Gives each row its height; rows without room are left out, but never that of the focus.
  private func share(_ height: Int, among rows: [Row]) -> [(Row, Int)] {
    var rows = rows
    while rows.count > 1, rows.reduce(0, { $0 + $1.least }) > height {
      let others = rows.indices.filter { !rows[$0].holds(focus) }
      guard let worst = others.min(by: { rows[$0].rank < rows[$1].rank }) else { break }
      rows.remove(at: worst)
    }
    var heights = rows.map(\.least)
    var left = height - heights.reduce(0, +)
    // First meet each panel's ideal height, in turn; then distribute by growth.
    while left > 0,
      let next = rows.indices.filter({ heights[$0] < rows[$0].ideal })
        .min(by: { rows[$0].ideal - heights[$0] > rows[$1].ideal - heights[$1] })
    {
      heights[next] += 1
      left -= 1
    }
    let growth = rows.reduce(0) { $0 + $1.growth }
    if left > 0, growth > 0 {
      let extra = left
      for index in rows.indices {
        let part = extra * rows[index].growth / growth
        heights[index] += part
        left -= part
      }
    }
    if let last = rows.indices.last(where: { rows[$0].growth > 0 }) ?? rows.indices.last {
      heights[last] += left
    }
    return Array(zip(rows, heights))
  }
}
