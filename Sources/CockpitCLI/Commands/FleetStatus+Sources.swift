import CockpitSession
import CockpitStores
import CockpitText
import TerminalCore

extension FleetStatus {
  /// A bot after one look.
  init(_ overview: BotOverview, named name: String) {
    self.init(
      name: name, state: overview.health.rawValue, level: overview.triage.first?.level,
      worst: overview.worst ?? overview.detail, figures: overview.figures, code: overview.exitCode)
    switch overview.health {
    case .healthy, .degraded: word = overview.botWord ?? "bot ?"
    // What a bot says that is not heard is not known.
    case .unreachable, .unauthorized: break
    }
    let others = overview.triage.count - 1
    if others > 0 { worst?.append(" +\(others) more") }
  }
}

extension GatewayStatusText {
  /// The same of a gateway. One look asks for none of its rows: its figures are not known.
  func fleet(named name: String) -> FleetStatus {
    var fleet = FleetStatus(name: name, state: state, code: exitCode)
    if let failure {
      fleet.worst = failure.description
      return fleet
    }
    guard let board = control.board, board.canAnswer else {
      fleet.word = "wait ?"
      fleet.worst = complaints.first
      return fleet
    }
    fleet.word =
      waiting.isEmpty ? "none waits" : waiting.count == 1 ? "1 waits" : "\(waiting.count) wait"
    let next = waiting.first.map { "\($0.kindWords): \(shown($0.subject))" }
    fleet.worst = next ?? complaints.first
    fleet.level = isQuiet ? nil : "warning"
    return fleet
  }
}
