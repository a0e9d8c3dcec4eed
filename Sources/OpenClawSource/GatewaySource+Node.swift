internal import ClankyWire
internal import LenientJSON
internal import OpenClawWire

/// What happens to this device as a node of the gateway.
extension GatewaySource {
  /// Connects as a node too, where the profile has a command for notifications.
  func startNode() { node?.start { [weak self] in self?.hear($0) } }

  private func hear(_ news: GatewayNode.News) {
    switch news {
    case .state(let state): take(state)
    case .shown(let notification):
      give([Self.row(notification, atMs: nowMs)])
    case .failed(let notification, let problem):
      give([
        LiveRow(
          "node_notify_failed", "\(Self.words(notification)): \(problem)", atMs: nowMs)
      ])
    case .refused(let command, let reason):
      give([
        LiveRow(
          "node_command_declined", "\(command.prefix(100)): \(reason)", atMs: nowMs,
          [("command", .string(String(command.prefix(100))))])
      ])
    }
  }

  private func take(_ state: GatewayState) {
    switch state {
    case .idle, .connecting, .greeting: break
    case .connected:
      note(
        isConnected: true, node: "connected; agents may send notifications to it",
        row: "node_connected",
        "this machine is a node: agents may send notifications to it")
    case .waiting(_, let loss): note(node: "not connected: \(loss)")
    case .pairing(_, _, let refusal):
      note(node: "\(refusal)", row: "node_pairing_warning", "as a node: \(refusal)")
    case .stopped(let loss):
      note(
        node: "not connected: \(loss.sentence)", row: "node_stopped_warning",
        "not connected as a node: \(loss.sentence)")
    }
  }

  /// - Parameter row: its kind, where the change is worth one.
  private func note(
    isConnected: Bool = false, node words: String, row kind: String? = nil, _ content: String = ""
  ) {
    let node = GatewayPicture.OwnNode(isConnected: isConnected, words: words)
    guard picture.node != node else { return }
    picture.node = node
    if let kind { give([LiveRow(kind, content, atMs: nowMs)]) }
    overviewChanged()
  }

  private static func words(_ notification: SystemNotification) -> String {
    [notification.title, notification.body].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  private static func row(_ notification: SystemNotification, atMs: Int64) -> LiveRow {
    let level =
      switch notification.priority {
      case .passive: "passive"
      case .active, nil: "notify"
      case .timeSensitive: "active"
      }
    return LiveRow(
      "attention", words(notification), atMs: atMs,
      [
        ("level", .string(level)), ("command", .string(SystemNotification.command)),
        ("title", .string(notification.title)), ("body", .string(notification.body)),
        ("priority", notification.priority.map { .string($0.rawValue) }),
      ])
  }
}
