import FlyingSocks
import Foundation

/// Keeps the gateway's world: one message, one request or one due event at a time.
actor GatewayEngine: StoryEngine, SocketEngine {
  private let world: GatewayWorld
  let clock: any DemoClock
  var pause = StoryPause()

  init(options: GatewayOptions, token: String, bootstrapToken: String) {
    world = GatewayWorld(options: options, token: token, bootstrapToken: bootstrapToken)
    clock = options.clock
  }

  func begin() { world.begin() }

  /// The world's clock may be wrong on purpose.
  var nextDueMs: Int64? { world.queue.nextDue.map { $0 - world.options.clockOffsetMs } }

  func runDue() { world.run(until: clock.nowMs) }

  func stop() {
    pause.end()
    for client in world.clients { client.link.cut() }
  }

  // MARK: Sockets

  func open(_ link: GatewayLink) -> Int {
    world.run(until: clock.nowMs)
    let client = world.open(link)
    wakeIfNeeded()
    return client.id
  }

  func receive(_ id: Int, _ bytes: [UInt8], isText: Bool) {
    world.run(until: clock.nowMs)
    guard let client = world.clients.first(where: { $0.id == id }), !client.isClosing else {
      return
    }
    if client.isConnected {
      world.receive(client, bytes)
    } else {
      world.receiveFirst(client, bytes, isText: isText)
    }
    world.run(until: clock.nowMs)
    wakeIfNeeded()
  }

  /// The client broke the rules of WebSocket.
  func breach(_ id: Int, _ code: UInt16) {
    world.clients.first { $0.id == id }?.close(code)
    world.note("breach", ["code": .int(Int(code))])
  }

  func closed(_ id: Int) {
    world.run(until: clock.nowMs)
    guard let index = world.clients.firstIndex(where: { $0.id == id }) else { return }
    let client = world.clients.remove(at: index)
    guard client.isConnected else { return }
    world.note(
      "disconnected",
      ["conn": .string(client.connID), "events": .int(client.sequence)])
    world.tellPresence()
    wakeIfNeeded()
  }

  // MARK: HTTP

  func handle(_ request: HTTPRequest) -> HTTPOutcome {
    world.run(until: clock.nowMs)
    defer { wakeIfNeeded() }
    if let head = GatewayPeer.upgrade(request) {
      let isGlued = world.faults.gluesChallenge
      return .upgrade { socket, early in
        await GatewayPeer(socket: socket, engine: self, head: head, isGlued: isGlued).run(early)
      }
    }
    guard let stream = GatewayRoutes.stream(request, world) else {
      return .reply(GatewayRoutes.answer(request, world))
    }
    switch stream {
    case .refused(let reply): return .reply(reply)
    case .started(let link, let run):
      world.run(until: clock.nowMs)
      return .upgrade { socket, _ in
        await GatewayStreamPeer(socket: socket, link: link).run()
        await self.hungUp(run)
      }
    }
  }

  /// The client of an answer over HTTP is gone: its run is aborted (contract 12).
  private func hungUp(_ id: String?) {
    world.run(until: clock.nowMs)
    if let id, let run = world.run(id), run.isLive {
      world.note("hung up", ["run": .string(id)])
      world.abort(run)
    }
    wakeIfNeeded()
  }

  // MARK: For tests

  func inject(_ fault: GatewayFault) {
    world.run(until: clock.nowMs)
    world.apply(fault)
    wakeIfNeeded()
  }

  var truth: [UInt8] { world.truthFile }
  var truthRevision: Int { world.truth.revision }
}
