import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

extension SettingsPane {
  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let layout = layout(facts, in: body, of: frame.layoutSize)
    SettingsSummary(
      facts: facts, tree: tree(facts), search: search, field: field,
      isOnlyDiffering: isOnlyDiffering, shown: shownCount(facts)
    ).render(in: layout.summary, into: &frame)
    frame.canvas.inside(layout.notice) { canvas in
      for (y, line) in notices(facts, width: layout.notice.width - 2).enumerated() {
        canvas.write(line.text, x: 1, y: y, role: line.role)
      }
    }
    for divider in layout.dividers {
      frame.canvas.inside(divider) { canvas in
        canvas.verticalRule(x: 0, from: 1)
        canvas.symbol(.horizontal, x: 0, y: 0, role: .border)
      }
    }
    renderList(facts, layout, into: &frame)
    renderDetail(facts, layout, into: &frame)
    renderRuntime(facts, layout, into: &frame)
  }

  @MainActor private func shownCount(_ facts: ViewContext) -> Int {
    rows(facts).count { if case .setting = $0 { true } else { false } }
  }

  // MARK: Panels

  @MainActor private func renderList(
    _ facts: ViewContext, _ layout: Layout, into frame: inout Frame
  ) {
    let area = PanelFrame(
      title: "settings", trailing: isOnlyDiffering ? "only what differs" : "",
      place: layout.isSingle ? (1, 2) : nil, isFocused: focus == .list, hasBox: layout.hasBoxes
    ).draw(in: layout.list, Frame.Target(Target.panel(.list)), into: &frame)
    guard !area.isEmpty else { return }
    let rows = rows(facts)
    guard !rows.isEmpty else {
      let (text, role) = placeholder(facts)
      frame.canvas.inside(area) { canvas in
        let lines = text.wrapped(to: max(1, area.width), limit: area.height)
        for (y, line) in lines.enumerated() { canvas.write(line, y: y, role: role) }
      }
      return
    }
    var rest = area
    let columns = SettingsColumns(width: area.width)
    if layout.hasColumnNames {
      let names = rest.takeTop(1)
      frame.canvas.inside(names) { columns.drawNames(into: &$0) }
    }
    let cursor = cursor.settled(in: list(rows, height: rest.height))
    ListedRows(count: rows.count, cursor: (cursor.line, cursor.scroll), isFocused: focus == .list)
      .render(in: rest, into: &frame, target: { Frame.Target(Target.row(.list, $0)) }) {
        index, canvas, back in
        columns.draw(rows[index], background: back, into: &canvas)
      }
  }

  @MainActor private func renderDetail(
    _ facts: ViewContext, _ layout: Layout, into frame: inout Frame
  ) {
    let area = PanelFrame(title: "setting", hasBox: layout.hasBoxes)
      .draw(in: layout.detail, into: &frame)
    guard !area.isEmpty, let settings = facts.settings.document.value,
      let row = explainedRow(facts, layout)
    else { return }
    let lines = SettingDetail(
      row: row, settings: settings, tree: tree(facts), facts: facts, width: area.width
    ).lines
    frame.canvas.inside(area) { canvas in
      for (y, line) in lines.prefix(area.height).enumerated() {
        canvas.inside(Rect(y: y, width: area.width, height: 1)) { line.render(into: &$0) }
      }
      guard lines.count > area.height else { return }
      canvas.writeRight(
        PlainText("+\(lines.count - area.height)"), y: area.height - 1, role: .muted)
    }
  }

  /// The row that the detail is about: the one under the cursor, or the setting behind what runs.
  @MainActor private func explainedRow(_ facts: ViewContext, _ layout: Layout) -> SettingsRow? {
    guard focus == .runtime else { return current(facts) }
    let area = layout.content(.runtime)
    let lines = runtimeLines(facts, width: area.width)
    let line = runtimeCursor.settled(
      in: CursorList<Never>(count: lines.count, height: max(1, area.height))
    ).line
    guard lines.indices.contains(line), let path = lines[line].path else { return nil }
    return tree(facts)?.entry(around: path).map(SettingsRow.setting)
  }

  @MainActor private func renderRuntime(
    _ facts: ViewContext, _ layout: Layout, into frame: inout Frame
  ) {
    let area = PanelFrame(
      title: "what runs now", trailing: "Enter: its setting",
      place: layout.isSingle ? (2, 2) : nil, isFocused: focus == .runtime,
      hasBox: layout.hasBoxes
    ).draw(in: layout.runtime, Frame.Target(Target.panel(.runtime)), into: &frame)
    guard !area.isEmpty else { return }
    let lines = runtimeLines(facts, width: area.width)
    guard !lines.isEmpty else {
      let (text, role) = placeholder(facts)
      frame.canvas.inside(area) { canvas in
        let lines = text.wrapped(to: max(1, area.width), limit: area.height)
        for (y, line) in lines.enumerated() { canvas.write(line, y: y, role: role) }
      }
      return
    }
    let cursor = runtimeCursor.settled(
      in: CursorList<Never>(count: lines.count, height: max(1, area.height)))
    ListedRows(
      count: lines.count, cursor: (cursor.line, cursor.scroll), isFocused: focus == .runtime
    ).render(in: area, into: &frame, target: { Frame.Target(Target.row(.runtime, $0)) }) {
      index, canvas, back in
      lines[index].line.render(into: &canvas, background: back)
    }
  }

  // MARK: Words

  /// Shown where there are no rows.
  @MainActor private func placeholder(_ facts: ViewContext) -> (PlainText, Role) {
    switch facts.settings.document {
    case .none where !facts.isHeard, .loading(nil) where !facts.isHeard:
      return ("Not known: the backend is not heard.", .muted)
    case .none, .loading: return ("The settings are being read.", .muted)
    case .notServed:
      return (
        "This backend does not serve its settings: it has no /api/settings. They are changed where the bot runs.",
        .warning
      )
    case .failed(let failure, nil):
      return (
        PlainText("The settings could not be read. \(failure.sentence)", limit: 400)
          + " " + facts.keys.text(.refresh) + " asks again.", .negative
      )
    case .loaded, .failed:
      return words.isEmpty
        ? ("No setting differs from its default.", .muted)
        : ("No setting has these words; Esc shows all again.", .muted)
    }
  }

  /// A save whose outcome is not known, as of one during which the program was killed, and what the settings say.
  @MainActor private func doubt(_ facts: ViewContext) -> PlainText? {
    guard let save = facts.settings.journal?.doubtful(at: facts.connection.address),
      let now = facts.settings.document.value
    else { return nil }
    let time = facts.clock.day(ms: save.atMs) + " " + facts.clock.time(ms: save.atMs)
    let names = save.changes.prefix(2).map(\.path.description).joined(separator: ", ")
    let head =
      "The outcome of the save from " + time
      + PlainText(" (\(names)) is not on record: ", limit: 200)
    if save.isAsSent(in: now) {
      return head + "the settings say what was sent; " + facts.keys.text(.undo) + " takes it back."
    }
    if save.isAsBefore(in: now) {
      return head + "the settings say what they said before, so it was probably not stored."
    }
    return head + "the settings say something else now; compare and decide."
  }

  /// What is under way, what came of the last save, and what is wrong with the document.
  @MainActor func notices(_ facts: ViewContext, width: Int) -> [(text: PlainText, role: Role)] {
    var notices: [(PlainText, Role)] = []
    let store = facts.settings
    if let change = store.change {
      let role: Role =
        switch change.state {
        case .stored(let stored) where stored.isExact && stored.isApplied: .positive
        case .unchanged, .waiting, .checking, .sending: .info
        case .failed: .negative
        case .stored, .conflict, .unknown, .verifying: .warning
        }
      notices.append((PlainText(change.sentence, limit: 400), role))
    } else if let doubt = doubt(facts) {
      notices.append((doubt, .warning))
    }
    if case .failed(let failure, .some) = store.document {
      notices.append(
        (
          PlainText("Read earlier; reading again failed. \(failure.sentence)", limit: 300),
          .warning
        ))
    }
    if let problem = store.document.value?.writingProblem {
      notices.append((PlainText(problem, limit: 300) + " It is shown and not written.", .warning))
    }
    if let problem = store.diskProblem {
      notices.append((PlainText(problem, limit: 300), .warning))
    }
    return notices.flatMap { notice in
      notice.0.wrapped(to: max(1, width), limit: 2).map { (text: $0, role: notice.1) }
    }
  }
}
