extension GatewayMethod {
  private static let agentID = GatewayShape.Field.may("agentId", .text(min: 1))

  /// What stands still: state, agents, models, channels, cost.
  static let snapshots: [GatewayMethod] = [
    GatewayMethod("health", "read", [.may("probe", .flag)]) { world, _, _ in world.health },
    GatewayMethod("status", "read") { world, _, _ in
      [
        "runtimeVersion": .string(world.isV4 ? "2026.8.1" : "2026.4.12"),
        "heartbeat": [
          "defaultAgentId": .string(Cast.Gateway.agents[0].id),
          "agents": .array(
            Cast.Gateway.agents.map { ["agentId": .string($0.id), "enabled": true] }),
        ], "channelSummary": ["Discord: linked", "Telegram: linked"], "queuedSystemEvents": [],
        "sessions": ["count": .int(world.sessions.count), "recent": []],
      ]
    },
    GatewayMethod("last-heartbeat", "read") { world, _, _ in world.lastHeartbeat },
    GatewayMethod("system-presence", "read") { world, _, _ in .array(world.presence) },
    GatewayMethod("gateway.identity.get", "read") { _, _, _ in
      let key = [UInt8](repeating: 7, count: 32)
      return [
        "deviceId": .string(ByteText.hex(DeviceSignature.sha256(key))),
        "publicKey": "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc",
      ]
    },
    GatewayMethod("node.list", "read") { world, _, _ in
      [
        "ts": .int(Int(world.now)),
        "nodes": .array(
          (world.options.scenario == .empty ? [] : world.nodes) + world.ownNodes),
      ]
    },
    GatewayMethod("tts.status", "read") { world, _, _ in
      let status: DemoJSON = [
        "enabled": false, "auto": "off", "provider": "", "fallbackProvider": .null,
        "fallbackProviders": [], "prefsPath": "\(Cast.Gateway.home)/.openclaw/settings/tts.json",
        "providerStates": [],
      ]
      return world.isV4 ? status.merging(["persona": .null, "personas": []]) : status
    },
    GatewayMethod("tts.speak", "write", versions: 4...4, [.need("text", .text(min: 1))]) {
      _, _, params in
      [
        "audioBase64": .string(DemoVoice.wave(params["text"]?.stringValue ?? "")),
        "provider": "demo", "mimeType": "audio/wav", "fileExtension": "wav",
      ]
    },
    GatewayMethod(
      "channels.status", "read", [.may("probe", .flag), .may("timeoutMs", .whole(0...600_000))]
    ) { world, _, _ in world.channels },
    GatewayMethod(
      "usage.cost", "read",
      [.may("days", .whole(1...366)), .may("startDate", .text()), .may("endDate", .text())],
      new: [agentID], needsAgent: true
    ) { world, _, params in
      let days = Int(params["days"]?.doubleValue ?? 7)
      return world.usage(days: days, agent: params["agentId"]?.stringValue)
    },
    GatewayMethod("agents.list", "read") { world, _, _ in
      var list: DemoJSON = [
        "defaultId": .string(Cast.Gateway.agents[0].id), "mainKey": "main", "scope": "per-sender",
        "agents": .array(
          Cast.Gateway.agents.map { agent in
            [
              "id": .string(agent.id), "name": .string(agent.name),
              "workspace": .string("\(Cast.Gateway.home)/agents/\(agent.id)"),
              "model": ["primary": "\(Cast.Gateway.provider)/\(Cast.Gateway.model)"],
            ]
          }),
      ]
      if world.isV4 {
        list = list.setting("ownership", "explicit").setting("selectionRequired", true)
      }
      return list
    },
    GatewayMethod("models.list", "read", new: [agentID], needsAgent: true) { _, _, _ in
      [
        "models": [
          [
            "id": "birch-1", "name": "Birch 1", "provider": "birch", "contextWindow": 128_000,
            "reasoning": true,
          ],
          [
            "id": "birch-1-small", "name": "Birch 1 Small", "provider": "birch",
            "contextWindow": 32_000, "reasoning": false,
          ],
        ]
      ]
    },
    GatewayMethod("tools.catalog", "read", [agentID], needsAgent: true) { _, _, params in
      func tool(_ id: String, _ words: String) -> DemoJSON {
        [
          "id": .string(id), "label": .string(id), "description": .string(words), "source": "core",
          "defaultProfiles": ["coding"],
        ]
      }
      return [
        "agentId": params["agentId"] ?? .string(Cast.Gateway.agents[0].id),
        "profiles": [["id": "full", "label": "Full"]],
        "groups": [
          [
            "id": "fs", "label": "Files", "source": "core",
            "tools": [tool("read", "Read a file"), tool("write", "Write a file")],
          ],
          [
            "id": "runtime", "label": "Runtime", "source": "core",
            "tools": [tool("exec", "Run a command")],
          ],
        ],
      ]
    },
    GatewayMethod("commands.list", "read", [agentID], needsAgent: true) { _, _, _ in
      [
        "commands": [
          [
            "name": "help", "nativeName": "help", "textAliases": ["/help"],
            "description": "Show the commands.", "category": "status", "source": "native",
            "scope": "both", "acceptsArgs": false,
          ]
        ]
      ]
    },
    GatewayMethod(
      "logs.tail", "read",
      [
        .may("cursor", .whole(0...Int.max)), .may("limit", .whole(1...5000)),
        .may("maxBytes", .whole(1...1_000_000)),
      ]
    ) { world, _, params in
      let size = world.logLines.reduce(0) { $0 + $1.utf8.count + 1 }
      let cursor = Int(params["cursor"]?.doubleValue ?? 0)
      var lines: [String] = []
      var at = 0
      for line in world.logLines {
        if at >= cursor { lines.append(line) }
        at += line.utf8.count + 1
      }
      let limit = Int(params["limit"]?.doubleValue ?? 200)
      return [
        "file": "\(Cast.Gateway.home)/.openclaw/logs/openclaw.log", "cursor": .int(size),
        "size": .int(size), "lines": .strings(lines.suffix(limit)),
        "truncated": .bool(lines.count > limit), "reset": .bool(cursor > size),
      ]
    },
    GatewayMethod(
      "agents.files.list", "read", [.need("agentId", .text(min: 1))]
    ) { world, _, params in
      let agent = params["agentId"]?.stringValue ?? ""
      return [
        "agentId": .string(agent), "workspace": .string("\(Cast.Gateway.home)/agents/\(agent)"),
        "files": .array(
          GatewayFiles.all(agent).map { $0.json(agent, withText: false, nowMs: world.now) }),
      ]
    },
    GatewayMethod(
      "agents.files.get", "read",
      [.need("agentId", .text(min: 1)), .need("name", .text(min: 1))]
    ) { (world, _, params) throws(GatewayError) in
      let agent = params["agentId"]?.stringValue ?? ""
      let name = params["name"]?.stringValue ?? ""
      guard let file = GatewayFiles.all(agent).first(where: { $0.name == name }) else {
        throw GatewayError("unsupported file \"\(name)\"")
      }
      world.note("file read", ["agent": .string(agent), "name": .string(name)])
      return [
        "agentId": .string(agent), "workspace": .string("\(Cast.Gateway.home)/agents/\(agent)"),
        "file": file.json(agent, withText: true, nowMs: world.now),
      ]
    },
  ]
}
