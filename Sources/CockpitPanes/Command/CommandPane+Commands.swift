import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension CommandPane {
  @MainActor package mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]? {
    message = nil
    let layout = layout(facts, in: body, of: screen)
    switch command {
    case .nextPanel: step(by: 1)
    case .previousPanel: step(by: -1)
    case .zoom: isZoomed.toggle()
    case .profiles: showProfiles(facts)
    case .refresh: return refresh(facts)
    case .open: return open(facts, layout)
    case .back, .quit, .interrupt: return close() ? [] : nil
    default:
      let rows = content(focus, facts, layout).rows
      let height = layout.content(focus).height
      guard let move = command.listMove else { return nil }
      cursors[focus, default: ListCursor()].perform(move, in: rows.list(height: height))
    }
    return []
  }

  mutating func step(by step: Int) {
    panelFocus.step(by: step, in: Panel.allCases)
  }

  package var isDeep: Bool {
    var copy = self
    return copy.close()
  }

  /// Closes one level; false if nothing is open.
  private mutating func close() -> Bool { panelFocus.unzoom() }

  /// Puts the cursor on the profile in use, among the others.
  @MainActor mutating func showProfiles(_ facts: ViewContext) {
    guard !facts.setup.profiles.isEmpty else {
      message = "there is no profile but this one; :setup adds one"
      return
    }
    focus = .connection
    cursors[.connection] = ListCursor()
    cursors[.connection]?.select(id: .profile(facts.setup.current))
  }

  // MARK: Opening

  /// The row under the cursor of the focused panel.
  @MainActor func current(_ facts: ViewContext, _ layout: Layout) -> CommandRow? {
    let rows = content(focus, facts, layout).rows
    let list = rows.list(height: layout.content(focus).height)
    let line = (cursors[focus] ?? ListCursor()).settled(in: list).line
    return rows.indices.contains(line) ? rows[line] : nil
  }

  /// The past voice session under the cursor of its list, while that has the focus.
  @MainActor package func selectedSession(_ facts: ViewContext) -> String? {
    guard focus == .history else { return nil }
    if case .session(let id)? = cursors[.history]?.id { return id }
    return facts.pastSessions.first?.sessionID
  }

  @MainActor mutating func open(_ facts: ViewContext, _ layout: Layout) -> [Effect] {
    guard let item = current(facts, layout)?.item else {
      if !focus.isForReading { message = "there is nothing to open" }
      return []
    }
    switch item {
    case .action(let action): return run(action, facts)
    case .profile(let name):
      guard name != facts.setup.current else {
        message = "this profile is in use"
        return []
      }
      return [.switchProfile(name: name)]
    case .guild, .automation, .browser, .entry: fold(item, facts, layout)
    case .figure(let behind): return [.press(.figure(behind))]
    case .session(let id): return [.showSession(id: id)]
    case .panel(let panel): focus = panel
    case .run(_, let automation):
      return [
        .rows(
          "kind:automation_run|automation_error|automation_post meta.automationId:\(automation)")
      ]
    case .channel: message = "y copies it; there is nothing more to open"
    }
    return []
  }

  @MainActor private mutating func fold(_ item: Item, _ facts: ViewContext, _ layout: Layout) {
    if opened(focus, facts, layout).contains(item) {
      unfolded.remove(item)
      folded.insert(item)
    } else {
      folded.remove(item)
      unfolded.insert(item)
    }
  }

  @MainActor private mutating func run(_ action: QuickAction, _ facts: ViewContext) -> [Effect] {
    if let why = ActionsPanel.whyNotSentence(action, facts) {
      message = why
      return []
    }
    switch action {
    case .join: return [.perform(.joinVoice)]
    case .refreshMemory: return [.perform(.refreshMemory)]
    case .search: return [.perform(.memory), .perform(.search)]
    case .settings: return [.perform(.settings)]
    case .profiles: return [.perform(.profiles)]
    case .setup: return [.perform(.setup)]
    case .leave: return [.open(NewLayer(ActionPrompt(.leave)))]
    case .export: return [.open(NewLayer(ExportPrompt(facts)))]
    }
  }
}
