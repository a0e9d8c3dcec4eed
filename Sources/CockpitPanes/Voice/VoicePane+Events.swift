import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The events of a session with their filters, and what went wrong in it.
extension VoicePane {
  /// Opens EVENTS or ANOMALIES of the shown session; a past one without events asks for them.
  @MainActor mutating func showEvents(_ view: View, _ facts: ViewContext) -> [Effect] {
    let effects = show(view, facts)
    guard let id = shownID(facts), liveID(facts) == nil, !facts.voice.hasReplay(id) else {
      return effects
    }
    return effects + [.loadVoiceSession(id: id)]
  }

  @MainActor func events(_ scene: VoiceScene, size: Size, limit: Int) -> Content {
    let events = EventLines(scene: scene, filter: eventFilter, width: size.width)
    let isEmpty = scene.record?.events.isEmpty ?? true
    return Content(
      title: "events" + which(scene), trailing: events.counts,
      lines: isEmpty ? [] : events.lines(limit: limit), placeholder: noEvents(scene),
      trailingFigure: events.behind)
  }

  @MainActor func anomalies(_ scene: VoiceScene, size: Size) -> Content {
    let anomalies = AnomalyLines(scene: scene, width: size.width)
    let window: PlainText = scene.window.map { " " + $0 } ?? ""
    return Content(
      title: "anomalies" + which(scene), trailing: Figures.count(anomalies.count) + window,
      lines: anomalies.count == 0 ? [] : anomalies.lines,
      placeholder: scene.record == nil
        ? noEvents(scene)
        : "Nothing went wrong in what is here of this session" + window
          + ": no empty recognition, gap, slow or failed tool, silent answer or slow turn.",
      trailingFigure: scene.behindAnomalies())
  }

  /// Which session it is, where that is no live one.
  @MainActor private func which(_ scene: VoiceScene) -> PlainText {
    guard !scene.isLive, pastID == nil, let at = scene.past?.startedAt?.milliseconds else {
      return ""
    }
    let clock = scene.facts.clock
    return " of " + clock.monthDay(ms: at) + " " + clock.time(ms: at).prefix(columns: 5)
  }

  /// The event under the cursor; at the live end the newest that is listed.
  @MainActor func shownEvent(_ scene: VoiceScene) -> VoiceEvent? {
    guard view == .events else { return nil }
    if case .event(let id)? = cursors[.list]?.id { return scene.record?.event(id) }
    return scene.record?.events.last(where: eventFilter.matcher)
  }

  @MainActor func event(_ scene: VoiceScene, size: Size) -> Content {
    guard let event = shownEvent(scene) else {
      return Content(title: "event", placeholder: "no event is listed")
    }
    return Content(
      title: PlainText(event.name, limit: 60), trailing: scene.facts.keys.text(.rawJSON) + " raw",
      lines: EventDetail(scene: scene, event: event, width: size.width).lines)
  }

  @MainActor mutating func stepLane(by step: Int, _ facts: ViewContext) {
    guard let scene = scene(facts) else { return }
    let lanes = EventLines(scene: scene, filter: EventFilter(), width: 80).lanes
    eventFilter.step(by: step, among: lanes)
    cursors[.list] = nil
  }

  /// Shows the moment of a turn in the lanes, with the turn chosen.
  @MainActor mutating func go(toTurn id: VoiceTurnRecord.ID, _ facts: ViewContext) -> [Effect] {
    let effects = show(.live, facts)
    focus = .lanes
    select(id, facts)
    return effects
  }

  // MARK: The filter

  mutating func typeFilter(_ press: KeyPress) {
    guard var field = filterField else { return }
    switch field.press(press) {
    case .accept:
      filterField = nil
    case .cancel:
      filterField = nil
      eventFilter.text = ""
    case .edited:
      filterField = field
      eventFilter.text = field.text
      cursors[.list] = nil
    default: filterField = field
    }
  }

  @MainActor func filterRow(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    frame.canvas.inside(area) { canvas in
      canvas.write("f>", x: 1, role: .key, attributes: .bold)
      canvas.inside(Rect(x: 4, width: max(0, canvas.bounds.width - 6), height: 1)) { canvas in
        if let filterField {
          filterField.render(
            into: &canvas, placeholder: "kind:voice_turn_* name:asr_* or words", isFocused: true)
        } else {
          canvas.write(PlainText(eventFilter.text, limit: 200), role: .input)
        }
      }
    }
  }
}
