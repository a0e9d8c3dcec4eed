/// Everything that the gateway knows. Owned by the engine, which is an actor.
final class GatewayWorld {
  let options: GatewayOptions
  let token: String
  /// Of the setup code, until it was used.
  var bootstrapToken: String?
  /// Milliseconds since 1970 on the gateway's own clock.
  private(set) var now: Int64
  let startedMs: Int64
  private(set) var queue = EventQueue<GatewayWorld>()

  /// For ids and nonces. What happens has a source of its own, so that connections do not change it.
  var idRandom: DemoRandom
  var storyRandom: DemoRandom

  var clients: [GatewayClient] = []
  var nextClient = 1
  var devices: [String: PairedDevice] = [:]
  /// Devices that were approved as nodes, with a token for that.
  var nodeDevices: [String: PairedDevice] = [:]
  var pairings: [PairingRequest] = []
  var approvals: [GatewayApproval] = []
  var questions: [GatewayQuestion] = []
  var runs: [GatewayRun] = []
  var sessions: [GatewaySession] = []
  var jobs: [GatewayJob] = []
  var tasks: [DemoJSON] = []
  var audit: [DemoJSON] = []
  var logLines: [String] = []
  var lastHeartbeat: DemoJSON = .null
  var guests: [DemoJSON] = []
  var degraded = false
  var discordError: String?
  var presenceVersion = 1
  var healthVersion = 1
  var counter = 0
  /// Until when a connect is answered with "starting".
  var startingUntilMs: Int64 = 0
  var faults = GatewayFaults()
  var truth = StoryTruth()

  init(options: GatewayOptions, token: String, bootstrapToken: String? = nil) {
    self.options = options
    self.token = token
    self.bootstrapToken = bootstrapToken
    now = options.clock.nowMs + options.clockOffsetMs
    startedMs = now
    idRandom = DemoRandom(seed: options.seed &+ 501)
    storyRandom = DemoRandom(seed: options.seed)
  }

  var version: Int { options.protocolVersion }
  var isV4: Bool { options.protocolVersion >= 4 }

  // MARK: Time

  /// Plans something in `ms` real milliseconds.
  func after(_ ms: Int, _ run: @escaping (GatewayWorld) -> Void) {
    queue.add(at: now + Int64(max(0, ms)), run)
  }

  /// Plans something in `ms` milliseconds of the story.
  func paced(_ ms: Int, _ run: @escaping (GatewayWorld) -> Void) {
    after(max(1, Int(Double(ms) / options.rate)), run)
  }

  /// Runs everything that is due at `time` of the machine's clock.
  func run(until time: Int64) {
    let time = time + options.clockOffsetMs
    if let due = queue.nextDue, time - due > 5000, options.clock is SystemDemoClock {
      // The machine slept; go on where it stopped instead of replaying a burst.
      queue.shift(by: time - due)
    }
    while let entry = queue.pop(dueBy: time) {
      now = max(now, entry.due)
      entry.run(self)
    }
    now = max(now, time)
    dropSlowClients()
  }

  // MARK: Events

  /// Sends an event to every client that holds `scope` (nil: to all) and that `wanted` takes.
  func tell(
    _ event: String, _ payload: DemoJSON, scope: String? = "operator.read",
    stateVersion: DemoJSON? = nil, where wanted: (GatewayClient) -> Bool = { _ in true }
  ) {
    let payload = faults.isHostile ? HostileWords.poison(payload) : payload
    for client in clients where client.isConnected && !client.isClosing {
      guard scope.map({ client.holds($0) }) ?? true, wanted(client) else { continue }
      client.emit(event, payload, stateVersion: stateVersion)
    }
  }

  var stateVersion: DemoJSON {
    ["presence": .int(presenceVersion), "health": .int(healthVersion)]
  }

  /// A client that reads too slowly is given up (contract 15).
  private func dropSlowClients() {
    for client in clients where !client.isClosing {
      guard client.link.pendingBytes > options.maxBufferedBytes else { continue }
      note("slow consumer", ["conn": .string(client.connID)])
      client.close(1008, "slow consumer")
    }
  }

  // MARK: Ids and notes

  func number() -> Int {
    counter += 1
    return counter
  }

  func note(_ what: String, _ more: DemoJSON = [:]) {
    truth.add(now, what, more)
  }

  /// What really happened. It holds no secret: no token, no signature, and no answer to a secret question.
  var truthFile: [UInt8] {
    truth.file(
      [
        "kind": "openclaw", "seed": .int(Int(clamping: options.seed)),
        "scenario": .string(options.scenario.rawValue), "protocol": .int(options.protocolVersion),
        "from": .int(Int(startedMs)), "to": .int(Int(now)),
      ],
      lists: [
        ("runs", runs.map(\.truth)), ("approvals", approvals.map(\.truth)),
        ("questions", questions.map(\.truth)), ("pairings", pairings.map(\.truth)),
      ])
  }

  func log(_ subsystem: String, _ words: String) {
    let line: DemoJSON = [
      "0": .string("{\"subsystem\":\"\(subsystem)\"}"), "1": .string(words),
      "_logMeta": ["logLevelName": "INFO", "date": .time(now)], "time": .time(now),
      "message": .string(words),
    ]
    logLines.append(line.text)
    if logLines.count > 2000 { logLines.removeFirst(1000) }
  }
}
