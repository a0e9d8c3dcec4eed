import LenientJSON
import CockpitStores
import CockpitText
import ClankyWire
import TerminalCore
import TerminalUI

extension BrainPane {
  /// The side panel while it shows no prompt.
  @MainActor func sidePanel(_ facts: ViewContext, _ layout: Layout) -> SidePanel {
    var title: PlainText
    var trailing: PlainText
    if case .raw(let panel) = side {
      title = "raw JSON"
      trailing = rawTitle(panel, facts)
    } else {
      title = "call"
      let pages = DetailView.Page.allCases.count
      trailing = detail.page.title + " \(detail.page.rawValue + 1)/\(pages)"
      if let row = selectedRow(facts) {
        title = PlainText(row.label.title, limit: 40)
        if let id = row.actionID { title += PlainText("  #\(id)") }
      }
    }
    return SidePanel(
      title: title, trailing: trailing,
      lines: sideLines(facts, width: layout.content(.prompt).width), scroll: detail.scroll,
      line: detail.line, hasFocus: focus == .prompt)
  }

  /// The lines of the side panel while it shows no prompt.
  @MainActor func sideLines(_ facts: ViewContext, width: Int) -> [DetailLine]? {
    switch side {
    case .prompt: return nil
    case .detail:
      guard let row = selectedRow(facts), let parsed = facts.actions.action(for: row) else {
        return nil
      }
      return DetailContent(
        row: row, action: parsed.action, metadata: parsed.metadata, view: detail, width: width,
        names: facts.names, clock: facts.clock, nowMs: facts.nowMs
      ).lines
    case .raw(let panel):
      let lines = rawLines(panel, facts)
      guard detail.isWrapping else { return lines.map { DetailLine([.init($0)]) } }
      return lines.flatMap { line in
        line.wrapped(to: max(8, width), limit: 400).map { DetailLine([.init($0)]) }
      }
    }
  }

  @MainActor func rawTitle(_ panel: Panel, _ facts: ViewContext) -> PlainText {
    switch panel {
    case .prompt:
      if case .live(let kind) = shownSource(facts) {
        "promptState.\(PlainText(kind.rawValue))"
      } else {
        "row"
      }
    case .calls, .chain: "row"
    case .budget: "modelContext"
    case .facts: "memoryFacts"
    case .context: "lastGenerationContext"
    }
  }

  /// A panel's part of the voice state, or the selected row, as the wire had it.
  @MainActor private func rawLines(_ panel: Panel, _ facts: ViewContext) -> [PlainText] {
    guard let raw = rawValue(panel, facts) else { return ["nothing is selected"] }
    return layouts.raw(raw.key, raw.make)
  }

  /// Which value that is and as of when, and how it is read; nil if no row is selected.
  @MainActor func rawValue(
    _ panel: Panel, _ facts: ViewContext
  ) -> (key: String, make: () -> JSONValue?)? {
    if let path = rawPath(panel, facts) {
      let key =
        "\(session(facts)?.sessionID ?? "")/\(path.joined(separator: "."))/\(facts.voice.receivedNs)"
      return (key, { stateValue(path, facts) })
    }
    return selectedRow(facts).map { row in
      ("row/\(row.id)/\(row.actionID ?? 0)", { row.withRaw { try? JSONValue.parse($0) } })
    }
  }

  /// The path of a panel's content in the state of its session; nil if it is the selected row.
  @MainActor func rawPath(_ panel: Panel, _ facts: ViewContext) -> [String]? {
    switch panel {
    case .calls, .chain: return nil
    case .prompt:
      guard case .live(let kind) = shownSource(facts) else { return nil }
      return ["promptState", kind.rawValue]
    case .budget: return ["conversation", "modelContext"]
    case .facts: return ["lastGenerationContext", "memoryFacts"]
    case .context: return ["lastGenerationContext"]
    }
  }

  /// A part of the displayed session's state, as received.
  @MainActor func stateValue(_ path: [String], _ facts: ViewContext) -> JSONValue? {
    guard let session = session(facts),
      let tree = facts.voice.payload.withUnsafeBytes({ try? JSONValue.parse($0) })
    else { return nil }
    var value = tree["sessions"]?.array?.first { $0["sessionId"]?.string == session.sessionID }
    for step in path { value = value?[step] }
    return value
  }
}
