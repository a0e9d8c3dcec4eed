import ClankySource
import CockpitDomain
import Networking

/// Time that moves only when a test says so.
@MainActor
final class ManualClock: LinkClock {
  private var time: UInt64 = 1_000_000_000_000
  /// How long reading the clock takes: time passes during work.
  var lookNs: UInt64 = 0
  var nowNs: UInt64 {
    time += lookNs
    return time
  }
  var wallMs: Int64 = 1_795_250_000_000
  private(set) var asleepNs: UInt64 = 0
  private var timers: [ManualTimer] = []
  private var sequence = 0

  func schedule(
    afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) -> any LinkTimer {
    sequence += 1
    let timer = ManualTimer(dueNs: nowNs + delayNs, sequence: sequence, body: body)
    timers.append(timer)
    return timer
  }

  /// Moves on, firing timers in order at their own times.
  func advance(ms: Int) {
    let target = nowNs + UInt64(ms) * 1_000_000
    while true {
      timers.removeAll { $0.body == nil }
      guard
        let next = timers.filter({ $0.dueNs <= target })
          .min(by: { ($0.dueNs, $0.sequence) < ($1.dueNs, $1.sequence) })
      else { break }
      move(to: max(nowNs, next.dueNs))
      let body = next.body
      next.body = nil
      fired += 1
      body?()
    }
    move(to: target)
  }

  /// Number of fired timers.
  private(set) var fired = 0

  /// Time passes, and nothing is done: the process was stopped.
  func stall(ms: Int) { move(to: nowNs + UInt64(ms) * 1_000_000) }

  /// The wall clock runs on without the monotonic one: a suspended machine.
  func sleep(ms: Int64) {
    wallMs += ms
    asleepNs += UInt64(ms) * 1_000_000
  }

  /// Work takes time: moves the clock without firing anything.
  func work(ns: UInt64) { time += ns }

  var pendingTimers: Int { timers.count { $0.body != nil } }

  private func move(to target: UInt64) {
    guard target > time else { return }
    wallMs += Int64((target - time) / 1_000_000)
    time = target
  }
}

@MainActor
private final class ManualTimer: LinkTimer {
  let dueNs: UInt64
  let sequence: Int
  var body: (@MainActor () -> Void)?

  init(dueNs: UInt64, sequence: Int, body: @escaping @MainActor () -> Void) {
    self.dueNs = dueNs
    self.sequence = sequence
    self.body = body
  }

  func cancel() { body = nil }
}

/// A transport whose far side is the test.
@MainActor
final class FakeTransport: Transport {
  private(set) var tasks: [FakeTask] = []
  /// Called for every new task, for servers that always do the same.
  var onOpen: ((FakeTask) -> Void)?

  func open(_ request: HTTPRequest, delegate: any TransportDelegate) -> any TransportTask {
    let task = FakeTask(request, delegate)
    tasks.append(task)
    onOpen?(task)
    return task
  }

  func tasks(_ path: String) -> [FakeTask] { tasks.filter { $0.path == path } }
  func open(_ path: String) -> FakeTask? { tasks.last { $0.path == path && !$0.isOver } }
  var activity: FakeTask { tasks("/api/activity/events").last! }
  var voice: FakeTask { tasks("/api/voice/events").last! }
}

@MainActor
final class FakeTask: TransportTask {
  let request: HTTPRequest
  private let delegate: any TransportDelegate
  private(set) var isCancelled = false
  private(set) var isPaused = false
  private(set) var isOver = false
  private(set) var pauses = 0

  init(_ request: HTTPRequest, _ delegate: any TransportDelegate) {
    self.request = request
    self.delegate = delegate
  }

  var path: String { "/" + request.target.segments.joined(separator: "/") }
  func query(_ name: String) -> String? { request.target.query.first { $0.name == name }?.value }

  func cancel() {
    isCancelled = true
    isOver = true
  }

  func pause() {
    isPaused = true
    pauses += 1
  }

  func resume() { isPaused = false }

  func head(_ status: Int, type: String = "text/event-stream", _ headers: [HTTPHeader] = []) {
    guard !isOver else { return }
    let all = [HTTPHeader("Content-Type", type)] + headers
    delegate.transfer(self, received: HTTPHead(status: status, reason: "Reason", headers: all))
  }

  func bytes(_ text: String) {
    guard !isOver else { return }
    Array(text.utf8).withUnsafeBytes { delegate.transfer(self, received: $0) }
  }

  func event(_ name: String, _ data: String) { bytes("event: \(name)\ndata: \(data)\n\n") }

  func end(_ error: TransportError? = nil) {
    guard !isOver else { return }
    isOver = true
    delegate.transfer(self, ended: TransportEnd(error: error))
  }

  /// A whole REST answer.
  func answer(
    _ status: Int, _ body: String, type: String = "application/json", _ headers: [HTTPHeader] = []
  ) {
    head(status, type: type, headers)
    if !body.isEmpty { bytes(body) }
    end()
  }
}

/// Writes down what it receives. Rows are `[id,id,…]`; their time is `rowTime`.
@MainActor
final class RecordingSink: SourceSink, KnownRows {
  var log: [String] = []
  var statuses: [SourceStatus] = []
  var known: Set<Int> = []
  var timeOfID: (Int) -> Int64 = { 1_795_250_000_000 + Int64($0) }
  var onLive: (() -> Void)?
  private(set) var gaps: [IDGap] = []
  /// The claims received, and the time range being filled.
  private(set) var claims: [RowClaim] = []
  private(set) var openHole: ClosedRange<Int64>?
  /// Where rows were recovered, and how long the connection was lost.
  private(set) var filled: [(atMs: Int64, lostMs: Int?)] = []
  /// Requests whose answers were reported.
  private(set) var answers: [String] = []
  /// When the last event was received.
  private(set) var lastTime: ReceiveTime?

  func ingest(_ batch: RowBatch, at time: ReceiveTime) -> RowReport {
    lastTime = time
    let ids = String(decoding: batch.json, as: UTF8.self)
      .split { !$0.isNumber }.compactMap { Int($0) }
    let added = ids.filter { !known.contains($0) }.count
    known.formUnion(ids)
    let times = ids.map(timeOfID)
    log.append(
      batch.carriesStats ? "snapshot \(ids.count)" : "\(batch.source) \(ids.count)+\(added)")
    return RowReport(
      ids: ids, count: ids.count, added: added, rejected: 0, oldestMs: times.min(),
      newestMs: times.max())
  }

  func receive(_ event: SourceEvent, at time: ReceiveTime) {
    lastTime = time
    switch event {
    case .row(let json, let stream):
      log.append("live \(stream.name) \(String(decoding: json, as: UTF8.self))")
      onLive?()
    case .document(.stats, let json): log.append("stats \(String(decoding: json, as: UTF8.self))")
    case .document(.control, _), .document(.gateway, _), .document(.service, _),
      .document(.canvas, _):
      break
    case .document(.voiceState, let json):
      log.append("voice \(String(decoding: json, as: UTF8.self))")
    case .repeated(let name): log.append("repeated \(name.rawValue)")
    case .answer(let request, _): answers.append(request.target.segments.joined(separator: "/"))
    case .status(let status): statuses.append(status)
    case .streamEnded(let stream, let lastEventID, let retryMs):
      log.append("ended \(stream.name) \(lastEventID) \(retryMs.map(String.init) ?? "-")")
    case .gap(let event): take(event)
    case .found: break
    case .proven(let claim): claims.append(claim)
    case .logReplaced:
      known = []
      log.append("reset")
    case .batchAccepted, .restored: break
    case .rejected(_, let name, _): log.append("rejected \(name)")
    case .raw(_, let name, _, let lastEventID): log.append("sse \(name) \(lastEventID)")
    }
  }

  private func take(_ event: GapEvent) {
    switch event {
    case .missing(let gap):
      gaps.append(gap)
      log.append("gap \(gap.from)-\(gap.to)")
    case .filled(let count, let atMs, let lostMs):
      filled.append((atMs, lostMs))
      log.append("filled \(count)")
    case .closed(let gap, let count): log.append("closed \(gap.from)-\(gap.to) \(count)")
    case .confirmed(let gap): log.append("stays \(gap.from)-\(gap.to)")
    case .fetching(let fromMs, let toMs): openHole = fromMs...max(fromMs, toMs)
    case .fetched: openHole = nil
    case .unresolved: break
    }
  }

  // MARK: Known rows

  var knownRows: (any KnownRows)? { self }
  var seenParts = SeenParts()
  /// Number of live rows that no list has identified.
  var unnamed = 0
  func unidentifiedRowCount(_ times: ClosedRange<Int64>) -> Int { unnamed }
  func withoutShown(_ holes: [ClosedRange<Int>]) -> [ClosedRange<Int>] { holes }
  func bounds(of holes: [ClosedRange<Int>]) -> [HoleBounds] { holes.map { _ in HoleBounds() } }
  func newestID(notAfterMs ms: Int64) -> Int? { nil }
  var newestRowMs: Int64?
  let lastLiveMs: Int64? = nil
  func beginMs(kinds: Set<String>?, guild: String?) -> Int64? { nil }
  let last24h: [String: Int] = [:]
  let historyRoom = 0

  var states: [LinkState] { statuses.map(\.overall) }
}

func rows(_ ids: some Sequence<Int>) -> String {
  "[" + ids.map(String.init).joined(separator: ",") + "]"
}

/// A link with everything around it.
@MainActor
struct Rig {
  let clock = ManualClock()
  let transport = FakeTransport()
  let sink = RecordingSink()
  let link: Link

  init(
    streams: Set<SourceChannel> = [.activity, .voice], once: Bool = false,
    token: String? = "sesame",
    url: String = "http://127.0.0.1:8787", random: Double = 0, passesRawEvents: Bool = false
  ) throws {
    var configuration = LinkConfiguration(
      baseURL: try BackendURL(url), token: try token.map { try TokenText($0) }, streams: streams,
      once: once)
    configuration.passesRawEvents = passesRawEvents
    link = Link(
      configuration: configuration, transport: transport, clock: clock,
      random: { random })
  }

  func start() { link.start(into: sink) }

  /// Both streams live, the log known up to `newest`.
  func goLive(_ ids: some Sequence<Int> = [1, 2, 3]) {
    start()
    for task in transport.tasks where task.request.purpose == .stream { task.head(200) }
    transport.activity.event("activity_snapshot", rows(ids))
    if link.configuration.streams.contains(.voice) { transport.voice.event("voice_state", "{}") }
  }

  /// Both streams speak every 3 s for a while.
  func keepAlive(seconds: Int) {
    for _ in 0..<(seconds / 3) {
      clock.advance(ms: 3_000)
      transport.activity.bytes(": heartbeat\n\n")
      transport.tasks("/api/voice/events").last?.bytes(": heartbeat\n\n")
    }
  }
}

/// A small seeded generator, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
