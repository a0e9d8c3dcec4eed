package import Networking
package import OpenClawWire

/// A `GatewayLink` on a real socket and a real clock.
@MainActor
package final class GatewayConnection: WebSocketDelegate {
  private var link: GatewayLink
  private let transport: any WebSocketTransport
  private let clock: any LinkClock
  private let request: WebSocketRequest
  private var socket: (any WebSocketConnection)?
  private var timer: (any LinkTimer)?
  private var sleep: SleepDetector
  private let store: (String?) -> Void
  private let tell: (GatewayNotice) -> Void

  /// - Parameters:
  ///   - recovers: what is asked for after every greeting and every gap.
  ///   - store: keeps what the gateway gave this device; nil forgets it.
  ///   - tell: hears everything, on the main actor.
  package init(
    _ request: WebSocketRequest, identity: GatewayIdentity, pollsPairing: Bool,
    recovers: [GatewayRequest] = GatewayLink.everything,
    transport: any WebSocketTransport, clock: any LinkClock,
    store: @escaping (String?) -> Void, tell: @escaping (GatewayNotice) -> Void
  ) {
    link = GatewayLink(identity, pollsPairing: pollsPairing, recovers: recovers)
    self.request = request.adding(identity.headers)
    self.transport = transport
    self.clock = clock
    sleep = SleepDetector(asleepNs: clock.asleepNs)
    self.store = store
    self.tell = tell
  }

  package var hello: GatewayHello? { link.hello }
  /// When the gateway was heard last, monotonic ns; 0 before.
  package var lastHeardNs: UInt64 { link.lastHeardNs }

  /// Connects.
  package func start() { take(.start) }

  /// Tries at once.
  package func retry() { take(.retry) }

  /// Says goodbye and ends; nothing is told any more.
  package func stop() {
    timer?.cancel()
    timer = nil
    socket?.close(code: 1_000, reason: "")
    socket = nil
  }

  /// Sends a request; the answer comes as a notice with this id.
  @discardableResult
  package func send(_ request: GatewayRequest) -> String {
    let (id, commands) = link.request(request, nowNs: clock.nowNs)
    carryOut(commands)
    return id
  }

  private func take(_ input: GatewayLink.Input) {
    if sleep.slept(asleepNs: clock.asleepNs) { step(.slept) }
    step(input)
  }

  private func step(_ input: GatewayLink.Input) {
    carryOut(
      link.take(
        input, nowNs: clock.nowNs, wallMs: clock.wallMs, random: Double.random(in: 0..<1)))
  }

  private func carryOut(_ commands: [GatewayLink.Command]) {
    for command in commands {
      switch command {
      case .connect: socket = transport.connect(request, delegate: self)
      case .send(let text): socket?.send(text)
      case .close(let code, let reason): socket?.close(code: code, reason: reason)
      case .drop:
        socket?.cancel()
        socket = nil
      case .storeDeviceToken(let token): store(token)
      case .forgetDeviceToken: store(nil)
      case .tell(let notice): tell(notice)
      }
    }
    timer?.cancel()
    timer = link.wakeNs.map { due in
      clock.schedule(afterNs: due.since(clock.nowNs)) { [weak self] in self?.take(.woke) }
    }
  }

  // MARK: WebSocketDelegate

  package func opened(_ socket: any WebSocketConnection) { if isOurs(socket) { take(.opened) } }

  package func socket(_ socket: any WebSocketConnection, received text: [UInt8]) {
    if isOurs(socket) { take(.text(text)) }
  }

  package func socket(_ socket: any WebSocketConnection, receivedBinary bytes: [UInt8]) {
    if isOurs(socket) { take(.binary) }
  }

  package func socket(_ socket: any WebSocketConnection, ended end: WebSocketEnd) {
    guard isOurs(socket) else { return }
    self.socket = nil
    take(.ended(end))
  }

  private func isOurs(_ other: any WebSocketConnection) -> Bool { socket === other }
}
