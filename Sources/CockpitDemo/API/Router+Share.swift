/// Screen frames: public links, and the ingest route (contract 3.5).
struct FrameRoutes {
  let request: HTTPRequest
  let world: World

  private var path: [String] { Array(request.segments.dropFirst()) }

  /// Answers the routes that do not pass the ordinary gate; nil for everything else.
  func answer() throws(RequestRefusal) -> HTTPReply? {
    guard request.method == "POST" else { return nil }
    let path = path
    if path == ["voice", "stream-ingest", "frame"] {
      if let refusal = limitRefusal() ?? credentialRefusal() { return refusal }
      return ingest(try request.parsedBody())
    }
    guard path.count == 4, path[0] == "voice", path[1] == "share-session", path[2].count >= 16
    else { return nil }
    switch path[3] {
    case "frame":
      if let refusal = limitRefusal() { return refusal }
      return frame(token: path[2], try request.parsedBody())
    case "stop":
      return stop(token: path[2], try request.parsedBody())
    default:
      return nil
    }
  }

  private static func refused(_ reason: String, _ status: Int = 200) -> HTTPReply {
    .json(["accepted": false, "reason": .string(reason)], status: status)
  }

  /// Size, then rate, before anything is read (contract 1.6).
  private func limitRefusal() -> HTTPReply? {
    let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
    if length > IngestLimit.maxBytes { return Self.refused("payload_too_large", 413) }
    let address = request.headers["cf-connecting-ip"] ?? "127.0.0.1"
    guard world.ingestLimit.admits(address + " " + request.rawPath, now: world.now) else {
      return Self.refused("ingest_rate_limited", 429)
    }
    return nil
  }

  /// Contract 1.2 and 1.3: the dashboard credential or the public token.
  private func credentialRefusal() -> HTTPReply? {
    let access = Access(request: request, world: world)
    if access.hasHeader || access.hasCookie { return nil }
    let expected = (world.options.publicToken ?? "").trimmingSpace
    if !expected.isEmpty {
      if request.headers["x-public-api-token"] == expected { return nil }
      return Self.refused("unauthorized_public_api_token", 401)
    }
    if world.token.trimmingSpace.isEmpty {
      return Self.refused("dashboard_or_public_api_token_required", 503)
    }
    return Self.refused("unauthorized_dashboard_token", 401)
  }

  // MARK: Frames

  private func ingest(_ body: DemoJSON) -> HTTPReply {
    let guild = body.field("guildId")
    if guild.isEmpty { return Self.refused("guild_id_required", 400) }
    if body.field("dataBase64").isEmpty { return Self.refused("frame_data_required", 400) }
    return accept(
      body, guild: guild, streamer: body.field("streamerUserId"), source: "api_stream_ingest")
  }

  private func frame(token: String, _ body: DemoJSON) -> HTTPReply {
    guard let share = world.shares.share(token: token, now: world.now) else {
      return Self.refused("share_session_not_found")
    }
    if body.field("dataBase64").isEmpty { return Self.refused("frame_data_required", 400) }
    let reply = accept(
      body, guild: share.guild, streamer: share.target, source: "screen_share_link")
    world.shares.countFrame(token: token, now: world.now)
    return reply
  }

  private func accept(
    _ body: DemoJSON, guild: String, streamer: String, source: String
  ) -> HTTPReply {
    guard let session = world.sessions.first(where: { $0.guild.id == guild }) else {
      return Self.refused("session_not_found")
    }
    guard session.watch.active else { return Self.refused("watch_not_active") }
    let target = session.watch.target?.id
    guard streamer.isEmpty || streamer == target else {
      return Self.refused("target_user_mismatch")
    }
    let type = body.field("mimeType").lowercased()
    guard type.isEmpty || ["image/jpeg", "image/png", "image/webp"].contains(type) else {
      return Self.refused("invalid_mime_type")
    }
    // Four characters carry three bytes.
    let bytes = body.field("dataBase64").utf8.count * 3 / 4
    let given = body.field("source")
    world.acceptFrame(
      session, bytes: bytes, type: type.isEmpty ? "image/jpeg" : type,
      source: given.isEmpty ? source : given)
    return .json([
      "accepted": true, "reason": "ok", "targetUserId": .text(target),
    ])
  }

  private func stop(token: String, _ body: DemoJSON) -> HTTPReply {
    guard let share = world.shares.share(token: token, now: world.now) else {
      return .json(["ok": false, "reason": "share_session_not_found"])
    }
    let given = body.field("reason")
    let reason = given.isEmpty ? "stopped_by_user" : given
    world.shares.remove(token: token)
    if let session = world.sessions.first(where: { $0.guild.id == share.guild }) {
      world.vlog(
        session, "screen_share_session_stopped", user: share.requester,
        ["reason": .string(reason), "targetUserId": .string(share.target)])
      world.stopWatch(session)
    }
    return .json(["ok": true, "reason": .string(reason)])
  }
}

extension RESTCall {
  /// Creates a link, or hands out the one that exists (contract 3.5).
  func shareSession() -> HTTPReply {
    func refused(_ reason: String, _ message: String) -> HTTPReply {
      .json(
        ["ok": false, "reason": .string(reason), "message": .string(message)], status: 400)
    }
    guard world.options.publicHTTPS else {
      return .json(["ok": false, "reason": "screen_share_manager_unavailable"], status: 503)
    }
    let guild = body.field("guildId")
    let requester = body.field("requesterUserId")
    let channel = body.field("channelId")
    guard !guild.isEmpty, !requester.isEmpty, !channel.isEmpty, Cast.guild(guild) != nil else {
      return refused(
        "invalid_share_request", "A guild, a channel and a requester are needed to share.")
    }
    guard world.tunnel.status == "ready" else {
      return refused("share_link_unavailable", "The public address is not ready yet.")
    }
    guard let session = world.sessions.first(where: { $0.guild.id == guild }) else {
      return refused(
        "stream_watch_unavailable", "The bot has to be in voice before it can watch a screen.")
    }
    let given = body.field("targetUserId")
    let target = given.isEmpty ? requester : given
    let known = world.shares.share(
      requester: requester, target: target, guild: guild, now: world.now)
    let share =
      known
      ?? ShareRegistry.Share(
        token: world.cookieRandom.token(32), guild: guild, channel: channel,
        requester: requester, target: target,
        expiresMs: world.now + Int64(ShareRegistry.minutes) * 60_000)
    if known == nil {
      world.shares.add(share)
      let person = Cast.person(target) ?? Person(id: target, name: target)
      if !session.watch.active { world.startLinkWatch(session, target: person) }
      world.vlog(
        session, "screen_share_session_created", user: requester,
        [
          "source": .string(
            body.field("source").isEmpty ? "dashboard" : body.field("source")),
          "targetUserId": .string(target), "expiresInMinutes": .int(ShareRegistry.minutes),
        ])
    }
    let reply: DemoJSON = [
      "ok": true, "token": .string(share.token),
      "shareUrl": .string("https://\(world.tunnel.host)/share/\(share.token)"),
      "expiresAt": .time(share.expiresMs),
      "expiresInMinutes": .int(Int(max(1, (share.expiresMs - world.now + 59_999) / 60_000))),
      "targetUserId": .string(target),
    ]
    return .json(known == nil ? reply : reply.setting("reused", true))
  }
}
