import TerminalUI
import CockpitText
import CockpitStores
import TerminalCore

/// Asks for the name of the file that the kept rows are written to, as JSON lines.
struct ExportPrompt: Overlay, Hashable {
  private var field: TextField
  private var message: PlainText?

  @MainActor init(_ facts: ViewContext) {
    let day = facts.clock.day(ms: facts.nowMs).description
    let time = facts.clock.time(ms: facts.nowMs).description.filter { $0 != ":" }
    field = TextField("clanky-rows-\(day)-\(time).jsonl")
  }

  let title: PlainText = "export rows"
  let keyLine: PlainText = "Enter writes the file  Esc cancels"

  @MainActor mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    message = nil
    switch field.press(press) {
    case .cancel: return .close
    case .accept:
      let path = field.text.trimmingSpaces
      guard !path.isEmpty else {
        message = "Type the name of a file."
        return .stay
      }
      return .done([.exportRows(path: path)])
    default: return .stay
    }
  }

  @MainActor mutating func paste(_ text: String, on facts: ViewContext) { field.paste(text) }

  @MainActor func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = DialogPage.textWidth(in: body)
    var lines = DialogLine.wrapped(
      Figures.count(facts.activity.log.count(in: facts.scope)) + " kept rows"
        + (facts.scopeName.map { " of " + $0 } ?? "")
        + ", newest first, in the shape of tail --json. The file is readable by you alone;"
        + " one that exists is replaced.", to: width)
    lines += DialogLine.wrapped(
      "Rows hold what people wrote and the bot's prompts.", to: width, .warning)
    let room = max(1, width - 6)
    var footer = [
      DialogLine([DialogRun("file ", .muted)] + field.runs(width: room + 1))
    ]
    if let message { footer += DialogLine.wrapped(message, to: width, .warning) }
    DialogPage(title: title, lines: lines, footer: footer).render(in: body, into: &frame)
  }
}
