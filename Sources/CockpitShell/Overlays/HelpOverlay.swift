import CockpitPanes
import CockpitStores
import TerminalUI
import TerminalCore

/// The keys that work, from the live key table, over whatever else is on the screen. Typing
/// narrows the list; it scrolls when the screen is small.
package struct HelpOverlay: Layer, Hashable {
  package private(set) var search = TextField()
  private var scroll = 0
  private var words: [GlossaryEntry] = []
  /// The keys of the time line, while the past is shown.
  private var pastKeys: [GlossaryEntry] = []
  private var groups = KeyGroup.allCases
  /// The routes that commands need on the open tab.
  private var routes: [KeyAction: [BackendRoute]] = [:]

  /// - Parameters:
  ///   - words: the abbreviations of the open tab.
  ///   - group: the keys of the open tab, which come first.
  ///   - pastKeys: the keys of the time line; empty for the live bot.
  ///   - routes: the routes that a command needs there.
  package init(
    words: [GlossaryEntry] = [], group: KeyGroup? = nil, pastKeys: [GlossaryEntry] = [],
    routes: (KeyAction) -> [BackendRoute] = \.routes
  ) {
    self.words = words + [Self.servedWord]
    self.pastKeys = pastKeys
    for command in KeyAction.allCases { self.routes[command] = routes(command) }
    guard let group else { return }
    groups = [group] + groups.filter { $0 != group }
  }

  /// That it shows late which routes are missing.
  private static let servedWord = GlossaryEntry(
    "not served",
    "this backend has no such route; of routes that change something it shows at the first use")

  package var placement: LayerPlacement { .modal }

  @MainActor package mutating func handle(
    _ event: LayerEvent, _ context: LayerContext
  ) -> LayerOutcome {
    switch event {
    case .key(let press): return self.press(press, context.facts.keys)
    // A click outside closes it.
    case .click(let targets): return targets.isEmpty ? .close : .stay
    case .wheel(let lines, _): scroll = max(0, scroll + lines)
    case .paste, .drag: break
    }
    return .stay
  }

  private mutating func press(_ press: KeyPress, _ keys: KeyTable) -> LayerOutcome {
    if closes(press, keys) { return .close }
    switch (press.key, press.modifiers) {
    case (.down, []): scroll += 1
    case (.up, []): scroll = max(0, scroll - 1)
    case (.pageDown, []): scroll += 10
    case (.pageUp, []): scroll = max(0, scroll - 10)
    default:
      switch search.press(press) {
      case .cancel:
        guard !search.text.isEmpty else { return .close }
        search = TextField()
        scroll = 0
      case .accept: return .close
      case .edited: scroll = 0
      default: break
      }
    }
    return .stay
  }

  /// The keys of help and quit close it, unless they are letters of a search.
  private func closes(_ press: KeyPress, _ keys: KeyTable) -> Bool {
    if case .char = press.key, press.modifiers.subtracting(.shift).isEmpty, !search.text.isEmpty {
      return false
    }
    let match = keys.match([press])
    return match == .command(.help) || match == .command(.quit)
  }

  /// Clamps the scroll position to the content.
  @MainActor package mutating func clampSelection(_ context: LayerContext) {
    let all = lines(
      context.facts.keys, unserved: context.facts.unserved, screenWidth: context.screen.width)
    scroll = min(scroll, max(0, all.count - room(for: all.count, context.screen)))
  }

  /// Rows of the list that are in sight: the box without border, search and mouse line.
  private func room(for count: Int, _ screen: Size) -> Int {
    let body = min(screen.height, count + 6) - 3
    return max(0, body > 5 ? body - 1 : body)
  }

  private enum Line {
    case heading(PlainText)
    case binding(keys: PlainText, help: PlainText)
    case blank
  }

  /// Columns of the box: longer lines are hard to follow.
  private static let widest = 96

  private static func keyColumns(_ screenWidth: Int) -> Int {
    min(18, max(8, min(widest, screenWidth) / 4))
  }

  /// Wraps keys that do not fit beside their description: none is left out.
  private static func rows(_ keys: [String], _ columns: Int) -> [PlainText] {
    var rows: [PlainText] = []
    for key in keys.map({ PlainText($0) }) {
      if let last = rows.last, last.columns + 2 + key.columns <= columns {
        rows[rows.count - 1] = last + "  " + key
      } else {
        rows.append(key)
      }
    }
    return rows
  }

  /// - Parameter unserved: commands that rest on one of these routes say so.
  private func lines(
    _ table: KeyTable, unserved: Set<BackendRoute>, screenWidth: Int
  ) -> [Line] {
    let keyColumns = Self.keyColumns(screenWidth)
    // Minus frame, and the gaps before the keys and before the descriptions.
    let room = max(8, min(Self.widest, screenWidth) - 2 - keyColumns - 4)
    /// Descriptions are never cut: they wrap, as keys do.
    func rows(_ keys: [String], _ help: PlainText) -> [Line] {
      let keys = Self.rows(keys, keyColumns)
      let help = help.wrapped(to: room)
      return (0..<max(keys.count, help.count)).map {
        .binding(
          keys: $0 < keys.count ? keys[$0] : "", help: $0 < help.count ? help[$0] : "")
      }
    }
    let needle = search.text.lowercased()
    func matching(_ entries: [GlossaryEntry]) -> [GlossaryEntry] {
      entries.filter { entry in
        needle.isEmpty || entry.word.description.lowercased().contains(needle)
          || entry.meaning.description.lowercased().contains(needle)
      }
    }
    var lines: [Line] = []
    // They come before the keys of the tab, some of which they replace.
    let past = matching(pastKeys)
    if !past.isEmpty {
      lines.append(.heading("THE PAST"))
      lines += past.flatMap { rows([$0.word.description], $0.meaning) }
    }
    for group in groups {
      let bindings = table.bindings.filter { binding in
        guard binding.group == group else { return false }
        guard !needle.isEmpty else { return true }
        return binding.help.description.lowercased().contains(needle)
          || binding.command.rawValue.contains(needle)
          || binding.keys.contains { $0.description.lowercased() == needle }
      }
      guard !bindings.isEmpty else { continue }
      if !lines.isEmpty { lines.append(.blank) }
      lines.append(.heading(PlainText(group.rawValue)))
      for binding in bindings {
        let isServed = unserved.isDisjoint(with: routes[binding.command] ?? [])
        lines += rows(
          binding.keyTexts, isServed ? binding.help : binding.help + " (not served by this backend)"
        )
      }
    }
    let found = matching(words)
    guard !found.isEmpty else { return lines }
    if !lines.isEmpty { lines.append(.blank) }
    lines.append(.heading("words on this screen"))
    return lines + found.flatMap { rows([$0.word.description], $0.meaning) }
  }

  /// Over the whole screen, header and hints too.
  @MainActor package func render(
    _ context: LayerContext, in area: Rect, into frame: inout Frame
  ) {
    let table = context.facts.keys
    let bounds = frame.canvas.bounds
    let width = min(Self.widest, bounds.width)
    let keyColumns = Self.keyColumns(bounds.width)
    let all = lines(table, unserved: context.facts.unserved, screenWidth: bounds.width)
    let area = Rect(width: width, height: min(bounds.height, all.count + 6)).centered(in: bounds)
    frame.cover()
    frame.mark(area, .help)
    frame.canvas.clear(area)
    frame.canvas.panel("keys", trailing: "Esc closes", in: area, isFocused: true) { canvas in
      var body = canvas.bounds
      canvas.inside(body.takeTop(1)) { canvas in
        canvas.write("search ", x: 1, role: .muted)
        canvas.inside(Rect(x: 8, width: max(0, canvas.bounds.width - 9), height: 1)) { canvas in
          search.render(into: &canvas, placeholder: "type a word or a key", isFocused: true)
        }
      }
      let mouse = body.takeBottom(body.height > 6 ? 1 : 0)
      let room = body.height
      let first = min(scroll, max(0, all.count - room))
      if all.isEmpty {
        canvas.inside(body) { $0.write("nothing fits; Esc clears the search", x: 1, role: .muted) }
      }
      for line in all.dropFirst(first).prefix(room) {
        canvas.inside(body.takeTop(1)) { canvas in
          switch line {
          case .blank: break
          case .heading(let text): canvas.write(text, x: 1, role: .heading)
          case .binding(let keys, let help):
            canvas.write(keys.cut(to: keyColumns), x: 2, role: .key)
            canvas.write(help.cut(to: canvas.bounds.width - keyColumns - 4), x: keyColumns + 3)
          }
        }
      }
      canvas.inside(mouse) { canvas in
        let rest = all.count - first - room
        let more: PlainText = rest > 0 ? PlainText("\(rest) more below   ") : ""
        let text = more + "mouse: click, click again opens, wheel"
        canvas.write(text.cut(to: canvas.bounds.width - 2), x: 1, role: .muted)
      }
    }
  }
}
