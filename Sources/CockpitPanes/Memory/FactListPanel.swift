import TerminalUI
import CockpitText
import ClankyLink
import ClankyWire
import CockpitStores
import TerminalCore

/// The list of facts. Only the rows in sight are looked at.
struct FactListPanel {
  let pane: MemoryPane

  /// What there is room for; the text takes the rest. Drop order of ux.md C.4: scope, the bar, type.
  struct Columns: Hashable {
    var subject = 10
    var type = 0
    var confidence = 5
    var bar = 0
    var age = 5
    var scope = 0
    var text = 0

    init(width: Int) {
      if width >= 64 { subject = 13 }
      var rest = width - 2 - subject - 1 - confidence - age
      func take(_ columns: Int, _ least: Int) -> Int {
        guard rest - columns >= least else { return 0 }
        rest -= columns
        return columns
      }
      type = take(11, 16)
      bar = take(6, 26)
      scope = take(6, 34)
      subject += take(6, 34)
      text = max(0, rest - 1)
    }
  }

  @MainActor func render(
    _ facts: Facts, _ layout: MemoryPane.Layout, into frame: inout Frame
  ) {
    guard !layout[.facts].isEmpty else { return }
    let rows = facts.factView.rows
    let coverage = facts.memory.coverage(of: pane.query.guild)
    let isKnown = !rows.isEmpty || coverage.loaded > 0 || coverage.isComplete
    var title: PlainText = isKnown ? "facts " + Figures.count(rows.count) : "facts"
    if !pane.selection.isEmpty { title += PlainText("  \(pane.selection.count) selected") }
    let order = PlainText(pane.query.order.rawValue) + (pane.query.isReversed ? " ^" : " v")
    let trailing = "sort " + order
    let area = pane.panel(.facts, title, trailing: trailing, layout, into: &frame)
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
    let columns = Columns(width: area.width)
    let list = layout.rows
    if layout.hasHeadings { headings(columns, in: area, into: &frame) }
    let (top, cursor) = pane.cursor.place(in: rows, height: layout.visibleFacts)
    let duplicates = layout.rowHeight > 1 ? pane.caches.duplicates(in: facts.memory.facts) : []
    let needle = PlainText(pane.query.find, limit: 200)
    for offset in 0..<max(0, min(layout.visibleFacts, rows.count - top)) {
      let row = Rect(
        x: list.x - 1, y: list.y + offset * layout.rowHeight, width: list.width + 1,
        height: layout.rowHeight)
      let item = rows[top + offset]
      frame.mark(row, .memory(.fact(item.id)))
      frame.canvas.inside(row) { canvas in
        FactRow(
          item: item, pane: pane, columns: columns, isSelected: top + offset == cursor,
          isDuplicate: duplicates.contains(item.id), needle: needle
        ).render(facts, into: &canvas)
      }
    }
  }

  private func headings(_ columns: Columns, in area: Rect, into frame: inout Frame) {
    var x = area.x + 1
    func heading(_ text: PlainText, _ width: Int, _ order: FactViewQuery.Order?) {
      guard width > 0 else { return }
      let isOrder = order != nil && order == pane.query.order
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
    let isSearch = pane.query.source == .search
    let title: PlainText =
      isSearch ? "score" : pane.query.order == .created ? "made" : "age"
    heading(
      title.leftPadded(to: columns.age), columns.age,
      isSearch ? .score : pane.query.order == .created ? .created : .updated)
  }

  // MARK: Nothing to list

  @MainActor private func empty(_ facts: Facts, in area: Rect, into frame: inout Frame) {
    var lines: [(PlainText, Role)] = []
    for (text, role) in words(facts) {
      lines += text.wrapped(to: max(1, area.width - 2), limit: 6).map { ($0, role) }
    }
    for (offset, line) in lines.prefix(area.height).enumerated() {
      frame.canvas.write(line.0, x: area.x + 1, y: area.y + offset, role: line.1)
    }
  }

  /// Why the list is empty and what to do about it.
  @MainActor private func words(_ facts: Facts) -> [(PlainText, Role)] {
    let store = facts.memory
    let coverage = store.coverage(of: pane.query.guild)
    if pane.query.source == .search { return searchWords(facts) }
    if pane.query.subject == FactSubject.owner.rawValue {
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
    let narrowed = !pane.query.filter.isEmpty || pane.query.onlyMatches || pane.query.subject != nil
    if coverage.loaded > 0, narrowed {
      return [("0 of \(Figures.count(coverage.loaded)) - Esc clears", .warning)]
    }
    if let guild = pane.query.guild, let guilds = store.guilds, !guilds.contains(guild) {
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

  @MainActor private func searchWords(_ facts: Facts) -> [(PlainText, Role)] {
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
