/// The first request of a client: who it is, and what it may do (contract 3 to 5).
extension GatewayWorld {
  /// How old a signature may be, in either direction.
  static let skewMs: Int64 = 120_000
  /// How long a client may take to connect.
  static let connectMs = 15_000

  /// A new socket: it is challenged at once.
  func open(_ link: GatewayLink) -> GatewayClient {
    let client = GatewayClient(
      id: nextClient, link: link, connID: idRandom.uuid(), nonce: idRandom.uuid())
    nextClient += 1
    clients.append(client)
    client.send([
      "type": "event", "event": "connect.challenge",
      "payload": ["nonce": .string(client.nonce), "ts": .int(Int(now))],
    ])
    after(Self.connectMs) { [weak client] _ in
      guard let client, !client.isConnected, !client.isClosing else { return }
      client.close(1000)
    }
    return client
  }

  /// Handles the first message of a client.
  func receiveFirst(_ client: GatewayClient, _ bytes: [UInt8], isText: Bool) {
    guard isText, let frame = try? DemoJSON.parse(bytes), case .object = frame else {
      return client.close(1000)
    }
    guard GatewayMethod.frame.problem(frame, version: version) == nil,
      frame["method"]?.stringValue == "connect", let id = frame["id"]?.stringValue
    else {
      let words = "invalid handshake: first request must be connect"
      if let id = frame["id"]?.stringValue { answer(client, id, .failure(GatewayError(words))) }
      note("connect refused", ["conn": .string(client.connID), "why": .string(words)])
      return client.close(1008, words)
    }
    do throws(Refusal) {
      let payload = try connect(client, frame["params"] ?? [:])
      note(
        "connected",
        [
          "conn": .string(client.connID), "device": .text(client.deviceID),
          "name": .string(client.name), "scopes": .strings(client.scopes),
          "role": .string(client.role),
        ])
      client.link.limit = GatewayOptions.maxPayload
      client.isConnected = true
      answer(client, id, .success(payload))
      welcome(client)
    } catch {
      let code = error.error.details?["code"]?.stringValue ?? error.error.code
      note(
        "connect refused",
        [
          "conn": .string(client.connID), "code": .string(code),
          "why": .string(error.error.message),
        ])
      log("gateway/ws", "connect refused: \(error.error.message)")
      answer(client, id, .failure(error.error))
      client.close(error.close, error.reason)
    }
  }

  private func connect(_ client: GatewayClient, _ params: DemoJSON) throws(Refusal) -> DemoJSON {
    if now < startingUntilMs {
      throw Refusal(
        GatewayError(
          "gateway starting; retry shortly", code: "UNAVAILABLE",
          details: ["reason": "startup-sidecars"], retryAfterMs: 500),
        close: 1013, reason: "gateway starting")
    }
    if let problem = ConnectShape.params(version).problem(params, version: version) {
      throw Refusal(GatewayError("invalid connect params: \(problem)"))
    }
    try checkRange(params)
    if faults.isRateLimited {
      throw Refusal.unauthorized(
        "AUTH_RATE_LIMITED", "rate_limited",
        "too many failed authentication attempts (retry later)", next: "wait_then_retry")
    }
    read(client, params)
    if let device = params["device"] { try checkDevice(client, device, params) }
    let issued = try authorise(client, params)
    return hello(client, issued)
  }

  private func checkRange(_ params: DemoJSON) throws(Refusal) {
    let low = Int(params["minProtocol"]?.doubleValue ?? 0)
    let high = Int(params["maxProtocol"]?.doubleValue ?? 0)
    if low <= version, version <= high { return }
    var details: DemoJSON = ["expectedProtocol": .int(version)]
    if isV4 {
      details = [
        "code": "PROTOCOL_MISMATCH", "clientMinProtocol": .int(low),
        "clientMaxProtocol": .int(high), "expectedProtocol": .int(version),
        "minimumProbeProtocol": 3,
      ]
    }
    throw Refusal(GatewayError("protocol mismatch", details: details), close: 1002)
  }

  private func read(_ client: GatewayClient, _ params: DemoJSON) {
    let shown = params["client"] ?? [:]
    client.client = shown
    client.clientID = shown["id"]?.stringValue ?? ""
    client.name = shown["displayName"]?.stringValue ?? client.clientID
    client.role = params["role"]?.stringValue ?? "operator"
    client.scopes = (params["scopes"]?.arrayValue ?? []).compactMap(\.stringValue)
    client.caps = Set((params["caps"]?.arrayValue ?? []).compactMap(\.stringValue))
    client.commands = (params["commands"]?.arrayValue ?? []).compactMap(\.stringValue)
  }

  /// The device proves that it owns its key, with the nonce of this very socket.
  private func checkDevice(
    _ client: GatewayClient, _ device: DemoJSON, _ params: DemoJSON
  ) throws(Refusal) {
    let id = device["id"]?.stringValue ?? ""
    let key = ByteText.decodedURL(device["publicKey"]?.stringValue ?? "") ?? []
    guard key.count == 32, ByteText.hex(DeviceSignature.sha256(key)) == id else {
      throw Refusal.device(
        "DEVICE_AUTH_DEVICE_ID_MISMATCH", "device-id-mismatch", "device identity mismatch")
    }
    let signedAt = Int64(device["signedAt"]?.doubleValue ?? 0)
    guard abs(now - signedAt) <= Self.skewMs else {
      throw Refusal.device(
        "DEVICE_AUTH_SIGNATURE_EXPIRED", "device-signature-stale", "device signature expired")
    }
    let nonce = device["nonce"]?.stringValue ?? ""
    guard nonce == client.nonce, !client.isNonceUsed else {
      throw Refusal.device(
        "DEVICE_AUTH_NONCE_MISMATCH", "device-nonce-mismatch", "device nonce mismatch")
    }
    client.isNonceUsed = true
    let shown = params["client"]
    let auth = params["auth"]
    let parts = SignedParts(
      deviceID: id, clientID: client.clientID, clientMode: shown?["mode"]?.stringValue ?? "",
      role: client.role, scopes: client.scopes, signedAtMs: signedAt,
      token: auth?["token"]?.stringValue ?? auth?["deviceToken"]?.stringValue
        ?? auth?["bootstrapToken"]?.stringValue ?? "",
      nonce: nonce, platform: shown?["platform"]?.stringValue ?? "",
      deviceFamily: shown?["deviceFamily"]?.stringValue ?? "")
    let signature = ByteText.decodedURL(device["signature"]?.stringValue ?? "") ?? []
    let isValid = [3, 2].contains { version in
      DeviceSignature.isValid(
        signature, over: DeviceSignature.signedText(version: version, parts), key: key)
    }
    guard isValid else {
      throw Refusal.device(
        "DEVICE_AUTH_SIGNATURE_INVALID", "device-signature", "device signature invalid")
    }
    client.deviceID = id
  }

  private func hello(_ client: GatewayClient, _ device: PairedDevice?) -> DemoJSON {
    var payload: DemoJSON = [
      "type": "hello-ok", "protocol": .int(version),
      "server": [
        "version": .string(isV4 ? "2026.8.1" : "2026.4.12"), "connId": .string(client.connID),
      ],
      "features": [
        "methods": .strings(GatewayMethod.names(version)),
        "events": .strings(GatewayEvents.names(version)),
      ],
    ]
    presenceVersion += 1
    payload = payload.setting("snapshot", snapshot(adding: client))
    if let device {
      payload = payload.setting(
        "auth",
        [
          "deviceToken": .string(device.token), "role": .string(client.role),
          "scopes": .strings(isV4 ? client.scopes : device.scopes),
          "issuedAtMs": .int(Int(device.issuedMs)),
        ])
    } else if isV4 {
      payload = payload.setting("auth", ["role": .string(client.role), "scopes": []])
    }
    return payload.setting(
      "policy",
      [
        "maxPayload": .int(GatewayOptions.maxPayload),
        "maxBufferedBytes": .int(options.maxBufferedBytes), "tickIntervalMs": .int(options.tickMs),
        "attachments": ["maxBytes": 20_971_520, "maxImageBytes": 10_485_760],
      ])
  }

  /// The others learn of the newcomer.
  private func welcome(_ client: GatewayClient) {
    tell(
      "presence", ["presence": .array(presence)], scope: nil, stateVersion: stateVersion,
      where: { $0 !== client })
    log("gateway/ws", "connected \(client.name)")
  }
}
