import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

extension MemoryPane {
  @MainActor package func render(_ facts: Facts, in body: Rect, into frame: inout Frame) {
    let layout = layout(in: body, of: frame.layoutSize)
    let subjects = SubjectList(facts, guild: query.guild, caches: caches)
    MemorySummary(pane: self, subjects: subjects).render(facts, in: layout.summary, into: &frame)
    MemoryBar(pane: self).render(facts, layout, into: &frame)
    for divider in layout.dividers {
      frame.canvas.inside(divider) { $0.verticalRule(x: 0) }
    }
    let panel = SubjectsPanel(pane: self, list: subjects)
    panel.chips(facts, in: layout.chips, into: &frame)
    panel.render(layout, into: &frame)
    FactListPanel(pane: self).render(facts, layout, into: &frame)
    text(
      .detail, detailTitle(facts), trailing: isRaw ? "raw JSON" : "", facts, layout, into: &frame)
    text(.provenance, "provenance", trailing: "", facts, layout, into: &frame)
    let runs = facts.memory.reflections.value?.runs.count
    text(
      .reflections, "reflections" + (runs.map { PlainText(" \($0)") } ?? ""),
      trailing: layout[.reflections].width < 60
        ? "" : facts.keys.text(.open) + ": saved, skipped and why", facts,
      layout, into: &frame)
    document(facts, layout, into: &frame)
    if !facts.isHeard, facts.memory.facts.count > 0 {
      for area in [layout.chips] + Panel.allCases.map({ layout[$0] }) { frame.canvas.fade(area) }
    }
  }

  /// Draws a panel's frame and gives the rectangle of its content; empty when it is not shown.
  func panel(
    _ panel: Panel, _ title: PlainText, trailing: PlainText = "", _ layout: Layout,
    into frame: inout Frame
  ) -> Rect {
    let panels = panels(in: layout)
    let number = (panels.firstIndex(of: panel) ?? 0) + 1
    return PanelFrame(
      title: title, trailing: trailing,
      place: layout.isSingle && panel != .document ? (number, panels.count) : nil,
      isFocused: focus == panel || panel == .document, hasBox: layout.hasBoxes
    ).draw(in: layout[panel], .memory(.panel(panel)), into: &frame)
  }

  @MainActor private func text(
    _ panel: Panel, _ title: PlainText, trailing: PlainText, _ facts: Facts, _ layout: Layout,
    into frame: inout Frame
  ) {
    let area = self.panel(panel, title, trailing: trailing, layout, into: &frame)
    guard !area.isEmpty else { return }
    MemoryLines(
      lines: lines(panel, facts, layout), place: places[panel] ?? LinePlace(), panel: panel,
      isFocused: focus == panel
    ).render(in: area, into: &frame)
  }

  @MainActor private func detailTitle(_ facts: Facts) -> PlainText {
    guard let row = current(facts) else { return "fact" }
    return PlainText("fact #\(row.id)")
  }

  @MainActor private func document(_ facts: Facts, _ layout: Layout, into frame: inout Frame) {
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
    let area = panel(.document, title, trailing: trailing, layout, into: &frame)
    guard !area.isEmpty else { return }
    MemoryLines(
      lines: lines(.document, facts, layout), place: places[.document] ?? LinePlace(),
      panel: .document, isFocused: true
    ).render(in: area, into: &frame)
  }
}
