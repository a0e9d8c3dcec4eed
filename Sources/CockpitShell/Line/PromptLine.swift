import CockpitPanes
import TerminalUI
import TerminalCore

/// The line that `:` opens: commands by name and shell verbs, with completion and history.
///
/// The names come from the live key table, so a command that is disabled here, such as a change
/// with `--read-only`, is not available by name either.
package struct PromptLine: Layer, Hashable {
  package private(set) var field: TextField
  /// Why the line was not carried out.
  package private(set) var problem: PlainText?
  private var offer = LineCompletion.Offer(replaced: 0, items: [])
  private var chosen: Int?
  /// Newest first.
  private let history: [String]
  private var historyIndex: Int?

  /// - Parameters:
  ///   - text: the initial text.
  ///   - history: earlier lines, newest first.
  package init(_ text: String = "", history: [String] = []) {
    field = TextField(text)
    self.history = history
  }

  // MARK: Layer

  package var placement: LayerPlacement { .line }

  /// Keys and pastes are for the line; the mouse stays the tab's.
  @MainActor package mutating func handle(
    _ event: LayerEvent, _ context: LayerContext
  ) -> LayerOutcome {
    switch event {
    case .key(let press): return self.press(press, LineReader(context))
    case .paste(let text): paste(text, LineReader(context))
    case .click, .drag, .wheel: return .passed
    }
    return .stay
  }

  @MainActor package func render(
    _ context: LayerContext, in area: Rect, into frame: inout Frame
  ) {
    // The line has the keyboard focus, so the hardware cursor belongs here and not in the tab.
    frame.canvas.cursor = nil
    render(y: area.y, into: &frame)
  }

  // MARK: Keys

  @MainActor private mutating func press(_ press: KeyPress, _ reader: LineReader) -> LayerOutcome {
    // Backspace on the empty line leaves it, as in vi.
    if field.text.isEmpty, press.key == .backspace { return .close }
    if press.key == .tab, press.modifiers == .shift {
      complete(reader, step: -1)
      return .stay
    }
    switch field.press(press) {
    case .cancel: return .close
    case .accept: return accept(reader)
    case .complete: complete(reader, step: 1)
    case .older: walkHistory(by: 1)
    case .newer: walkHistory(by: -1)
    case .edited:
      problem = nil
      propose(reader)
    case .moved: offer.items = []
    case .ignored: break
    }
    return .stay
  }

  @MainActor private mutating func paste(_ text: String, _ reader: LineReader) {
    field.paste(text)
    problem = nil
    propose(reader)
  }

  @MainActor private mutating func accept(_ reader: LineReader) -> LayerOutcome {
    do throws(LineProblem) {
      guard let action = try reader.read(field.text) else { return .close }
      return .done([.carryOut(action, line: field.text)])
    } catch {
      problem = PlainText(error.sentence, limit: 600)
      offer.items = []
      return .stay
    }
  }

  /// Shows completions without choosing one.
  @MainActor private mutating func propose(_ reader: LineReader) {
    chosen = nil
    offer =
      field.text.isEmpty
      ? LineCompletion.Offer(replaced: 0, items: [])
      : LineCompletion(reader).offer(for: field.text, cursor: field.cursor)
  }

  @MainActor private mutating func complete(_ reader: LineReader, step: Int) {
    if offer.items.isEmpty {
      offer = LineCompletion(reader).offer(for: field.text, cursor: field.cursor)
      chosen = nil
    }
    guard !offer.items.isEmpty else {
      problem = "nothing completes this"
      return
    }
    let count = offer.items.count
    let next = chosen.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
    let insert = offer.items[next].insert
    field.replace(last: offer.replaced, with: insert)
    offer.replaced = insert.count
    chosen = next
    problem = nil
    // A single completion is inserted, and its continuations are shown.
    if count == 1 { propose(reader) }
  }

  private mutating func walkHistory(by step: Int) {
    offer.items = []
    guard !history.isEmpty else { return }
    let index = (historyIndex ?? -1) + step
    guard index >= 0 else {
      historyIndex = nil
      field = TextField()
      return
    }
    historyIndex = min(index, history.count - 1)
    field = TextField(history[historyIndex ?? 0])
  }

  // MARK: Drawing

  /// Items that are in sight at once.
  private static let shown = 8

  private func render(y: Int, into frame: inout Frame) {
    let width = frame.canvas.bounds.width
    guard width > 2 else { return }
    frame.canvas.write(":", y: y, role: .key, attributes: .bold)
    frame.canvas.inside(Rect(x: 1, y: y, width: width - 1, height: 1)) {
      field.render(
        into: &$0, placeholder: "a command or a verb; Tab completes, Esc leaves", isFocused: true)
    }
    if let problem {
      renderProblem(problem, above: y, into: &frame)
    } else {
      renderOffer(above: y, into: &frame)
    }
  }

  private func renderProblem(_ problem: PlainText, above y: Int, into frame: inout Frame) {
    let width = frame.canvas.bounds.width
    let lines = problem.wrapped(to: width - 3, limit: min(3, y))
    for (index, line) in lines.enumerated() {
      let row = Rect(x: 0, y: y - lines.count + index, width: width, height: 1)
      frame.canvas.clear(row)
      frame.canvas.inside(row) { canvas in
        if index == 0 { canvas.write("!", role: .warning, attributes: .bold) }
        canvas.write(line, x: 2, role: .warning)
      }
    }
  }

  private func renderOffer(above y: Int, into frame: inout Frame) {
    let room = min(Self.shown, y - 2)
    guard room > 0, !offer.items.isEmpty else { return }
    // The chosen one is always among those that are shown.
    let first = max(0, min((chosen ?? 0) - room + 1, offer.items.count - room))
    let items = offer.items.enumerated().dropFirst(first).prefix(room)
    let titles = items.map { PlainText($0.element.title, limit: 60) }
    let nameColumns = min(32, (titles.map(\.columns).max() ?? 0) + 2)
    let helpColumns = items.map { PlainText($0.element.help, limit: 100).columns }.max() ?? 0
    let width = min(frame.canvas.bounds.width - 1, nameColumns + helpColumns + 2)
    var box = Rect(x: 1, y: y - items.count, width: width, height: items.count)
    frame.canvas.clear(box)
    for ((index, item), title) in zip(items, titles) {
      frame.canvas.inside(box.takeTop(1)) { canvas in
        let isChosen = index == chosen
        let background: Role = isChosen ? .selection : .header
        canvas.fill(canvas.bounds, background: background)
        canvas.write(
          title.cut(to: nameColumns - 1), x: 1, attributes: isChosen ? .bold : [],
          background: background)
        let help = PlainText(item.help, limit: 100).cut(to: max(0, width - nameColumns - 2))
        canvas.write(help, x: nameColumns + 1, role: .muted, background: background)
      }
    }
  }
}
