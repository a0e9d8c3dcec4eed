import Foundation

/// The actor that owns the world, answers requests and moves time.
actor DemoEngine: StoryEngine {
  private let world: World
  private let router: Router
  let clock: any DemoClock
  var pause = StoryPause()
  private var requestLog = RequestLog()
  private var nextSink = 0
  private var gate = FaultGate()
  private var dropConnections: @Sendable () -> Void = {}

  init(options: DemoOptions, token: String, port: UInt16) {
    world = World(options: options, token: token)
    world.boundPort = port
    router = Router(options: options)
    clock = options.clock
  }

  var streamCount: (activity: Int, voice: Int) {
    world.activitySinks.removeAll { $0.isClosed }
    world.voiceSinks.removeAll { $0.isClosed }
    return (world.activitySinks.count, world.voiceSinks.count)
  }

  var requests: [RequestRecord] { requestLog.records }

  /// The ground truth so far, as a file, and a revision number that changes with it.
  var truth: (file: [UInt8], revision: Int) {
    let options = world.options
    return (
      world.truth.file(scenario: options.scenario, seed: options.seed, dialect: options.dialect),
      world.truth.revision
    )
  }

  var truthRevision: Int { world.truth.revision }

  var kinds: Set<String> { world.kinds }

  /// Rows of the log.
  func stored(_ query: ActionQuery) -> [ActionRow] { world.store.actions(query) }

  func begin(dropConnections: @escaping @Sendable () -> Void) {
    self.dropConnections = dropConnections
    Director.begin(world)
    world.runLead()
    for fault in world.options.faults.initial { apply(fault) }
  }

  var nextDueMs: Int64? { world.queue.nextDue }

  func runDue() {
    world.run(until: clock.nowMs)
    drainRequestedFaults()
  }

  func stop() {
    pause.end()
    for sink in world.activitySinks + world.voiceSinks { sink.close() }
  }

  func emit(
    kind: String, content: DemoJSON?, metadata: DemoJSON?, cost: Double?, place: Place,
    message: String?, user: String?
  ) {
    world.run(until: clock.nowMs)
    world.log(
      kind, in: place, message: message, user: user, content: content, metadata: metadata,
      cost: cost)
    wakeIfNeeded()
  }

  // MARK: Requests

  func handle(_ request: HTTPRequest) async -> HTTPOutcome {
    world.run(until: clock.nowMs)
    let outcome = await answer(request)
    let status =
      switch outcome {
      case .reply(let reply): reply.status
      case .stream, .upgrade: 200
      case .close: 0
      }
    requestLog.add(request, status: status, at: clock.nowMs)
    wakeIfNeeded()
    return outcome
  }

  private func answer(_ request: HTTPRequest) async -> HTTPOutcome {
    if world.options.faults.httpControl, request.rawPath == "/__demo/fault" {
      return .reply(control(request))
    }
    if world.options.faults.httpControl, request.rawPath == TestRoutes.rows {
      return .reply(TestRoutes.rows(request, world.store))
    }
    if world.options.faults.httpControl, request.rawPath == TestRoutes.log {
      return .reply(TestRoutes.log(request, requestLog))
    }
    if let outcome = gate.intercept(request) { return outcome }
    if gate.delayMs > 0, !request.rawPath.hasSuffix("/events") {
      let ms = gate.delayMs
      try? await Task.sleep(for: .milliseconds(ms))
    }
    switch router.route(request, world) {
    case .reply(let reply): return .reply(reply)
    case .close: return .close
    case .activityStream: return .stream(openActivity())
    case .voiceStream: return .stream(openVoice())
    case .wait(let ms, let then):
      // Joining a voice channel takes time; other requests go on meanwhile.
      let deadline = clock.nowMs + Int64(ms)
      try? await clock.sleep(untilMs: deadline)
      world.run(until: clock.nowMs)
      return .reply(then(world))
    }
  }

  private func makeSink() -> StreamSink {
    nextSink += 1
    return StreamSink(id: nextSink, faults: world.streamFaults)
  }

  private func openActivity() -> StreamSink {
    let sink = makeSink()
    sink.send(Frame.event("activity_snapshot", world.activitySnapshot().serialized()))
    world.activitySinks.append(sink)
    tick(sink) { $0.statsUpdate() }
    return sink
  }

  private func openVoice() -> StreamSink {
    let sink = makeSink()
    sink.send(Frame.event("voice_state", world.voiceState.serialized()))
    world.voiceSinks.append(sink)
    tick(sink) { Frame.event("voice_state", $0.voiceState.serialized()) }
    return sink
  }

  /// Timers of one connection (contract 2.3): 3 s for state, 15 s for the heartbeat.
  private func tick(_ sink: StreamSink, _ make: @escaping (World) -> Data) {
    func state(_ world: World) {
      world.after(3000) { world in
        guard sink.send(make(world)) else { return }
        state(world)
      }
    }
    func heartbeat(_ world: World) {
      world.after(15_000) { world in
        guard sink.send(Frame.heartbeat) else { return }
        heartbeat(world)
      }
    }
    state(world)
    heartbeat(world)
  }

  // MARK: Faults

  func inject(_ fault: DemoFault) {
    world.run(until: clock.nowMs)
    apply(fault)
    wakeIfNeeded()
  }

  private func apply(_ fault: DemoFault) {
    switch fault {
    case .stalledStream: world.streamFaults.update { $0.stalled = true }
    case .cutMidEvent(let bytes):
      for sink in world.activitySinks + world.voiceSinks { sink.requestCut(after: bytes) }
      if world.activitySinks.isEmpty, world.voiceSinks.isEmpty {
        world.streamFaults.update { $0.cutAfter = bytes }
      }
    case .slowDrip: world.streamFaults.update { $0.drip = true }
    case .rotateToken(let token): world.token = token
    case .tunnelStatus(let status): world.setTunnel(status)
    case .secondSession: Director.startSecondSession(world)
    case .crashSession(let keepsStart): world.crashSession(keepsStart: keepsStart)
    case .joinOutcome(let reason): world.cursors.nextJoinReason = reason
    case .settingsSave(let save): world.cursors.nextSave = save
    case .dropConnections: dropConnections()
    case .clear:
      gate = FaultGate()
      world.streamFaults.update { $0 = .init() }
    default: gate.add(fault)
    }
  }

  private func drainRequestedFaults() {
    let faults = world.cursors.requestedFaults
    world.cursors.requestedFaults = []
    for fault in faults { apply(fault) }
  }

  private func control(_ request: HTTPRequest) -> HTTPReply {
    guard request.method == "POST", let body = try? DemoJSON.parse(request.body),
      let fault = DemoFault(body)
    else { return .json(["ok": false, "error": "unknown fault"], status: 400) }
    apply(fault)
    return .json(["ok": true])
  }
}
