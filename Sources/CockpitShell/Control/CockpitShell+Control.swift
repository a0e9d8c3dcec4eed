import CockpitDomain
import CockpitPanes

extension CockpitShell {
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
