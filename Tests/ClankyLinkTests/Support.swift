import ClankyLink

/// Time that moves only when a test says so.
@MainActor
final class ManualClock: LinkClock {
  private var time: UInt64 = 1_000_000_000_000
  /// How long a look at the clock takes: work goes on while it runs.
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

  /// How many timers have fired.
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

/// Writes down what it is told. Rows are `[id,id,…]`; their time is `rowTime`.
@MainActor
final class RecordingSink: LinkSink {
  var log: [String] = []
  var statuses: [LinkStatus] = []
  var known: Set<Int> = []
  var wantsRawEvents = false
  var timeOfID: (Int) -> Int64 = { 1_795_250_000_000 + Int64($0) }
  var onLive: (() -> Void)?
  var seenParts = SeenParts()
  /// How many live rows no list has brought.
  var unnamed = 0
  func unnamedRows(_ times: ClosedRange<Int64>) -> Int { unnamed }

  private func report(_ json: UnsafeRawBufferPointer) -> RowReport {
    let ids = String(decoding: json, as: UTF8.self).split { !$0.isNumber }.compactMap { Int($0) }
    let added = ids.filter { !known.contains($0) }.count
    known.formUnion(ids)
    let times = ids.map(timeOfID)
    return RowReport(
      ids: ids, count: ids.count, added: added, rejected: 0, oldestMs: times.min(),
      newestMs: times.max())
  }

  func activitySnapshot(_ json: UnsafeRawBufferPointer) -> RowReport {
    let report = report(json)
    log.append("snapshot \(report.count)")
    return report
  }

  func storedRows(_ json: UnsafeRawBufferPointer, source: RowSource) -> RowReport {
    let report = report(json)
    log.append("\(source) \(report.count)+\(report.added)")
    return report
  }

  func liveAction(_ json: UnsafeRawBufferPointer, from stream: StreamName) {
    log.append("live \(stream.rawValue) \(String(decoding: json, as: UTF8.self))")
    onLive?()
  }

  func statsUpdate(_ json: UnsafeRawBufferPointer) {
    log.append("stats \(String(decoding: json, as: UTF8.self))")
  }

  func voiceState(_ json: UnsafeRawBufferPointer) {
    log.append("voice \(String(decoding: json, as: UTF8.self))")
  }

  /// Payloads that the sink knows already.
  var repeated: Set<String> = []

  func repeats(stats json: UnsafeRawBufferPointer) -> Bool {
    repeated.contains(String(decoding: json, as: UTF8.self))
  }

  func repeats(voiceState json: UnsafeRawBufferPointer) -> Bool { repeats(stats: json) }

  func sse(
    _ stream: StreamName, event: String, data: UnsafeRawBufferPointer, lastEventID: String
  ) { log.append("sse \(event) \(lastEventID)") }

  func streamEnded(_ stream: StreamName, lastEventID: String, retryMs: Int?) {
    log.append("ended \(stream.rawValue) \(lastEventID) \(retryMs.map(String.init) ?? "-")")
  }

  func linkChanged(_ status: LinkStatus) { statuses.append(status) }
  private(set) var gaps: [IDGap] = []
  func gap(_ gap: IDGap) {
    gaps.append(gap)
    log.append("gap \(gap.from)-\(gap.to)")
  }
  /// What lists have proved, and between which times rows are being fetched.
  private(set) var claims: [RowClaim] = []
  private(set) var openHole: ClosedRange<Int64>?
  func proven(_ claim: RowClaim) { claims.append(claim) }
  func holeOpened(fromMs: Int64, toMs: Int64) { openHole = fromMs...max(fromMs, toMs) }
  func holeClosed() { openHole = nil }
  func gapStays(_ gap: IDGap) { log.append("stays \(gap.from)-\(gap.to)") }
  /// Where rows were recovered, and how long the connection was lost.
  private(set) var filled: [(atMs: Int64, lostMs: Int?)] = []
  var newestRowMs: Int64?
  func gapFilled(count: Int, atMs: Int64, lostMs: Int?) {
    filled.append((atMs, lostMs))
    log.append("filled \(count)")
  }
  func gapClosed(_ gap: IDGap, count: Int) { log.append("closed \(gap.from)-\(gap.to) \(count)") }
  func logReset() {
    known = []
    log.append("reset")
  }

  func eventRejected(_ stream: StreamName, name: String, reason: String) {
    log.append("rejected \(name)")
  }

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
    streams: Set<StreamName> = [.activity, .voice], once: Bool = false, token: String? = "sesame",
    url: String = "http://127.0.0.1:8787", random: Double = 0
  ) throws {
    let configuration = LinkConfiguration(
      baseURL: try BackendURL(url), token: try token.map { try TokenText($0) }, streams: streams,
      once: once)
    link = Link(
      configuration: configuration, transport: transport, clock: clock, sink: sink,
      random: { random })
  }

  /// Both streams live, the log known up to `newest`.
  func goLive(_ ids: some Sequence<Int> = [1, 2, 3]) {
    link.start()
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
