import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

extension MemoryPane {
  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let layout = layout(facts, in: body, of: frame.layoutSize)
    let subjects = SubjectList(facts, guild: query.guild, caches: caches)
    MemorySummary(guild: query.guild, subjects: subjects).render(
      facts, in: layout.summary, into: &frame)
    MemoryBar(
      view: view, query: query, input: bar, typed: field, searchText: searchText,
      searchedGuild: searchedGuild, guild: guildToAsk(facts), isFilterOff: filterOff != nil,
      isOfAnswer: isOfAnswer
    ).render(facts, layout, into: &frame)
    for divider in layout.dividers {
      frame.canvas.inside(divider) { $0.verticalRule(x: 0) }
    }
    let panel = SubjectsPanel(
      list: subjects, subject: query.subject, scroll: subjectScroll, focus: focus)
    panel.chips(facts, in: layout.chips, into: &frame)
    panel.render(layout, into: &frame)
    let list = FactListState(
      query: query, selection: selection, hasFocus: focus == .facts, mask: mask)
    FactListPanel(
      list: list, cursor: cursor, focus: focus,
      duplicates: layout.rowHeight > 1 ? caches.duplicates(in: facts.memory.facts) : []
    ).render(facts, layout, into: &frame)
    text(
      .detail, detailTitle(facts), trailing: isRaw ? "raw JSON" : "", facts, layout, into: &frame)
    text(.provenance, "provenance", trailing: "", facts, layout, into: &frame)
    let runs = facts.memory.reflections.value?.runs.count
    text(
      .reflections, "reflections" + (runs.map { PlainText(" \($0)") } ?? ""),
      trailing: layout[.reflections].width < 60
        ? "" : facts.keys.text(.open) + ": saved, skipped and why",
      behind: runs.map {
        $0 > 0 ? RowsBehind.rows(of: facts.memory.reflections.value?.runs ?? []) : nil
      }
        ?? nil, facts, layout, into: &frame)
    document(facts, layout, into: &frame)
    if !facts.isHeard, facts.memory.facts.count > 0 {
      for area in [layout.chips] + Panel.allCases.map({ layout[$0] }) { frame.canvas.fade(area) }
    }
  }

  @MainActor private func text(
    _ panel: Panel, _ title: PlainText, trailing: PlainText, behind: RowsBehind? = nil,
    _ facts: ViewContext, _ layout: Layout, into frame: inout Frame
  ) {
    let area = layout.draw(
      panel, title, trailing: trailing, focus: focus, behind: (behind, nil), into: &frame)
    guard !area.isEmpty else { return }
    MemoryLines(
      lines: lines(panel, facts, layout), place: scrollPositions[panel] ?? TextCursor(),
      panel: panel,
      isFocused: focus == panel
    ).render(in: area, into: &frame)
  }

  @MainActor private func detailTitle(_ facts: ViewContext) -> PlainText {
    guard let row = current(facts) else { return "fact" }
    return PlainText("fact #\(row.id)")
  }

  @MainActor private func document(_ facts: ViewContext, _ layout: Layout, into frame: inout Frame)
  {
    guard view != .facts else { return }
    var title = view.title
    var trailing: PlainText = ""
    switch view {
    case .reflections: trailing = "Enter: saved, skipped and why"
    case .markdown: trailing = facts.keys.text(.pager) + " opens it in $PAGER"
    case .recall: trailing = facts.keys.text(.open) + " asks anew"
    case .journal: trailing = "what was written from this machine"
    case .profile, .facts: break
    }
    if let guild = query.guild ?? (view == .profile || view == .recall ? guildToAsk(facts) : nil) {
      title += "  " + PlainText(facts.names.guild(guild), limit: 40)
    }
    let area = layout.draw(.document, title, trailing: trailing, focus: focus, into: &frame)
    guard !area.isEmpty else { return }
    MemoryLines(
      lines: lines(.document, facts, layout), place: scrollPositions[.document] ?? TextCursor(),
      panel: .document, isFocused: true
    ).render(in: area, into: &frame)
  }
}
