import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The session as a text, a paragraph a turn, and finding in it.
extension VoicePane {
  /// Opens the report of the shown session; a past one without events asks for them.
  @MainActor package mutating func showReport(_ facts: ViewContext) -> [Effect] {
    let effects = show(.report, facts)
    guard let id = shownID(facts), liveID(facts) == nil, !facts.voice.hasReplay(id) else {
      return effects
    }
    return effects + [.loadVoiceSession(id: id)]
  }

  /// - Parameter isPreview: whether its facts stand beside it already.
  @MainActor func report(
    _ scene: VoiceScene, size: Size, limit: Int, isPreview: Bool = false
  ) -> Content {
    let report = ReportLines(scene, width: size.width, hasFacts: !isPreview)
    let isEnd = limit < .max
    return Content(
      title: "report",
      trailing: Figures.count(scene.turns.count) + (scene.turns.count == 1 ? " turn" : " turns")
        + (scene.window.map { " " + $0 } ?? "") + "  "
        + (isPreview
          ? scene.facts.keys.text(.open) + " opens"
          : isEnd
            ? (scene.isLive && scene.facts.asOf(.voice) == nil ? "FOLLOW" : "end")
            : scene.facts.keys.text(.follow) + " follows"),
      lines: report?.lines(limit: limit) ?? [], placeholder: noEvents(scene),
      trailingFigure: scene.behind(scene.turns))
  }

  // MARK: Finding

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    if filterField != nil {
      typeFilter(press)
      return []
    }
    switch findField.press(press) {
    case .accept:
      isFinding = false
      findText = findField.text
      // The newest hit comes first, one under the cursor included.
      find(-1, facts, includesShown: true)
    case .cancel:
      isFinding = false
      findText = ""
    case .edited: findText = findField.text
    default: break
    }
    return []
  }

  package func typingHint(_ keys: KeyTable) -> PlainText? {
    filterField != nil
      ? "Enter keeps it  Esc shows all  kind:voice_turn_* name:asr_* or words"
      : isFinding ? keys.findingHint : nil
  }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) -> [Effect] {
    if filterField != nil {
      filterField?.paste(text)
      eventFilter.text = filterField?.text ?? ""
      return []
    }
    guard isFinding else { return [] }
    findField.paste(text)
    findText = findField.text
    return []
  }

  /// The turns whose paragraph has the text, oldest first.
  @MainActor func hits(_ facts: ViewContext) -> [VoiceTurnRecord.ID] {
    let needle = PlainText(findText, limit: 200)
    guard !needle.isEmpty, let report = scene(facts)?.report else { return [] }
    return report.record.turns.suffix(ReportLines.limit).filter { turn in
      report.paragraph(turn).lines.contains { !$0.ranges(of: needle).isEmpty }
    }.map(\.id)
  }

  /// Chooses the next hit before (-1) or after (1) the chosen turn; from the other end where there is none.
  @MainActor mutating func find(
    _ step: Int, _ facts: ViewContext, includesShown: Bool = false
  ) {
    guard !findText.isEmpty else {
      message = "press " + facts.keys.text(.find) + " and type what to find in the report"
      return
    }
    let hits = hits(facts)
    guard let record = scene(facts)?.record, let newest = hits.last, let oldest = hits.first else {
      message = "no hit for \"" + PlainText(findText, limit: 60) + "\""
      return
    }
    let places = Dictionary(
      record.turns.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
    let shown = turnID.flatMap { places[$0] }
    let place = shown ?? (step < 0 ? Int.max : -1)
    let next =
      step < 0
      ? hits.last { (places[$0] ?? 0) < place || includesShown && places[$0] == shown }
      : hits.first { (places[$0] ?? 0) > place }
    if next == nil { message = step < 0 ? "from the newest again" : "from the oldest again" }
    choose(turn: next ?? (step < 0 ? newest : oldest), facts)
  }

  /// Chooses a turn and puts the cursor of the report on it.
  @MainActor private mutating func choose(turn id: VoiceTurnRecord.ID, _ facts: ViewContext) {
    select(id, facts)
    cursors[.turn] = nil
    cursors[.report, default: ListCursor()].select(id: .turn(id))
  }

  /// The row below the report: what is looked for, and how often it is there.
  @MainActor func findRow(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    guard view == .report else { return filterRow(facts, in: area, into: &frame) }
    frame.canvas.inside(area) { canvas in
      canvas.write("/", x: 1, role: .key, attributes: .bold)
      canvas.inside(Rect(x: 2, width: max(0, canvas.bounds.width - 14), height: 1)) { canvas in
        if isFinding {
          findField.render(into: &canvas, placeholder: "find in the report", isFocused: true)
        } else {
          canvas.write(PlainText(findText, limit: 200), role: .input)
        }
      }
      guard !findText.isEmpty else { return }
      let count = hits(facts).count
      canvas.writeRight(
        count == 0 ? "no hit" : count == 1 ? "1 turn" : PlainText("\(count) turns"),
        role: count == 0 ? .warning : .muted)
    }
  }
}
