package import Networking
package import OpenClawWire

/// Shows notifications with the user's command.
@MainActor
package protocol NotificationRunner: AnyObject {
  /// - Parameter done: called once, with one sentence if it failed; not called after `stop`.
  func show(
    _ notification: SystemNotification, done: @escaping @MainActor (_ problem: String?) -> Void)
  /// Kills what runs.
  func stop()
}

/// This device as a node of a gateway: a second connection, on which agents may ask for notifications.
@MainActor
package final class GatewayNode {
  /// What it tells.
  package enum News: Sendable, Equatable {
    case state(GatewayState)
    case shown(SystemNotification)
    /// - Parameter problem: one sentence.
    case failed(SystemNotification, problem: String)
    /// A command that was not carried out, and the reason that the agent was given.
    case refused(command: String, reason: String)
  }

  private let make: @MainActor (GatewayNode) -> GatewayConnection
  private let runner: any NotificationRunner
  private let clock: any LinkClock
  private var connection: GatewayConnection?
  private var desk = NodeDesk()
  private var tell: @MainActor (News) -> Void = { _ in }

  /// - Parameters:
  ///   - identity: that of the device in the role of a node (`GatewayIdentity.asNode`).
  ///   - store: saves the device token of this role; nil deletes the saved one.
  package init(
    _ request: WebSocketRequest, identity: GatewayIdentity, runner: any NotificationRunner,
    transport: any WebSocketTransport, clock: any LinkClock,
    store: @escaping @MainActor (String?) -> Void
  ) {
    self.runner = runner
    self.clock = clock
    make = { node in
      GatewayConnection(
        request, identity: identity, pollsPairing: true, recovers: [], transport: transport,
        clock: clock, store: store, tell: { [weak node] in node?.hear($0) })
    }
  }

  /// Connects, once.
  package func start(_ tell: @escaping @MainActor (News) -> Void) {
    guard connection == nil else { return }
    self.tell = tell
    let connection = make(self)
    self.connection = connection
    connection.start()
  }

  package func stop() {
    runner.stop()
    connection?.stop()
    connection = nil
    tell = { _ in }
  }

  /// Tries at once, and takes notifications again.
  package func retry() {
    desk.isFrozen = false
    connection?.retry()
  }

  /// Refuses everything until `retry`.
  package func freeze() { desk.isFrozen = true }

  private func hear(_ notice: GatewayNotice) {
    switch notice {
    case .state(let state): tell(.state(state))
    case .event(let event): if let invocation = NodeInvocation(event) { serve(invocation) }
    // Lists are not asked for, and the gateway's word on a result changes nothing here.
    case .hello, .listed, .recovered, .gap, .answer, .unread: break
    }
  }

  private func serve(_ invocation: NodeInvocation) {
    switch desk.take(invocation, nowNs: clock.nowNs) {
    case .known: answer(invocation)
    case .refuse(let failure, let isNews):
      answer(invocation, failure)
      if isNews { tell(.refused(command: invocation.command, reason: failure.message)) }
    case .show(let notification):
      tell(.shown(notification))
      runner.show(notification) { [weak self] problem in
        guard let self else { return }
        desk.ended(invocation, hasFailed: problem != nil)
        answer(invocation, problem.map { NodeResult.Failure("UNAVAILABLE", $0) })
        if let problem { tell(.failed(notification, problem: problem)) }
      }
    }
  }

  private func answer(_ invocation: NodeInvocation, _ failure: NodeResult.Failure? = nil) {
    connection?.send(.nodeResult(NodeResult(invocation, failure: failure)))
  }
}
