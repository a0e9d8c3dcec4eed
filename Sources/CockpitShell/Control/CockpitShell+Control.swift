import CockpitDomain
import CockpitPanes
import CockpitStores
import TerminalCore
import TerminalUI

extension CockpitShell {
  /// Whether the owner looks at what waits.
  package var isControlOpen: Bool { layers.first(ControlCard.self) != nil }

  /// The card above the hints; nil where nothing asks for one, in a form, and on a short screen, whose line says it.
  @MainActor func dockedCard(_ facts: ViewContext) -> DockedCard? {
    guard facts.attention?.cards.isEmpty == false, !layers.isModal,
      LayoutClass(size).height > .short
    else { return nil }
    return DockedCard(facts, key: keys.text(.triage), size: size)
  }

  /// A red frame around the tab while an agent may use something of this machine.
  func markControl(_ tab: Rect, in canvas: inout Canvas) {
    canvas.recolor(tab, from: .border, to: .negative)
    for x in [tab.x, tab.maxX - 1] {
      canvas.recolor(
        Rect(x: x, y: tab.y, width: 1, height: tab.height), role: .negative, attributes: .reverse)
    }
  }

  /// Switches to the tabs of the shown source's kind.
  @MainActor mutating func fitTabs(_ facts: ViewContext) {
    // Merged PULSE shows the rows of all sources, so it stays the feed.
    let talkTabs = Tab.allCases.filter { $0 != .pulse || !facts.isMerged }
    let isFit =
      if facts.isChatServer {
        Set(gateway.keys) == Set(talkTabs) && gateway[.cmd] is ChatServerPane
      } else if facts.isService {
        (gateway[.cmd] as? ServicePane)?.isOf(facts.kind) ?? false
      } else {
        facts.isGateway ? gateway[.cmd] is GatewayPane : gateway.isEmpty
      }
    guard !isFit else { return }
    gateway = [:]
    guard facts.isGateway else { return }
    settings.hide()
    if facts.isChatServer {
      for tab in talkTabs { gateway[tab] = ChatServerPane(tab) }
    } else if facts.isService {
      for tab in ServicePane.tabs { gateway[tab] = ServicePane(tab, of: facts.kind) }
    } else {
      for tab in GatewayPane.tabs { gateway[tab] = GatewayPane(tab) }
      gateway[.memory] = GatewayMemoryPane()
    }
  }

  /// The outcome of an answer to something that waits.
  package mutating func take(_ outcome: ControlOutcome) {
    layers.change(ControlCard.self) { $0.take(outcome) }
  }

  /// A step of stopping everything.
  package mutating func take(_ step: ControlStep) {
    layers.change(ControlCard.self) { $0.take(step) }
  }
}
