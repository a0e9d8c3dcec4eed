import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  @MainActor package mutating func perform(
    _ command: CockpitCommand, on facts: Facts, body: Rect, screen: Size
  ) -> [Effect]? {
    notice = nil
    let layout = layout(in: body, of: screen)
    let wasByModel = order == .model
    switch command {
    case .nextPanel: step(by: 1, layout)
    case .previousPanel: step(by: -1, layout)
    case .zoom: isZoomed.toggle()
    case .nextTurn: walkAnswers(by: 1, facts)
    case .previousTurn: walkAnswers(by: -1, facts)
    case .nextView: stepSource(by: 1, facts)
    case .previousView: stepSource(by: -1, facts)
    case .sort:
      // Grouping is the order after the last.
      if isGrouped || order != .model { order = order.next }
      group(!isGrouped && order == .model && wasByModel)
    case .compare: compare(facts)
    case .pager: return page(facts)
    case .find:
      side = .prompt
      focus = .prompt
      isFinding = true
      findField = TextField(findText)
    case .findNext: find(1, facts, layout)
    case .findPrevious: find(-1, facts, layout)
    case .rawJSON: toggleRaw()
    case .detailPage:
      if side == .detail { detail.nextPage() } else { showDetail(facts) }
    case .wrap: detail.isWrapping.toggle()
    case .follow: follow()
    case .back, .quit, .interrupt: return close() ? [] : nil
    default: return performInPanel(command, facts, layout) ? [] : nil
    }
    return []
  }

  /// Commands that mean the focused panel.
  @MainActor private mutating func performInPanel(
    _ command: CockpitCommand, _ facts: Facts, _ layout: Layout
  ) -> Bool {
    switch focus {
    case .calls: performInCalls(command, facts, layout)
    case .prompt:
      side == .prompt
        ? performInPrompt(command, facts, layout)
        : detail.perform(command, page: max(1, layout.content(.prompt).height))
    case .facts: performInFacts(command, facts, layout)
    case .context:
      Self.scroll(&contextScroll, command, page: layout.content(.context).height)
    case .chain: Self.scroll(&chainScroll, command, page: layout.content(.chain).height)
    case .budget: stepSession(command, facts)
    }
  }

  // MARK: Calls

  @MainActor private mutating func performInCalls(
    _ command: CockpitCommand, _ facts: Facts, _ layout: Layout
  ) -> Bool {
    let page = max(1, layout.content(.calls).height)
    switch command {
    case .down: moveCall(by: 1, facts, page)
    case .up: moveCall(by: -1, facts, page)
    case .halfPageDown: moveCall(by: page / 2, facts, page)
    case .halfPageUp: moveCall(by: -page / 2, facts, page)
    case .pageDown: moveCall(by: page, facts, page)
    case .pageUp: moveCall(by: -page, facts, page)
    case .bottom: moveCall(by: .max / 2, facts, page)
    case .top: follow()
    case .left, .right: group(command == .right)
    case .open: open(facts)
    default: return false
    }
    return true
  }

  private mutating func group(_ isGrouped: Bool) {
    self.isGrouped = isGrouped
    cursor = nil
    anchor = nil
  }

  @MainActor private mutating func moveCall(by step: Int, _ facts: Facts, _ page: Int) {
    let lines = callLines(facts)
    guard !lines.isEmpty else { return }
    let now = index(of: cursor, in: lines)
    let next = min(max(0, now.addingReportingOverflow(step).partialValue), lines.count - 1)
    select(lines[next].id, in: lines, page: page)
  }

  mutating func select(_ id: CallID, in lines: [CallLine], page: Int) {
    let top = callTop(lines, height: page)
    cursor = id
    answer = nil
    if !lines.isEmpty { anchor = lines[min(top, lines.count - 1)].id }
    anchor = lines.isEmpty ? nil : lines[callTop(lines, height: page)].id
    if case .row(let row) = id { detail.show(row) }
    chainScroll = 0
  }

  @MainActor private mutating func open(_ facts: Facts) {
    let lines = callLines(facts)
    guard !lines.isEmpty else { return }
    if case .model(let group) = lines[index(of: cursor, in: lines)] {
      if closedModels.remove(group.model) == nil { closedModels.insert(group.model) }
      cursor = .model(group.model)
      return
    }
    if side == .detail { focus = .prompt } else { showDetail(facts) }
  }

  @MainActor private mutating func showDetail(_ facts: Facts) {
    guard let call = selectedCall(facts) else {
      notice = "no model call to open"
      return
    }
    if cursor == nil { cursor = .row(call.row) }
    side = .detail
    detail.show(call.row)
  }

  private mutating func toggleRaw() {
    if case .raw = side {
      side = .prompt
    } else if focus == .prompt, side == .detail {
      detail.toggleRaw()
    } else {
      side = .raw(focus)
      detail.scroll = 0
      detail.line = 0
    }
  }

  /// The newest of everything again.
  mutating func follow() {
    cursor = nil
    anchor = nil
    answer = nil
    version = nil
  }

  // MARK: Prompt

  @MainActor private mutating func performInPrompt(
    _ command: CockpitCommand, _ facts: Facts, _ layout: Layout
  ) -> Bool {
    let page = promptHeight(layout)
    switch command {
    case .down: promptLine += 1
    case .up: promptLine -= 1
    case .halfPageDown: promptLine += page / 2
    case .halfPageUp: promptLine -= page / 2
    case .pageDown: promptLine += page
    case .pageUp: promptLine -= page
    case .top: promptLine = 0
    case .bottom: promptLine = .max / 2
    case .left: stepVersion(by: -1, facts)
    case .right: stepVersion(by: 1, facts)
    case .open: toggleSection(at: promptLine, facts, layout)
    default: return false
    }
    return true
  }

  @MainActor mutating func toggleSection(at line: Int, _ facts: Facts, _ layout: Layout) {
    guard let document = document(facts, layout), let place = document.place(of: line) else {
      return
    }
    let id = document.sections[place.section].id
    if unfolded.remove(id) == nil { unfolded.insert(id) }
    promptLine = document.start(of: place.section)
  }

  @MainActor private mutating func stepSource(by step: Int, _ facts: Facts) {
    let sources = sources(facts)
    let index = sources.firstIndex(of: shownSource(facts)) ?? 0
    choose(sources[((index + step) % sources.count + sources.count) % sources.count])
  }

  mutating func choose(_ source: PromptSource) {
    self.source = source
    side = .prompt
    version = nil
    promptLine = 0
    promptScroll = 0
  }

  /// Left is older.
  @MainActor private mutating func stepVersion(by step: Int, _ facts: Facts) {
    guard case .live(let kind) = shownSource(facts), let session = session(facts) else {
      notice = "versions are kept of the live session's prompts"
      return
    }
    let numbers = facts.voice.brain.prompts.versions(of: session.sessionID, kind).map(\.number)
    guard let newest = numbers.last, let oldest = numbers.first else { return }
    let wanted = (version ?? newest) + step
    if wanted < oldest {
      notice = "v\(oldest) is the oldest version that is kept"
    } else if wanted >= newest {
      version = nil
      if wanted > newest { notice = "v\(newest) is the newest version" }
    } else {
      version = wanted
    }
  }

  @MainActor private mutating func compare(_ facts: Facts) {
    side = .prompt
    isComparing.toggle()
    guard isComparing, let prompt = inspected(facts) else { return }
    guard let previous = prompt.previous else {
      notice = "there is no earlier version to compare with yet"
      return
    }
    // What changed is what one wants to see.
    for part in prompt.content.parts
    where previous[part.key].map({ !$0.isSame(as: part) }) ?? true {
      unfolded.insert(.part(part.key))
    }
  }

  @MainActor private mutating func page(_ facts: Facts) -> [Effect] {
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
      notice = "there is no prompt to open"
      return []
    }
    let text = prompt.content.parts.map { part in
      "===== \(PromptDocument.title(part, of: prompt.content).uppercased()) \(part.length) ch =====\n\(part.text)\n"
    }
    return [.page(text: text.joined(separator: "\n"))]
  }

  // MARK: Finding

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: Facts, body: Rect, screen: Size
  ) -> [Effect] {
    switch findField.press(press) {
    case .accept:
      isFinding = false
      findText = findField.text
      promptLine -= 1  // a hit under the cursor counts
      find(1, facts, layout(in: body, of: screen))
    case .cancel:
      isFinding = false
      findText = ""
    case .edited:
      findText = findField.text
    default: break
    }
    return []
  }

  @MainActor package mutating func paste(_ text: String, on facts: Facts) {
    guard isFinding else {
      notice = "a paste is text: press / first, then paste"
      return
    }
    findField.paste(text)
    findText = findField.text
  }

  @MainActor private mutating func find(_ step: Int, _ facts: Facts, _ layout: Layout) {
    guard !findText.isEmpty else {
      notice = "press / and type what to find in the prompt"
      return
    }
    side = .prompt
    focus = .prompt
    guard let prompt = inspected(facts) else {
      notice = "there is no prompt to search"
      return
    }
    // Folded parts are searched too, and opened where something is found.
    let needle = PlainText(findText, limit: 200)
    for part in prompt.content.parts where !unfolded.contains(.part(part.key)) {
      let isHit = PlainText.lines(part.text, limit: 20_000).contains {
        !$0.ranges(of: needle).isEmpty
      }
      if isHit { unfolded.insert(.part(part.key)) }
    }
    let width = PromptPanel.textWidth(layout.content(.prompt))
    let hits = promptHits(facts, width: width)
    let next = step > 0 ? hits.first { $0 > promptLine } : hits.last { $0 < promptLine }
    guard let hit = next ?? (step > 0 ? hits.first : hits.last) else {
      notice = "no hit for \"" + PlainText(findText, limit: 60) + "\""
      promptLine = max(0, promptLine)
      return
    }
    if next == nil { notice = step > 0 ? "from the top again" : "from the end again" }
    promptLine = hit
  }

  // MARK: Facts and sessions

  @MainActor private mutating func performInFacts(
    _ command: CockpitCommand, _ facts: Facts, _ layout: Layout
  ) -> Bool {
    if command == .open {
      let used = usedFacts(facts).facts
      guard used.indices.contains(factLine) else { return true }
      show(used[factLine].fact)
      return true
    }
    return Self.scroll(&factLine, command, page: layout.content(.facts).height)
  }

  mutating func show(_ fact: Fact) {
    wantedFact = FactReference(id: fact.id, subject: fact.subject, fact: fact.fact ?? "")
  }

  @MainActor private mutating func stepSession(_ command: CockpitCommand, _ facts: Facts) -> Bool {
    guard command == .left || command == .right else { return false }
    let ids = (facts.voice.state?.sessions ?? []).map(\.sessionID)
    guard ids.count > 1, let index = ids.firstIndex(of: session(facts)?.sessionID ?? "") else {
      return true
    }
    look(at: ids[(index + (command == .right ? 1 : ids.count - 1)) % ids.count])
    return true
  }

  mutating func look(at session: String) {
    sessionID = session
    version = nil
    promptLine = 0
    promptScroll = 0
    factLine = 0
    contextScroll = 0
  }

  private static func scroll(_ line: inout Int, _ command: CockpitCommand, page: Int) -> Bool {
    switch command {
    case .down: line += 1
    case .up: line = max(0, line - 1)
    case .halfPageDown: line += page / 2
    case .halfPageUp: line = max(0, line - page / 2)
    case .pageDown: line += page
    case .pageUp: line = max(0, line - page)
    case .top: line = 0
    case .bottom: line = .max / 2
    default: return false
    }
    return true
  }

  // MARK: Levels

  /// Closes one level; false when nothing is open.
  private mutating func close() -> Bool {
    if isZoomed {
      isZoomed = false
    } else if side != .prompt {
      side = .prompt
      if focus == .prompt { focus = .calls }
    } else if !findText.isEmpty {
      findText = ""
    } else if isComparing {
      isComparing = false
    } else if version != nil || answer != nil {
      version = nil
      answer = nil
    } else if focus != .calls {
      focus = .calls
    } else {
      return false
    }
    return true
  }

  private mutating func step(by step: Int, _ layout: Layout) {
    let panels = panels(in: layout)
    let index = panels.firstIndex(of: focus) ?? 0
    focus = panels[((index + step) % panels.count + panels.count) % panels.count]
  }

  // MARK: Mouse

  @MainActor package mutating func press(
    _ target: Target, on facts: Facts, body: Rect, screen: Size
  ) -> [Effect] {
    notice = nil
    let layout = layout(in: body, of: screen)
    switch target {
    case .panel(let panel): focus = panel
    case .session(let id): look(at: id)
    case .source(let source):
      focus = .prompt
      choose(source)
    case .call(let id):
      let isAgain = cursor == id && focus == .calls
      focus = .calls
      if isAgain {
        open(facts)
      } else {
        select(id, in: callLines(facts), page: max(1, layout.content(.calls).height))
        if case .model = id { open(facts) }
      }
    case .order: return perform(.sort, on: facts, body: body, screen: screen) ?? []
    case .promptLine(let line):
      focus = .prompt
      promptLine = line
      if let document = document(facts, layout), document.place(of: line)?.offset == 0 {
        toggleSection(at: line, facts, layout)
      }
    case .detailLine(let line):
      focus = .prompt
      detail.line = line
      detail.wantsToggle = true
    case .fact(let index):
      let used = usedFacts(facts).facts
      if focus == .facts, factLine == index, used.indices.contains(index) {
        show(used[index].fact)
      }
      focus = .facts
      factLine = index
    }
    return []
  }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: Facts, body: Rect, screen: Size
  ) {
    let layout = layout(in: body, of: screen)
    switch target {
    case .panel(.calls):
      let all = callLines(facts)
      let height = max(1, layout.content(.calls).height)
      guard !all.isEmpty else { return }
      let top = min(max(0, callTop(all, height: height) + lines), max(0, all.count - height))
      // The selection stays in sight: the wheel takes it along at the edge.
      let selected = min(max(index(of: cursor, in: all), top), top + height - 1)
      anchor = all[top].id
      if cursor != nil || top > 0 { cursor = all[min(selected, all.count - 1)].id }
    case .panel(.prompt):
      if side == .prompt {
        promptScroll = max(0, promptScroll + lines)
        promptLine = max(0, promptLine + lines)
      } else {
        detail.scroll(by: lines)
      }
    case .panel(.facts): factLine = max(0, factLine + lines)
    case .panel(.context): contextScroll = max(0, contextScroll + lines)
    case .panel(.chain): chainScroll = max(0, chainScroll + lines)
    default: break
    }
  }

  // MARK: Settling

  /// Brings cursors and scroll positions into what there is to show.
  @MainActor package mutating func settle(_ facts: Facts, body: Rect, screen: Size) {
    let layout = layout(in: body, of: screen)
    switch side {
    case .prompt:
      let height = promptHeight(layout)
      let count = document(facts, layout)?.count ?? 0
      promptLine = min(max(0, promptLine), max(0, count - 1))
      if promptLine < promptScroll { promptScroll = promptLine }
      if promptLine >= promptScroll + height { promptScroll = promptLine - height + 1 }
      promptScroll = max(0, min(promptScroll, count - height))
    case .detail, .raw:
      let area = layout.content(.prompt)
      guard !area.isEmpty, let lines = sideLines(facts, width: area.width) else { break }
      detail.settle(lines, height: max(1, area.height))
    }
    let factHeight = layout.content(.facts).height
    factLine = min(max(0, factLine), max(0, usedFacts(facts).facts.count - 1))
    if factLine < factScroll { factScroll = factLine }
    if factHeight > 0, factLine >= factScroll + factHeight {
      factScroll = factLine - factHeight + 1
    }
    let context = layout.content(.context)
    if !context.isEmpty {
      let count = contextLines(facts, width: context.width).count
      contextScroll = max(0, min(contextScroll, count - context.height))
    }
    chainScroll = max(0, min(chainScroll, 200))
  }
}
