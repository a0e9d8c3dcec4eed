package import CockpitDomain
package import Networking

/// The live source: keeps the event streams open, the log complete and the sink informed. It runs
/// on the main actor; the sink may call any method of the link re-entrantly.
@MainActor
package final class Link: Source {
  /// As given to `init`.
  package let configuration: LinkConfiguration
  let clock: any LinkClock
  private(set) weak var sink: (any SourceSink)?
  private(set) lazy var logReconciler = LogReconciler(owner: self)
  private(set) lazy var historyRunner = HistoryRunner(owner: self)

  private let transport: any Transport
  let diagnosis: FailureDiagnosis
  private let random: @MainActor () -> Double
  var runners: [StreamRunner] = []
  lazy var poller = Poller(owner: self)
  private var calls: [ObjectIdentifier: RestCall] = [:]
  var isRunning = false
  var eventKinds = EventKinds()

  var governor = IngestGovernor()
  var governorTimer: (any LinkTimer)?
  var stats = LatestPayload()
  var voice = LatestPayload()
  var handOverTimer: (any LinkTimer)?
  var lastHandOverNs: UInt64?

  var reconcileTimer: (any LinkTimer)?
  /// When the stored log was last compared.
  var comparedNs: UInt64?
  var sleepDetector: SleepDetector
  var skew = ClockSkew()
  private var stepDetector: ClockStepDetector
  /// How far our clock was set forward since the server offset was measured.
  private(set) var steppedMs: Int64 = 0
  var restFailure: LinkFailure?
  /// Until when the backend asked us to send no automatic requests (429 and 503 with
  /// `Retry-After`).
  private var quietUntilNs: UInt64 = 0
  private var restLatencyMs: Double?
  private var restMeter = RestMeter()
  /// When a stream last came back.
  var reconnectedAtNs: UInt64?
  var outages = Outages()
  /// When a request was last answered with success.
  private var answeredAtNs: UInt64?
  var history = HistoryProgress()
  var gapsFilled = 0
  var rowsMissing = 0
  private(set) var published: SourceStatus?

  /// - Parameter random: numbers in 0..<1, for jitter.
  package init(
    configuration: LinkConfiguration, transport: any Transport, clock: any LinkClock,
    random: @escaping @MainActor () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.configuration = configuration
    self.transport = transport
    self.clock = clock
    self.random = random
    diagnosis = FailureDiagnosis(
      base: configuration.baseURL, token: configuration.token,
      proxy: transport.proxy(for: configuration.baseURL))
    sleepDetector = SleepDetector(asleepNs: clock.asleepNs)
    stepDetector = ClockStepDetector(clock)
  }

  // MARK: Commands

  /// Opens the wanted streams. Does nothing when already started.
  ///
  /// - Parameter sink: held weakly.
  package func start(into sink: any SourceSink) {
    self.sink = sink
    start()
  }

  private func start() {
    guard !isRunning else { return }
    isRunning = true
    runners = SourceChannel.ofClanky.filter(configuration.streams.contains).map {
      StreamRunner(
        name: $0, configuration: configuration, transport: transport, clock: clock,
        random: random, owner: self)
    }
    for runner in runners { runner.open() }
    scheduleReconcile(afterMs: configuration.limits.reconcileEveryMs)
    publish()
  }

  /// Ends everything at once; requests in flight are dropped without completion. Can be started again.
  package func stop() {
    guard isRunning else {
      for call in Array(calls.values) { call.cancel() }
      return
    }
    isRunning = false
    for runner in runners { runner.stop() }
    logReconciler.stop()
    historyRunner.stop()
    poller.stop()
    for call in Array(calls.values) { call.cancel() }
    for timer in [governorTimer, handOverTimer, reconcileTimer] { timer?.cancel() }
    governorTimer = nil
    handOverTimer = nil
    reconcileTimer = nil
    governor = IngestGovernor()
    stats.drop()
    voice.drop()
    publish()
  }

  /// Connects every stream that is not live at once, including those that stopped retrying.
  package func retryNow() {
    guard isRunning else {
      start()
      return
    }
    for runner in runners { runner.retryNow() }
    publish()
  }

  /// Notices that the machine slept, and that its clock was set. Cheap; call it with the ticking of the
  /// screen.
  package func tick() {
    guard isRunning else { return }
    if detectClockStep() { publish() }
    if sleepDetector.slept(asleepNs: clock.asleepNs) {
      for runner in runners { runner.woke() }
      publish()
    }
  }

  /// Compares with the stored log now, for example after a change made by hand.
  package func reconcileNow() {
    guard isRunning else { return }
    reconcile()
  }

  /// Fetches past rows, one request at a time, while nothing more important is running;
  /// `SourceStatus.history` shows the progress. A request that is already covered is not repeated.
  package func fetchHistory(_ request: HistoryRequest) {
    guard isRunning, !configuration.once else { return }
    historyRunner.want(request)
  }

  /// A request to the backend. `completion` is called once on the main actor, never from inside this
  /// call, and not at all after `cancel` or `stop`. There are no retries.
  @discardableResult
  package func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    send(request, isReported: true, completion)
  }

  /// - Parameter isReported: whether the sink sees the answer; false if its content reaches the
  ///   sink in another way.
  @discardableResult
  func send(
    _ request: RestRequest, isReported: Bool,
    _ completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    let limits = configuration.limits
    // A request that is given more time than usual may need it before its answer begins.
    let headersMs = max(limits.headersMs, request.totalMs ?? 0)
    let isPatient = headersMs > limits.headersMs
    restMeter.sent()
    let call = RestCall(
      request.target, clock: clock, diagnosis: diagnosis,
      othersAnswer: { [weak self] done in self?.findOutWhetherItAnswers(done) },
      onHead: { [weak self] head, latencyMs in
        self?.heard(head, latencyMs: isPatient ? nil : latencyMs)
      },
      onDone: { [weak self] call in self?.calls[ObjectIdentifier(call)] = nil },
      completion: { [weak self] result in
        self?.restMeter.ended(result, isPatient: isPatient)
        if case .success(let answer) = result, answer.isSuccess {
          self?.answeredAtNs = self?.clock.nowNs
        }
        if isReported { self?.emit(.answer(request, result)) }
        completion(result)
      })
    calls[ObjectIdentifier(call)] = call
    call.start(
      HTTPRequest(
        method: request.method, base: configuration.baseURL, target: request.target,
        purpose: .rest, token: configuration.token,
        headers: [HTTPHeader("Accept", "application/json, text/plain;q=0.5")],
        body: request.body,
        timeouts: HTTPTimeouts(
          connectMs: limits.connectMs, headersMs: headersMs,
          totalMs: request.totalMs ?? limits.restTotalMs)),
      on: transport)
    return call
  }

  /// How long a successful answer counts as proof that the backend is reachable, ns: tokens rarely
  /// change.
  private static let answerHoldsNs = Nanoseconds.seconds(60)
  private static let healthTotalMs = 3_000

  /// Calls `done` with whether the backend is reachable; probes it if that is unknown.
  private func findOutWhetherItAnswers(_ done: @escaping @MainActor (Bool) -> Void) {
    let nowNs = clock.nowNs
    let isHeard = runners.contains { $0.health.state(nowNs: nowNs) == .live }
    if isHeard || answeredAtNs.map({ nowNs.since($0) < Self.answerHoldsNs }) ?? false {
      done(true)
      return
    }
    let health = RestRequest(.get, RequestTarget(["api", "health"]), totalMs: Self.healthTotalMs)
    send(health, isReported: false) {
      if case .success(let answer) = $0 { done(answer.isSuccess) } else { done(false) }
    }
  }

  // MARK: Status

  /// The current status, with rates and ages. Read on every key press, so it avoids closures and
  /// arrays.
  package var status: SourceStatus {
    var status = SourceStatus()
    var failure: LinkFailure?
    var isPolling = false
    for runner in runners {
      let value = runner.currentStatus()
      if failure == nil { failure = value.failure }
      if let due = value.retryAtNs { status.retryAtNs = min(status.retryAtNs ?? due, due) }
      isPolling = isPolling || value.state == .polling
      status.isPollPending = status.isPollPending || runner.health.isPollPending
      status[runner.name] = value
    }
    let wanted = status.channels
    for channel in SourceChannel.ofClanky where !wanted.contains(where: { $0.channel == channel }) {
      status[channel] = StreamStatus(state: .stopped)
    }
    status.overall =
      isRunning
      ? StatusSummary.overall(wanted.map(\.status.state), restFails: restFailure != nil)
      : .stopped
    if status.overall != .live, status.overall != .connecting {
      status.failure = failure ?? restFailure
    }
    status.reconnects = outages.ended
    status.reconnectAttempts = outages.attempts
    status.returns = outages.returns
    status.restLatencyMs = restLatencyMs
    status.restP50Ms = restMeter.p50Ms
    status.restP95Ms = restMeter.p95Ms
    status.restRequests = restMeter.requests
    status.restFailures = restMeter.failures
    status.restBytes = restMeter.bytes
    status.reconnectedAtNs = reconnectedAtNs
    status.history = history
    status.gapsFilled = gapsFilled
    status.rowsMissing = rowsMissing
    status.skewMs = skew.milliseconds
    status.isClockDoubted = isClockDoubted
    if isPolling { status.pollingReason = LinkFailure.timedOut(.firstByte).sentence }
    status.detail = StatusSummary.detail(status.overall, wanted, failure: status.failure)
    return status
  }

  /// The one way to the sink.
  func emit(_ event: SourceEvent) { sink?.receive(event, at: ReceiveTime(clock)) }

  /// Passes stored rows to the sink; nil if the sink is gone.
  func ingest(_ batch: RowBatch) -> RowReport? { sink?.ingest(batch, at: ReceiveTime(clock)) }

  /// The rows that the sink keeps.
  var knownRows: (any KnownRows)? { sink?.knownRows }

  func publish() {
    if history.isWanted { historyRunner.goOn() }
    let now = status
    guard now.material != published?.material else { return }
    published = now
    emit(.status(now))
  }

  /// Adjusts the server offset when our clock is set, so that ages do not jump until the next
  /// answer brings a new `Date` (promise P10).
  private func detectClockStep() -> Bool {
    guard let stepMs = stepDetector.step(clock), skew.milliseconds != nil else { return false }
    skew.ownClockStepped(byMs: stepMs)
    steppedMs += stepMs
    return true
  }

  func heard(_ head: HTTPHead, latencyMs: Double?) {
    if let latencyMs { restLatencyMs = latencyMs }
    // The code below compares with the current clock.
    let isSet = detectClockStep()
    let isNews = skew.observe(dateHeader: head.value("date"), wallMs: clock.wallMs)
    if [429, 503].contains(head.status), let askedMs = head.retryAfterMs(wallMs: clock.wallMs) {
      let pauseMs = UInt64(min(askedMs, ReconnectPolicy.retryAfterCapMs))
      quietUntilNs = clock.nowNs + Nanoseconds.milliseconds(pauseMs)
    }
    // Views compute ages from the published offset.
    if isSet || isNews { publish() }
  }

  /// Derives the server offset from live rows if no answer has carried a `Date`.
  func hear(liveRowMs: Int64?) {
    guard let liveRowMs else { return }
    let before = skew.milliseconds
    guard skew.observe(liveRowMs: liveRowMs, wallMs: clock.wallMs) else { return }
    logReconciler.clockIsKnown(laterByMs: Int64((skew.milliseconds ?? 0) - (before ?? 0)))
    publish()
  }

  /// How long the backend wants no automatic requests, nanoseconds; requests by the user do not
  /// wait.
  var quietNs: UInt64 {
    quietUntilNs.since(clock.nowNs)
  }
}
