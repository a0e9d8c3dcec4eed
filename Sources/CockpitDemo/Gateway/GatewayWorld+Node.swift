/// Commands that the gateway asks of connected nodes, and what they answer.
extension GatewayWorld {
  /// Asks every connected node, as an agent does with `node.invoke`; without one nothing happens.
  ///
  /// - Parameter key: the idempotency key; nil makes one.
  func invoke(_ command: String, _ params: DemoJSON, key: String? = nil) {
    for client in clients where client.isConnected && !client.isClosing && client.role == "node" {
      let id = idRandom.uuid()
      note("node invoked", ["id": .string(id), "command": .string(command), "params": params])
      let words = faults.isHostile ? HostileWords.poison(params) : params
      // Events for one connection have no sequence number.
      client.send([
        "type": "event", "event": "node.invoke.request",
        "payload": [
          "id": .string(id), "nodeId": .text(client.deviceID), "command": .string(command),
          "paramsJSON": .string(words.text), "timeoutMs": 15_000,
          "idempotencyKey": .string(key ?? idRandom.uuid()),
        ],
      ])
    }
  }

  /// Nodes of the devices that were approved as such.
  var ownNodes: [DemoJSON] {
    nodeDevices.values.sorted { $0.id < $1.id }.map { device in
      let client = clients.last {
        $0.isConnected && !$0.isClosing && $0.role == "node" && $0.deviceID == device.id
      }
      return [
        "nodeId": .string(device.id), "displayName": .string(device.name),
        "platform": device.client["platform"] ?? .null,
        "version": device.client["version"] ?? .null, "paired": true,
        "connected": .bool(client != nil), "caps": .strings(client?.caps.sorted() ?? []),
        "commands": .strings(client?.commands ?? []),
      ]
    }
  }
}

extension GatewayMethod {
  /// What nodes alone may call.
  static let node: [GatewayMethod] = {
    var result = GatewayMethod(
      "node.invoke.result", "none",
      [
        .need("id", .text(min: 1)), .need("nodeId", .text(min: 1)), .need("ok", .flag),
        .may("payload", .any), .may("payloadJSON", .text()),
        .may(
          "error", .object([.may("code", .text(min: 1)), .may("message", .text(min: 1))])),
      ]
    ) { (world, client, params) throws(GatewayError) in
      guard params["nodeId"]?.stringValue == client.deviceID else {
        throw GatewayError("nodeId mismatch")
      }
      world.note("node result", params)
      return ["ok": true]
    }
    result.role = "node"
    return [result]
  }()
}
