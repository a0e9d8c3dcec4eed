import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  @MainActor package mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    message = nil
    let layout = layout(facts, in: body, of: screen)
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
      promptCursor.put(line: line)
      if let document = document(facts, layout), document.place(of: line)?.offset == 0 {
        toggleSection(at: line, facts, layout)
      }
    case .detailLine(let line):
      focus = .prompt
      detail.cursor.put(line: line)
      detail.wantsToggle = true
    case .fact(let index):
      let used = usedFacts(facts).facts
      if focus == .facts, factCursor.line == index, used.indices.contains(index) {
        show(used[index].fact)
      }
      focus = .facts
      factCursor.put(line: index)
    }
    return []
  }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) {
    let layout = layout(facts, in: body, of: screen)
    switch target {
    case .panel(.calls):
      let all = callLines(facts)
      let height = max(1, layout.content(.calls).height)
      guard !all.isEmpty else { return }
      let top = min(max(0, callTop(all, height: height) + lines), max(0, all.count - height))
      // Keep the selection visible: at the edge the wheel moves it.
      let selected = min(max(index(of: cursor, in: all), top), top + height - 1)
      anchor = all[top].id
      if cursor != nil || top > 0 { cursor = all[min(selected, all.count - 1)].id }
    case .panel(.prompt):
      if side == .prompt {
        promptCursor.shift(by: lines)
      } else {
        detail.scroll(by: lines)
      }
    case .panel(.facts): factCursor.put(line: max(0, factCursor.line + lines))
    case .panel(.context): contextScroll = max(0, contextScroll + lines)
    case .panel(.chain): chainScroll = max(0, chainScroll + lines)
    default: break
    }
  }
}
