import CockpitChat
import CockpitPanes
import TerminalCore
import TerminalUI

/// A list to read: the commands of the conversation, or what is queued.
struct ChatTextSheet: Overlay, Hashable {
  let title: PlainText
  private let rows: [Row]
  private var first = 0

  private struct Row: Hashable {
    var head: PlainText
    var text: PlainText
  }

  /// - Parameter takesNotes: whether the server takes a `ChatSignal`.
  static func help(takesNotes: Bool) -> ChatTextSheet {
    let commands = SlashCommand.summary + (takesNotes ? ChatSignal.summary : [])
    return ChatTextSheet(
      title: "commands of the conversation",
      rows: commands.map { Row(head: PlainText($0.command), text: PlainText($0.text)) }
        + [Row(head: "other /text", text: "goes to the agent, which may have commands of its own")])
  }

  /// - Parameter queued: messages, oldest first.
  init(queued: [String]) {
    self.init(
      title: "queued for after the answer",
      rows: queued.enumerated().map { index, text in
        Row(head: PlainText("\(index + 1)"), text: PlainText(text, limit: 400))
      })
  }

  private init(title: PlainText, rows: [Row]) {
    self.title = title
    self.rows = rows
  }

  var keyLine: PlainText { "j k scroll  Esc leaves" }

  @MainActor mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.enter, []), (.char("c"), .ctrl): return .close
    case (.down, []), (.char("j"), []): first = min(first + 1, max(0, rows.count - 1))
    case (.up, []), (.char("k"), []): first = max(0, first - 1)
    default: break
    }
    return .stay
  }

  @MainActor mutating func wheel(_ lines: Int, on facts: ViewContext) {
    first = min(max(0, first + lines), max(0, rows.count - 1))
  }

  @MainActor func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = DialogPage.textWidth(in: body)
    let head = min(18, (rows.map(\.head.columns).max() ?? 0) + 2)
    let lines = rows.map { row in
      DialogLine(
        [
          DialogRun(row.head.padded(to: head), .key),
          DialogRun(row.text.cut(to: max(8, width - head)), .text),
        ], right: nil)
    }
    DialogPage(
      title: title, lines: lines, footer: [], needed: first..<min(first + 1, rows.count),
      target: { .overlay($0) }
    ).render(in: body, into: &frame)
  }
}
