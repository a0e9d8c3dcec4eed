extension World {
  /// The bot's name on Discord.
  var tag: String { Cast.tag(options.bot) }

  var isReady: Bool { !gateway.reconnecting || gateway.connectedOnce }

  /// `GET /api/public-https`: null when the backend has no tunnel manager.
  var publicHTTPS: DemoJSON {
    options.publicHTTPS ? tunnel.json(port: boundPort) : .null
  }

  /// The envelope of `/api/stats`, `stats_update` and `activity_snapshot.stats` (contract 5.1).
  func statsEnvelope() -> DemoJSON {
    ["stats": spoilt(stats.json(now: now), of: "stats"), "runtime": runtime]
  }

  /// Global state; never scoped by guild.
  var runtime: DemoJSON {
    let head: DemoJSON = [
      "isReady": .bool(isReady), "userTag": .string(tag),
      "guildCount": .int(Cast.guilds.count), "lastBotMessageAt": .time(lastBotMessageMs),
      "replyQueue": [
        "channels": .int(pendingReplies > 0 ? 1 : 0), "pending": .int(pendingReplies),
      ],
      "gateway": gateway.json,
    ]
    let tail: DemoJSON = ["publicHttps": publicHTTPS, "screenShare": shares.json(now: now)]
    return spoilt(head, of: "runtime").setting("voice", voiceState)
      .merging(spoilt(tail, of: "network"))
  }

  /// `/api/voice/state` and `voice_state` (contract 2.6).
  var voiceState: DemoJSON {
    [
      "activeCount": .int(sessions.count),
      "sessions": .array(
        sessions.map { spoilt($0.json(now: now), of: "session") }),
    ]
  }

  /// The first event of an activity stream (contract 2.4).
  func activitySnapshot() -> DemoJSON {
    let rows = store.actions(ActionQuery(limit: 220))
    return ["actions": .array(rows.map(\.json)), "stats": statsEnvelope()]
  }
}
