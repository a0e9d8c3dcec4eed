internal import CockpitChat
internal import LenientJSON
package import Networking
package import OpenClawWire

/// A connection to a gateway for conversations alone: no rows, no lists.
@MainActor
package final class GatewayTalk: GatewayPort {
  private var connection: GatewayConnection?
  private var pending: [String: @MainActor (Result<JSONValue, RequestFailure>) -> Void] = [:]
  /// Answers that came before `send` returned.
  private var early: [String: Result<JSONValue, RequestFailure>] = [:]
  private var scopes: [String]
  private var live = false
  let clock: any LinkClock
  private let onState: @MainActor (GatewayState) -> Void
  package private(set) lazy var chat = GatewayChat(self)

  /// - Parameters:
  ///   - store: keeps what the gateway gave this device, with its scopes; nil forgets it.
  ///   - onState: called with each change of the connection's state.
  package init(
    _ request: WebSocketRequest, identity: GatewayIdentity, transport: any WebSocketTransport,
    clock: any LinkClock, store: @escaping @MainActor (String?, _ granted: [String]) -> Void,
    onState: @escaping @MainActor (GatewayState) -> Void
  ) {
    self.clock = clock
    self.onState = onState
    scopes = identity.scopes
    connection = GatewayConnection(
      request, identity: identity, pollsPairing: false, recovers: [.subscribeSessions],
      transport: transport, clock: clock,
      store: { [weak self] in store($0, self?.connection?.hello?.scopes ?? []) },
      tell: { [weak self] in self?.hear($0) })
  }

  package func start() { connection?.start() }

  package func stop() {
    live = false
    connection?.stop()
    chat.closed("The connection was closed here.")
    pending = [:]
  }

  package var defaultAgent: String? { greeting?.defaultAgentId }

  var isLive: Bool { live }
  package var greeting: GatewayHello? { connection?.hello }

  func holds(_ scope: String) -> Bool {
    guard let greeting else { return false }
    // Protocol 3 may tell no scopes at all.
    let granted =
      greeting.scopes.isEmpty && greeting.protocolVersion < 4 ? scopes : greeting.scopes
    return granted.contains(scope) || granted.contains("operator.admin")
  }

  func send(
    _ request: GatewayRequest,
    _ done: @escaping @MainActor (Result<JSONValue, RequestFailure>) -> Void
  ) {
    guard let connection, live else {
      _ = clock.schedule(afterNs: 0) { done(.failure(.disconnected)) }
      return
    }
    early = [:]
    let id = connection.send(request)
    if let result = early.removeValue(forKey: id) {
      _ = clock.schedule(afterNs: 0) { done(result) }
    } else {
      pending[id] = done
    }
  }

  private func hear(_ notice: GatewayNotice) {
    switch notice {
    case .state(let state):
      let wasLive = live
      live = state == .connected
      switch state {
      case .stopped(let loss): chat.closed(loss.sentence)
      case .pairing(_, _, let refusal): chat.closed("\(refusal)")
      default: if wasLive, !live { chat.lost() }
      }
      onState(state)
    case .hello: chat.recover()
    case .gap: chat.recover()
    case .event(let event): chat.hear(event)
    case .answer(let id, let result):
      if let done = pending.removeValue(forKey: id) { done(result) } else { early[id] = result }
    case .listed, .recovered, .unread: break
    }
  }
}
