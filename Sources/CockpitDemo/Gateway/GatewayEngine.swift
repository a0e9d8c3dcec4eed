import FlyingSocks
import Foundation

/// Keeps the gateway's world: one message, one request or one due event at a time.
actor GatewayEngine {
  private let world: GatewayWorld
  private let clock: any DemoClock
  private var sleeper: Task<Void, Never>?
  private var sleepingUntil = Int64.max
  private var stopped = false

  init(options: GatewayOptions, token: String) {
    world = GatewayWorld(options: options, token: token)
    clock = options.clock
  }

  func begin() { world.begin() }

  /// Runs the story until cancelled.
  func drive() async {
    while !stopped, !Task.isCancelled {
      let now = clock.nowMs
      world.run(until: now)
      let due = world.queue.nextDue.map { $0 - world.options.clockOffsetMs } ?? now + 60_000
      let clock = clock
      let sleep = Task<Void, Never> {
        // A cancelled sleep only means that something earlier was planned.
        try? await clock.sleep(untilMs: due)
      }
      sleeper = sleep
      sleepingUntil = due
      await sleep.value
      sleeper = nil
      sleepingUntil = .max
    }
  }

  func stop() {
    stopped = true
    sleeper?.cancel()
    for client in world.clients { client.link.cut() }
  }

  /// Runs what is due; with a manual clock this makes `advance` deterministic.
  func catchUp() {
    world.run(until: clock.nowMs)
    wakeIfNeeded()
  }

  private func wakeIfNeeded() {
    guard let due = world.queue.nextDue else { return }
    if due - world.options.clockOffsetMs < sleepingUntil { sleeper?.cancel() }
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
    return .reply(GatewayRoutes.answer(request, world))
  }

  // MARK: For tests

  func inject(_ fault: GatewayFault) {
    world.run(until: clock.nowMs)
    world.apply(fault)
    wakeIfNeeded()
  }

  var truth: [UInt8] { world.truth.file(world) }
  var truthRevision: Int { world.truth.revision }
}
