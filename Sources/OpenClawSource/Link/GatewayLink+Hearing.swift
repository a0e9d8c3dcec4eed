internal import LenientJSON
internal import Networking
internal import OpenClawWire

/// What the gateway says, and how a connection ends.
extension GatewayLink {
  mutating func heard(_ text: [UInt8], nowNs: UInt64, wallMs: Int64, random: Double) {
    guard let frame = GatewayFrame(text) else { return out.append(.tell(.unread)) }
    switch frame {
    case .unknown: out.append(.tell(.unread))
    case .response(let response):
      if response.id == connectId {
        greeted(response, nowNs: nowNs, wallMs: wallMs, random: random)
      } else {
        answered(response, nowNs: nowNs)
      }
    case .event(let event):
      if state == .greeting {
        guard connectId == nil, let challenge = ConnectChallenge(event) else { return }
        challenged(challenge, nowNs: nowNs, wallMs: wallMs)
      } else if state == .connected {
        count(event, nowNs: nowNs)
      }
    }
  }

  private mutating func challenged(_ challenge: ConnectChallenge, nowNs: UInt64, wallMs: Int64) {
    let id = "c\(nextId)"
    nextId += 1
    guard let frame = identity.connect(challenge, id: id) else {
      out.append(.drop)
      return set(.stopped(.noSignature))
    }
    connectId = id
    skewMs = challenge.ts - Int(wallMs)
    phaseNs = nowNs
    out.append(.send(frame))
  }

  private mutating func greeted(
    _ response: GatewayResponse, nowNs: UInt64, wallMs: Int64, random: Double
  ) {
    guard state == .greeting else { return }
    guard response.isOK, let payload = response.payload,
      let hello = GatewayHello(payload, requested: identity.scopes)
    else {
      let error = response.error.map(ConnectRefusal.init)
      return refused(
        error ?? .other(code: "", message: "no greeting"), nowNs: nowNs, random: random)
    }
    self.hello = hello
    if let token = hello.deviceToken, token != identity.deviceToken {
      identity.deviceToken = token
      out.append(.storeDeviceToken(token))
    }
    connectedNs = nowNs
    pairingDeadlineNs = nil
    // Protocol 4 counts from 1: the loss of the first event shows as well. Protocol 3 goes on counting.
    if hello.protocolVersion >= 4 { sequence = 0 }
    set(.connected)
    out.append(.tell(.hello(hello, skewMs: skewMs)))
    recover(nowNs)
  }

  private mutating func refused(_ refusal: ConnectRefusal, nowNs: UInt64, random: Double) {
    out.append(.drop)
    disconnect()
    // The socket is gone.
    state = .idle
    switch refusal {
    case .starting(let retryAfterMs):
      lose(.refused(refusal), nowNs: nowNs, waitMs: retryAfterMs, random: random)
    case .deviceTokenMismatch where identity.deviceToken != nil:
      identity.deviceToken = nil
      out.append(.forgetDeviceToken)
      guard identity.hasShared else { return set(.stopped(.refused(refusal))) }
      begin(nowNs)
    case .scopeMismatch where identity.deviceToken != nil && identity.hasShared:
      // The profile's own secret asks for a pairing with what is missing.
      identity.deviceToken = nil
      begin(nowNs)
    case .pairing(let requestId, _, _, _):
      let deadline = pairingDeadlineNs ?? nowNs + Self.pairingNs
      pairingDeadlineNs = deadline
      phaseNs = nowNs
      set(.pairing(requestId: requestId, deadlineNs: deadline, refusal))
    default: set(.stopped(.refused(refusal)))
    }
  }

  // MARK: Events

  /// `seq` counts the events of a connection; a jump means that some are lost.
  private mutating func count(_ event: GatewayEvent, nowNs: UInt64) {
    if let new = event.sequence {
      if let last = sequence, new > last + 1 {
        out.append(.tell(.gap(lost: new - last - 1)))
        recover(nowNs)
      } else if let last = sequence, new <= last {
        // Told before.
        return
      }
      sequence = new
    }
    if event.name == "shutdown", let expected = event.payload["restartExpectedMs"]?.int {
      firstWaitMs = min(max(expected, 100), 300_000)
    }
    // A tick says nothing but that the connection lives.
    guard event.name != "tick" else { return }
    guard isRecovering else { return out.append(.tell(.event(event))) }
    if held.count < Self.maximumHeld { held.append(event) } else { out.append(.tell(.unread)) }
  }

  /// Asks for everything that may have been missed; events wait until the answers are there.
  mutating func recover(_ nowNs: UInt64) {
    guard let hello else { return }
    (isRecoveryPartial, relistDueNs) = (false, nil)
    for (id, entry) in outstanding where entry.isRecovery { outstanding[id] = nil }
    isRecovering = true
    recovery = recovers.filter {
      $0.exists(in: hello.protocolVersion)
        // Protocol 3 may tell no scopes at all.
        && (hello.scopes.contains($0.scope) || hello.scopes.contains("operator.admin")
          || hello.scopes.isEmpty && identity.scopes.contains($0.scope))
    }
    nextOfRecovery(nowNs)
  }

  private mutating func nextOfRecovery(_ nowNs: UInt64) {
    guard !recovery.isEmpty else {
      isRecovering = false
      if isRecoveryPartial { relistDueNs = nowNs + Self.relistNs }
      let events = held
      held = []
      out.append(.tell(.recovered))
      for event in events { out.append(.tell(.event(event))) }
      return
    }
    send(recovery.removeFirst(), nowNs: nowNs, isRecovery: true)
  }

  // MARK: Answers

  private mutating func answered(_ response: GatewayResponse, nowNs: UInt64) {
    guard outstanding[response.id] != nil else { return }
    let result: Result<JSONValue, RequestFailure> =
      if response.isOK {
        .success(response.payload ?? .null)
      } else if let error = response.error ?? GatewayError(.object(JSONObject())) {
        .failure(.refused(error))
      } else {
        .failure(.timedOut)
      }
    finish(response.id, result, nowNs: nowNs)
  }

  mutating func finish(_ id: String, _ result: Result<JSONValue, RequestFailure>, nowNs: UInt64) {
    guard let entry = outstanding.removeValue(forKey: id) else { return }
    guard entry.isRecovery else { return out.append(.tell(.answer(id: id, result))) }
    if case .failure(let failure) = result, failure.isForNow { isRecoveryPartial = true }
    out.append(.tell(.listed(entry.request, result)))
    nextOfRecovery(nowNs)
  }

  // MARK: The end

  mutating func ended(_ end: WebSocketEnd, nowNs: UInt64, random: Double) {
    // What was refused has been told; the close behind it says no more.
    guard state == .connected || state == .greeting || state == .connecting else { return }
    guard case .closed(let code, let words) = end else {
      return lose(.unreachable(end), nowNs: nowNs, waitMs: nil, random: random)
    }
    let reason = CloseReason(code: code, reason: words)
    if let connectedNs, nowNs >= connectedNs + Self.healthyNs { mayReconnectOnce = true }
    switch reason.retry {
    case .afterPause:
      lose(.closed(reason), nowNs: nowNs, waitMs: nil, random: random)
    case .once where mayReconnectOnce:
      mayReconnectOnce = false
      lose(.closed(reason), nowNs: nowNs, waitMs: nil, random: random)
    case .once, .never:
      disconnect()
      set(.stopped(.closed(reason)))
    }
  }
}
