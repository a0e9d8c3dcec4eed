import FlyingSocks
import Foundation

/// Keeps the demo's account: one message, one request or one due event at a time.
actor ElevenLabsEngine: StoryEngine {
  private let world: ElevenLabsWorld
  let clock: any DemoClock
  var pause = StoryPause()

  init(options: ElevenLabsOptions, key: String, port: UInt16) {
    world = ElevenLabsWorld(options: options, key: key, port: port)
    clock = options.clock
  }

  func begin() { world.begin() }
  var nextDueMs: Int64? { world.queue.nextDue }
  func runDue() { world.run(until: clock.nowMs) }

  func stop() {
    pause.end()
    for talk in world.talks { talk.link.cut() }
  }

  // MARK: Sockets

  func open(_ link: GatewayLink, _ admission: ElevenLabsWorld.Admission) -> Int {
    world.run(until: clock.nowMs)
    let talk = world.open(link, admission)
    wakeIfNeeded()
    return talk.id
  }

  func receive(_ id: Int, _ bytes: [UInt8], isText: Bool) {
    world.run(until: clock.nowMs)
    guard let talk = world.talks.first(where: { $0.id == id }), !talk.isOver else { return }
    world.receive(talk, bytes, isText: isText)
    world.run(until: clock.nowMs)
    wakeIfNeeded()
  }

  func breach(_ id: Int, _ code: UInt16) {
    guard let talk = world.talks.first(where: { $0.id == id }) else { return }
    world.end(talk, code: code, reason: "", why: "breach of the protocol")
  }

  func closed(_ id: Int) {
    world.run(until: clock.nowMs)
    guard let talk = world.talks.first(where: { $0.id == id }) else { return }
    world.gone(talk)
    wakeIfNeeded()
  }

  // MARK: HTTP

  func handle(_ request: HTTPRequest) -> HTTPOutcome {
    world.run(until: clock.nowMs)
    defer { wakeIfNeeded() }
    guard request.rawPath == ElevenLabsWorld.conversationPath,
      let head = GatewayPeer.upgrade(request)
    else { return .reply(ElevenLabsRoutes.answer(request, world)) }
    // Extensions that a client offers are not taken: the answer names none.
    let admission = world.admit(request)
    return .upgrade { socket, early in
      let door = ElevenLabsDoor(engine: self, admission: admission)
      await GatewayPeer(
        socket: socket, engine: door, head: head, isGlued: false, firstLimit: 4 << 20
      ).run(early)
    }
  }

  var truth: [UInt8] { world.truthFile }
  var truthRevision: Int { world.truth.revision }
}

/// The way of one socket to the engine: it knows what its address was.
actor ElevenLabsDoor: SocketEngine {
  private let engine: ElevenLabsEngine
  private let admission: ElevenLabsWorld.Admission

  init(engine: ElevenLabsEngine, admission: ElevenLabsWorld.Admission) {
    self.engine = engine
    self.admission = admission
  }

  func open(_ link: GatewayLink) async -> Int { await engine.open(link, admission) }
  func receive(_ id: Int, _ bytes: [UInt8], isText: Bool) async {
    await engine.receive(id, bytes, isText: isText)
  }
  func breach(_ id: Int, _ code: UInt16) async { await engine.breach(id, code) }
  func closed(_ id: Int) async { await engine.closed(id) }
}
