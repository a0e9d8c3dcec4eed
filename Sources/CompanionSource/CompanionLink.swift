package import CompanionWire
package import DeviceKeys
internal import LenientJSON
package import Networking

/// The session with one companion gateway as a pure machine: what happens goes in, what to do comes out.
package struct CompanionLink {
  package enum Input: Sendable {
    case start
    case opened
    case text([UInt8])
    case ended(WebSocketEnd)
    /// The moment of `wakeNs` has come.
    case woke
    case retry
    case slept
  }

  package enum Command: Sendable {
    case connect
    case send([UInt8])
    /// Drops the socket without a close frame; it delivers nothing more.
    case drop
    case tell(Notice)
  }

  package enum Notice: Sendable, Equatable {
    case state(State)
    case heard(GatewayEnvelope)
    /// A frame that is no envelope.
    case unread
  }

  package enum State: Sendable, Equatable {
    case idle, connecting
    /// Connected, but the gateway has not said that it is ready.
    case greeting
    case ready(session: String)
    case waiting(untilNs: UInt64, SessionLoss)
    case stopped(SessionLoss)
  }

  /// Why there is no session.
  package enum SessionLoss: Sendable, Equatable {
    case closed(SessionClose)
    /// The upgrade was answered with 401.
    case refused
    /// No `ready` within 15 s.
    case notReady
    case connection(String)

    package var sentence: String {
      switch self {
      case .closed(let close): close.sentence
      case .refused: "The gateway refused this device's token; pair it again."
      case .notReady: "The gateway did not begin a session within 15 s."
      case .connection(let words): words
      }
    }

    var reconnects: Bool {
      switch self {
      case .closed(let close): close.reconnects
      case .refused: false
      case .notReady, .connection: true
      }
    }
  }

  static let readyNs = Nanoseconds.seconds(15)
  package static let heartbeatNs = Nanoseconds.seconds(20)
  /// A session of this length was a good one: the next pause is short again.
  static let healthyNs = Nanoseconds.seconds(60)

  private let key: DeviceKey
  package private(set) var state = State.idle
  private var signer: EnvelopeSigner?
  private var out: [Command] = []
  private var phaseNs: UInt64 = 0
  private var beatNs: UInt64 = 0
  /// Heartbeats since the gateway was heard.
  private var unanswered = 0
  /// Whether the last heartbeat is still unanswered.
  private var isBeatOpen = false
  private var failures = 0
  /// How far the gateway's clock is ahead of ours, ms.
  package private(set) var skewMs: Int64 = 0
  package private(set) var lastHeardNs: UInt64 = 0
  /// How long the last heartbeat's answer took; nil before the first.
  package private(set) var roundTripNs: UInt64?

  package init(key: DeviceKey) { self.key = key }

  /// - Parameters:
  ///   - wallMs: this machine's clock, ms since 1970.
  ///   - random: in 0..<1.
  package mutating func take(
    _ input: Input, nowNs: UInt64, wallMs: Int64, random: Double
  ) -> [Command] {
    out = []
    switch input {
    case .start, .retry: begin(nowNs)
    case .opened:
      guard state == .connecting else { break }
      (phaseNs, lastHeardNs) = (nowNs, nowNs)
      set(.greeting)
    case .text(let bytes): heard(bytes, nowNs: nowNs, wallMs: wallMs)
    case .ended(let end): lose(Self.loss(end), nowNs: nowNs, random: random)
    case .woke: woke(nowNs: nowNs, wallMs: wallMs, random: random)
    case .slept:
      switch state {
      case .connecting, .greeting, .ready:
        out.append(.drop)
        lose(.closed(.silent), nowNs: nowNs, random: random)
      default: break
      }
    }
    return out
  }

  package var wakeNs: UInt64? {
    switch state {
    case .idle, .connecting, .stopped: nil
    case .greeting: phaseNs + Self.readyNs
    case .waiting(let until, _): until
    case .ready: beatNs + Self.heartbeatNs
    }
  }

  /// Signs a message and sends it; nothing without a session.
  ///
  /// - Returns: nil if there is no session.
  package mutating func send(_ message: ClientMessage, wallMs: Int64) -> [Command]? {
    guard case .ready = state else { return nil }
    guard let frame = signer?.frame(message, nowMs: wallMs + skewMs) else { return nil }
    return [.send(frame)]
  }

  private mutating func set(_ new: State) {
    guard state != new else { return }
    state = new
    out.append(.tell(.state(new)))
  }

  private mutating func begin(_ nowNs: UInt64) {
    switch state {
    case .connecting, .greeting, .ready: return
    default: break
    }
    phaseNs = nowNs
    signer = nil
    set(.connecting)
    out.append(.connect)
  }

  private mutating func heard(_ bytes: [UInt8], nowNs: UInt64, wallMs: Int64) {
    lastHeardNs = nowNs
    unanswered = 0
    guard let value = try? JSONValue.parse(bytes), let envelope = GatewayEnvelope(value) else {
      out.append(.tell(.unread))
      return
    }
    if state == .greeting, case .status(let status) = envelope.message, status.kind == .ready,
      let session = status.sessionID
    {
      skewMs = status.serverMs.map { $0 - wallMs } ?? 0
      signer = EnvelopeSigner(session: session, key: key)
      (phaseNs, beatNs) = (nowNs, nowNs)
      set(.ready(session: session))
    }
    if isBeatOpen, case .status(let status) = envelope.message, status.kind == .alive {
      roundTripNs = nowNs.since(beatNs)
      isBeatOpen = false
    }
    out.append(.tell(.heard(envelope)))
  }

  private mutating func woke(nowNs: UInt64, wallMs: Int64, random: Double) {
    switch state {
    case .waiting(let until, _): if nowNs >= until { begin(nowNs) }
    case .greeting:
      guard nowNs >= phaseNs + Self.readyNs else { return }
      out.append(.drop)
      lose(.notReady, nowNs: nowNs, random: random)
    case .ready:
      guard nowNs >= beatNs + Self.heartbeatNs else { return }
      guard unanswered < 2 else {
        out.append(.drop)
        return lose(.closed(.silent), nowNs: nowNs, random: random)
      }
      beatNs = nowNs
      unanswered += 1
      isBeatOpen = true
      if let frame = signer?.frame(.heartbeat, nowMs: wallMs + skewMs) { out.append(.send(frame)) }
    case .idle, .connecting, .stopped: break
    }
  }

  private mutating func lose(_ loss: SessionLoss, nowNs: UInt64, random: Double) {
    if case .stopped = state { return }
    if case .ready = state, nowNs >= phaseNs + Self.healthyNs { failures = 0 }
    (signer, unanswered) = (nil, 0)
    guard loss.reconnects else { return set(.stopped(loss)) }
    let milliseconds = Double(min(1_000 << min(failures, 5), 30_000)) * (0.8 + 0.4 * random)
    failures += 1
    set(.waiting(untilNs: nowNs + UInt64(milliseconds * 1_000_000), loss))
  }

  private static func loss(_ end: WebSocketEnd) -> SessionLoss {
    switch end {
    case .closed(let code, let reason): .closed(SessionClose(code: code, reason: reason))
    case .refused(401, _, _): .refused
    case .refused(let status, _, _):
      .connection("The server answered with status \(status) and no WebSocket. Check the url.")
    case .failed(.refused):
      .connection("Nothing listens at the gateway's address. Start it, or check the url.")
    case .failed(.tls(.otherCertificate, _)):
      .connection(
        "The gateway's certificate is not that of the pairing. If it was renewed, pair again; else somebody may be in between."
      )
    case .failed(.tls(.fingerprintUnsupported, let why)):
      .connection(
        "The gateway's certificate cannot be compared with that of the pairing (\(why)). Install a libcurl with OpenSSL."
      )
    case .failed(.tunnel(let sentence)): .connection(sentence)
    case .failed(let error):
      .connection("The gateway cannot be reached (\(error)). Check the network and the url.")
    case .violated(_, let why): .connection("The gateway broke the WebSocket protocol: \(why).")
    }
  }
}
