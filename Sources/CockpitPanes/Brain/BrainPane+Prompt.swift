import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  @MainActor mutating func performInPrompt(
    _ command: KeyAction, _ facts: ViewContext, _ layout: Layout
  ) -> Bool {
    switch command {
    case .left: stepVersion(by: -1, facts)
    case .right: stepVersion(by: 1, facts)
    case .open: toggleSection(at: promptCursor.line, facts, layout)
    default:
      guard let move = command.listMove else { return false }
      promptCursor.step(move, page: promptHeight(layout))
    }
    return true
  }

  @MainActor mutating func toggleSection(at line: Int, _ facts: ViewContext, _ layout: Layout) {
    guard let document = document(facts, layout), let place = document.place(of: line) else {
      return
    }
    let section = document.sections[place.section]
    // The beginning of a part is unfolded to all of it.
    if section.isOpen, !section.isCut {
      unfolded.remove(section.id)
      folded.insert(section.id)
    } else {
      unfolded.insert(section.id)
      folded.remove(section.id)
    }
    promptCursor.put(line: document.start(of: place.section))
  }

  @MainActor mutating func stepSource(by step: Int, _ facts: ViewContext) {
    let sources = sources(facts)
    let index = sources.firstIndex(of: shownSource(facts)) ?? 0
    choose(sources[((index + step) % sources.count + sources.count) % sources.count])
  }

  mutating func choose(_ source: PromptSource) {
    self.source = source
    side = .prompt
    version = nil
    promptCursor = TextCursor()
  }

  /// Left is older.
  @MainActor mutating func stepVersion(by step: Int, _ facts: ViewContext) {
    guard case .live(let kind) = shownSource(facts), let session = session(facts) else {
      message = "versions are kept of the live session's prompts"
      return
    }
    let numbers = facts.voice.brain.prompts.versions(of: session.sessionID, kind).map(\.number)
    guard let newest = numbers.last, let oldest = numbers.first else { return }
    let wanted = (version ?? newest) + step
    if wanted < oldest {
      message = "v\(oldest) is the oldest version that is kept"
    } else if wanted >= newest {
      version = nil
      if wanted > newest { message = "v\(newest) is the newest version" }
    } else {
      version = wanted
    }
  }

  @MainActor mutating func compare(_ facts: ViewContext) {
    side = .prompt
    isComparing.toggle()
    guard isComparing, let prompt = inspected(facts) else { return }
    guard let previous = prompt.previous else {
      message = "there is no earlier version to compare with yet"
      return
    }
    // Unfold the changed parts.
    for part in prompt.content.parts
    where previous[part.key].map({ !$0.isIdentical(to: part) }) ?? true {
      unfolded.insert(.part(part.key))
    }
  }

  @MainActor mutating func page(_ facts: ViewContext) -> [Effect] {
    if side != .prompt, let lines = sideLines(facts, width: 100) {
      let text = lines.map { line in
        String(repeating: "  ", count: line.indent)
          + line.spans.map(\.text.description).joined(separator: " ")
      }
      return [.page(text: text.joined(separator: "\n"))]
    }
    if focus == .context || focus == .budget {
      let lines = contextLines(facts, width: 100)
      return [
        .page(
          text: lines.map { $0.spans.map(\.text.description).joined(separator: " ") }
            .joined(separator: "\n"))
      ]
    }
    guard let prompt = inspected(facts), !prompt.content.parts.isEmpty else {
      message = "there is no prompt to open"
      return []
    }
    let text = prompt.content.parts.map { part in
      "===== \(PromptDocument.title(part, of: prompt.content).uppercased()) \(part.length) ch =====\n\(part.text)\n"
    }
    return [.page(text: text.joined(separator: "\n"))]
  }
}
