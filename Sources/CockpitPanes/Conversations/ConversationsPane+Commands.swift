import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

extension ConversationsPane {
  @MainActor package mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]? {
    message = nil
    let layout = layout(in: body, of: screen)
    switch command {
    case .nextPanel: panelFocus.step(by: 1, in: Panel.allCases)
    case .previousPanel: panelFocus.step(by: -1, in: Panel.allCases)
    case .zoom: isZoomed.toggle()
    case .left: stepChannel(by: -1, facts)
    case .right: stepChannel(by: 1, facts)
    case .filterToggle:
      showsSilences.toggle()
      message = showsSilences ? "silences are shown" : "silences are hidden"
    case .zoomOut: reachFurther(by: 1)
    case .zoomIn: reachFurther(by: -1)
    case .refresh: return facts.isHeard ? [.refetch] : nil
    case .back, .quit, .interrupt: return close()
    default: return performInPanel(command, facts, layout)
    }
    return []
  }

  @MainActor private mutating func performInPanel(
    _ command: KeyAction, _ facts: ViewContext, _ layout: Layout
  ) -> [Effect]? {
    if focus == .detail {
      let area = layout.content(.detail)
      if let move = command.listMove {
        let count = detailLines(facts, width: area.width).count
        detailCursor.perform(move, in: CursorList(count: count, height: max(1, area.height)))
        return []
      }
      return command == .open ? follow(facts, width: area.width) : nil
    }
    if let move = command.listMove {
      cursor.perform(move, in: cursorList(entries(facts), height: layout.entryCount))
      detailCursor = TextCursor()
      return []
    }
    guard command == .open else { return nil }
    guard let entry = current(facts) else {
      message = "there is no reply to open"
      return []
    }
    cursor.select(id: entry.row)
    focus = .detail
    return []
  }

  /// Enter in the detail: the row in PULSE, or the link under the cursor.
  @MainActor private mutating func follow(_ facts: ViewContext, width: Int) -> [Effect] {
    let lines = detailLines(facts, width: width)
    let line = detailCursor.line
    if lines.indices.contains(line), let url = lines[line].url {
      return [.copy(text: url, what: "the address")]
    }
    guard let entry = current(facts) else { return [] }
    return [.show(row: entry.row)]
  }

  @MainActor private mutating func stepChannel(by step: Int, _ facts: ViewContext) {
    let all: [ConversationList.Channel?] =
      [nil] + list(facts).conversations.map { Optional($0.channel) }
    let index = all.firstIndex(of: channel) ?? 0
    choose(all[((index + step) % all.count + all.count) % all.count])
  }

  mutating func choose(_ channel: ConversationList.Channel?) {
    self.channel = channel
    cursor = ListCursor()
    detailCursor = TextCursor()
    focus = .list
  }

  private mutating func reachFurther(by step: Int) {
    guard let next = Reach(rawValue: reach.rawValue + step) else {
      message = step > 0 ? "the backend keeps no more" : "24 hours are the least"
      return
    }
    reach = next
    message = "replies of " + next.title
  }

  package var isDeep: Bool { isOpen }

  /// Closes one level; the last one goes back to BRAIN, which the shell puts on the answer.
  private mutating func close() -> [Effect] {
    if panelFocus.unzoom() { return [] }
    if focus == .detail {
      focus = .list
    } else if channel != nil {
      choose(nil)
    } else {
      return [.perform(.conversations)]
    }
    return []
  }

  // MARK: Text and mouse

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] { [] }

  @MainActor package mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    message = nil
    switch target {
    case .panel(let panel): focus = panel
    case .channel(let channel): choose(channel)
    case .line(.list, let line):
      focus = .list
      let list = cursorList(entries(facts), height: layout(in: body, of: screen).entryCount)
      cursor.select(line: line, in: list)
      cursor.hold(in: list)
      detailCursor = TextCursor()
    case .line(.detail, let line):
      let isSelected = focus == .detail && detailCursor.line == line
      focus = .detail
      detailCursor.put(line: line)
      if isSelected {
        return follow(facts, width: layout(in: body, of: screen).content(.detail).width)
      }
    }
    return []
  }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) {
    let layout = layout(in: body, of: screen)
    switch target {
    case .panel(.list), .line(.list, _), .channel:
      cursor.scroll(
        by: lines, in: cursorList(entries(facts), height: layout.entryCount))
    case .panel(.detail), .line(.detail, _):
      let area = layout.content(.detail)
      let count = detailLines(facts, width: area.width).count
      detailCursor.scroll(by: lines, in: CursorList(count: count, height: max(1, area.height)))
    }
  }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, body: Rect, screen: Size) {
    prepare(facts, body: body, screen: screen)
    let layout = layout(in: body, of: screen)
    if let channel, !list(facts).conversations.contains(where: { $0.channel == channel }) {
      choose(nil)
    }
    if !layout.list.isEmpty {
      cursor.clamp(to: cursorList(entries(facts), height: layout.entryCount))
    }
    let area = layout.content(.detail)
    guard !area.isEmpty else { return }
    detailCursor.clamp(
      count: detailLines(facts, width: area.width).count, height: max(1, area.height))
  }
}
