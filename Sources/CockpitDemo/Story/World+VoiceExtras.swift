/// Music and sounds.
extension World {
  static let tracks = [
    Music.Track(
      id: "youtube:emberWalk01", title: "Ember Walk (Lo-fi Mix)", artist: "Paper Lantern Club",
      seconds: 192),
    Music.Track(
      id: "youtube:slowFerry02", title: "Slow Ferry Home", artist: "Marrow & Pine", seconds: 241),
    Music.Track(
      id: "youtube:nightOven03", title: "夜のオーブン", artist: "麦と月", seconds: 205),
    Music.Track(
      id: "youtube:ridgeLine04", title: "Ridgeline, Then Rain", artist: "The Cairn Builders",
      seconds: 318),
    Music.Track(
      id: "youtube:solderGlow5", title: "Solder Glow", artist: "Ada & the Flux", seconds: 174),
  ]

  func playMusic(_ session: VoiceSession, query: String, requester: Person) {
    let track = Self.tracks[cursors.musicCursor % Self.tracks.count]
    cursors.musicCursor += 1
    session.music.query = query
    session.music.requestText = "play \(query)"
    session.music.requester = requester.id
    session.music.commandMs = now
    session.music.commandReason = "voice_tool_media_play"
    log(
      "voice_music", content: "voice_music_search_complete",
      metadata: [
        "guildId": .string(session.guild.id), "sessionId": .string(session.id),
        "query": .string(query), "platform": "auto", "resultCount": 3,
        "durationMs": .int(pace(640)),
      ])
    if session.music.isActive {
      session.music.queue.append(track)
      vlog(
        session, "voice_tool_music_queue_add", user: requester.id,
        [
          "queueLength": .int(session.music.queue.count),
          "nowPlayingIndex": .number(session.music.index), "query": .string(query),
          "title": .string(track.title),
        ])
      return
    }
    session.music.queue = [track]
    session.music.index = 0
    session.music.phase = "loading"
    session.music.last = track
    after(pace(900)) { world in
      guard !session.ended else { return }
      session.music.phase = "playing"
      session.music.startedMs = world.now
      world.log(
        "music_player", content: "music_player_playing",
        metadata: [
          "title": .string(track.title), "platform": "youtube", "resolveMs": .int(world.pace(720)),
          "source": "yt-dlp", "direct": true,
        ])
      world.vlog(
        session, "voice_music_started", user: requester.id,
        [
          "mode": .string(session.mode), "source": "voice_tool_call", "query": .string(query),
          "title": .string(track.title), "artist": .string(track.artist), "platform": "youtube",
        ])
      world.log(
        "voice_music", content: "voice_music_request_complete",
        metadata: [
          "guildId": .string(session.guild.id), "sessionId": .string(session.id),
          "query": .string(query), "provider": "discord", "totalMs": .int(world.pace(2400)),
        ])
      for offset in 0..<2 {
        let next = world.cursors.musicCursor + offset
        session.music.queue.append(Self.tracks[next % Self.tracks.count])
      }
    }
  }

  func pauseMusic(_ session: VoiceSession, by person: Person) {
    guard session.music.phase == "playing" else { return }
    session.music.phase = "paused"
    session.music.pauseReason = "user_pause"
    session.music.commandMs = now
    session.music.commandReason = "voice_tool_media_pause"
    session.musicWakeMs = now + 30_000
    session.musicWakeUser = person.id
    vlog(
      session, "voice_music_paused", user: person.id,
      ["reason": "user_pause", "source": "voice_tool_media_pause"])
  }

  func stopMusic(_ session: VoiceSession, by person: Person) {
    guard !session.ended, session.music.isActive else { return }
    session.music.phase = "idle"
    session.music.stoppedMs = now
    session.music.commandReason = "voice_tool_media_stop"
    session.music.index = nil
    session.music.queue = []
    vlog(
      session, "voice_music_stop_check", user: person.id, cost: 0.00021,
      [
        "source": "realtime", "captureReason": "stream_end", "currentPhase": "playing",
        "musicBrainEnabled": true, "decisionReason": "music_brain_stop",
      ])
    vlog(
      session, "voice_music_stopped", user: person.id,
      ["reason": "user_stop", "source": "voice_tool_media_stop"])
  }

  /// A search with several answers waits for a choice.
  func offerMusic(_ session: VoiceSession, query: String, requester: Person) {
    session.music.pending = Array(Self.tracks.prefix(3))
    session.music.pendingQuery = query
    session.music.pendingMs = now
    session.music.pendingUser = requester.id
    vlog(
      session, "voice_music_disambiguation_required", user: requester.id,
      ["query": .string(query), "resultCount": 3, "platform": "auto"])
    after(pace(60_000)) { _ in Self.closeOffer(session) }
  }

  private static func closeOffer(_ session: VoiceSession) {
    session.music.pending = []
    session.music.pendingQuery = nil
    session.music.pendingMs = nil
    session.music.pendingUser = nil
  }

  /// One of the offered songs is chosen and queued.
  func chooseMusic(_ session: VoiceSession, requester: Person) {
    guard session.music.pending.count > 1 else { return }
    let track = session.music.pending[1]
    Self.closeOffer(session)
    session.music.queue.append(track)
    session.music.commandMs = now
    session.music.commandReason = "voice_tool_media_select"
    vlog(
      session, "voice_tool_music_queue_add", user: requester.id,
      [
        "queueLength": .int(session.music.queue.count),
        "nowPlayingIndex": .number(session.music.index), "query": nil,
        "title": .string(track.title),
      ])
  }

  /// The song ends and the next of the queue starts.
  func nextTrack(_ session: VoiceSession) {
    guard session.music.phase == "playing", let index = session.music.index,
      index + 1 < session.music.queue.count
    else { return }
    let track = session.music.queue[index + 1]
    session.music.index = index + 1
    session.music.last = track
    session.music.startedMs = now
    log(
      "music_player", content: "music_player_playing",
      metadata: [
        "title": .string(track.title), "platform": "youtube", "resolveMs": .int(pace(480)),
        "source": "yt-dlp", "direct": true,
      ])
    vlog(
      session, "voice_music_started", user: Cast.bot.id,
      [
        "mode": .string(session.mode), "source": "queue_advance", "query": nil,
        "title": .string(track.title), "artist": .string(track.artist), "platform": "youtube",
      ])
  }

  func duckMusic(_ session: VoiceSession) {
    guard session.music.phase == "playing" else { return }
    session.music.handoff = "duck"
    session.music.handoffMs = now
    session.music.volume = 0.3
  }

  func unduckMusic(_ session: VoiceSession) {
    session.music.handoff = nil
    session.music.handoffMs = nil
    session.music.volume = 1
  }

  func playSound(_ session: VoiceSession, ref: String) {
    session.soundboardCount += 1
    session.soundboardMs = now
    session.addTurn(
      "effect", role: "user", speaker: Cast.bot.name, text: "[soundboard: \(ref)]", now: now)
    vlog(
      session, "voice_soundboard_directive_played", user: Cast.bot.id,
      [
        "mode": .string(session.mode), "source": "realtime", "transcript": "",
        "requestedRef": .string(ref),
        "soundId": "930114558829735936", "sourceGuildId": .string(session.guild.id),
        "reason": "played", "error": nil,
      ])
    log(
      "voice_soundboard_play", in: session.place, user: Cast.bot.id,
      content: "930114558829735936",
      metadata: [
        "reason": "voice_reply", "sourceGuildId": .string(session.guild.id),
        "sessionId": .string(session.id), "playCount": .int(session.soundboardCount),
      ])
  }
}
