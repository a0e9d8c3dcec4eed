internal import CockpitDomain
internal import Networking

/// Keeps one event stream open: connects, listens, notices silence, tries again.
@MainActor
final class StreamRunner {
  let name: SourceChannel
  private(set) var health: StreamHealth
  private(set) var status = StreamStatus()

  private let configuration: LinkConfiguration
  private let transport: any Transport
  private let clock: any LinkClock
  private let random: @MainActor () -> Double
  private let diagnosis: FailureDiagnosis
  private weak var owner: (any StreamRunnerOwner)?

  private var policy = ReconnectPolicy()
  private var rate = RateMeter()
  private var task: (any TransportTask)?
  private var timer: (any LinkTimer)?
  private var timerDueNs: UInt64 = 0
  /// Out of its place while it works, because the sink may call back into the link.
  private var parser: SSEParser?
  private var lastEventID = ""
  private var retryMs: Int?
  /// Changes with every connection; work for an older one is dropped.
  private var generation = 0
  private var refusal: (head: HTTPHead, body: [UInt8])?

  /// An error body that does not end is decided upon after this.
  private static let refusalPatienceNs = Nanoseconds.seconds(2)

  init(
    name: SourceChannel, configuration: LinkConfiguration, transport: any Transport,
    clock: any LinkClock, random: @escaping @MainActor () -> Double,
    owner: any StreamRunnerOwner
  ) {
    self.name = name
    self.configuration = configuration
    self.transport = transport
    self.clock = clock
    self.random = random
    self.owner = owner
    health = StreamHealth(limits: configuration.limits)
    diagnosis = FailureDiagnosis(
      base: configuration.baseURL, token: configuration.token,
      proxy: transport.proxy(for: configuration.baseURL))
  }

  // MARK: Commands

  func open() {
    let wasAnswered = isAnswered
    dropConnection()
    if wasAnswered {
      let current = generation
      owner?.runner(self, endedAfter: lastEventID, retryMs: retryMs)
      guard current == generation else { return }
    }
    parser = SSEParser(lastEventID: lastEventID)
    health.opened()
    status.retryAtNs = nil
    status.attempts += 1
    status.connections += 1
    var headers = [
      HTTPHeader("Accept", "text/event-stream"), HTTPHeader("Cache-Control", "no-store"),
    ]
    if !lastEventID.isEmpty, lastEventID.utf8.count <= 256,
      lastEventID.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    {
      headers.append(HTTPHeader("Last-Event-ID", lastEventID))
    }
    let limits = configuration.limits
    let request = HTTPRequest(
      base: configuration.baseURL, target: RequestTarget(name.path), purpose: .stream,
      token: configuration.token, headers: headers,
      timeouts: HTTPTimeouts(connectMs: limits.connectMs, headersMs: limits.headersMs),
      maxBodyBytes: .max)
    owner?.runnerOpens(self)
    task = transport.open(request, delegate: self)
    owner?.runnerChanged(self)
  }

  /// Connects at once unless the stream is live.
  func retryNow() {
    if health.state(nowNs: clock.nowNs) == .live { return }
    policy.reset()
    open()
  }

  func stop(_ failure: LinkFailure? = nil) {
    dropConnection()
    health.stopped()
    status.failure = failure
    status.retryAtNs = nil
  }

  func pause() { task?.pause() }

  func resume() { task?.resume() }

  /// The machine slept: recheck a live stream, and end a pause between attempts.
  func woke() {
    if case .waiting = health.phase {
      open()
    } else {
      health.woke(nowNs: clock.nowNs)
      scheduleDeadline()
    }
  }

  /// Whether polling in place of this stream succeeds.
  func pollsSucceed(_ succeed: Bool, failure: LinkFailure?) {
    health.polled(successfully: succeed)
    if health.isHeldBack { status.failure = succeed ? .timedOut(.firstByte) : failure }
  }

  /// The status with its time-dependent parts brought up to date.
  func currentStatus() -> StreamStatus {
    status.state = health.state(nowNs: clock.nowNs)
    status.eventsPerMinute = rate.perMinute(nowNs: clock.nowNs)
    status.lastByteAtNs = health.lastByteNs
    return status
  }

  // MARK: Connection

  private func dropConnection() {
    generation += 1
    timer?.cancel()
    timer = nil
    task?.cancel()
    task = nil
    refusal = nil
  }

  private var isAnswered: Bool {
    switch health.phase {
    case .held, .flowing: true
    case .idle, .opening, .waiting, .stopped: false
    }
  }

  private func lose(_ failure: LinkFailure, retryAfterMs: Int? = nil) {
    let wasAnswered = isAnswered
    dropConnection()
    status.failure = failure
    let nowNs = clock.nowNs
    let isOnce = configuration.once && (health.wasLive || !configuration.waitsForFirst)
    if isOnce || !failure.isRetryable {
      health.stopped()
    } else if failure == .timedOut(.silence) {
      policy.countSilence(nowNs: nowNs)
      health.lost(retryAtNs: nowNs)
    } else {
      if failure == .timedOut(.headers) { health.heldBack() }
      waitAndOpen(
        policy.delayNs(nowNs: nowNs, retryAfterMs: retryAfterMs, random: random()))
    }
    if wasAnswered { owner?.runner(self, endedAfter: lastEventID, retryMs: retryMs) }
    owner?.runnerChanged(self)
    if failure == .timedOut(.silence), case .waiting = health.phase { open() }
  }

  private func holdBack() {
    guard !configuration.once else {
      lose(.timedOut(.firstByte))
      return
    }
    dropConnection()
    status.failure = .timedOut(.firstByte)
    health.heldBack()
    waitAndOpen(UInt64(configuration.limits.streamRetryWhilePollingMs) * 1_000_000)
    owner?.runnerChanged(self)
  }

  private func waitAndOpen(_ delayNs: UInt64) {
    let due = clock.nowNs + delayNs
    health.lost(retryAtNs: due)
    status.retryAtNs = due
    let current = generation
    timer = clock.schedule(afterNs: delayNs) { [weak self] in
      guard let self, current == generation else { return }
      open()
    }
  }

  // MARK: Time

  /// How far the deadline may run ahead of its timer before the timer is moved: less than the 3 s
  /// between `stats_update` or `voice_state` events, so that an idle stream never wakes for it.
  private static let lagNs = Nanoseconds.seconds(2)

  /// One timer, armed lazily: under load bytes move the deadline without touching it.
  private func scheduleDeadline() {
    let nowNs = clock.nowNs
    guard isAnswered, let due = health.deadlineNs(nowNs: nowNs) else { return }
    if timer != nil, timerDueNs <= due, due - timerDueNs < Self.lagNs { return }
    timer?.cancel()
    timerDueNs = due
    let current = generation
    timer = clock.schedule(afterNs: due.since(nowNs)) { [weak self] in
      guard let self, current == generation else { return }
      timer = nil
      deadlinePassed(lateNs: clock.nowNs.since(due))
    }
  }

  /// A timer that fires a second late means the process was stalled, so buffered data is read
  /// before the stream is declared silent.
  private static let lateNs = Nanoseconds.seconds(1)
  private static let graceNs = Nanoseconds.milliseconds(250)

  private func deadlinePassed(lateNs: UInt64) {
    guard lateNs < Self.lateNs else {
      let current = generation
      timerDueNs = clock.nowNs + Self.graceNs
      timer = clock.schedule(afterNs: Self.graceNs) { [weak self] in
        guard let self, current == generation else { return }
        timer = nil
        deadlinePassed(lateNs: 0)
      }
      return
    }
    owner?.runnerNoticesTime(self)
    switch health.verdict(nowNs: clock.nowNs) {
    case .heldBack: holdBack()
    case .dead: lose(.timedOut(.silence))
    case .fine:
      // Order matters: arm the timer first, or silence that starts between the two calls is never
      // reported.
      scheduleDeadline()
      owner?.runnerChanged(self)
    }
  }

  // MARK: Bytes

  private func ingest(_ bytes: UnsafeRawBufferPointer) {
    let fromNs = clock.nowNs
    let wasSilent = health.state(nowNs: fromNs) != .live
    var isFirst = false
    if case .held = health.phase { isFirst = true }
    health.heard(nowNs: fromNs)
    status.bytes += bytes.count
    if isFirst {
      let isReconnect = status.connections > 1
      status.attempts = 0
      status.failure = nil
      policy.wentLive(nowNs: fromNs)
      owner?.runnerWentLive(self, isReconnect: isReconnect)
    }
    if wasSilent { owner?.runnerChanged(self) }
    scheduleDeadline()
    let current = generation
    guard var parser = self.parser else { return }
    self.parser = nil
    let eventsBefore = parser.events
    // The sink may have stopped or restarted the link at an earlier event of this chunk.
    parser.feed(
      bytes, discarded: { if current == generation { discard($0) } },
      { if current == generation { dispatch($0) } })
    guard current == generation else { return }
    lastEventID = parser.lastEventID
    retryMs = parser.retryMs
    policy.serverAsked(retryMs: retryMs)
    let count = parser.events - eventsBefore
    self.parser = parser
    let nowNs = clock.nowNs
    status.events += count
    if count > 0 { rate.add(count, nowNs: nowNs) }
    owner?.runner(self, ingested: count, fromNs: fromNs, toNs: nowNs)
  }

  private func dispatch(_ event: borrowing SSEEvent) {
    guard let token = configuration.token, let clean = token.redact(event.data) else {
      owner?.runner(self, dispatched: event)
      return
    }
    let (name, id) = (event.name, event.lastEventID)
    clean.withUnsafeBytes {
      owner?.runner(self, dispatched: SSEEvent(name: name, data: $0, lastEventID: id))
    }
  }

  /// An event exceeded the size limit. Report it in order, before any later row.
  private func discard(_ name: String) {
    status.rejectedEvents += 1
    owner?.runner(
      self, rejected: name,
      reason: "The event is larger than \(SSEParser.defaultEventLimit >> 20) MiB.")
  }

  /// An event field for use outside the connection, with the token redacted.
  func redacted(_ field: String) -> String {
    configuration.token?.redact(field: field) ?? field
  }

  /// An event that was complete but of no use.
  func countRejected() { status.rejectedEvents += 1 }
}

extension StreamRunner: TransportDelegate {
  func transfer(_ task: any TransportTask, received head: HTTPHead) {
    guard task === self.task else { return }
    owner?.runner(self, answered: head)
    guard diagnosis.failure(head, body: [], expecting: .eventStream) != nil else {
      health.answered(nowNs: clock.nowNs)
      scheduleDeadline()
      owner?.runnerChanged(self)
      return
    }
    refusal = (head, [])
    if head.status == 204 {
      concludeRefusal()
      return
    }
    let current = generation
    timer = clock.schedule(afterNs: Self.refusalPatienceNs) { [weak self] in
      guard let self, current == generation else { return }
      concludeRefusal()
    }
  }

  func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {
    guard task === self.task else { return }
    guard refusal != nil else {
      ingest(bytes)
      return
    }
    let room = FailureDiagnosis.bodyPrefixLimit - (refusal?.body.count ?? 0)
    refusal?.body.append(contentsOf: bytes.prefix(max(0, room)))
    if bytes.count >= room { concludeRefusal() }
  }

  func transfer(_ task: any TransportTask, ended end: TransportEnd) {
    guard task === self.task else { return }
    self.task = nil
    if refusal != nil {
      concludeRefusal()
    } else if let error = end.error {
      lose(diagnosis.failure(error))
    } else {
      lose(.streamClosed)
    }
  }

  private func concludeRefusal() {
    guard let (head, body) = refusal else { return }
    refusal = nil
    let failure =
      diagnosis.failure(head, body: body, expecting: .eventStream)
      ?? .notClanky(.unexpectedStatus(head.status))
    lose(failure, retryAfterMs: head.retryAfterMs(wallMs: clock.wallMs))
  }
}
