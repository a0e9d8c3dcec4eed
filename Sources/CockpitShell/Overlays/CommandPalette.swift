import CockpitPanes
import TerminalUI
import CockpitAnswers
import CockpitText
import CockpitStores
import TerminalCore

/// One list of everything available: commands, questions, verbs, tabs, profiles, themes, guilds.
/// Typing narrows it, best match first; Enter runs the selection. Questions match by their
/// keywords, all else by fuzzy search.
package struct CommandPalette: Overlay {
  /// One thing that can be chosen.
  struct Item: Hashable, Sendable {
    enum Action: Hashable, Sendable {
      case command(KeyAction)
      case line(String, isWhole: Bool)
    }

    /// Its name; may contain remote text.
    var name: String
    /// Its key, or its kind.
    var mark: String
    var help: String
    var action: Action
    /// The question that it answers.
    var question: Question.ID?
  }

  private let items: [Item]
  private(set) var field = TextField()
  private var cursor = TextCursor()
  private(set) var found: [Item]
  private var height = 1

  /// - Parameters:
  ///   - here: the commands that mean something on the open tab, most useful first.
  ///   - marks: of PULSE, in the order of their letters.
  @MainActor init(
    _ reader: LineReader, here: [KeyAction], marks: [(letter: Character, mark: PulsePane.Mark)] = []
  ) {
    items =
      Self.items(reader, here: here)
      + marks.map { letter, mark in
        let time = reader.facts.clock.time(ms: mark.timeMs)
        return Item(
          name: "mark \(letter)", mark: ":", help: "\(time) \(mark.title)",
          action: .line("goto \(letter)", isWhole: true))
      }
    found = items
  }

  package var title: PlainText { "commands" }
  package var keyLine: PlainText { "Enter does it  Up Down choose  Esc closes" }

  // MARK: Entries

  @MainActor private static func items(
    _ reader: LineReader, here: [KeyAction]
  ) -> [Item] {
    let (keys, facts) = (reader.keys, reader.facts)
    let first = here.compactMap(keys.binding)
    let rest = keys.bindings.filter { !here.contains($0.command) }
    func commands(_ bindings: [KeyTable.Binding]) -> [Item] {
      bindings.filter { $0.command != .palette }.map { binding in
        Item(
          name: binding.command.rawValue, mark: binding.keys.first?.description ?? ":",
          help: binding.help.description, action: .command(binding.command))
      }
    }
    var items = commands(first) + questions(reader) + commands(rest)
    let isReadOnly = facts.isReadOnly
    for verb in reader.verbs.verbs where LineReader.reasonNotHere(verb.name) == nil {
      let below =
        verb.verbs.isEmpty ? [([verb.name], verb)] : verb.verbs.map { ([verb.name, $0.name], $0) }
      for (path, verb) in below where !(isReadOnly && LineReader.changing.contains(path)) {
        let needsWords = verb.arguments.contains { !$0.isOptional }
        let text = path.joined(separator: " ")
        items.append(
          Item(
            name: text, mark: ":", help: verb.abstract,
            action: .line(text + (needsWords ? " " : ""), isWhole: !needsWords)))
      }
    }
    items += LineReader.ownVerbs.filter { $0.name == "find" || $0.name == "filter" }.map {
      Item(
        name: $0.name + " …", mark: ":", help: $0.help, action: .line($0.name + " ", isWhole: false)
      )
    }
    items += facts.setup.profiles.filter { !$0.name.isEmpty }.map {
      Item(
        name: "profile \($0.name)", mark: ":", help: $0.url,
        action: .line("profile " + ShellWords.quoted($0.name), isWhole: true))
    }
    items += facts.setup.themes.map {
      Item(
        name: "theme \($0)", mark: ":", help: $0 == facts.setup.theme ? "in use" : "",
        action: .line("theme " + ShellWords.quoted($0), isWhole: true))
    }
    for (id, name) in facts.connection.names.guilds.sorted(by: { $0.value < $1.value }) {
      items += [
        Item(
          name: "guild \(name)", mark: ":",
          help: facts.scope.guild == id ? "all tabs are about it" : "this guild on all tabs",
          action: .line("guild " + ShellWords.quoted(id), isWhole: true)),
        Item(
          name: "rows of \(name)", mark: ":", help: "PULSE with the rows of this guild",
          action: .line("actions --guild " + ShellWords.quoted(id), isWhole: true)),
        Item(
          name: "facts of \(name)", mark: ":", help: "MEMORY with the facts of this guild",
          action: .line("facts list --guild " + ShellWords.quoted(id), isWhole: true)),
      ]
    }
    if !facts.scope.isAll {
      items.append(
        Item(
          name: "all guilds", mark: ":", help: "all tabs are about all guilds again",
          action: .line("guild off", isWhole: true)))
    }
    return items
  }

  /// The questions, each with the first of its lines that can be read here.
  @MainActor private static func questions(_ reader: LineReader) -> [Item] {
    Question.all.compactMap { question in
      let action: Item.Action? =
        switch question.target {
        case .beginning(let text): .line(text, isWhole: false)
        case .lines(let lines):
          lines.first { (try? reader.read($0)) != nil }.map { .line($0, isWhole: true) }
        }
      return action.map {
        Item(
          name: question.title, mark: "?", help: question.help, action: $0, question: question.id)
      }
    }
  }

  /// The items that fit, best first; all in their order for an empty text.
  private mutating func narrow() {
    let text = field.text.trimmingSpaces
    cursor = TextCursor()
    guard !text.isEmpty else {
      found = items
      return
    }
    let matcher = QuestionMatcher(text)
    let questions = Dictionary(
      uniqueKeysWithValues: Question.all.compactMap { question in
        matcher.score(question).map { (question.id, $0) }
      })
    found = items.enumerated().compactMap { index, item in
      let score =
        if let question = item.question {
          questions[question].map { 1000 + $0 }
        } else { Self.score(text, item) }
      return score.map { (score: $0, index: index, item: item) }
    }
    .sorted { ($1.score, $0.index) < ($0.score, $1.index) }.map(\.item)
  }

  private static func score(_ text: String, _ item: Item) -> Int? {
    // A key is found by itself, as help does.
    if item.mark == text, item.mark != ":" { return .max }
    if let score = FuzzyScore.score(words: text, in: item.name) { return 1000 + score }
    let help = item.help.lowercased()
    let words = text.lowercased().split(separator: " ")
    return words.allSatisfy { help.contains($0) } ? 100 - min(99, help.count) : nil
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    switch (press.key, press.modifiers) {
    case (.up, _), (.char("k"), .ctrl), (.tab, .shift): move(by: -1)
    case (.down, _), (.char("n"), .ctrl), (.char("p"), .ctrl), (.tab, []): move(by: 1)
    case (.pageDown, _): move(by: height)
    case (.pageUp, _): move(by: -height)
    default:
      switch field.press(press) {
      case .cancel: return .close
      case .accept: return choose(cursor.line)
      case .edited: narrow()
      default: break
      }
    }
    return .stay
  }

  private mutating func move(by step: Int) {
    guard !found.isEmpty else { return }
    let next = cursor.line + step
    if abs(step) == 1, !found.indices.contains(next) {
      cursor.put(line: (next + found.count) % found.count)
    } else {
      cursor.move(by: step, in: list)
    }
  }

  private func choose(_ index: Int) -> LayerOutcome {
    guard found.indices.contains(index) else { return .stay }
    return switch found[index].action {
    case .command(let command): .done([.perform(command)])
    case .line(let text, let isWhole): .done([.line(text, isWhole: isWhole)])
    }
  }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) {
    field.paste(text)
    narrow()
  }

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    choose(item)
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) {
    cursor.move(by: lines, in: list)
  }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    // Header, hints, border and the text field are not of the list.
    height = max(1, min(screen.height - 5, Self.tallest - 3))
    cursor.clamp(to: list)
  }

  private var list: CursorList<Never> { CursorList(count: found.count, height: height) }

  // MARK: Drawing

  private static let widest = 84
  private static let tallest = 24

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let area = Rect(
      width: min(Self.widest, body.width),
      height: min(body.height, max(4, min(Self.tallest, found.count + 3)))
    ).centered(in: body)
    let place = Rect(x: area.x, y: body.y, width: area.width, height: area.height)
    frame.canvas.clear(place)
    let count = PlainText("\(found.isEmpty ? 0 : cursor.line + 1)/\(found.count)")
    frame.canvas.panel(title, trailing: count, in: place, isFocused: true) { canvas in
      var rest = canvas.bounds
      canvas.inside(rest.takeTop(1)) { canvas in
        canvas.write(">", x: 1, role: .key, attributes: .bold)
        canvas.inside(Rect(x: 3, width: max(0, canvas.bounds.width - 4), height: 1)) {
          field.render(
            into: &$0, placeholder: "a question, part of a name, a word of its help, a key",
            isFocused: true)
        }
      }
      if found.isEmpty {
        canvas.inside(rest) { $0.write("nothing fits; C-u clears", x: 1, role: .muted) }
      }
      for (index, item) in found.enumerated().dropFirst(cursor.scroll).prefix(rest.height) {
        canvas.inside(rest.takeTop(1)) { row(item, isChosen: index == cursor.line, into: &$0) }
      }
    }
    let first = cursor.scroll
    for index in first..<max(first, min(found.count, first + place.height - 3)) {
      frame.mark(
        Rect(x: place.x + 1, y: place.y + 2 + index - first, width: place.width - 2, height: 1),
        .overlay(index))
    }
  }

  private func row(_ item: Item, isChosen: Bool, into canvas: inout Canvas) {
    let background: Role? = isChosen ? .selection : nil
    canvas.fill(canvas.bounds, background: background)
    if isChosen { canvas.write(">", role: .focus, attributes: .bold, background: background) }
    let width = canvas.bounds.width
    let nameColumns = min(34, max(16, width * 2 / 5))
    canvas.write(
      PlainText(item.name, limit: 80).cut(to: nameColumns - 1), x: 2,
      attributes: isChosen ? .bold : [], background: background)
    let markColumns = 6
    canvas.write(
      PlainText(item.mark, limit: 20).cut(to: markColumns), x: 2 + nameColumns, role: .key,
      background: background)
    let x = nameColumns + markColumns + 3
    canvas.write(
      PlainText(item.help, limit: 200).cut(to: max(0, width - x - 1)), x: x, role: .muted,
      background: background)
  }
}

extension CockpitShell {
  @MainActor mutating func openPalette(_ facts: ViewContext) {
    let marks = pulse.marks.sorted { $0.key < $1.key }.map { (letter: $0.key, mark: $0.value) }
    layers.push(
      CommandPalette(LineReader(context(facts)), here: pane.hints(on: facts), marks: marks))
  }
}
