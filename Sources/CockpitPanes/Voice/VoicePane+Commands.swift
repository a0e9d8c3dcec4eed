import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension VoicePane {
  @MainActor package mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]? {
    message = nil
    let layout = layout(facts, in: body, of: screen)
    let panel = focused(layout)
    switch command {
    case .nextView: return walkViews(by: 1, facts)
    case .previousView: return walkViews(by: -1, facts)
    case .nextPanel: step(by: 1, layout)
    case .previousPanel: step(by: -1, layout)
    case .zoom:
      isZoomed.toggle()
      focus = panel
    case .zoomIn: lanes.zoom(by: -1)
    case .zoomOut: lanes.zoom(by: 1)
    case .nextTurn: walk(by: -1, facts)
    case .previousTurn: walk(by: 1, facts)
    case .why:
      isWhyOpen.toggle()
      isRawOpen = false
      cursors[.turn] = nil
      if isWhyOpen { focus = .turn } else if focus == .turn { focus = .list }
      if isWhyOpen, scene(facts).flatMap({ shownTurn($0) }) == nil {
        message = "no turn is on record to ask about"
        isWhyOpen = false
      }
    case .report: return view == .report ? show(.live, facts) : showReport(facts)
    case .events: return view == .events ? show(.live, facts) : showEvents(.events, facts)
    case .anomalies:
      return view == .anomalies ? show(.live, facts) : showEvents(.anomalies, facts)
    case .filter where view == .events:
      filterField = TextField(eventFilter.text, isSelected: true)
    case .filterToggle where view == .events:
      eventFilter = EventFilter()
      cursors[.list] = nil
    case .left where view == .events && panel == .list: stepLane(by: -1, facts)
    case .right where view == .events && panel == .list: stepLane(by: 1, facts)
    case .find where view == .report:
      isFinding = true
      findField = TextField(findText, isSelected: true)
    case .findNext where view == .report: find(-1, facts)
    case .findPrevious where view == .report: find(1, facts)
    case .rawJSON: toggleRaw(panel, facts)
    case .follow: follow()
    case .back, .quit, .interrupt: return close() ? [] : nil
    case .open: return open(panel, facts, layout)
    case .left, .right, .scrollLeft, .scrollRight:
      sideways(command == .left || command == .scrollLeft ? -1 : 1, panel, facts)
    default: return move(command, panel, facts, layout) ? [] : nil
    }
    return []
  }

  // MARK: Views, sessions, panels

  /// Cycles through the live sessions, if there are several, and then the other views.
  @MainActor private mutating func walkViews(by step: Int, _ facts: ViewContext) -> [Effect] {
    let ids = facts.liveSessions.map(\.sessionID)
    let hasSeveral = ids.count > 1 && pastID == nil
    if view == .live, hasSeveral {
      let index = ids.firstIndex { $0 == scene(facts)?.id } ?? 0
      if ids.indices.contains(index + step) {
        choose(ids[index + step])
        return []
      }
    }
    let next = stepped(by: step)
    let effects =
      switch next {
      case .report: showReport(facts)
      case .events, .anomalies: showEvents(next, facts)
      case .live, .turns, .skips, .history: show(next, facts)
      }
    if view == .live, hasSeveral, step > 0 { choose(ids[0]) }
    return effects
  }

  private func stepped(by step: Int) -> View {
    let count = View.allCases.count
    return View.allCases[((view.rawValue + step) % count + count) % count]
  }

  @MainActor package mutating func show(_ view: View, _ facts: ViewContext) -> [Effect] {
    self.view = view
    isRawOpen = false
    isZoomed = false
    isWhyOpen = false
    cursors[.list] = nil
    cursors[.report] = nil
    focus = .list
    return historyEffects(facts)
  }

  /// Requests the list of past sessions when it is shown: once per visit.
  @MainActor private mutating func historyEffects(_ facts: ViewContext) -> [Effect] {
    guard view == .history || facts.liveSessions.isEmpty && pastID == nil else { return [] }
    guard view == .history, let id = chosenPast(facts), !facts.voice.hasReplay(id) else {
      return [.loadVoiceHistory]
    }
    return [.loadVoiceHistory, .loadVoiceSession(id: id)]
  }

  private mutating func step(by step: Int, _ layout: Layout) {
    guard !layout.order.isEmpty else { return }
    focus = focused(layout)
    panelFocus.step(by: step, in: layout.order)
    if isWhyOpen, focus != .turn, layout.panels.count == 1 { isWhyOpen = false }
  }

  @MainActor mutating func choose(_ id: String) {
    guard id != sessionID || pastID != nil else { return }
    sessionID = id
    pastID = nil
    turnID = nil
    cursors = [:]
    lanes.playheadMs = nil
  }

  mutating func follow() {
    turnID = nil
    cursors = [:]
    lanes.playheadMs = nil
  }

  package var isDeep: Bool {
    var copy = self
    return copy.close()
  }

  /// Closes one level; false if nothing is open.
  private mutating func close() -> Bool {
    if isRawOpen {
      isRawOpen = false
    } else if isWhyOpen {
      isWhyOpen = false
      if focus == .turn { focus = .list }
    } else if panelFocus.unzoom() {
      return true
    } else if view == .report, !findText.isEmpty {
      findText = ""
    } else if view == .events, !eventFilter.isOpen {
      eventFilter = EventFilter()
      cursors[.list] = nil
    } else if view != .live {
      view = .live
      focus = .list
      cursors[.list] = nil
    } else if pastID != nil {
      pastID = nil
      turnID = nil
      cursors = [:]
      lanes.playheadMs = nil
    } else if turnID != nil || lanes.playheadMs != nil
      || cursors.values.contains(where: { !$0.isResting })
    {
      follow()
    } else {
      return false
    }
    return true
  }

  // MARK: Moving

  @MainActor private mutating func move(
    _ command: KeyAction, _ panel: Panel, _ facts: ViewContext, _ layout: Layout
  ) -> Bool {
    if panel == .lanes, let area = layout.panels[.lanes] {
      return moveLane(command, facts, contentArea(area, hasBox: layout.hasBoxes))
    }
    guard let area = layout.panels[panel] else { return false }
    var content = contentArea(area, hasBox: layout.hasBoxes)
    // A transcript that is left at its end is put together as a whole from here on.
    var cursor = cursors[panel] ?? ListCursor()
    cursors[panel, default: ListCursor()].isResting = false
    let shown = self.content(panel, facts, size: content.size, isFull: layout.isFull)
    cursors[panel] = cursor
    _ = content.takeTop(Self.waterfallRows(shown, height: content.height))
    guard let move = command.listMove else { return false }
    cursor.perform(move, in: shown.lines.list(height: content.height, end: panel.end))
    cursors[panel] = cursor
    chosen(panel, cursor, facts)
    return true
  }

  /// The turn under the cursor of a list is the chosen one.
  @MainActor mutating func chosen(
    _ panel: Panel, _ cursor: ListCursor<VoiceItem>, _ facts: ViewContext
  ) {
    guard panel == .list || panel == .transcript || panel == .report && view != .history else {
      return
    }
    switch cursor.id {
    case .turn(let id)?, .anomaly(let id, _)?: select(id, facts)
    default: turnID = nil
    }
  }

  @MainActor private mutating func moveLane(
    _ command: KeyAction, _ facts: ViewContext, _ area: Rect
  ) -> Bool {
    guard let scene = scene(facts) else { return false }
    let shown = LanesPanel(facts: facts, scene: scene, view: lanes, isFocused: true)
      .shownLanes(height: area.height)
    let index = shown.firstIndex(of: lanes.lane) ?? 0
    let wanted: Int
    switch command {
    case .down: wanted = index + 1
    case .up: wanted = index - 1
    case .top: wanted = 0
    case .bottom: wanted = shown.count - 1
    default: return false
    }
    if !shown.isEmpty { lanes.lane = shown[min(max(0, wanted), shown.count - 1)] }
    return true
  }

  @MainActor private mutating func sideways(_ step: Int, _ panel: Panel, _ facts: ViewContext) {
    if panel == .sessions {
      let ids = facts.liveSessions.map(\.sessionID)
      guard !ids.isEmpty else { return }
      let index = ids.firstIndex { $0 == scene(facts)?.id } ?? 0
      choose(ids[((index + step) % ids.count + ids.count) % ids.count])
    } else if let scene = scene(facts) {
      lanes.pan(
        by: Int64(step), nowMs: scene.laneEndMs, oldestMs: scene.record?.span?.lowerBound)
    }
  }

  // MARK: Turns

  /// Chooses the turn before (-1) or after (1) the one that is shown.
  @MainActor private mutating func walk(by step: Int, _ facts: ViewContext) {
    guard let scene = scene(facts), !scene.turns.isEmpty else {
      message = "no turn is on record"
      return
    }
    let turns = scene.turns
    // A report that follows its end is walked from there.
    let index =
      view == .report && turnID == nil
      ? turns.count
      : shownTurn(scene).flatMap { shown in turns.lastIndex { $0.id == shown.id } } ?? 0
    let wanted = index + step
    guard turns.indices.contains(wanted) else {
      message = step < 0 ? "no older turn on record" : "no newer turn"
      return
    }
    select(turns[wanted].id, facts)
    cursors[.turn] = nil
    for panel in [Panel.list, .transcript] where cursors[panel]?.isResting == false {
      cursors[panel]?.select(id: .turn(turns[wanted].id))
    }
    if view == .report {
      cursors[.report, default: ListCursor()].select(id: .turn(turns[wanted].id))
    }
  }

  /// Chooses a turn and brings it into the window of the lanes.
  @MainActor mutating func select(_ id: VoiceTurnRecord.ID, _ facts: ViewContext) {
    turnID = id
    guard let scene = scene(facts), let turn = scene.record?.turn(id) else { return }
    lanes.show(from: turn.startedAt, to: turn.lastAt, nowMs: scene.laneEndMs)
  }
}
