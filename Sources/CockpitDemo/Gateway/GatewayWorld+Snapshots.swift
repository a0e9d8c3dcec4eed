/// What the gateway tells of its present state.
extension GatewayWorld {
  /// Everybody who is connected, the gateway first.
  var presence: [DemoJSON] { presence(adding: nil) }

  private func presence(adding newcomer: GatewayClient?) -> [DemoJSON] {
    let version = isV4 ? "2026.8.1" : "2026.4.12"
    let own: DemoJSON = [
      "host": .string(Cast.Gateway.host), "ip": "192.0.2.40", "version": .string(version),
      "platform": "linux 6.12.0", "deviceFamily": "Linux", "modelIdentifier": "x64",
      "mode": "gateway", "reason": "self",
      "text": "Gateway: \(Cast.Gateway.host) (192.0.2.40) · app \(version) · mode gateway",
      "ts": .int(Int(now)),
    ]
    let connected = clients.filter { $0.isConnected && !$0.isClosing || $0 === newcomer }
    return [own] + guests
      + connected.map { client in
        [
          "host": .string(client.name), "version": client.client["version"] ?? .null,
          "platform": client.client["platform"] ?? .null,
          "deviceFamily": client.client["deviceFamily"] ?? .null,
          "mode": client.client["mode"] ?? .null, "deviceId": .text(client.deviceID),
          "roles": [.string(client.role)], "scopes": .strings(client.scopes),
          "instanceId": client.client["instanceId"] ?? .null, "reason": "connect",
          "text": .string("Node: \(client.name)"), "ts": .int(Int(now)),
        ]
      }
  }

  func snapshot(adding client: GatewayClient) -> DemoJSON {
    var defaults: DemoJSON = [
      "defaultAgentId": .string(Cast.Gateway.agents[0].id), "mainKey": "main",
      "mainSessionKey": .string(Cast.Gateway.mainKey(Cast.Gateway.agents[0].id)),
      "scope": "per-sender",
    ]
    if isV4 {
      defaults = defaults.setting("ownership", "explicit").setting("selectionRequired", true)
    }
    return [
      "presence": .array(presence(adding: client)), "health": health, "stateVersion": stateVersion,
      "uptimeMs": .int(Int(now - startedMs) + 86_400_000),
      "configPath": .string(Cast.Gateway.home + "/.openclaw/openclaw.json"),
      "stateDir": .string(Cast.Gateway.home + "/.openclaw"), "sessionDefaults": defaults,
      "authMode": "token",
    ]
  }

  var eventLoop: DemoJSON {
    [
      "degraded": .bool(degraded), "degradedSinceMs": degraded ? 4000 : .null,
      "reasons": degraded ? ["event_loop_delay"] : [], "intervalMs": 10_006.5,
      "delayP99Ms": degraded ? 640.5 : 18.2, "delayMaxMs": degraded ? 1310.4 : 23.7,
      "utilization": degraded ? 0.71 : 0.05, "cpuCoreRatio": degraded ? 0.92 : 0.09,
    ]
  }

  var health: DemoJSON {
    let more: DemoJSON =
      isV4
      ? [
        "plugins": ["loaded": ["garden-pump"], "errors": [], "unavailable": []],
        "configReload": ["hotReloadStatus": "active"],
      ] : ["defaultAgentId": .string(Cast.Gateway.agents[0].id)]
    return bareHealth.merging(more)
  }

  private var bareHealth: DemoJSON {
    [
      "ok": true, "ts": .int(Int(now)), "durationMs": 21, "eventLoop": eventLoop,
      "channels": [
        "discord": [
          "configured": true, "linked": .bool(discordError == nil),
          "lastError": .text(discordError),
        ],
        "telegram": ["configured": true, "linked": true, "lastError": .null],
      ],
      "channelOrder": ["discord", "telegram"],
      "channelLabels": ["discord": "Discord", "telegram": "Telegram"], "heartbeatSeconds": 1800,
      "agents": .array(
        Cast.Gateway.agents.enumerated().map { index, agent in
          [
            "agentId": .string(agent.id), "name": .string(agent.name),
            "isDefault": .bool(index == 0),
            "heartbeat": [
              "enabled": .bool(index == 0), "every": index == 0 ? "30m" : "disabled",
              "everyMs": index == 0 ? 1_800_000 : .null,
              "prompt": "Read HEARTBEAT.md if it is there.", "target": "last", "ackMaxChars": 300,
            ],
            "sessions": [
              "path": "(multiple)", "count": .int(sessions.count { $0.agentID == agent.id }),
              "recent": [],
            ],
          ]
        }),
      "sessions": ["path": "(multiple)", "count": .int(sessions.count), "recent": []],
    ]
  }

  func tellHealth() {
    healthVersion += 1
    tell("health", health, scope: nil, stateVersion: stateVersion)
  }

  func tellPresence() {
    presenceVersion += 1
    tell("presence", ["presence": .array(presence)], scope: nil, stateVersion: stateVersion)
  }

  /// Ticks for ever.
  func tick() {
    after(options.tickMs) { world in
      if !world.faults.hasNoTicks {
        world.tell("tick", ["ts": .int(Int(world.now))], scope: nil)
      }
      world.tick()
    }
  }

  var channels: DemoJSON {
    let account: DemoJSON = [
      "accountId": "default", "configured": true, "enabled": true,
      "connected": .bool(discordError == nil), "lastError": .text(discordError),
    ]
    let calm: DemoJSON = account.setting("connected", true).setting("lastError", .null)
    return [
      "ts": .int(Int(now)), "channelOrder": ["discord", "telegram"],
      "channelLabels": ["discord": "Discord", "telegram": "Telegram"], "channelDetailLabels": [:],
      "channelSystemImages": [:], "channelMeta": [], "eventLoop": eventLoop,
      "channels": [
        "discord": ["configured": true, "linked": .bool(discordError == nil)],
        "telegram": ["configured": true, "linked": true],
      ], "channelAccounts": ["discord": [account], "telegram": [calm]],
      "channelDefaultAccountId": ["discord": "default", "telegram": "default"],
    ]
  }

  /// What the days cost; the same for the same seed.
  func usage(days: Int, agent: String?) -> DemoJSON {
    var random = DemoRandom(seed: options.seed &+ UInt64((agent ?? "").utf8.count) &+ 9)
    var totals: [String: Double] = [:]
    let names = [
      "input", "output", "cacheRead", "cacheWrite", "totalTokens", "totalCost", "inputCost",
      "outputCost", "cacheReadCost", "cacheWriteCost", "missingCostEntries",
    ]
    func object(_ values: [String: Double]) -> DemoJSON {
      names.reduce([:]) { $0.setting($1, .double(values[$1] ?? 0)) }
    }
    let daily: [DemoJSON] = (0..<days).map { index in
      let input = Double(random.int(8000...90_000))
      let output = Double(random.int(700...9000))
      let read = Double(random.int(0...40_000))
      let values = [
        "input": input, "output": output, "cacheRead": read, "totalTokens": input + output + read,
        "totalCost": input * 3e-6 + output * 15e-6 + read * 3e-7, "inputCost": input * 3e-6,
        "outputCost": output * 15e-6, "cacheReadCost": read * 3e-7,
      ]
      for (name, value) in values { totals[name, default: 0] += value }
      let day = now - Int64(days - 1 - index) * DemoTime.day
      let date: DemoJSON = ["date": .string(DemoTime.utcDay(day))]
      return date.merging(object(values))
    }
    return [
      "updatedAt": .int(Int(now)), "days": .int(days), "daily": .array(daily),
      "totals": object(totals),
    ]
  }

  /// The devices that run commands for the gateway.
  var nodes: [DemoJSON] {
    [
      [
        "nodeId": "node-attic", "displayName": "Attic Pi", "platform": "linux",
        "version": "2026.8.1", "connected": true, "paired": true, "caps": ["camera"],
        "commands": ["camera.snap", "system.run"],
        "connectedAtMs": .int(Int(startedMs) - 7_200_000),
      ],
      [
        "nodeId": "node-shed", "displayName": "Shed tablet", "platform": "android",
        "connected": false, "paired": true, "caps": ["canvas"], "commands": ["canvas.present"],
        "lastSeenAtMs": .int(Int(startedMs) - 5_400_000),
      ],
    ]
  }
}
