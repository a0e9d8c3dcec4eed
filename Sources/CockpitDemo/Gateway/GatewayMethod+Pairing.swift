extension GatewayMethod {
  private static let request = GatewayShape.Field.need("requestId", .text(min: 1))
  private static let device = GatewayShape.Field.need("deviceId", .text(min: 1))
  private static let role = GatewayShape.Field.need("role", .text(min: 1))

  /// Devices and their tokens (contract 5).
  static let pairing: [GatewayMethod] = [
    GatewayMethod("device.pair.list", "pairing") { world, _, _ in
      [
        "pending": .array(world.pairings.filter(\.isPending).map(\.record)),
        "paired": .array(
          world.devices.values.sorted { $0.id < $1.id }.map { world.json($0) }),
      ]
    },
    GatewayMethod("device.pair.approve", "pairing", [request]) {
      (world, client, params) throws(GatewayError) in
      let done = try world.decide(
        pairing: params["requestId"]?.stringValue ?? "", approves: true, by: client.name)
      return [
        "requestId": .string(done.id),
        "device": world.devices[done.deviceID].map { world.json($0) } ?? .null,
      ]
    },
    GatewayMethod("device.pair.reject", "pairing", [request]) {
      (world, client, params) throws(GatewayError) in
      let done = try world.decide(
        pairing: params["requestId"]?.stringValue ?? "", approves: false, by: client.name)
      return ["requestId": .string(done.id), "deviceId": .string(done.deviceID)]
    },
    GatewayMethod(
      "device.pair.rename", "pairing", versions: 4...4, [device, .need("label", .text(min: 1))]
    ) { (world, _, params) throws(GatewayError) in
      var found = try world.device(params)
      found.label = params["label"]?.stringValue
      world.devices[found.id] = found
      return ["ok": true, "deviceId": .string(found.id), "label": .text(found.label)]
    },
    GatewayMethod("device.pair.remove", "pairing", [device]) {
      (world, _, params) throws(GatewayError) in
      let found = try world.device(params)
      world.devices[found.id] = nil
      world.note("device removed", ["device": .string(found.id)])
      world.after(GatewayWorld.afterAnswerMs) { world in
        for client in world.clients where client.deviceID == found.id && client.isConnected {
          client.close(4001, "device removed")
        }
      }
      return ["deviceId": .string(found.id)]
    },
    GatewayMethod(
      "device.token.rotate", "pairing", [device, role, .may("scopes", .list(.text(min: 1)))]
    ) { (world, _, params) throws(GatewayError) in
      var found = try world.device(params)
      found.token = "dt_" + world.idRandom.token(24)
      if let scopes = params["scopes"]?.arrayValue {
        found.tokenScopes = scopes.compactMap(\.stringValue).filter(found.scopes.contains)
      }
      found.issuedMs = world.now
      world.devices[found.id] = found
      return [
        "deviceId": .string(found.id), "role": .string(found.role),
        "token": .string(found.token), "scopes": .strings(found.tokenScopes),
        "rotatedAtMs": .int(Int(world.now)),
      ]
    },
    GatewayMethod("device.token.revoke", "pairing", [device, role]) {
      (world, _, params) throws(GatewayError) in
      var found = try world.device(params)
      found.token = "revoked-" + world.idRandom.token(24)
      world.devices[found.id] = found
      return [
        "deviceId": .string(found.id), "role": .string(found.role),
        "revokedAtMs": .int(Int(world.now)),
      ]
    },
  ]
}

extension GatewayWorld {
  fileprivate func device(_ params: DemoJSON) throws(GatewayError) -> PairedDevice {
    guard let found = devices[params["deviceId"]?.stringValue ?? ""] else {
      throw GatewayError("unknown deviceId")
    }
    return found
  }

  /// A paired device as lists have it: without its token.
  fileprivate func json(_ device: PairedDevice) -> DemoJSON {
    [
      "deviceId": .string(device.id), "publicKey": .string(device.publicKey),
      "displayName": .string(device.label ?? device.name),
      "platform": device.client["platform"] ?? .null,
      "deviceFamily": device.client["deviceFamily"] ?? .null,
      "clientId": device.client["id"] ?? .null, "clientMode": device.client["mode"] ?? .null,
      "role": .string(device.role), "roles": [.string(device.role)],
      "scopes": .strings(device.scopes), "createdAtMs": .int(Int(device.approvedMs)),
      "approvedAtMs": .int(Int(device.approvedMs)),
      "tokens": [
        [
          "role": .string(device.role), "scopes": .strings(device.tokenScopes.sorted()),
          "createdAtMs": .int(Int(device.issuedMs)),
        ]
      ],
    ]
  }
}
