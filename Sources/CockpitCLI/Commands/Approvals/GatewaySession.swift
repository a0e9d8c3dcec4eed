import CockpitFiles
import CockpitSession
import CockpitStores
import CurlTransport
import DeviceKeys
import LenientJSON
import MainLoop
import Networking
import OpenClawSource
import OpenClawWire

/// The gateway connection of one verb: connects, lists pending approvals, sends at most one answer.
@MainActor
final class GatewaySession {
  typealias Answer = Result<JSONValue, OpenClawSource.RequestFailure>

  let environment: Environment
  let gateway: GatewaySettings
  private let deviceId: String
  private let transport: CurlTransport
  private let clock: DispatchClock
  private var connection: GatewayConnection?
  /// Pending approvals, by time of expiry.
  private(set) var approvals: [Approval] = []
  /// Devices that ask to be let in.
  private(set) var pairings: [PairingRequest] = []
  /// Questions that wait; the screen answers them.
  private(set) var questions = 0
  private(set) var resolutions: [String: ApprovalResolution] = [:]
  private(set) var hello: GatewayHello?
  /// Lists that could not be fetched, with the reason: the queue may be incomplete.
  private(set) var unknown: [String] = []
  /// How far the gateway's clock is ahead of ours.
  private(set) var skewMs = 0
  /// Time from the connect call until the session was ready, in ms.
  private(set) var latencyMs = 0
  private let needsApprovals: Bool
  private var isReady = false
  private var failure: Failure?
  /// The last connection failure, while retries go on.
  private var lastLoss: GatewayLoss?
  private var answers: [String: Answer] = [:]
  /// The device token to save; `.some(nil)` deletes the saved one.
  private var kept: String??
  private var isLate = false
  private var waiter: (@MainActor () -> Void)?

  private init(
    _ gateway: GatewaySettings, _ identity: GatewayIdentity, needsApprovals: Bool,
    in environment: Environment
  ) throws(Failure) {
    self.environment = environment
    self.needsApprovals = needsApprovals
    self.gateway = gateway
    deviceId = identity.key.id
    let loop = environment.eventLoop
    clock = DispatchClock(loop: loop)
    transport = try gateway.transport(clock: clock, on: loop)
    connection = GatewayConnection(
      gateway.request, identity: identity, pollsPairing: false,
      recovers: needsApprovals
        ? [.listApprovals(.exec), .listApprovals(.plugin), .listPairings, .listQuestions] : [],
      transport: transport,
      clock: clock, store: { [weak self] in self?.kept = .some($0) },
      tell: { [weak self] in self?.hear($0) })
  }

  /// Loads the secrets, connects, and waits until all pending approvals are listed.
  static func open(
    _ gateway: GatewaySettings, in environment: Environment, withinMs limitMs: Int
  ) async throws(Failure) -> GatewaySession {
    try gateway.needApprovals()
    return try await open(
      gateway, try await identity(gateway), needsApprovals: true, in: environment,
      withinMs: limitMs)
  }

  /// The secrets of the profile.
  static func identity(_ gateway: GatewaySettings) async throws(Failure) -> GatewayIdentity {
    try await OwnThread.run { () -> Result<GatewayIdentity, Failure> in
      Result { () throws(Failure) in try gateway.identity(version: programVersion) }
    }.get()
  }

  /// Connects.
  ///
  /// - Parameter needsApprovals: whether to wait until all pending approvals are listed.
  static func open(
    _ gateway: GatewaySettings, _ identity: GatewayIdentity, needsApprovals: Bool,
    in environment: Environment, withinMs limitMs: Int
  ) async throws(Failure) -> GatewaySession {
    let session = try GatewaySession(
      gateway, identity, needsApprovals: needsApprovals, in: environment)
    environment.scope?.onEnd { session.close() }
    do throws(Failure) {
      try await session.connect(withinMs: limitMs)
    } catch {
      session.close()
      throw error
    }
    return session
  }

  private func connect(withinMs limitMs: Int) async throws(Failure) {
    _ = clock.schedule(afterNs: Nanoseconds.milliseconds(UInt64(limitMs))) { [weak self] in
      self?.isLate = true
      self?.wake()
    }
    let startNs = clock.nowNs
    connection?.start()
    await wait { $0.isReady || $0.failure != nil }
    latencyMs = Int((clock.nowNs - startNs) / 1_000_000)
    await keep()
    if Task.isCancelled { throw .interrupted }
    if let failure { throw failure }
    guard isReady else {
      let why = lastLoss.map(\.sentence) ?? "The gateway did not answer in time."
      throw Failure(.connection, "\(why) Try again, or with a longer --timeout.")
    }
  }

  /// The current time on the gateway's clock, in ms since 1970.
  var gatewayNowMs: Int { Int(environment.wallMs()) + skewMs }

  /// Sends a request and waits for its answer.
  func ask(_ request: GatewayRequest) async -> Answer {
    guard let id = connection?.send(request) else { return .failure(.disconnected) }
    await wait { $0.answers[id] != nil }
    return answers[id] ?? .failure(isLate ? .timedOut : .disconnected)
  }

  func close() {
    connection?.stop()
    connection = nil
    transport.shutdown()
    clock.cancelAll()
  }

  private func keep() async {
    guard let kept else { return }
    let problem = await gateway.keep(kept, device: deviceId, granted: hello?.scopes ?? [])
    if let problem { environment.output.complain(problem) }
  }

  // MARK: Hearing

  private func hear(_ notice: GatewayNotice) {
    switch notice {
    case .state(let state): take(state)
    case .hello(let hello, let skew):
      skewMs = skew
      self.hello = hello
      // A gateway of protocol 3 may name no scopes at all.
      if needsApprovals, !hello.scopes.isEmpty || hello.protocolVersion >= 4,
        !hello.scopes.contains("operator.approvals"), !hello.scopes.contains("operator.admin")
      {
        failure = Failure(
          .authentication,
          "This device does not hold the scope operator.approvals; have it approved on the gateway."
        )
      }
    case .listed(.listApprovals(let kind), let result): take(kind, result)
    case .listed(.listPairings, let result): takePairings(result)
    case .listed(.listQuestions, .success(let payload)):
      questions = (payload["questions"]?.array ?? []).count
    case .recovered: isReady = true
    case .event(let event): take(event)
    case .answer(let id, let result): answers[id] = result
    case .listed, .gap, .unread: break
    }
    wake()
  }

  private func take(_ state: GatewayState) {
    switch state {
    case .waiting(_, let loss):
      lastLoss = loss
      // A restarting gateway is retried.
      guard !loss.isPassing || isReady else { break }
      failure = Failure(loss.code, loss.sentence)
    case .stopped(let loss): failure = Failure(loss.code, loss.sentence)
    case .pairing(_, _, let refusal):
      let asked = gateway.scopes.joined(separator: ", ")
      failure = Failure(
        .authentication,
        "\(refusal) (asked for: \(asked); device \(deviceId.prefix(16)); within 5 minutes)")
    case .connecting, .greeting, .idle, .connected: break
    }
  }

  private func take(_ kind: Approval.Kind, _ result: Answer) {
    approvals.removeAll { $0.kind == kind }
    unknown.removeAll { $0.hasPrefix(kind.rawValue) }
    switch result {
    case .success(let payload):
      let list = payload.array ?? []
      let read = list.compactMap { Approval($0, kind: kind) }
      if payload.array == nil || read.count < list.count {
        unknown.append("\(kind.rawValue): not all that waits could be read")
      }
      approvals += read
      approvals.sort { ($0.expiresAtMs ?? .max, $0.id) < ($1.expiresAtMs ?? .max, $1.id) }
    case .failure(.refused(let error)) where error.missingScope != nil:
      failure = Failure(.authentication, error.sentence)
    case .failure(let problem): unknown.append("\(kind.rawValue): \(problem)")
    }
  }

  private func takePairings(_ result: Answer) {
    pairings = []
    unknown.removeAll { $0.hasPrefix("devices") }
    switch result {
    case .success(let payload):
      let list = payload["pending"]?.array ?? []
      pairings = list.compactMap(PairingRequest.init)
      if pairings.count < list.count { unknown.append("devices: not all that ask could be read") }
    case .failure(let problem): unknown.append("devices: \(problem)")
    }
  }

  private func take(_ event: GatewayEvent) {
    switch event.name {
    case "exec.approval.resolved", "plugin.approval.resolved":
      guard let resolution = ApprovalResolution(event.payload) else { return }
      resolutions[resolution.id] = resolution
      approvals.removeAll { $0.id == resolution.id }
    default: break
    }
  }

  // MARK: Waiting

  /// Waits until the condition holds, the connection fails, or the time limit passes.
  private func wait(_ isMet: @escaping @MainActor (GatewaySession) -> Bool) async {
    while !Task.isCancelled, !isOver(isMet) {
      await awaitCallback { done in
        // It may have come true before this task was suspended.
        if isOver(isMet) { done() } else { waiter = done }
      }
    }
  }

  private func isOver(_ isMet: @MainActor (GatewaySession) -> Bool) -> Bool {
    isMet(self) || failure != nil || isLate
  }

  private func wake() {
    let waiter = waiter
    self.waiter = nil
    waiter?()
  }
}

extension GatewayLoss {
  /// Whether the gateway is starting up: the connection is retried within the time limit.
  var isPassing: Bool {
    switch self {
    case .refused(.starting), .closed(.restarting): true
    default: false
    }
  }

  /// The exit code that fits.
  var code: Failure.Code {
    if case .unreachable(.failed(.tls(.ownUnusable, _))) = self { return .usage }
    return isRefusal ? .authentication : .connection
  }
}
