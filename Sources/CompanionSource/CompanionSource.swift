package import CockpitDomain
internal import ClankyWire
internal import CockpitChat
package import CompanionWire
package import DeviceKeys
internal import LenientJSON
package import Networking

extension SourceChannel {
  /// The one connection to a companion gateway.
  package static let companion = SourceChannel("companion", transport: "WebSocket")
}

/// A companion gateway as a source: its messages as rows, what it asks for and what is granted as documents.
@MainActor
package final class CompanionSource: ControlledSource {
  private let request: WebSocketRequest
  private let key: DeviceKey
  private let gatewayKey: String
  private let transport: any WebSocketTransport
  let clock: any LinkClock
  let policy: GrantPolicy
  let runner: any CapabilityRunner
  private var connection: CompanionConnection?
  weak var sink: (any SourceSink)?
  private var known = SourceStatus()
  private var session: String?
  /// Whether the gateway does not take this device's token.
  package private(set) var isRefused = false

  var book = GrantBook()
  var board = CompanionBoard()
  /// What the agent has drawn.
  package private(set) var canvas = CanvasPicture()
  var agent = CompanionAgent()
  private let refusals: RefusedRequests
  /// Whether the terminal has the focus; grants rest without it if the policy says so.
  private var hasFocus = true
  /// Running commands, by the request that they serve.
  var runs: [String: any CapabilityRun] = [:]
  private var endTimer: (any LinkTimer)?
  private var lastControl: [UInt8] = []
  private var lastTabs: [UInt8] = []
  package private(set) lazy var chat = CompanionChat(clock: clock) { [weak self] message in
    self?.connection?.send(message) ?? false
  }

  /// - Parameter gatewayKey: what capability tokens are verified with, base64url.
  package init(
    _ request: WebSocketRequest, key: DeviceKey, gatewayKey: String, policy: GrantPolicy,
    runner: any CapabilityRunner, transport: any WebSocketTransport, clock: any LinkClock
  ) {
    self.request = request
    self.key = key
    self.gatewayKey = gatewayKey
    self.policy = policy
    self.runner = runner
    refusals = RefusedRequests("A companion gateway does not have this.", clock: clock)
    self.transport = transport
    self.clock = clock
    known[.companion] = StreamStatus()
  }

  /// Monotonic, with the time that the machine slept: a grant does not last longer because of it.
  var nowNs: UInt64 { clock.nowNs + clock.asleepNs }
  /// The gateway's clock, ms since 1970.
  var gatewayMs: Int64 { clock.wallMs + (connection?.skewMs ?? 0) }

  // MARK: Source

  package var kind: SourceKind { .companion }

  package var status: SourceStatus {
    var status = known
    let heard = connection?.lastHeardNs ?? 0
    status[.companion].lastByteAtNs = heard > 0 ? heard : nil
    return status
  }

  package func start(into sink: any SourceSink) {
    guard connection == nil else { return }
    self.sink = sink
    let connection = CompanionConnection(
      request, key: key, transport: transport, clock: clock
    ) { [weak self] in self?.hear($0) }
    self.connection = connection
    say { $0.overall = .connecting }
    publishTabs()
    connection.start()
  }

  package func stop() {
    endSession("closed here")
    connection?.stop()
    connection = nil
    endTimer?.cancel()
    refusals.cancelAll()
    say {
      $0.overall = .stopped
      $0.failure = nil
    }
  }

  package func retryNow() { connection?.retry() }
  package func tick() { expire() }
  package func reconcileNow() {}
  package func fetchHistory(_ request: HistoryRequest) {}
  package func look(up lookup: GatewayLookup) {
    sink?.receive(
      .found(lookup, .failure(LookupFailure("A companion gateway has no lists."))),
      at: ReceiveTime(clock))
  }

  @discardableResult
  package func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle { refusals.refuse(completion) }

  // MARK: Hearing

  private func hear(_ notice: CompanionLink.Notice) {
    switch notice {
    case .state(let state): take(state)
    case .unread:
      sink?.receive(
        .rejected(.companion, name: "frame", reason: "a message of the gateway could not be read"),
        at: ReceiveTime(clock))
    case .heard(let envelope): take(envelope)
    }
  }

  private func take(_ envelope: GatewayEnvelope) {
    defer { publishTabs() }
    let agent = envelope.agent
    switch envelope.message {
    case .text(let text, let id, let isFinal):
      chat.hear(text, id: id, isFinal: isFinal, agent: agent)
      // Frames that replace each other are one row: the last.
      if isFinal { give("sent_reply", text, agent: agent, [("messageId", .string(id))]) }
    case .request(let request): ask(request, agent)
    case .attention(let reason):
      self.agent.raised = (envelope.level, reason, gatewayMs)
      give(
        "attention", reason, agent: agent, [("level", .string(envelope.level.rawValue))])
    case .canvas(let command):
      canvas.take(command)
      publish(canvas, after: command, of: agent)
      give(
        "canvas_drawn", Self.words(command), agent: agent,
        [("action", .string(command.action.rawValue)), ("skipped", .integer(command.skipped))])
    case .status(let state):
      self.agent.take(state, of: envelope.agent, atMs: gatewayMs)
      if state.kind == .error {
        give("gateway_degraded", state.reason ?? "the gateway reports an error", agent: agent)
      }
    case .unknown(let type):
      self.agent.unknownMessages += 1
      sink?.receive(
        .rejected(.companion, name: type, reason: "messages of this type are not known"),
        at: ReceiveTime(clock))
    }
  }

  private static func words(_ command: CanvasCommand) -> String {
    let count = command.elements.count
    return command.action == .clear
      ? "clears the canvas"
      : "\(command.action.rawValue)s \(count) \(count == 1 ? "element" : "elements")"
  }

  private func take(_ state: CompanionLink.State) {
    switch state {
    case .idle: break
    case .connecting, .greeting:
      say { $0.overall = $0.returns > 0 || $0.failure != nil ? .reconnecting : .connecting }
    case .ready(let session):
      self.session = session
      say {
        if $0.returns > 0 { $0.reconnects += 1 }
        $0.overall = .live
        $0.failure = nil
        $0.retryAtNs = nil
        $0.returns += 1
        $0.skewMs = Int(connection?.skewMs ?? 0)
      }
      give("gateway_connected", "session \(session)", agent: nil)
      sink?.receive(.proven(RowClaim(fromMs: gatewayMs)), at: ReceiveTime(clock))
      publish()
    case .waiting(let untilNs, let loss):
      endSession(loss.sentence)
      say {
        $0.overall = .reconnecting
        $0.retryAtNs = untilNs
        $0.failure = .stated(loss.sentence)
      }
    case .stopped(let loss):
      isRefused = loss == .refused || loss == .closed(.revoked)
      endSession(loss.sentence)
      say {
        $0.overall = .stopped
        $0.retryAtNs = nil
        $0.failure = .stated(loss.sentence)
      }
    }
  }

  /// A disconnect ends every grant and every request of the session.
  private func endSession(_ why: String) {
    for run in runs.values { run.cancel() }
    runs = [:]
    let ended = book.end()
    if session != nil {
      for grant in ended.grants {
        give(
          "grant_ended", "\(grant.capability.name): the session ended", agent: grant.agent)
      }
      for item in ended.waiting {
        board.note(
          item.request.id, "\(item.request.capability.name) not answered: the session ended",
          atMs: gatewayMs)
      }
      give("gateway_disconnected", "the session with the gateway is over", agent: nil)
    }
    let hadSession = session != nil
    session = nil
    chat.lost(why)
    // Without a session before it nothing is known of what waits.
    if hadSession { publish() } else { publishTabs() }
  }

  // MARK: Requests and grants

  private func ask(_ request: CapabilityRequest, _ agent: String?) {
    let checked = request.token.map { token in
      Result { () throws(CapabilityToken.Problem) -> UInt64 in
        let endMs = try token.check(
          for: request.capability.name, session: session ?? "", gatewayKey: gatewayKey,
          nowMs: gatewayMs, used: book.nonces)
        return nowNs + UInt64(max(0, endMs - gatewayMs)) * 1_000_000
      }
    }
    switch book.take(request, agent: agent, policy: policy, checked: checked, nowNs: nowNs) {
    case .repeated: return
    case .refused(let refusal):
      send(.answer(request: request.id, .deny, expiresAt: nil, reason: refusal.rawValue))
      give(
        "grant_refused", "\(request.capability.name): \(refusal.words)", agent: agent,
        [("purpose", .string(request.purpose))])
    case .asked:
      give(
        "grant_asked", request.capability.name, agent: agent,
        [("purpose", .string(request.purpose)), ("requestId", .string(request.id))])
      publish()
    case .covered(let grant):
      answer(request, grant)
      use(request, agent)
    }
  }

  func answer(_ request: CapabilityRequest, _ grant: GrantBook.Grant) {
    let end = grant.endNs.map { ns in
      WireTime(milliseconds: gatewayMs + Int64(clamping: ns - min(ns, nowNs)) / 1_000_000).iso
    }
    send(.answer(request: request.id, grant.decision, expiresAt: end, reason: nil))
  }

  /// Runs the user's command for a granted request, and sends what it prints.
  func use(_ request: CapabilityRequest, _ agent: String?) {
    guard request.capability.family != .canvas else { return }
    guard !isSuspended else {
      return give(
        "grant_refused", "\(request.capability.name): the terminal has no focus",
        agent: agent)
    }
    guard let command = policy.command(for: request.capability) else { return }
    runs[request.id] = runner.run(command, for: request) { [weak self] result in
      self?.finished(request, agent, result)
    }
  }

  private func finished(
    _ request: CapabilityRequest, _ agent: String?,
    _ result: Result<CapabilityOutput, CapabilityFailure>
  ) {
    guard runs.removeValue(forKey: request.id) != nil else { return }
    _ = book.use(request.id)
    let name = request.capability.name
    switch result {
    case .success(.nothing): give("grant_used", name, agent: agent)
    case .success(.text(let text)):
      send(.text(text, id: request.id))
      give("grant_used", "\(name): \(text.utf8.count) bytes sent", agent: agent)
    case .success(.image(let bytes, let type)):
      send(.text("data:\(type);base64," + Base64.encoded(bytes), id: request.id))
      give("grant_used", "\(name): an image of \(bytes.count) bytes sent", agent: agent)
    case .failure(let failure):
      give("grant_failed", "\(name): \(failure.sentence)", agent: agent)
    }
    publish()
  }

  /// False where there is no session that could take it.
  @discardableResult
  func send(_ message: ClientMessage) -> Bool { connection?.send(message) ?? false }

  package func noteFocus(_ hasFocus: Bool) {
    guard self.hasFocus != hasFocus else { return }
    self.hasFocus = hasFocus
    publish()
  }

  var isSuspended: Bool { policy.needsFocus && !hasFocus }

  /// Ends expired grants; the gateway has no say in it.
  func expire() {
    let over = book.expire(nowNs: nowNs)
    guard !over.isEmpty else { return }
    for grant in over {
      runs.removeValue(forKey: grant.request)?.cancel()
      send(.revoke(capability: grant.capability.name))
      give(
        "grant_ended", "\(grant.capability.name): its time is over", agent: grant.agent)
    }
    publish()
  }

  // MARK: Telling

  func give(
    _ kind: String, _ content: String, agent: String?,
    _ metadata: [(key: String, value: JSONValue?)] = []
  ) {
    let row = LiveRow(
      of: RowOrigin.companion, kind, content, atMs: gatewayMs, agent: agent, session: session,
      metadata)
    row.json.withUnsafeBytes { bytes in
      sink?.receive(.row(bytes, from: .activity), at: ReceiveTime(clock))
    }
  }

  func publish() {
    let document = board.document(
      book, nowNs: nowNs, wallMs: gatewayMs, isSuspended: isSuspended)
    let bytes = Array(document.serialized().utf8)
    if bytes != lastControl {
      lastControl = bytes
      bytes.withUnsafeBytes {
        sink?.receive(.document(.control, $0), at: ReceiveTime(clock))
      }
    }
    publishTabs()
    endTimer?.cancel()
    endTimer = book.nextEndNs.map { end in
      clock.schedule(afterNs: end - min(end, nowNs)) { [weak self] in self?.expire() }
    }
  }

  private func publishTabs() {
    let tabs = CompanionTabs(
      agent: agent, book: book, canvas: canvas, policy: policy, address: "\(request.url.base)",
      session: session, agents: chat.agentNames, skewMs: connection?.skewMs ?? 0,
      roundTripMs: connection?.roundTripNs.map { Int($0 / 1_000_000) }, isSuspended: isSuspended)
    let bytes = tabs.bytes
    guard bytes != lastTabs else { return }
    lastTabs = bytes
    bytes.withUnsafeBytes { sink?.receive(.document(.service, $0), at: ReceiveTime(clock)) }
  }

  private func say(_ change: (inout SourceStatus) -> Void) {
    let before = known
    var changed = known
    change(&changed)
    known = changed
    known.copyState(to: .companion)
    guard known != before else { return }
    sink?.receive(.status(status), at: ReceiveTime(clock))
  }
}

extension GrantPolicy.Refusal {
  /// Why, and what would change it.
  package var words: String {
    switch self {
    case .unavailable: "no command is configured for it"
    case .notAllowed: "capabilities.profile does not let agents ask for it"
    case .readOnly: "the profile is read-only"
    case .busy: "too many requests wait already"
    }
  }
}
