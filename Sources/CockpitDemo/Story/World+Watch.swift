/// Watching a screen together.
extension World {
  func startWatch(_ session: VoiceSession, target: Person, requester: Person) {
    log(
      "stream_discovery",
      in: Place(guild: session.guild.id, channel: session.voiceChannel.id), user: target.id,
      content: .string(
        "stream_discovery_user_go_live: {\"userId\":\"\(target.id)\",\"guildId\":"
          + "\"\(session.guild.id)\",\"streamKey\":\"guild:\(session.guild.id)\"}"))
    session.watch.active = true
    session.watch.target = target
    session.watch.requester = requester
    session.watch.sharers = [target]
    session.watch.windowMs = now
    vlog(
      session, "voice_screen_watch_capability", user: Cast.bot.id,
      [
        "source": "voice_realtime_generation", "supported": true, "enabled": true,
        "available": true, "status": "ready", "reason": nil, "nativeSupported": true,
        "nativeEnabled": true, "nativeAvailable": true, "nativeStatus": "ready",
        "nativeReason": nil, "linkSupported": true, "linkEnabled": true,
        "linkFallbackAvailable": true, "linkStatus": "ready", "linkReason": nil,
        "toolExposed": true,
      ])
    let notes = Script.screenNotes[cursors.watchCursor % Script.screenNotes.count]
    cursors.watchCursor += 1
    for (index, note) in notes.enumerated() {
      after(pace(1800 + index * 7000)) { $0.watchNote(session, note) }
      if index % 3 == 1 {
        after(pace(4200 + index * 7000)) { $0.watchComment(session, note) }
      }
    }
    after(pace(1800 + notes.count * 7000 + 8000)) { $0.stopWatch(session) }
  }

  private func watchNote(_ session: VoiceSession, _ text: String) {
    guard !session.ended, session.watch.active, let target = session.watch.target else { return }
    session.watch.frames += 3
    session.watch.windowFrames = min(12, session.watch.windowFrames + 3)
    session.watch.frameMs = now
    session.watch.frameBytes = 38_000 + random.int(0...9000)
    vlog(
      session, "stream_watch_frame_ingested", user: target.id,
      [
        "source": "native_discord", "streamerUserId": .string(target.id),
        "mimeType": "image/jpeg", "approxBytes": .int(session.watch.frameBytes),
      ])
    session.watch.notes.append(.init(text: text, ms: now, speaker: target.name))
    if session.watch.notes.count > 24 { session.watch.notes.removeFirst() }
    vlog(
      session, isMay ? "stream_watch_note_updated" : "stream_watch_brain_context_updated",
      user: Cast.bot.id,
      [
        "source": "native_discord", "reason": "interval", "streamerUserId": .string(target.id),
        "provider": "claude-oauth", "model": "claude-opus-4-6", "note": .string(text),
      ])
  }

  /// Asks the bot whether the newest frame deserves a comment.
  private func watchComment(_ session: VoiceSession, _ note: String) {
    guard !session.ended, session.watch.active else { return }
    session.watch.commentaryMs = now
    session.watch.commentary = note
    vlog(
      session, "stream_watch_commentary_requested", user: Cast.bot.id,
      [
        "source": "native_discord", "reason": "scene_change",
        "streamerUserId": .text(session.watch.target?.id), "commentaryPath": "auto",
        "latestFrameAgeMs": .int(Int(now - (session.watch.frameMs ?? now))),
        "noteCount": .int(session.watch.notes.count),
      ])
  }

  func stopWatch(_ session: VoiceSession) {
    guard !session.ended, session.watch.active else { return }
    session.watch.active = false
    session.watch.recapMs = now
    session.watch.recap = session.watch.notes.suffix(2).map(\.text).joined(separator: " ")
    session.watch.sharers = []
    vlog(
      session, "stream_watch_memory_recap_saved", user: Cast.bot.id,
      [
        "reason": "watch_stopped", "recap": .text(session.watch.recap), "durableSaved": true,
      ])
  }
}

/// Screens that arrive through a link or the ingest route instead of Discord.
extension World {
  func startLinkWatch(_ session: VoiceSession, target: Person) {
    session.watch.active = true
    session.watch.target = target
    session.watch.requester = target
    session.watch.windowMs = now
    session.watch.windowFrames = 0
  }

  func acceptFrame(_ session: VoiceSession, bytes: Int, type: String, source: String) {
    session.watch.frames += 1
    session.watch.windowFrames += 1
    session.watch.frameMs = now
    session.watch.frameBytes = bytes
    session.watch.frameType = type
    vlog(
      session, "stream_watch_frame_ingested", user: session.watch.target?.id ?? Cast.bot.id,
      [
        "source": .string(source), "streamerUserId": .text(session.watch.target?.id),
        "mimeType": .string(type), "approxBytes": .int(bytes),
      ])
  }
}
