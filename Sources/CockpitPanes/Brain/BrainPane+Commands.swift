import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  @MainActor package mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]? {
    message = nil
    let layout = layout(facts, in: body, of: screen)
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
      findField = TextField(findText, isSelected: true)
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
  @MainActor mutating func performInPanel(
    _ command: KeyAction, _ facts: ViewContext, _ layout: Layout
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

  // MARK: Levels

  package var isDeep: Bool {
    var copy = self
    return copy.close()
  }

  /// Closes one level; false if nothing is open.
  mutating func close() -> Bool {
    if panelFocus.unzoom() {
      return true
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

  mutating func step(by step: Int, _ layout: Layout) {
    panelFocus.step(by: step, in: panels(in: layout))
  }

  static func scroll(_ line: inout Int, _ command: KeyAction, page: Int) -> Bool {
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
}
