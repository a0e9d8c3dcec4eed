import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  @MainActor mutating func performInCalls(
    _ command: KeyAction, _ facts: ViewContext, _ layout: Layout
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

  mutating func group(_ isGrouped: Bool) {
    self.isGrouped = isGrouped
    anchor = nil
    // The same call stays selected; a heading is there only while there are groups.
    if case .model? = cursor, !isGrouped { cursor = nil }
  }

  @MainActor mutating func moveCall(by step: Int, _ facts: ViewContext, _ page: Int) {
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

  @MainActor mutating func open(_ facts: ViewContext) {
    let lines = callLines(facts)
    guard !lines.isEmpty else { return }
    if case .model(let group) = lines[index(of: cursor, in: lines)] {
      if closedModels.remove(group.model) == nil { closedModels.insert(group.model) }
      cursor = .model(group.model)
      return
    }
    if side == .detail { focus = .prompt } else { showDetail(facts) }
  }

  @MainActor mutating func showDetail(_ facts: ViewContext) {
    guard let call = selectedCall(facts) else {
      message = "no model call to open"
      return
    }
    if cursor == nil { cursor = .row(call.row) }
    side = .detail
    detail.show(call.row)
  }

  mutating func toggleRaw() {
    if case .raw = side {
      side = .prompt
    } else if focus == .prompt, side == .detail {
      detail.toggleRaw()
    } else {
      side = .raw(focus)
      detail.cursor = ListCursor()
    }
  }

  /// The newest of everything again.
  mutating func follow() {
    cursor = nil
    anchor = nil
    answer = nil
    version = nil
  }

  /// The first line of the calls in sight.
  func callTop(_ lines: [CallLine], height: Int) -> Int {
    let anchored = anchor == nil ? 0 : index(of: anchor, in: lines)
    let selected = index(of: cursor, in: lines)
    var top = anchored
    if cursor != nil {
      top = min(max(top, selected - height + 1), selected)
    }
    return max(0, min(top, lines.count - height))
  }
}
