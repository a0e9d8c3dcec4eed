internal import CompanionWire
internal import DeviceKeys
internal import Networking

/// A `CompanionLink` on a real socket and a real clock.
@MainActor
final class CompanionConnection: WebSocketDelegate {
  private var link: CompanionLink
  private let transport: any WebSocketTransport
  private let clock: any LinkClock
  private let request: WebSocketRequest
  private var socket: (any WebSocketConnection)?
  private var timer: (any LinkTimer)?
  private var sleep: SleepDetector
  private let tell: (CompanionLink.Notice) -> Void

  init(
    _ request: WebSocketRequest, key: DeviceKey, transport: any WebSocketTransport,
    clock: any LinkClock, tell: @escaping (CompanionLink.Notice) -> Void
  ) {
    link = CompanionLink(key: key)
    self.request = request
    self.transport = transport
    self.clock = clock
    sleep = SleepDetector(asleepNs: clock.asleepNs)
    self.tell = tell
  }

  var lastHeardNs: UInt64 { link.lastHeardNs }
  var skewMs: Int64 { link.skewMs }
  var roundTripNs: UInt64? { link.roundTripNs }

  func start() { take(.start) }
  func retry() { take(.retry) }

  func stop() {
    timer?.cancel()
    timer = nil
    socket?.close(code: 1_000, reason: "")
    socket = nil
  }

  /// - Returns: whether there is a session to send it in.
  @discardableResult
  func send(_ message: ClientMessage) -> Bool {
    guard let commands = link.send(message, wallMs: clock.wallMs) else { return false }
    carryOut(commands)
    return true
  }

  private func take(_ input: CompanionLink.Input) {
    if sleep.slept(asleepNs: clock.asleepNs) { step(.slept) }
    step(input)
  }

  private func step(_ input: CompanionLink.Input) {
    carryOut(
      link.take(
        input, nowNs: clock.nowNs, wallMs: clock.wallMs, random: Double.random(in: 0..<1)))
  }

  private func carryOut(_ commands: [CompanionLink.Command]) {
    for command in commands {
      switch command {
      case .connect: socket = transport.connect(request, delegate: self)
      case .send(let bytes): socket?.send(bytes)
      case .drop:
        socket?.cancel()
        socket = nil
      case .tell(let notice): tell(notice)
      }
    }
    timer?.cancel()
    timer = link.wakeNs.map { due in
      clock.schedule(afterNs: due.since(clock.nowNs)) { [weak self] in self?.take(.woke) }
    }
  }

  func opened(_ socket: any WebSocketConnection) { if self.socket === socket { take(.opened) } }

  func socket(_ socket: any WebSocketConnection, received text: [UInt8]) {
    if self.socket === socket { take(.text(text)) }
  }

  /// The dialect has no binary messages.
  func socket(_ socket: any WebSocketConnection, receivedBinary bytes: [UInt8]) {
    if self.socket === socket { take(.text([])) }
  }

  func socket(_ socket: any WebSocketConnection, ended end: WebSocketEnd) {
    guard self.socket === socket else { return }
    self.socket = nil
    take(.ended(end))
  }
}
