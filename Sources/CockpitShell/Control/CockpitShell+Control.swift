import CockpitDomain
import CockpitPanes
import CockpitStores
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

  /// Has the tabs of a gateway, or those of a Clanky bot.
  mutating func showTabs(ofGateway isGateway: Bool) {
    gateway = [:]
    guard isGateway else { return }
    for tab in GatewayPane.tabs { gateway[tab] = GatewayPane(tab) }
    gateway[.memory] = GatewayMemoryPane()
    settings.hide()
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
