import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

/// The list of facts. Only visible rows are read.
struct FactListPanel {
  let list: FactListState
  let cursor: ListCursor<Int>
  let focus: MemoryPanel
  /// Facts that say the same as another one.
  let duplicates: Set<Int>

  @MainActor func render(
    _ facts: ViewContext, _ layout: MemoryLayout, into frame: inout Frame
  ) {
    guard !layout[.facts].isEmpty else { return }
    let rows = facts.factView.rows
    let coverage = facts.memory.coverage(of: list.query.guild)
    let isKnown = !rows.isEmpty || coverage.loaded > 0 || coverage.isComplete
    var title: PlainText = isKnown ? "facts " + Figures.count(rows.count) : "facts"
    if list.query.among != nil, let answer = facts.selected {
      title += " of " + answer.name(facts)
    }
    if !list.selection.isEmpty { title += PlainText("  \(list.selection.count) selected") }
    let order = PlainText(list.query.order.rawValue) + (list.query.isReversed ? " ^" : " v")
    let trailing = "sort " + order
    let area = layout.draw(
      .facts, title, trailing: trailing, focus: focus, behind: (isKnown ? .facts : nil, nil),
      into: &frame)
    let header = layout[.facts]
    if !layout.isSingle {
      frame.mark(
        Rect(
          x: header.maxX - trailing.columns - 3, y: header.y, width: trailing.columns + 2, height: 1
        ),
        .memory(.order(nil)))
    }
    guard !area.isEmpty else { return }
    guard !rows.isEmpty else {
      empty(facts, in: area, into: &frame)
      return
    }
    let columns = FactColumns(width: area.width)
    let place = layout.rows
    if layout.hasHeadings { headings(columns, in: area, into: &frame) }
    let settled = cursor.settled(in: facts.factView.list(height: layout.visibleFacts))
    let (top, selected) = (settled.scroll, settled.line)
    let needle = PlainText(list.query.find, limit: 200)
    for offset in 0..<max(0, min(layout.visibleFacts, rows.count - top)) {
      let row = Rect(
        x: place.x - 1, y: place.y + offset * layout.rowHeight, width: place.width + 1,
        height: layout.rowHeight)
      let item = rows[top + offset]
      frame.mark(row, .memory(.fact(item.id)))
      frame.canvas.inside(row) { canvas in
        FactRow(
          item: item, list: list, columns: columns, isSelected: top + offset == selected,
          isDuplicate: layout.rowHeight > 1 && duplicates.contains(item.id), needle: needle
        ).render(facts, into: &canvas)
      }
    }
  }

  private func headings(_ columns: FactColumns, in area: Rect, into frame: inout Frame) {
    var x = area.x + 1
    func heading(_ text: PlainText, _ width: Int, _ order: FactViewQuery.Order?) {
      guard width > 0 else { return }
      let isOrder = order != nil && order == list.query.order
      frame.canvas.write(
        text.cut(to: width), x: x, y: area.y, role: isOrder ? .focus : .muted,
        attributes: isOrder ? .bold : [])
      if let order {
        frame.mark(Rect(x: x, y: area.y, width: width, height: 1), .memory(.order(order)))
      }
      x += width
    }
    heading("subject", columns.subject + 1, .subject)
    heading("type", columns.type, .type)
    heading("conf", columns.confidence + columns.bar, .confidence)
    heading("fact", columns.text + 1, nil)
    heading("scope", columns.scope, nil)
    let isSearch = list.query.source == .search
    let title: PlainText =
      isSearch ? "score" : list.query.order == .created ? "made" : "age"
    heading(
      title.leftPadded(to: columns.age), columns.age,
      isSearch ? .score : list.query.order == .created ? .created : .updated)
  }

  // MARK: Nothing to list

  @MainActor private func empty(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    var lines: [(PlainText, Role)] = []
    for (text, role) in words(facts) {
      lines += text.wrapped(to: max(1, area.width - 2), limit: 6).map { ($0, role) }
    }
    for (offset, line) in lines.prefix(area.height).enumerated() {
      frame.canvas.write(line.0, x: area.x + 1, y: area.y + offset, role: line.1)
    }
  }

  /// Why the list is empty and what to do about it.
  @MainActor private func words(_ facts: ViewContext) -> [(PlainText, Role)] {
    let store = facts.memory
    let coverage = store.coverage(of: list.query.guild)
    if list.query.source == .search { return searchWords(facts) }
    if list.query.subject == FactSubject.owner.rawValue {
      switch store.ownerPrivate {
      case .none:
        return [
          (
            "The owner's private facts are not loaded: " + facts.keys.text(.open) + " shows them.",
            .warning
          )
        ]
      case .loading: return [("loading the owner's private facts …", .muted)]
      case .notServed: return [("This backend does not serve the owner's private facts.", .muted)]
      case .failed(let failure, _): return [(PlainText(failure.sentence, limit: 300), .negative)]
      case .loaded: break
      }
    }
    if let problem = facts.factView.problem { return [(PlainText(problem, limit: 300), .negative)] }
    let narrowed = !list.query.filter.isEmpty || list.query.onlyMatches || list.query.subject != nil
    if coverage.loaded > 0, narrowed {
      return [("0 of \(Figures.count(coverage.loaded)) - Esc clears", .warning)]
    }
    if let guild = list.query.guild, let guilds = store.guilds, !guilds.contains(guild) {
      return [
        (
          "The bot is in no guild " + PlainText(guild, limit: 40) + "; "
            + facts.keys.text(.previousTurn) + " " + facts.keys.text(.nextTurn)
            + " choose another.",
          .warning
        )
      ]
    }
    if let problem = coverage.problem {
      return [
        (
          PlainText(problem: problem, limit: 300) + "; " + facts.keys.text(.refresh)
            + " asks again",
          .negative
        )
      ]
    }
    if coverage.isLoading { return [("loading facts …", .muted)] }
    if coverage.unreadable > 0 {
      return [
        (
          "\(coverage.unreadable) facts came and could not be read; check the backend's version.",
          .warning
        )
      ]
    }
    if coverage.isComplete {
      return [
        ("The bot remembers nothing here yet.", .muted),
        ("Facts are written as people talk with it.", .muted),
      ]
    }
    guard !facts.isHeard else { return [("asking for facts …", .muted)] }
    guard facts.status.overall != .stopped else { return [(facts.whyStopped, .warning)] }
    return [
      (
        "No backend, no facts: they are loaded as soon as it answers; "
          + facts.keys.text(.refresh) + " tries now.", .warning
      )
    ]
  }

  @MainActor private func searchWords(_ facts: ViewContext) -> [(PlainText, Role)] {
    switch facts.memory.search {
    case .none: [("nothing was searched for yet", .muted)]
    case .loading: [("searching …", .muted)]
    case .notServed:
      [
        (
          "This backend does not serve a search; " + facts.keys.text(.find) + " finds text here.",
          .warning
        )
      ]
    case .failed(let failure, _):
      [
        (
          PlainText(problem: failure.sentence, limit: 300) + "; " + facts.keys.text(.refresh)
            + " asks again, Esc leaves the search", .negative
        )
      ]
    case .loaded:
      [
        ("No hit among the guild's facts; Esc leaves the search.", .warning),
        (
          "User facts are not searched by the backend: " + facts.keys.text(.find)
            + " finds text in what is here.", .muted
        ),
      ]
    }
  }
}
