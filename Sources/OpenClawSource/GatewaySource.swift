internal import ClankyWire
package import CockpitDomain
internal import DeviceKeys
internal import LenientJSON
package import Networking
internal import OpenClawWire

extension SourceChannel {
  /// The one connection to a gateway.
  package static let gateway = SourceChannel("gateway", transport: "WebSocket")
}

/// An OpenClaw gateway as a source: its events as rows, what waits and what runs as documents.
@MainActor
package final class GatewaySource: ControlledSource, GatewayPort {
  private var connection: GatewayConnection?
  private let make: @MainActor (GatewaySource) -> GatewayConnection
  let clock: any LinkClock
  private let scopes: [String]
  private let device: String
  weak var sink: (any SourceSink)?

  private var known = SourceStatus()
  /// Whether the gateway does not let this device in, by the last that was heard of it.
  package private(set) var isRefused = false
  var feed = GatewayFeed()
  var desk = ControlDesk()
  var picture = GatewayPicture()
  /// How far the gateway's clock is ahead of ours, ms.
  private var skewMs = 0
  /// The gateway's time at a moment of the monotonic clock, sleep included: this machine's clock may be set meanwhile.
  private var anchor: (gatewayMs: Int64, atNs: UInt64)?
  private var lostMs: Int64?
  private var lastControl: [UInt8] = []
  private var lastOverview: [UInt8] = []
  private var documentTimer: (any LinkTimer)?
  /// Whether the overview has changed: with hundreds of sessions it is not made for each event.
  private var hasNewOverview = false
  /// Answers that are awaited, by the request's id.
  var pending: [String: @MainActor (Result<JSONValue, RequestFailure>) -> Void] = [:]
  private let refusals: RefusedRequests
  /// Answers that came before `send` returned.
  private var early: [String: Result<JSONValue, RequestFailure>] = [:]
  let tools: GatewayTools?
  /// This device as a node; nil unless the profile has a command for notifications.
  let node: GatewayNode?
  /// Conversations with the gateway's agents, on this connection.
  package private(set) lazy var chat = GatewayChat(self)
  /// From when on the time before the connection is wanted, by the gateway's clock; nil for not at all: then gaps
  /// are not filled either.
  var earliestMs: Int64?
  var hasFilledStart = false
  var unheard: UnheardTime?
  /// When an event was heard last, by the gateway's clock; 0 before.
  private var heardMs: Int64 = 0
  var isRecovered = false
  /// Up to where the gateway's log has been read.
  var logPlace: (file: String?, cursor: Int)?

  /// - Parameters:
  ///   - tools: those that are called over HTTP; nil for none.
  ///   - node: this device as a node; nil for none.
  ///   - store: saves the device token and the scopes that the gateway granted with it (empty if it
  ///     named none); nil deletes the saved token.
  package init(
    _ request: WebSocketRequest, identity: GatewayIdentity, transport: any WebSocketTransport,
    tools: GatewayTools? = nil, node: GatewayNode? = nil, clock: any LinkClock,
    store: @escaping @MainActor (String?, _ granted: [String]) -> Void
  ) {
    self.clock = clock
    refusals = RefusedRequests("An OpenClaw gateway does not have this.", clock: clock)
    self.tools = tools
    self.node = node
    scopes = identity.scopes
    device = String(identity.key.id.prefix(16))
    picture.requested = identity.scopes
    make = { source in
      GatewayConnection(
        request, identity: identity, pollsPairing: true,
        recovers: GatewayLink.everything + [.listAgents, .listJobs], transport: transport,
        clock: clock,
        store: { [weak source] in store($0, source?.connection?.hello?.scopes ?? []) },
        tell: { [weak source] in source?.hear($0) })
    }
    known[.gateway] = StreamStatus()
  }

  // MARK: Source

  package var kind: SourceKind { .openclaw }

  package var status: SourceStatus {
    var status = known
    let heard = connection?.lastHeardNs ?? 0
    status[.gateway].lastByteAtNs = heard > 0 ? heard : nil
    return status
  }

  package func start(into sink: any SourceSink) {
    guard connection == nil else { return }
    self.sink = sink
    let connection = make(self)
    self.connection = connection
    say { $0.overall = .connecting }
    connection.start()
  }

  package func stop() {
    connection?.stop()
    connection = nil
    documentTimer?.cancel()
    documentTimer = nil
    refusals.cancelAll()
    pending = [:]
    chat.closed("The connection was closed here.")
    tools?.cancel()
    node?.stop()
    say {
      $0.overall = .stopped
      $0.failure = nil
    }
  }

  package func retryNow() {
    connection?.retry()
    node?.retry()
  }

  package func tick() {
    followClock()
    if desk.expire(nowMs: nowMs) { publishSoon() }
  }

  package func reconcileNow() {}

  /// A gateway has no routes of Clanky's.
  @discardableResult
  package func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle { refusals.refuse(completion) }

  /// The gateway's clock, ms since 1970.
  var nowMs: Int64 { clock.wallMs + Int64(skewMs) }

  /// Takes a step of this machine's clock out of the difference to the gateway's.
  private func followClock() {
    guard let anchor, known.overall == .live else { return }
    let passedNs = clock.nowNs + clock.asleepNs - anchor.atNs
    let skew = Int(anchor.gatewayMs + Int64(passedNs / 1_000_000) - clock.wallMs)
    guard abs(skew - skewMs) > Self.stepMs else { return }
    skewMs = skew
    say { $0.skewMs = skew }
  }

  /// A smaller difference between the two clocks of this machine is no step, ms.
  private static let stepMs = 2_000

  func send(
    _ request: GatewayRequest,
    _ done: @escaping @MainActor (Result<JSONValue, RequestFailure>) -> Void
  ) {
    guard let connection, known.overall == .live else {
      _ = clock.schedule(afterNs: 0) { done(.failure(.disconnected)) }
      return
    }
    early = [:]
    let id = connection.send(request)
    if let result = early.removeValue(forKey: id) {
      _ = clock.schedule(afterNs: 0) { done(result) }
    } else {
      pending[id] = done
    }
  }

  var isLive: Bool { known.overall == .live }

  var greeting: GatewayHello? { connection?.hello }

  func holds(_ scope: String) -> Bool { picture.holds(scope) }

  var liveRuns: [GatewayRun] { feed.runs.live }

  func tell(_ lookup: GatewayLookup, _ result: Result<[UInt8], LookupFailure>) {
    sink?.receive(.found(lookup, result), at: ReceiveTime(clock))
  }

  // MARK: Hearing

  private func hear(_ notice: GatewayNotice) {
    switch notice {
    case .state(let state): take(state)
    case .hello(let hello, let skew):
      // Before the first row: its time is the gateway's.
      skewMs = skew
      anchor = (nowMs, clock.nowNs + clock.asleepNs)
      connected()
      picture.greeted(hello)
      give([feed.greeted(hello, nowMs: nowMs)])
      chat.recover()
      // Not before: a device that is not let in is asked about once.
      startNode()
    case .listed(let request, let result):
      if !picture.take(request, result) { desk.take(request, result) }
    case .recovered: recovered()
    case .gap(let lost):
      unheard = UnheardTime(afterMs: (heardMs > 0 ? heardMs : nowMs) - Self.overlapMs, isGap: true)
      give([GatewayFeed.gap(lost: lost, seconds: nil, atMs: nowMs)])
      prove()
      chat.recover()
    case .event(let event):
      heardMs = nowMs
      chat.hear(event)
      give(feed.take(event, nowMs: nowMs))
      // Two folds of one event: both see it.
      let isControl = desk.take(event, nowMs: nowMs)
      let isPicture = picture.take(event)
      if isPicture { hasNewOverview = true }
      if isControl || isPicture || event.name == "agent" || event.name == "chat" { publishSoon() }
    case .answer(let id, let result):
      if let done = pending.removeValue(forKey: id) { done(result) } else { early[id] = result }
    case .unread:
      sink?.receive(
        .rejected(.gateway, name: "frame", reason: "a message of the gateway could not be read"),
        at: ReceiveTime(clock))
    }
  }

  private func recovered() {
    feed.learn(
      jobs: picture.jobs.compactMap { job in
        job["id"]?.string.map { ($0, job["name"]?.string ?? $0) }
      })
    if picture.unknown["sessions"] == nil {
      give(feed.reconcile(sessions: picture.sessions, nowMs: nowMs))
    }
    hasNewOverview = true
    publish()
    isRecovered = true
    fillNow()
  }

  /// From now on no row is missing.
  private func prove() {
    sink?.receive(.proven(RowClaim(fromMs: nowMs)), at: ReceiveTime(clock))
  }

  func give(_ rows: [LiveRow]) {
    for row in rows {
      row.json.withUnsafeBytes { bytes in
        sink?.receive(.row(bytes, from: .activity), at: ReceiveTime(clock))
      }
    }
  }

  // MARK: Status

  private func take(_ state: GatewayState) {
    switch state {
    // The greeting follows, with the gateway's clock.
    case .idle, .connected: break
    case .connecting, .greeting:
      say { $0.overall = $0.returns > 0 || $0.failure != nil ? .reconnecting : .connecting }
    case .waiting(let untilNs, let loss):
      isRefused = loss.isRefusal
      noteLoss()
      say {
        $0.overall = .reconnecting
        $0.retryAtNs = untilNs
        $0.failure = .stated(loss.description)
      }
    case .pairing(_, _, let refusal):
      isRefused = true
      chat.closed("\(refusal)")
      say {
        $0.overall = .reconnecting
        $0.retryAtNs = nil
        $0.failure = .stated(
          "\(refusal) It asks for \(scopes.joined(separator: ", ")); device \(device). Tried again every 20 s for 5 minutes."
        )
      }
    case .stopped(let loss):
      isRefused = loss.isRefusal
      noteLoss()
      chat.closed(loss.sentence)
      say {
        $0.overall = .stopped
        $0.retryAtNs = nil
        $0.failure = .stated(loss.sentence)
      }
    }
  }

  private func connected() {
    let lost = lostMs
    lostMs = nil
    isRefused = false
    say {
      if lost != nil { $0.reconnects += 1 }
      $0.overall = .live
      $0.failure = nil
      $0.retryAtNs = nil
      $0.returns += 1
      $0.skewMs = skewMs
    }
    if let lost {
      unheard = UnheardTime(afterMs: lost + Int64(skewMs) - Self.overlapMs, isGap: true)
      let seconds = Int(max(0, clock.wallMs - lost) / 1_000)
      give([GatewayFeed.gap(lost: nil, seconds: seconds, atMs: nowMs)])
    }
    prove()
  }

  private func noteLoss() {
    guard known.overall == .live else { return }
    lostMs = clock.wallMs
    isRecovered = false
    give([LiveRow("gateway_disconnected", "the connection to the gateway is lost", atMs: nowMs)])
    // What waited may have been answered meanwhile; it is listed anew.
    pending = [:]
    chat.lost()
  }

  private func say(_ change: (inout SourceStatus) -> Void) {
    let before = known
    var changed = known
    change(&changed)
    known = changed
    known.copyState(to: .gateway)
    guard known != before else { return }
    sink?.receive(.status(status), at: ReceiveTime(clock))
  }

  // MARK: Documents

  /// Events come many a second; the documents follow within 100 ms.
  private func publishSoon() {
    guard documentTimer == nil else { return }
    documentTimer = clock.schedule(afterNs: 100_000_000) { [weak self] in
      self?.documentTimer = nil
      self?.publish()
    }
  }

  func overviewChanged() {
    hasNewOverview = true
    publishSoon()
  }

  private func publish() {
    let time = ReceiveTime(clock)
    let control = picture.control(desk, feed.runs.live)
    if control != lastControl {
      lastControl = control
      control.withUnsafeBytes { sink?.receive(.document(.control, $0), at: time) }
    }
    guard hasNewOverview else { return }
    hasNewOverview = false
    let overview = picture.overview()
    if overview != lastOverview {
      lastOverview = overview
      overview.withUnsafeBytes { sink?.receive(.document(.gateway, $0), at: time) }
    }
  }
}
