extension RESTCall {
  func voice() -> HTTPReply? {
    switch (method, path.dropFirst().joined(separator: "/")) {
    case ("GET", "state"): return .json(world.voiceState)
    case ("GET", "asr-sessions"): return .json(["sessions": recognisers()])
    case ("GET", "tool-events"): return .json(["events": toolEvents()])
    case ("GET", "history/sessions"): return .json(history())
    case ("POST", "share-session"): return shareSession()
    case ("POST", "leave") where world.options.faults.leaveRoute: return leave()
    default: break
    }
    guard method == "GET", path.count == 5, path[1] == "history", path[2] == "sessions",
      path[4] == "events"
    else { return nil }
    // Oldest first and cut at 500: long sessions lose their end (contract 7.1).
    let rows = world.store.actions(
      ActionQuery(limit: 500, kindPrefix: "voice_", sessionID: path[3], oldestFirst: true))
    return .json(.array(rows.map(\.json)))
  }

  /// The thin view of contract 3.3.1.
  private func recognisers() -> DemoJSON {
    .array(
      world.sessions.filter { !$0.isNative }.flatMap { session in
        session.recognisers.map { row in
          [
            "sessionId": .string(session.id), "userId": .string(row.person.id),
            "displayName": .string(row.person.name), "connected": .bool(row.connected),
            "createdAt": .time(row.connectedMs), "lastTranscriptAt": .time(row.lastTranscriptMs),
            "idleTimerEndsAt": .time(row.lastAudioMs + 60_000),
            "closedReason": row.connected ? nil : "idle_ttl",
          ]
        }
      })
  }

  /// The thin view of contract 3.3.2: objects become `[object Object]`.
  private func toolEvents() -> DemoJSON {
    .array(
      world.sessions.flatMap { session in
        session.toolCalls.map { call in
          let summary: DemoJSON =
            switch session.outputSummary(call.output) {
            case .null: .null
            case .string(let text): .string(text)
            default: "[object Object]"
            }
          let json: DemoJSON = ["sessionId": .string(session.id)]
          return json.merging(
            session.toolJSON(call).setting("outputSummary", summary)
              .setting("runtimeMs", .int(call.runtimeMs ?? 0)))
        }
      })
  }

  private func history() -> DemoJSON {
    var query = ActionQuery(limit: 4000)
    query.kinds = ["voice_session_start", "voice_session_end"]
    query.since = request.since(now: world.now)
    query.guild = request.text("guildId")
    let limit = request.limit(default: 100, max: 200)
    let rows = world.store.actions(query).map { row in
      (row, (try? DemoJSON.parse((row.metadata ?? "{}").utf8)) ?? [:])
    }
    var starts: [String: ActionRow] = [:]
    for (row, metadata) in rows where row.kind == "voice_session_start" {
      starts[metadata.field("sessionId")] = row
    }
    var sessions: [DemoJSON] = []
    for (row, metadata) in rows where row.kind == "voice_session_end" {
      let id = metadata.field("sessionId")
      guard sessions.count < limit, let start = starts[id] else { continue }
      let content = (try? DemoJSON.parse(row.content.utf8))?.stringValue ?? ""
      sessions.append([
        "sessionId": .string(id), "guildId": .string(row.guild ?? ""),
        "mode": .string(metadata.field("mode")), "startedAt": .time(start.createdMs),
        "endedAt": .time(row.createdMs),
        "durationSeconds": metadata["durationSeconds"] ?? 0, "endReason": .string(content),
      ])
    }
    return .array(sessions)
  }

  private func leave() -> HTTPReply {
    let guild = body.field("guildId")
    guard let session = world.sessions.first(where: { guild.isEmpty || $0.guild.id == guild })
    else { return .json(["ok": false, "reason": "no_active_session"]) }
    world.end(session, reason: "nl_leave")
    return .json(["ok": true, "reason": "left"])
  }

  // MARK: Join

  /// Contract 3.4.1: 200 whether it worked or not.
  func join() -> Router.Result {
    let guildID = body.field("guildId")
    let requesterID = body.field("requesterUserId")
    let textID = body.field("textChannelId")
    let source = body.field("source").isEmpty ? "dashboard_voice_tab" : body.field("source")
    func failed(_ reason: String, guild: String? = nil) -> Router.Result {
      .reply(
        .json([
          "ok": false, "reason": .string(reason), "guildId": .text(guild),
          "voiceChannelId": nil, "textChannelId": nil,
          "requesterUserId": requesterID.isEmpty ? nil : .string(requesterID),
        ]))
    }
    if let reason = world.cursors.nextJoinReason {
      world.cursors.nextJoinReason = nil
      if reason == "voice_join_unavailable" {
        return .reply(.json(["ok": false, "reason": .string(reason)], status: 503))
      }
      return failed(reason, guild: guildID.isEmpty ? nil : guildID)
    }
    guard world.isReady, !world.gateway.reconnecting else { return failed("no_guild_available") }
    if !guildID.isEmpty, Cast.guild(guildID) == nil {
      return failed("guild_not_found", guild: guildID)
    }
    let candidates = guildID.isEmpty ? Cast.guilds : Cast.guilds.filter { $0.id == guildID }
    let fallback = candidates.first?.id
    if requesterID == Cast.bot.id || requesterID == Cast.jukebox.id {
      return failed("requester_is_bot", guild: fallback)
    }
    guard let target = world.findVoice(requester: requesterID, in: candidates) else {
      return failed(
        requesterID.isEmpty ? "no_voice_members_found" : "requester_not_in_voice", guild: fallback)
    }
    let text =
      target.guild.channels.first { $0.id == textID && !$0.isVoice } ?? target.guild.channels[0]
    let requester = requesterID.isEmpty ? target.person.id : requesterID
    @Sendable func answer(_ reason: String) -> HTTPReply {
      .json([
        "ok": true, "reason": .string(reason), "guildId": .string(target.guild.id),
        "voiceChannelId": .string(target.channel.id), "textChannelId": .string(text.id),
        "requesterUserId": requesterID.isEmpty ? .null : .string(requesterID),
      ])
    }
    if world.sessions.contains(where: { $0.voiceChannel == target.channel }) {
      world.logJoin(target, text: text, requester: requester, source: source, "already_in_channel")
      return .reply(answer("already_in_channel"))
    }
    return .wait(ms: 900) { world in
      if !world.sessions.contains(where: { $0.voiceChannel == target.channel }) {
        Director.joinByOperator(target, text: text, world)
      }
      world.logJoin(target, text: text, requester: requester, source: source, "joined")
      return answer("joined")
    }
  }
}

extension World {
  /// The requester's voice channel, or the first occupied one.
  func findVoice(requester: String, in guilds: [Guild]) -> VoiceTarget? {
    for guild in guilds {
      for channel in guild.channels where channel.isVoice {
        let live = sessions.first { $0.voiceChannel == channel }?.participants ?? []
        let people = (live + (Cast.voiceOccupants[channel.id] ?? [])).filter { !$0.isBot }
        let match = people.first { requester.isEmpty || $0.id == requester }
        if let match { return VoiceTarget(guild: guild, channel: channel, person: match) }
      }
    }
    return nil
  }

  func logJoin(
    _ target: VoiceTarget, text: Channel, requester: String, source: String, _ reason: String
  ) {
    log(
      "voice_runtime", in: Place(guild: target.guild.id, channel: text.id), user: requester,
      content: "dashboard_voice_join",
      metadata: [
        "source": .string(source), "reason": .string(reason),
        "requestedGuildId": .string(target.guild.id),
        "requestedRequesterUserId": .string(requester),
        "requestedTextChannelId": .string(text.id),
        "voiceChannelId": .string(target.channel.id), "handled": true,
        "joinedTargetChannel": true,
      ])
  }
}
