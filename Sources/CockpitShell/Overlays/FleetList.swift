import CockpitAnswers
import CockpitPanes
import CockpitText
import TerminalCore
import TerminalUI

/// All sources with a line each, the one that needs its owner most on top: state, figures of the last minutes, and what
/// is wrong with it. Enter shows one alone.
struct FleetList: Overlay, Hashable {
  /// The chosen source, by the name of its profile; nil for the topmost. A new order leaves it chosen.
  private var chosen: String?
  private var first = 0

  init() {}

  var title: PlainText { "fleet" }
  var keyLine: PlainText { "Enter opens one  w the shown one  j k choose  Esc closes" }

  // MARK: Keys

  mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    if case .command(.triage) = facts.keys.match([press]) { return .close }
    if let step = press.listStep {
      move(by: step, facts)
      return .stay
    }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return .close
    case (.enter, []): return open(facts)
    case (.char("w"), []) where !facts.isGateway: return .done([.open(NewLayer(TriageList()))])
    default: return .stay
    }
  }

  mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    guard let member = facts.sources?.members[safe: item] else { return .stay }
    let isOpened = chosen == member.name
    chosen = member.name
    return isOpened ? open(facts) : .stay
  }

  mutating func wheel(_ lines: Int, on facts: ViewContext) { move(by: lines.signum(), facts) }

  @MainActor private func place(in entries: [FleetEntry], _ facts: ViewContext) -> Int {
    guard let chosen else { return 0 }
    return entries.firstIndex { facts.sources?.members[safe: $0.index]?.name == chosen } ?? 0
  }

  @MainActor private mutating func move(by step: Int, _ facts: ViewContext) {
    guard let sources = facts.sources else { return }
    let entries = sources.bySickness
    let place = max(0, min(entries.count - 1, place(in: entries, facts) + step))
    // At the top the list follows the worst again.
    chosen = place == 0 ? nil : entries[safe: place].map { sources.members[$0.index].name }
  }

  @MainActor private func open(_ facts: ViewContext) -> LayerOutcome {
    guard let sources = facts.sources else { return .close }
    let entries = sources.bySickness
    guard let entry = entries[safe: place(in: entries, facts)] else { return .close }
    let name = sources.members[entry.index].name
    return .done([.showSource(entry.hasTriage ? .triage(name) : .named(name))])
  }

  mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    guard let sources = facts.sources else { return }
    let body = Rect(width: screen.width, height: max(1, screen.height - 2))
    let entries = sources.bySickness
    let rows = rows(entries, width: Self.width(in: body) - 4)
    let item = entries[safe: place(in: entries, facts)]?.index
    first = start(of: rows, room: max(1, body.height - Self.fixedRows), item: item)
  }

  /// The first row in sight: the rows of the chosen source are.
  private func start(of rows: [Row], room: Int, item: Int?) -> Int {
    guard chosen != nil, room > 0 else { return 0 }
    var start = first
    let own = rows.indices.filter { rows[$0].item == item }
    if let last = own.last, last >= start + room { start = last - room + 1 }
    if let begin = own.first, begin < start { start = begin }
    return max(0, min(start, rows.count - room))
  }

  // MARK: Drawing

  /// The border and the names of the columns.
  private static let fixedRows = 3
  /// Columns that it uses: longer rows are hard to follow.
  private static func width(in body: Rect) -> Int { min(body.width, 150) }

  private struct Row {
    var item: Int
    /// The source's own row; nil for a sentence below it.
    var entry: FleetEntry?
    var text: PlainText = ""
    var role = Role.text
  }

  @MainActor private func rows(_ entries: [FleetEntry], width: Int) -> [Row] {
    entries.flatMap { entry in
      [Row(item: entry.index, entry: entry)]
        + entry.lines(columns: max(8, width - 5)).map {
          Row(item: entry.index, text: $0.text, role: $0.role)
        }
    }
  }

  func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    guard let sources = facts.sources else { return }
    let width = Self.width(in: body)
    let entries = sources.bySickness
    let rows = rows(entries, width: width - 4)
    let area = body
    frame.canvas.clear(area)
    let sick = entries.count { $0.standing.isSick }
    let unknown = entries.count { $0.standing == .unknown }
    var trailing = sources.liveCount + " live"
    if sick > 0 { trailing += PlainText(", \(sick) sick") }
    if unknown > 0 { trailing += PlainText(", \(unknown) not known") }
    let room = max(0, area.height - Self.fixedRows)
    let chosen = entries[safe: place(in: entries, facts)]?.index
    // Alerts take rows that were not known when the key was pressed.
    let first = start(of: rows, room: room, item: chosen)
    let last = min(rows.count, first + room)
    if rows.count > room { trailing += PlainText(", rows \(first + 1)-\(last) of \(rows.count)") }
    frame.canvas.panel(title, trailing: trailing, in: area, isFocused: true) { _ in }
    let columns = FleetColumns(width: width - 4)
    frame.canvas.inside(Rect(x: area.x + 2, y: area.y + 1, width: width - 4, height: 1)) {
      columns.drawNames(into: &$0)
    }
    for (offset, row) in rows.dropFirst(first).prefix(room).enumerated() {
      let place = Rect(x: area.x + 1, y: area.y + 2 + offset, width: width - 2, height: 1)
      frame.mark(place, .overlay(row.item))
      frame.canvas.inside(place) { canvas in
        let back: Role? = row.item == chosen ? .selection : nil
        if back != nil { canvas.fill(canvas.bounds, background: back) }
        if let entry = row.entry {
          columns.draw(
            entry, isShown: entry.index == sources.focused && !facts.isMerged, on: back,
            into: &canvas)
        } else {
          canvas.write(row.text, x: 6, role: row.role, background: back)
        }
      }
    }
  }
}
