import CockpitAnswers
import CockpitPanes
import TerminalUI
import TerminalCore

/// The last row: the keys that matter here, from the live key table. Each hint is a button.
struct HintRow {
  var shell: CockpitShell

  @MainActor func render(_ facts: ViewContext, y: Int, into frame: inout Frame) {
    let width = frame.canvas.bounds.width
    var x = 1
    if let line = shell.layers.keyLine(shell.context(facts)) {
      frame.canvas.write(Self.whole(line, width - 2), x: 1, y: y, role: .muted)
      return
    }
    if !shell.pending.isEmpty {
      let typed = PlainText(shell.pending.map(\.description).joined(separator: " "))
      x = frame.canvas.write(typed + " …", x: x, y: y, role: .focus, attributes: .bold) + 2
      for (key, binding) in shell.keys.continuations(of: shell.pending) {
        let text = binding.hint ?? PlainText(binding.command.rawValue)
        x = hint(PlainText(key.description), text, binding.command, x: x, y: y, into: &frame)
        guard x < width else { return }
      }
      return
    }
    if let text = shell.pane.typingHint(shell.keys) {
      frame.canvas.write(Self.whole(text, width - 2), x: 1, y: y, role: .muted)
      return
    }
    let pane = shell.pane
    let unserved = facts.unserved
    for command in commands(pane, facts) {
      guard let binding = shell.keys.binding(for: command), let key = binding.keys.first,
        var text = binding.hint
      else { continue }
      if command == .quit, pane.isDeep { text = "close" }
      let isServed = command.route.map { !unserved.contains($0) } ?? true
      if !isServed { text += " (not served)" }
      let name = PlainText(key.description)
      guard x + name.columns + text.columns + 3 <= width else { return }
      x = hint(name, text, command, x: x, y: y, isServed: isServed, into: &frame)
    }
  }

  /// The pane's hints; those of questions come after help where they have an answer.
  @MainActor private func commands(_ pane: any TabPane, _ facts: ViewContext) -> [KeyAction] {
    var hints = pane.hints(on: facts)
    var questions: [KeyAction] = []
    if !facts.triage.open.isEmpty { questions.append(.triage) }
    if !hints.contains(.why), pane.mayHaveExchange(facts) { questions.append(.why) }
    hints.insert(contentsOf: questions, at: hints.first == .help ? 1 : 0)
    return hints
  }

  /// As many hints, separated by two spaces, as fit completely.
  static func whole(_ line: PlainText, _ columns: Int) -> PlainText {
    guard line.columns > columns else { return line }
    var shown: PlainText = ""
    for part in line.description.split(separator: "  ") {
      let next = shown.isEmpty ? PlainText(String(part)) : shown + "  " + PlainText(String(part))
      guard next.columns <= columns else { break }
      shown = next
    }
    return shown.isEmpty ? line.cut(to: columns) : shown
  }

  private func hint(
    _ key: PlainText, _ text: PlainText, _ command: KeyAction, x: Int, y: Int,
    isServed: Bool = true, into frame: inout Frame
  ) -> Int {
    let start = x
    var x = frame.canvas.write(
      key, x: x, y: y, role: isServed ? .key : .muted, attributes: isServed ? .bold : [])
    x = frame.canvas.write(text, x: x + 1, y: y, role: .muted)
    frame.mark(Rect(x: start, y: y, width: x - start, height: 1), .hint(command))
    return x + 2
  }
}
