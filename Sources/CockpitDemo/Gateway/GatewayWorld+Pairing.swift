/// A device that the gateway knows, with its token.
struct PairedDevice {
  var id: String
  var publicKey: String
  var name: String
  var label: String?
  /// What it showed of itself.
  var client: DemoJSON
  var role: String
  /// Every scope it was ever approved for.
  var scopes: [String]
  var token: String
  /// What the token allows.
  var tokenScopes: [String]
  var issuedMs: Int64
  var approvedMs: Int64
}

/// A pairing request of a device.
struct PairingRequest {
  /// How long it waits.
  static let lifeMs = 300_000

  var id: String
  var deviceID: String
  var publicKey: String
  var client: DemoJSON
  var role: String
  var scopes: [String]
  var atMs: Int64
  /// `not-paired` or `scope-upgrade`.
  var reason: String
  /// Null while it waits.
  var decision: String?
  var address = "198.51.100.41"

  var isPending: Bool { decision == nil }

  var record: DemoJSON {
    [
      "requestId": .string(id), "deviceId": .string(deviceID), "publicKey": .string(publicKey),
      "displayName": client["displayName"] ?? .null, "platform": client["platform"] ?? .null,
      "deviceFamily": client["deviceFamily"] ?? .null, "clientId": client["id"] ?? .null,
      "clientMode": client["mode"] ?? .null, "role": .string(role), "roles": [.string(role)],
      "scopes": .strings(scopes), "remoteIp": .string(address), "silent": false,
      "isRepair": false, "ts": .int(Int(atMs)),
    ]
  }

  var truth: DemoJSON {
    [
      "id": .string(id), "device": .string(deviceID), "role": .string(role),
      "scopes": .strings(scopes),
      "reason": .string(reason), "decision": .text(decision), "at": .int(Int(atMs)),
    ]
  }
}

extension GatewayWorld {
  /// Checks the credential, then the pairing. Nil for a client without an identity.
  func authorise(
    _ client: GatewayClient, _ params: DemoJSON
  ) throws(Refusal) -> PairedDevice? {
    let auth = params["auth"]
    if let bootstrap = auth?["bootstrapToken"]?.stringValue {
      return try admit(client, params, bootstrap: bootstrap)
    }
    let shared = auth?["token"]?.stringValue ?? auth?["password"]?.stringValue
    let given = auth?["deviceToken"]?.stringValue ?? shared
    guard let given, !given.isEmpty else {
      throw Refusal.unauthorized(
        "AUTH_TOKEN_MISSING", "token_missing",
        "gateway token missing (provide gateway auth token)", next: "update_auth_configuration")
    }
    let known = client.deviceID.flatMap { paired($0, as: client.role) }
    if let shared, Self.isSame(shared, token) {
      return try pair(client, params, known)
    }
    if let known, Self.isSame(given, known.token) {
      guard Set(client.scopes).isSubset(of: known.tokenScopes) else {
        if !isV4 { return try pair(client, params, known) }
        throw Refusal.unauthorized(
          "AUTH_SCOPE_MISMATCH", "scope_mismatch",
          "device token scope mismatch (re-pair or approve scope upgrade)",
          next: "review_auth_configuration")
      }
      return known
    }
    if auth?["deviceToken"] != nil {
      throw Refusal.unauthorized(
        "AUTH_DEVICE_TOKEN_MISMATCH", "device_token_mismatch",
        "device token mismatch (rotate/reissue device token)", next: "update_auth_credentials")
    }
    throw Refusal.unauthorized(
      "AUTH_TOKEN_MISMATCH", "token_mismatch",
      "gateway token mismatch (provide gateway auth token)",
      next: "retry_with_device_token", mayRetry: true)
  }

  func paired(_ id: String, as role: String) -> PairedDevice? {
    role == "node" ? nodeDevices[id] : devices[id]
  }

  private func keep(_ device: PairedDevice) {
    if device.role == "node" {
      nodeDevices[device.id] = device
    } else {
      devices[device.id] = device
    }
  }

  /// Compares every byte, so that time tells nothing.
  static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    var difference = one.count ^ other.count
    for index in other.indices {
      difference |= Int(other[index] ^ (index < one.count ? one[index] : 0))
    }
    return difference == 0
  }

  /// A setup code lets one device in, once, without asking.
  private func admit(
    _ client: GatewayClient, _ params: DemoJSON, bootstrap: String
  ) throws(Refusal) -> PairedDevice {
    guard let id = client.deviceID, let token = bootstrapToken, Self.isSame(bootstrap, token) else {
      throw Refusal.unauthorized(
        "AUTH_BOOTSTRAP_TOKEN_INVALID", "bootstrap_token_invalid",
        "bootstrap token invalid or expired (request a new setup code)",
        next: "update_auth_credentials")
    }
    bootstrapToken = nil
    note("setup code used", ["device": .string(id)])
    return approve(
      PairingRequest(
        id: "", deviceID: id, publicKey: params["device"]?["publicKey"]?.stringValue ?? "",
        client: client.client, role: client.role, scopes: client.scopes, atMs: now,
        reason: "not-paired"))
  }

  private func pair(
    _ client: GatewayClient, _ params: DemoJSON, _ known: PairedDevice?
  ) throws(Refusal) -> PairedDevice? {
    guard let id = client.deviceID else {
      // Without an identity there are no scopes (contract 3).
      client.scopes = []
      return nil
    }
    let key = params["device"]?["publicKey"]?.stringValue ?? ""
    guard var known else {
      if options.asksForPairing { throw pairingRequired(client, key, nil) }
      return approve(
        PairingRequest(
          id: "", deviceID: id, publicKey: key, client: client.client, role: client.role,
          scopes: client.scopes, atMs: now, reason: "not-paired"))
    }
    let more = client.scopes.filter { !known.scopes.contains($0) }
    if !more.isEmpty {
      if options.asksForPairing || !isV4 { throw pairingRequired(client, key, known) }
      known.scopes += more
    }
    known.tokenScopes = known.scopes
    keep(known)
    return known
  }

  private func pairingRequired(
    _ client: GatewayClient, _ key: String, _ known: PairedDevice?
  ) -> Refusal {
    let id = client.deviceID ?? ""
    let isOtherRole = known == nil && (devices[id] != nil || nodeDevices[id] != nil)
    let reason = isOtherRole ? "role-upgrade" : known == nil ? "not-paired" : "scope-upgrade"
    let request: PairingRequest
    if let same = pairings.first(where: {
      $0.isPending && $0.deviceID == id && $0.role == client.role
        && Set($0.scopes) == Set(client.scopes)
    }) {
      request = same
    } else {
      request = PairingRequest(
        id: idRandom.uuid(), deviceID: id, publicKey: key, client: client.client,
        role: client.role, scopes: client.scopes, atMs: now, reason: reason)
      announce(request)
    }
    var words = "pairing required"
    var details: DemoJSON = [
      "code": "PAIRING_REQUIRED", "requestId": .string(request.id), "reason": .string(reason),
    ]
    if isV4 {
      words +=
        isOtherRole
        ? ": device is asking for a higher role than currently approved"
        : known == nil
          ? ": device is not approved yet"
          : ": device is asking for more scopes than currently approved"
      let hint =
        known == nil
        ? "Approve this device from the pending pairing requests."
        : "Review the requested scopes, then approve the pending upgrade."
      details = [
        "code": "PAIRING_REQUIRED", "reason": .string(reason), "requestId": .string(request.id),
        "remediationHint": .string(hint), "deviceId": .string(id),
        "requestedRole": .string(client.role), "requestedScopes": .strings(client.scopes),
      ]
      if let known {
        details = details.setting("approvedRoles", [.string(known.role)])
          .setting("approvedScopes", .strings(known.scopes.sorted()))
      }
    }
    return Refusal(
      GatewayError(words, code: "NOT_PAIRED", details: details),
      reason: isV4 ? "\(words) (requestId: \(request.id))" : words)
  }

  /// Adds a request, sends `device.pair.requested` to operators with the scope, and schedules its expiry.
  func announce(_ request: PairingRequest) {
    pairings.append(request)
    note("pairing requested", ["id": .string(request.id), "device": .string(request.deviceID)])
    tell("device.pair.requested", request.record, scope: "operator.pairing")
    let id = request.id
    after(PairingRequest.lifeMs) { world in
      guard let index = world.pairings.firstIndex(where: { $0.id == id && $0.isPending }) else {
        return
      }
      world.pairings[index].decision = "expired"
      world.note("pairing expired", ["id": .string(id)])
    }
  }

  /// Approves or rejects a pending request; throws if there is no such request.
  @discardableResult
  func decide(pairing id: String, approves: Bool, by name: String) throws(GatewayError)
    -> PairingRequest
  {
    guard let index = pairings.firstIndex(where: { $0.id == id && $0.isPending }) else {
      throw GatewayError("unknown requestId")
    }
    pairings[index].decision = approves ? "approved" : "rejected"
    let request = pairings[index]
    if approves { approve(request) }
    note(
      "pairing \(request.decision ?? "")", ["id": .string(id), "by": .string(name)])
    after(Self.afterAnswerMs) { world in
      world.tell(
        "device.pair.resolved",
        [
          "requestId": .string(id), "deviceId": .string(request.deviceID),
          "decision": .text(request.decision), "ts": .int(Int(world.now)),
        ], scope: "operator.pairing")
    }
    return request
  }

  @discardableResult
  private func approve(_ request: PairingRequest) -> PairedDevice {
    let old = paired(request.deviceID, as: request.role)
    let scopes = (old?.scopes ?? []) + request.scopes.filter { old?.scopes.contains($0) != true }
    let device = PairedDevice(
      id: request.deviceID, publicKey: request.publicKey,
      name: request.client["displayName"]?.stringValue ?? "device", client: request.client,
      role: request.role, scopes: scopes, token: old?.token ?? "dt_" + idRandom.token(24),
      tokenScopes: scopes, issuedMs: now, approvedMs: now)
    keep(device)
    return device
  }
}
