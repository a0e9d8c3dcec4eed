import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The second line: the views, or the typed text; and the active filters.
struct MemoryBar {
  let view: MemoryView
  let query: FactViewQuery
  /// The active input; nil if none.
  let input: MemoryInput?
  let typed: TextField
  let searchText: String
  /// The guild that was searched.
  let searchedGuild: String?
  /// The guild that a search would go to.
  let guild: String?
  let isFilterOff: Bool
  /// Whether the list is that of the selected answer.
  let isOfAnswer: Bool

  @MainActor func render(
    _ facts: ViewContext, _ layout: MemoryLayout, into frame: inout Frame
  ) {
    guard !layout.bar.isEmpty else { return }
    switch input {
    case nil: idle(facts, in: layout.bar, into: &frame)
    case .find: field(" /", "find text in what is here", right: hits(facts), layout, into: &frame)
    case .filter:
      field(
        "f>", "type:preference conf>0.8 scope:user age<7d -word", right: filterState(facts),
        layout, into: &frame)
    case .search: field("s>", "search by meaning", right: ("", .muted), layout, into: &frame)
    }
    remark(facts, in: layout.remark, into: &frame)
  }

  @MainActor private func field(
    _ sign: PlainText, _ placeholder: PlainText, right: (PlainText, Role),
    _ layout: MemoryLayout, into frame: inout Frame
  ) {
    frame.canvas.inside(layout.bar) { canvas in
      canvas.write(sign, x: 1, role: .key, attributes: .bold)
      let text = right.0.cut(to: canvas.bounds.width / 2)
      canvas.write(
        text, x: canvas.bounds.width - text.columns - 1, role: right.1,
        attributes: right.1 == .muted ? [] : .bold)
      let room = Rect(x: 4, width: canvas.bounds.width - 6 - text.columns, height: 1)
      canvas.inside(room) {
        typed.render(into: &$0, placeholder: placeholder, isFocused: true)
      }
    }
  }

  /// Notes before something is sent, and about its result.
  @MainActor private func remark(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    let (text, role) = remark(facts)
    let lines = text.wrapped(to: max(1, area.width - 5), limit: area.height)
    for (offset, line) in lines.enumerated() {
      frame.canvas.write(line, x: area.x + 4, y: area.y + offset, role: role)
    }
  }

  @MainActor private func remark(_ facts: ViewContext) -> (PlainText, Role) {
    let guild = self.guild.map { PlainText(facts.names.guild($0), limit: 40) } ?? "-"
    switch input {
    case .search:
      var text =
        guild + ": guild facts only; user facts are not searched by the backend, "
        + facts.keys.text(.find) + " finds them"
      if query.guild == nil, (facts.memory.guilds?.count ?? 0) > 1 {
        text +=
          "; " + facts.keys.text(.previousTurn) + " " + facts.keys.text(.nextTurn)
          + " choose another guild first"
      }
      return (text, .muted)
    case .find, .filter: return ("", .muted)
    case nil:
      let searched = searchedGuild.map { PlainText(facts.names.guild($0), limit: 40) } ?? guild
      guard let result = facts.memory.search.value, !result.results.isEmpty else {
        return (searched + ": guild facts only, no facts of users", .muted)
      }
      return (
        searched + ": guild facts only, no facts of users; "
          + (result.usedEmbeddings
            ? "scores by meaning" : "scores by words, not to compare with those by meaning"),
        .muted
      )
    }
  }

  // MARK: Without input

  @MainActor private func idle(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    var right = area.maxX - 1
    for (text, role) in narrowing(facts) {
      let text = text.cut(to: max(0, area.width / 2))
      guard right - text.columns > area.x + 14 else { break }
      right -= text.columns
      frame.canvas.write(text, x: right, y: area.y, role: role, attributes: .bold)
      right -= 2
    }
    var x = area.x + 1
    let needed = MemoryView.allCases.reduce(0) { $0 + $1.title.columns + 3 }
    let isWide = right - x >= needed
    for view in MemoryView.allCases {
      let isOpen = view == self.view
      guard isWide || isOpen else { continue }
      var text = isOpen ? "[" + view.title + "]" : " " + view.title + " "
      if !isWide { text += " ]]" }
      frame.canvas.write(
        text.cut(to: max(0, right - x)), x: x, y: area.y, role: isOpen ? .focus : .muted,
        attributes: isOpen ? .bold : [])
      frame.mark(
        Rect(x: x, y: area.y, width: text.columns, height: 1),
        isWide ? .memory(.view(view)) : .hint(.nextView))
      x += text.columns + 1
    }
  }

  /// The active filters, from the right.
  @MainActor private func narrowing(_ facts: ViewContext) -> [(PlainText, Role)] {
    guard view == .facts else { return [] }
    var parts: [(PlainText, Role)] = []
    if let answer = facts.selected, query.among != nil || isOfAnswer {
      parts.append((answer.name(facts) + (query.among == nil ? ": no fact known" : ""), .focus))
    }
    if query.source == .search {
      parts.append(searchState(facts))
      parts.append(("s> " + PlainText(searchText, limit: 60), .input))
    }
    if !query.filter.isEmpty {
      parts.append(filterState(facts))
      parts.append(("f> " + PlainText(query.filter, limit: 60), .input))
    } else if isFilterOff {
      parts.append(("FILTER OFF", .warning))
    }
    if !query.find.isEmpty {
      parts.append(
        ((query.onlyMatches ? "& " : "/ ") + PlainText(query.find, limit: 60), .match))
    }
    return parts
  }

  /// `SEMANTIC 8 hits top .91`, and whether the scores know the meaning of words.
  @MainActor private func searchState(_ facts: ViewContext) -> (PlainText, Role) {
    let load = facts.memory.search
    if load.isLoading { return ("searching …", .info) }
    if case .notServed = load { return ("search is not served", .warning) }
    if load.problem != nil { return ("search failed", .negative) }
    guard let result = load.value else { return ("-", .muted) }
    let count = result.results.count
    let top = result.results.compactMap(\.score).max()
    let kind: PlainText =
      count == 0 ? "" : result.usedEmbeddings ? "SEMANTIC " : "WORDS ONLY "
    return (
      kind + Figures.count(count) + (count == 1 ? " hit" : " hits")
        + (count > 0 ? " top " + Figures.unit(top) : ""),
      count > 0 ? .info : .warning
    )
  }

  @MainActor private func filterState(_ facts: ViewContext) -> (PlainText, Role) {
    if let problem = facts.factView.problem { return (PlainText(problem, limit: 200), .negative) }
    guard !query.filter.isEmpty else { return ("", .muted) }
    return ("FILTER " + Figures.count(facts.factView.rows.count), .info)
  }

  @MainActor private func hits(_ facts: ViewContext) -> (PlainText, Role) {
    guard !query.find.isEmpty else { return ("", .muted) }
    let count = facts.factView.hitCount
    return count == 0
      ? ("no hit", .warning) : (Figures.count(count) + (count == 1 ? " hit" : " hits"), .info)
  }
}
