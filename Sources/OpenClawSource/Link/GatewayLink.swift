package import Networking
package import OpenClawWire

/// The connection to one gateway as a pure machine: what happens goes in, what to do comes out. It owns
/// no socket and no clock.
package struct GatewayLink {
  /// What happens.
  package enum Input: Sendable {
    case start
    case opened
    case text([UInt8])
    case binary
    case ended(WebSocketEnd)
    /// The moment of the last `wake` has come.
    case woke
    /// The user wants it tried now.
    case retry
    /// The machine was asleep: a connection that looks alive may be dead.
    case slept
  }

  /// What to do.
  package enum Command: Sendable {
    case connect
    case send([UInt8])
    case close(code: Int, reason: String)
    /// Drops the socket without a close frame; it delivers nothing more.
    case drop
    case storeDeviceToken(String)
    case forgetDeviceToken
    case tell(GatewayNotice)
  }

  static let challengeNs = Nanoseconds.seconds(15)
  static let requestNs = Nanoseconds.seconds(30)
  static let maximumOutstanding = 64
  static let healthyNs = Nanoseconds.seconds(60)
  static let pairingNs = Nanoseconds.seconds(300)
  static let pairingStepNs = Nanoseconds.seconds(20)
  static let maximumHeld = 20_000
  /// After a recovery in which a list failed for now.
  static let relistNs = Nanoseconds.seconds(30)

  struct Outstanding {
    var request: GatewayRequest
    var deadlineNs: UInt64
    var isRecovery: Bool
  }

  var identity: GatewayIdentity
  /// Whether a pairing that waits is asked for again by itself.
  let pollsPairing: Bool
  /// What is asked for after every greeting and every gap.
  let recovers: [GatewayRequest]
  package internal(set) var state = GatewayState.idle
  package internal(set) var hello: GatewayHello?
  var out: [Command] = []
  var lastHeardNs: UInt64 = 0
  var phaseNs: UInt64 = 0
  var connectedNs: UInt64?
  var failures = 0
  var firstWaitMs: Int?
  var sequence: Int?
  var nextId = 1
  var connectId: String?
  var outstanding: [String: Outstanding] = [:]
  var recovery: [GatewayRequest] = []
  var isRecovering = false
  /// Whether a list of this recovery failed for a reason that may be over soon.
  var isRecoveryPartial = false
  /// When everything is asked for once more, because a list failed.
  var relistDueNs: UInt64?
  /// Events that came during a recovery.
  var held: [GatewayEvent] = []
  var skewMs = 0
  var mayReconnectOnce = true
  var pairingDeadlineNs: UInt64?

  /// Everything that is shown of a gateway.
  package static let everything: [GatewayRequest] = [
    .subscribeSessions, .listApprovals(.exec), .listApprovals(.plugin), .listQuestions,
    .listPairings, .listSessions(limit: 200),
  ]

  package init(
    _ identity: GatewayIdentity, pollsPairing: Bool, recovers: [GatewayRequest] = Self.everything
  ) {
    self.identity = identity
    self.pollsPairing = pollsPairing
    self.recovers = recovers
  }

  /// - Parameters:
  ///   - wallMs: this machine's clock, for the difference to the gateway's.
  ///   - random: in 0..<1.
  package mutating func take(
    _ input: Input, nowNs: UInt64, wallMs: Int64, random: Double
  ) -> [Command] {
    out = []
    switch input {
    case .start, .retry: begin(nowNs)
    case .opened:
      // One that was given up meanwhile says nothing.
      guard state == .connecting else { break }
      (lastHeardNs, phaseNs) = (nowNs, nowNs)
      set(.greeting)
    case .text(let text):
      lastHeardNs = nowNs
      heard(text, nowNs: nowNs, wallMs: wallMs, random: random)
    case .binary:
      lastHeardNs = nowNs
      out.append(.tell(.unread))
    case .ended(let end): ended(end, nowNs: nowNs, random: random)
    case .woke: woke(nowNs: nowNs, random: random)
    case .slept:
      if state == .connected || state == .greeting || state == .connecting {
        out.append(.drop)
        lose(.closed(.silent), nowNs: nowNs, waitMs: 0, random: random)
      }
    }
    return out
  }

  /// When `woke` is wanted next; nil while nothing is waited for.
  package var wakeNs: UInt64? {
    switch state {
    case .idle, .stopped: nil
    case .connecting: nil
    case .greeting: phaseNs + Self.challengeNs
    case .waiting(let until, _): until
    case .pairing: pollsPairing ? phaseNs + Self.pairingStepNs : nil
    case .connected:
      min(silenceNs, relistDueNs ?? .max, outstanding.values.map(\.deadlineNs).min() ?? .max)
    }
  }

  /// When a connection without a frame counts as dead.
  private var silenceNs: UInt64 {
    lastHeardNs + 2 * Nanoseconds.milliseconds(UInt64(hello?.tickIntervalMs ?? 30_000))
  }

  /// Sends a request; its answer comes as a notice with the id.
  package mutating func request(
    _ request: GatewayRequest, nowNs: UInt64
  ) -> (id: String, commands: [Command]) {
    out = []
    let id = send(request, nowNs: nowNs, isRecovery: false)
    return (id, out)
  }

  // MARK: Parts

  mutating func set(_ new: GatewayState) {
    guard state != new else { return }
    state = new
    out.append(.tell(.state(new)))
  }

  mutating func begin(_ nowNs: UInt64) {
    guard state != .connected, state != .greeting, state != .connecting else { return }
    phaseNs = nowNs
    (sequence, hello, connectId) = (nil, nil, nil)
    set(.connecting)
    out.append(.connect)
  }

  @discardableResult
  mutating func send(
    _ request: GatewayRequest, nowNs: UInt64, isRecovery: Bool
  ) -> String {
    let id = "c\(nextId)"
    nextId += 1
    let failure: RequestFailure? =
      state != .connected
      ? .disconnected : outstanding.count >= Self.maximumOutstanding ? .tooMany : nil
    if let failure {
      out.append(.tell(.answer(id: id, .failure(failure))))
      return id
    }
    outstanding[id] = Outstanding(
      request: request, deadlineNs: nowNs + Self.requestNs, isRecovery: isRecovery)
    out.append(.send(request.frame(id: id)))
    return id
  }

  private mutating func woke(nowNs: UInt64, random: Double) {
    switch state {
    case .waiting(let until, _): if nowNs >= until { begin(nowNs) }
    case .greeting:
      guard nowNs >= phaseNs + Self.challengeNs else { return }
      out.append(.drop)
      lose(.noChallenge, nowNs: nowNs, waitMs: nil, random: random)
    case .pairing(_, let deadline, let refusal):
      guard nowNs >= phaseNs + Self.pairingStepNs else { return }
      guard nowNs >= deadline else { return begin(nowNs) }
      pairingDeadlineNs = nil
      set(.stopped(.refused(refusal)))
    case .connected:
      guard nowNs < silenceNs else {
        out.append(.close(code: 4_000, reason: "tick timeout"))
        out.append(.drop)
        return lose(.closed(.silent), nowNs: nowNs, waitMs: nil, random: random)
      }
      for (id, late) in outstanding where nowNs >= late.deadlineNs {
        finish(id, .failure(.timedOut), nowNs: nowNs)
      }
      if let due = relistDueNs, nowNs >= due { recover(nowNs) }
    case .idle, .connecting, .stopped: break
    }
  }

  /// There is no connection any more; it is tried again after a pause.
  ///
  /// - Parameter waitMs: instead of the pause of its own.
  mutating func lose(
    _ loss: GatewayLoss, nowNs: UInt64, waitMs: Int?, random: Double
  ) {
    if let connectedNs, nowNs >= connectedNs + Self.healthyNs { failures = 0 }
    disconnect()
    var milliseconds = Double(min(1_000 << min(failures, 5), 30_000)) * (0.8 + 0.4 * random)
    if let waitMs = waitMs ?? firstWaitMs { milliseconds = Double(waitMs) }
    firstWaitMs = nil
    failures += 1
    set(.waiting(untilNs: nowNs + UInt64(milliseconds * 1_000_000), loss))
  }

  /// Everything that belonged to the connection is over.
  mutating func disconnect() {
    connectedNs = nil
    isRecovering = false
    relistDueNs = nil
    (recovery, held) = ([], [])
    let open = outstanding
    outstanding = [:]
    for (id, entry) in open.sorted(by: { $0.key < $1.key }) where !entry.isRecovery {
      out.append(.tell(.answer(id: id, .failure(.disconnected))))
    }
  }
}
