import TerminalUI
import CockpitText
import CockpitStores
import LenientJSON
import TerminalCore

extension VoicePane {
  // MARK: Opening

  @MainActor mutating func open(
    _ panel: Panel, _ facts: ViewContext, _ layout: Layout
  ) -> [Effect] {
    if panel == .lanes {
      if lanes.collapsed.remove(lanes.lane) == nil { lanes.collapsed.insert(lanes.lane) }
      return []
    }
    // The report below the list of past sessions is a preview of one.
    if view == .history, panel == .report {
      return chosenPast(facts).map { replay($0, facts) } ?? []
    }
    guard let item = item(panel, facts, layout) else { return [] }
    switch item {
    case .event(let id) where panel == .turn:
      guard let row = scene(facts)?.row(of: id) else {
        message = "its row is not in PULSE any more, or came by replay only"
        return []
      }
      return [.show(row: row)]
    case .event:
      toggleRaw(panel, facts)
    case .anomaly(let id, _): return go(toTurn: id, facts)
    case .turn(let id) where panel == .event: return go(toTurn: id, facts)
    case .turn(let id):
      select(id, facts)
      isWhyOpen = true
      cursors[.turn] = nil
      focus = .turn
    case .tool(let id):
      if openTools.remove(id) == nil { openTools.insert(id) }
    case .past(let id): return replay(id, facts)
    case .step(let index): return jump(toStep: index, facts)
    case .figure(let behind): return [.press(.figure(behind))]
    case .spoken: message = "no turn is on record for these words"
    }
    return []
  }

  /// Opens a past session and asks for its events.
  @MainActor private mutating func replay(_ id: String, _ facts: ViewContext) -> [Effect] {
    pastID = id
    turnID = nil
    view = .live
    focus = .list
    cursors = [.list: cursors[.list] ?? ListCursor()]
    lanes.playheadMs = nil
    return facts.voice.hasReplay(id) ? [] : [.loadVoiceSession(id: id)]
  }

  /// Shows a session selected elsewhere: a live one live, a past one as a replay.
  ///
  /// - Parameter asReport: whether to show a paragraph a turn instead of the panels.
  @MainActor package mutating func reveal(
    session id: String, asReport: Bool = false, _ facts: ViewContext
  ) -> [Effect] {
    isZoomed = false
    isWhyOpen = false
    isRawOpen = false
    defer { if asReport { view = .report } }
    guard facts.voice.isLive(id) else { return replay(id, facts) }
    view = .live
    choose(id)
    return []
  }

  /// The item under the cursor of a panel; at the live end the newest.
  @MainActor private func item(_ panel: Panel, _ facts: ViewContext, _ layout: Layout) -> VoiceItem?
  {
    line(panel, facts, layout)?.item
  }

  /// The line under the cursor of a panel; at the live end the newest one with an item.
  @MainActor func line(_ panel: Panel, _ facts: ViewContext, _ layout: Layout) -> VoiceLine? {
    guard let area = layout.panels[panel] else { return nil }
    let size = contentArea(area, hasBox: layout.hasBoxes).size
    let lines = content(panel, facts, size: size, isFull: layout.isFull).lines
    let cursor = cursors[panel] ?? ListCursor()
    guard cursor.isResting else {
      return lines.isEmpty
        ? nil : lines[cursor.settled(in: lines.list(height: size.height, end: panel.end)).line]
    }
    // At rest a list is at its newest item, not at a figure above it.
    return panel.end == .top
      ? lines.first { $0.item?.isFigure == false } ?? lines.first
      : lines.last { $0.item != nil } ?? lines.last
  }

  /// Goes to the row that a step of the verdict rests on, as long as it is retained.
  @MainActor private mutating func jump(toStep index: Int, _ facts: ViewContext) -> [Effect] {
    guard let scene = scene(facts), let turn = shownTurn(scene),
      let verdict = scene.record?.verdict(turn.id, nowMs: scene.nowMs),
      verdict.items.indices.contains(index)
    else { return [] }
    let item = verdict.items[index]
    let log = facts.activity.log
    let row = item.rowID ?? item.actionID.flatMap { log.rowID(actionID: $0) }
    guard let row, log.row(row) != nil else {
      message =
        item.event == nil
        ? "this step rests on no event" : "its row is not in PULSE any more, or came by replay only"
      return []
    }
    return [.show(row: row)]
  }

  // MARK: Raw JSON

  @MainActor mutating func toggleRaw(_ panel: Panel, _ facts: ViewContext) {
    guard !isRawOpen else {
      isRawOpen = false
      return
    }
    guard let source = rawSource(panel, facts) else {
      message = "nothing is selected that has raw JSON"
      return
    }
    // As of now: a text that is read must not move.
    raw = source.value.prettyLines(limit: 20_000).map {
      VoiceLine([.init(text: PlainText($0, limit: 4000))])
    }
    rawTitle = source.title + "  as of " + facts.clock.time(ms: facts.nowMs)
    cursors[.raw] = nil
    isRawOpen = true
    focus = .raw
  }

  /// The JSON that `J` shows for a panel.
  struct RawSource {
    var value: JSONValue
    var title: PlainText
    /// The received bytes, if known.
    var bytes: String?

    var text: String { bytes ?? value.serialized() }
  }

  /// The JSON of an event's row; if the row was evicted, the metadata that the event keeps.
  @MainActor private func rawSource(_ event: VoiceEvent, _ facts: ViewContext) -> RawSource {
    let row = event.rowID.flatMap { facts.activity.log.row($0) }
    let whole = row?.jsonLine().flatMap { try? JSONValue.parse($0) }
    return RawSource(
      value: whole ?? event.metadata, title: PlainText(event.name, limit: 60),
      bytes: whole == nil ? nil : row?.withRaw { String(decoding: $0, as: UTF8.self) })
  }

  @MainActor func rawSource(_ panel: Panel, _ facts: ViewContext) -> RawSource? {
    guard let scene = scene(facts) else { return nil }
    if panel == .turn, case .step(let index)? = cursors[.turn]?.id,
      let turn = shownTurn(scene),
      let verdict = scene.record?.verdict(turn.id, nowMs: scene.nowMs),
      verdict.items.indices.contains(index), let id = verdict.items[index].event,
      let event = scene.record?.event(id)
    {
      return rawSource(event, facts)
    }
    if panel == .list || panel == .event, let event = shownEvent(scene) {
      return rawSource(event, facts)
    }
    if scene.isLive, let state = try? JSONValue.parse(facts.voice.payload) {
      let session = state["sessions"]?.array?.first { $0["sessionId"]?.string == scene.id }
      return session.map { RawSource(value: $0, title: "session") }
    }
    let events = scene.record?.events.map(\.metadata) ?? []
    return events.isEmpty ? nil : RawSource(value: .array(events), title: "events")
  }
}
