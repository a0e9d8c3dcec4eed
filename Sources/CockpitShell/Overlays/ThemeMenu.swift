import CockpitPanes
import TerminalUI
import TerminalCore

/// The list of themes; the whole screen is drawn with the one under the cursor.
package struct ThemeMenu: Overlay, Hashable {
  /// The theme that Esc brings back.
  private let original: String
  private var cursor: TextCursor

  package init(_ setup: SetupFacts) {
    original = setup.theme
    cursor = TextCursor(line: setup.themes.firstIndex(of: setup.theme) ?? 0, scroll: 0)
  }

  package var title: PlainText { "theme" }
  package var keyLine: PlainText { "Up Down try one  Enter keeps it  Esc takes the one before" }

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    // Arrows, Enter and Esc always; and the keys that move and leave elsewhere.
    switch (press.key, press.modifiers) {
    case (.up, []): return move(to: cursor.line - 1, facts)
    case (.down, []): return move(to: cursor.line + 1, facts)
    case (.enter, []): return keep(facts)
    case (.escape, []): return leave()
    default: break
    }
    switch facts.keys.match([press]) {
    case .command(.up): return move(to: cursor.line - 1, facts)
    case .command(.down): return move(to: cursor.line + 1, facts)
    case .command(.top): return move(to: 0, facts)
    case .command(.bottom): return move(to: .max, facts)
    case .command(.open): return keep(facts)
    case .command(.back), .command(.quit), .command(.interrupt): return leave()
    default: return .stay
    }
  }

  /// A click tries a theme, a second one keeps it.
  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    item == cursor.line ? keep(facts) : move(to: item, facts)
  }

  private func leave() -> LayerOutcome { .done([.setTheme(name: original, isKept: false)]) }

  @MainActor private func keep(_ facts: ViewContext) -> LayerOutcome {
    guard let name = name(facts), facts.setup.brokenThemes[name] == nil else { return .stay }
    return .done([.setTheme(name: name, isKept: true)])
  }

  /// A theme with a broken file can be selected to read the error, and changes nothing.
  @MainActor private mutating func move(to index: Int, _ facts: ViewContext) -> LayerOutcome {
    let new = min(max(0, index), max(0, facts.setup.themes.count - 1))
    guard new != cursor.line else { return .stay }
    cursor.put(line: new)
    guard let name = name(facts), facts.setup.brokenThemes[name] == nil else { return .stay }
    return .effects([.setTheme(name: name, isKept: false)])
  }

  @MainActor private func name(_ facts: ViewContext) -> String? {
    facts.setup.themes.indices.contains(cursor.line) ? facts.setup.themes[cursor.line] : nil
  }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    // Header, hints, border and the sentence below the list.
    cursor.clamp(count: facts.setup.themes.count, height: max(1, screen.height - 8))
  }

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let themes = facts.setup.themes
    let width = min(body.width, 52)
    let remark = remark(facts).wrapped(to: max(1, width - 4), limit: 4)
    let rows = min(themes.count, max(1, body.height - 3 - remark.count))
    let height = min(body.height, rows + remark.count + 3)
    let area = Rect(
      x: body.x + body.width - width, y: body.y + body.height - height, width: width,
      height: height)
    let first = min(cursor.scroll, max(0, themes.count - rows), cursor.line)
    frame.canvas.clear(area)
    let place = themes.count > rows ? PlainText("\(cursor.line + 1)/\(themes.count)") : ""
    frame.canvas.panel(title, trailing: place, in: area, isFocused: true) { canvas in
      for (y, index) in (first..<max(first, min(first + rows, themes.count))).enumerated() {
        row(index, y: y, facts, into: &canvas)
      }
      for (y, line) in remark.enumerated() {
        canvas.write(
          line, x: 1, y: rows + 1 + y, role: isBroken(cursor.line, facts) ? .negative : .muted)
      }
    }
    for (y, index) in (first..<max(first, min(first + rows, themes.count))).enumerated() {
      frame.mark(
        Rect(x: area.x + 1, y: area.y + 1 + y, width: area.width - 2, height: 1), .overlay(index))
    }
  }

  @MainActor private func row(_ index: Int, y: Int, _ facts: ViewContext, into canvas: inout Canvas)
  {
    let name = facts.setup.themes[index]
    let isSelected = index == cursor.line
    let back: Role? = isSelected ? .selection : nil
    if isSelected {
      canvas.placeCursor(y: y)
      canvas.fill(Rect(y: y, width: canvas.bounds.width, height: 1), background: back)
      canvas.write(">", y: y, role: .focus, attributes: .bold, background: back)
    }
    let note: PlainText =
      isBroken(index, facts) ? "cannot be used" : name == original ? "in use" : ""
    let room = canvas.bounds.width - 4 - note.columns
    canvas.write(
      PlainText(name, limit: 80).cut(to: room), x: 2, y: y,
      role: isBroken(index, facts) ? .faint : .text, background: back)
    canvas.writeRight(note, y: y, role: .muted, background: back)
  }

  @MainActor private func isBroken(_ index: Int, _ facts: ViewContext) -> Bool {
    facts.setup.themes.indices.contains(index)
      && facts.setup.brokenThemes[facts.setup.themes[index]] != nil
  }

  /// The description of the theme under the cursor, or its error.
  @MainActor private func remark(_ facts: ViewContext) -> PlainText {
    guard let name = name(facts) else { return "there is no theme" }
    if let problem = facts.setup.brokenThemes[name] { return PlainText(problem, limit: 300) }
    if name == "auto" { return "light or dark, as the terminal is" }
    guard facts.setup.configPath != nil else {
      return "there is no place for a configuration file: it lasts until you quit"
    }
    return "it is written to the configuration file when you keep it"
  }
}
