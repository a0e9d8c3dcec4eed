import ClankyWire
import CockpitStores
import TerminalCore
import TerminalUI

extension SettingsPane {
  @MainActor package mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]? {
    message = nil
    if case .notServed = facts.settings.document, command.isOfSettings {
      message = Self.notServed
      return []
    }
    let layout = layout(facts, in: body, of: screen)
    if command.isMutation { return mutate(command, facts) }
    switch command {
    case .nextPanel: panelFocus.step(by: 1, in: Panel.allCases)
    case .previousPanel: panelFocus.step(by: -1, in: Panel.allCases)
    case .zoom: isZoomed.toggle()
    case .find: field = TextField(search, isSelected: true)
    case .filter: toggleDiffering(facts)
    case .refresh: return refresh(facts)
    case .back, .quit, .interrupt: return close() ? [] : nil
    default: return performInPanel(command, facts, layout)
    }
    if command == .find { focus = .list }
    return []
  }

  static let notServed: PlainText =
    "this backend does not serve its settings; there is nothing to change here"

  @MainActor private mutating func performInPanel(
    _ command: KeyAction, _ facts: ViewContext, _ layout: Layout
  ) -> [Effect]? {
    if focus == .runtime {
      let count = runtimeLines(facts, width: layout.content(.runtime).width).count
      let height = layout.content(.runtime).height
      if let move = command.listMove {
        runtimeCursor.perform(move, in: CursorList(count: count, height: max(1, height)))
        return []
      }
      return command == .open ? goToSetting(facts, layout) : nil
    }
    let rows = rows(facts)
    let list = list(rows, height: layout.listRows)
    if let move = command.listMove {
      cursor.perform(move, in: list)
      return []
    }
    switch command {
    case .open: return open(facts)
    case .right: fold(facts, isOpen: true)
    case .left: fold(facts, isOpen: false)
    case .nextTurn: walkSections(by: 1, rows, list)
    case .previousTurn: walkSections(by: -1, rows, list)
    default: return nil
    }
    return []
  }

  // MARK: The list

  @MainActor private mutating func toggleDiffering(_ facts: ViewContext) {
    guard let tree = tree(facts) else { return }
    if !isOnlyDiffering, tree.differing == 0 {
      message = "no setting differs from its default"
      return
    }
    isOnlyDiffering.toggle()
    focus = .list
    message = isOnlyDiffering ? "only what differs from the default" : "all settings"
  }

  /// Enter: folds a section, opens the form of a setting, begins an action.
  @MainActor private mutating func open(_ facts: ViewContext) -> [Effect] {
    switch current(facts) {
    case .section(let section, _, _, let isOpen):
      fold(section, isOpen: !isOpen, facts)
    case .setting(let entry): return edit(entry.item.path, isExternal: false, facts)
    case .action(let action): return carryOut(action, facts)
    case nil: break
    }
    return []
  }

  @MainActor private mutating func fold(_ facts: ViewContext, isOpen: Bool) {
    switch current(facts) {
    case .section(let section, _, _, _): fold(section, isOpen: isOpen, facts)
    case .setting(let entry) where !isOpen:
      fold(entry.section, isOpen: false, facts)
      if !isNarrowed { cursor.select(id: .section(entry.section)) }
    case .setting, .action, nil: break
    }
  }

  @MainActor private mutating func fold(
    _ section: SettingSection, isOpen: Bool, _ facts: ViewContext
  ) {
    guard !isNarrowed else {
      message = "all that is found is shown; Esc shows the sections again"
      return
    }
    if isOpen { unfolded.insert(section) } else { unfolded.remove(section) }
    cursor.select(id: .section(section))
  }

  private mutating func walkSections(
    by step: Int, _ rows: [SettingsRow], _ list: CursorList<SettingsItem>
  ) {
    let line = cursor.settled(in: list).line
    let heads = rows.indices.filter { if case .section = rows[$0] { true } else { false } }
    let next = step > 0 ? heads.first { $0 > line } : heads.last { $0 < line }
    if let next { cursor.select(line: next, in: list) }
  }

  /// Goes from what runs to the setting that made it so.
  @MainActor private mutating func goToSetting(
    _ facts: ViewContext, _ layout: Layout
  ) -> [Effect] {
    let lines = runtimeLines(facts, width: layout.content(.runtime).width)
    let list = CursorList<Never>(
      count: lines.count, height: max(1, layout.content(.runtime).height))
    let line = runtimeCursor.settled(in: list).line
    guard lines.indices.contains(line), let path = lines[line].path else { return [] }
    show(path, facts)
    return []
  }

  /// Selects a setting; clears the search and the filter, which may hide it.
  @MainActor mutating func show(_ path: SettingPath, _ facts: ViewContext) {
    guard let entry = tree(facts)?.entry(around: path) else {
      message = PlainText("this bot has no setting \(path)", limit: 200)
      return
    }
    search = ""
    field = nil
    isOnlyDiffering = false
    isZoomed = false
    unfolded.insert(entry.section)
    focus = .list
    cursor.select(id: .setting(entry.item.path))
  }

  @MainActor private mutating func refresh(_ facts: ViewContext) -> [Effect]? {
    guard facts.isHeard else { return nil }
    message = "the settings are read again"
    return [.settings(.dismiss), .settings(.load), .settings(.loadJournal)]
  }

  // MARK: Leaving

  package var isDeep: Bool { true }

  /// Closes one level; the last one is the view itself.
  private mutating func close() -> Bool {
    if panelFocus.unzoom() { return true }
    if !search.isEmpty || isOnlyDiffering {
      search = ""
      isOnlyDiffering = false
      return true
    }
    if focus == .runtime {
      focus = .list
      return true
    }
    hide()
    return true
  }

  // MARK: Typing

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    message = nil
    guard var typed = field else { return [] }
    switch typed.press(press) {
    case .accept:
      search = typed.text
      field = nil
      selectFirstFound(facts)
    case .cancel:
      search = ""
      field = nil
    case .older, .newer:
      field = typed
      let list = list(rows(facts), height: layout(facts, in: body, of: screen).listRows)
      cursor.perform(press.key == .up ? .up : .down, in: list)
    case .edited, .moved, .complete, .ignored: field = typed
    }
    return []
  }

  /// Puts the cursor on the first setting that has the words.
  @MainActor private mutating func selectFirstFound(_ facts: ViewContext) {
    guard !words.isEmpty else { return }
    let found = rows(facts).first { if case .setting = $0 { true } else { false } }
    if let found {
      cursor.select(id: found.id)
    } else {
      message = "no setting has these words"
    }
  }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) -> [Effect] {
    guard field != nil else {
      message = "a paste is text: press " + facts.keys.text(.find) + " first, then paste"
      return []
    }
    field?.paste(text)
    return []
  }

  // MARK: The mouse

  @MainActor package mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    message = nil
    let layout = layout(facts, in: body, of: screen)
    switch target {
    case .panel(let panel): focus = panel
    case .row(let panel, let line):
      let wasFocused = focus == panel
      focus = panel
      if panel == .list {
        let list = list(rows(facts), height: layout.listRows)
        let isSelected = wasFocused && cursor.settled(in: list).line == line
        cursor.select(line: line, in: list)
        if isSelected { return open(facts) }
      } else {
        let isSelected = wasFocused && runtimeCursor.line == line
        runtimeCursor.put(line: line)
        if isSelected { return goToSetting(facts, layout) }
      }
    }
    return []
  }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) {
    guard case .panel(let panel) = target else { return }
    let layout = layout(facts, in: body, of: screen)
    if panel == .list {
      cursor.scroll(by: lines, in: list(rows(facts), height: layout.listRows))
    } else {
      let count = runtimeLines(facts, width: layout.content(.runtime).width).count
      runtimeCursor.scroll(
        by: lines,
        in: CursorList(count: count, height: max(1, layout.content(.runtime).height)))
    }
  }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, body: Rect, screen: Size) {
    prepare(facts, body: body, screen: screen)
    let layout = layout(facts, in: body, of: screen)
    // A panel without room keeps its scroll position.
    if !layout.list.isEmpty { cursor.clamp(to: list(rows(facts), height: layout.listRows)) }
    if !layout.runtime.isEmpty {
      let area = layout.content(.runtime)
      let count = runtimeLines(facts, width: area.width).count
      runtimeCursor.clamp(count: count, height: max(1, area.height))
    }
  }
}

extension KeyAction {
  /// Whether the view of the settings has no use for it where a backend does not serve them.
  fileprivate var isOfSettings: Bool {
    switch self {
    case .find, .filter, .edit, .editExternally, .delete, .undo: true
    default: false
    }
  }
}
