import CockpitAnswers
import CockpitPanes
import CockpitStores
import TerminalUI
import TerminalCore

/// The last row: the keys that matter here, from the live key table.
extension CockpitShell {
  @MainActor func renderHints(_ facts: ViewContext, y: Int, into frame: inout Frame) {
    let width = frame.canvas.bounds.width
    if !layers.isEmpty, let line = layers.keyLine(context(facts)) {
      frame.canvas.write(HintRow.whole(line, width - 2), x: 1, y: y, role: .muted)
      return
    }
    guard pending.isEmpty else {
      renderContinuations(y: y, into: &frame)
      return
    }
    let pane = pane
    if let text = pane.typingHint(keys) {
      frame.canvas.write(HintRow.whole(text, width - 2), x: 1, y: y, role: .muted)
      return
    }
    let commands = hints(of: pane, facts)
    let asking = commands.filter { !pane.routes(of: $0).isEmpty }
    // Looking for missing routes reads all of the stores.
    let missing = asking.isEmpty ? [] : facts.unserved
    let unserved = asking.filter { !missing.isDisjoint(with: pane.routes(of: $0)) }
    frame.draw(
      HintRow(
        commands: commands, keys: keys, isDeep: pane.isDeep, unserved: Set(unserved)),
      in: Rect(y: y, width: width, height: 1))
  }

  /// The keys with which a started sequence can go on.
  private func renderContinuations(y: Int, into frame: inout Frame) {
    let typed = PlainText(pending.map(\.description).joined(separator: " "))
    var x = frame.canvas.write(typed + " …", x: 1, y: y, role: .focus, attributes: .bold) + 2
    for (key, binding) in keys.continuations(of: pending) {
      let text = binding.hint ?? PlainText(binding.command.rawValue)
      x = HintRow.hint(
        PlainText(key.description), text, binding.command, x: x, y: y, into: &frame)
      guard x < frame.canvas.bounds.width else { return }
    }
  }

  /// The pane's hints; those of questions come after help where they have an answer.
  @MainActor private func hints(of pane: any TabPane, _ facts: ViewContext) -> [KeyAction] {
    var hints = pane.hints(on: facts)
    var questions: [KeyAction] = []
    if !facts.triage.open.isEmpty || facts.control?.waiting.isEmpty == false
      || facts.sources?.hasTrouble == true
    {
      questions.append(.triage)
    }
    if !hints.contains(.why), pane.mayHaveExchange(facts) { questions.append(.why) }
    if facts.chat != nil { questions.append(.chat) }
    hints.insert(contentsOf: questions, at: hints.first == .help ? 1 : 0)
    return hints
  }
}

/// Commands with their keys. Each hint is a button.
struct HintRow: FramePart {
  var commands: [KeyAction]
  var keys: KeyTable
  /// Whether the key that quits closes something first.
  var isDeep: Bool
  /// Those that need a route that this backend does not serve.
  var unserved: Set<KeyAction>

  func render(in area: Rect, into frame: inout Frame) {
    var x = 1
    for command in commands {
      guard let binding = keys.binding(for: command), let key = binding.keys.first,
        var text = binding.hint
      else { continue }
      if command == .quit, isDeep { text = "close" }
      let isServed = !unserved.contains(command)
      if !isServed { text += " (not served)" }
      let name = PlainText(key.description)
      guard x + name.columns + text.columns + 3 <= area.width else { return }
      x = Self.hint(name, text, command, x: x, y: area.y, isServed: isServed, into: &frame)
    }
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

  static func hint(
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
