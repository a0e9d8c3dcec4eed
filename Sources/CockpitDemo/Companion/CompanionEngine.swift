import FlyingSocks
import Foundation

/// Keeps the demo's gateway: one message, one request or one due event at a time.
actor CompanionEngine: StoryEngine {
  private let world: CompanionWorld
  let clock: any DemoClock
  var pause = StoryPause()

  init(options: CompanionOptions, port: UInt16) {
    world = CompanionWorld(options: options, port: port)
    clock = options.clock
  }

  var nextDueMs: Int64? { world.queue.nextDue }
  func runDue() { world.run(until: clock.nowMs) }
  var publicKey: String { world.signer.publicKeyText }
  var truth: [UInt8] { world.truthFile }
  var truthRevision: Int { world.truth.revision }

  func pairingPayload() -> String {
    world.run(until: clock.nowMs)
    return world.makePayload()
  }

  func stop() {
    pause.end()
    for session in world.sessions { session.link.cut() }
  }

  // MARK: Sockets

  func open(_ link: GatewayLink, device: CompanionWorld.Device) -> Int {
    world.run(until: clock.nowMs)
    let session = world.open(link, device)
    wakeIfNeeded()
    return session.id
  }

  func receive(_ id: Int, _ bytes: [UInt8], isText: Bool) {
    world.run(until: clock.nowMs)
    guard let session = world.session(id) else { return }
    world.receive(session, bytes, isText: isText)
    wakeIfNeeded()
  }

  func breach(_ id: Int, _ code: UInt16) {
    if let session = world.session(id) { world.end(session, code, "breach of the protocol") }
  }

  func closed(_ id: Int) {
    world.run(until: clock.nowMs)
    if let session = world.session(id) { world.gone(session) }
  }

  // MARK: HTTP

  func handle(_ request: HTTPRequest) -> HTTPOutcome {
    world.run(until: clock.nowMs)
    defer { wakeIfNeeded() }
    guard request.rawPath == "/companion" else {
      return .reply(CompanionRoutes.answer(request, world))
    }
    guard let head = GatewayPeer.upgrade(request) else {
      return .reply(.json(["error": "an upgrade to WebSocket is wanted"], status: 400))
    }
    guard let device = world.device(request.headers["authorization"]) else {
      world.note("session refused")
      return .reply(.json(["error": "unauthorized"], status: 401))
    }
    return .upgrade { socket, early in
      await GatewayPeer(
        socket: socket, engine: CompanionDoor(engine: self, device: device), head: head,
        isGlued: false, firstLimit: 4 << 20
      ).run(early)
    }
  }
}

/// The way of one socket to the engine: it knows whose it is.
actor CompanionDoor: SocketEngine {
  private let engine: CompanionEngine
  private let device: CompanionWorld.Device

  init(engine: CompanionEngine, device: CompanionWorld.Device) {
    self.engine = engine
    self.device = device
  }

  func open(_ link: GatewayLink) async -> Int { await engine.open(link, device: device) }
  func receive(_ id: Int, _ bytes: [UInt8], isText: Bool) async {
    await engine.receive(id, bytes, isText: isText)
  }
  func breach(_ id: Int, _ code: UInt16) async { await engine.breach(id, code) }
  func closed(_ id: Int) async { await engine.closed(id) }
}
