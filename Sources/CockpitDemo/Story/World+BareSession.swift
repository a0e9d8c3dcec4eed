/// Sessions of which less is on record than of others.
extension World {
  /// The oldest live session ends without a row, and perhaps loses the one of its start.
  func crashSession(keepsStart: Bool) {
    guard let session = sessions.first(where: { !$0.ended }) else { return }
    session.ended = true
    sessions.removeAll { $0 === session }
    if !keepsStart { store.forgetStart(of: session.id) }
  }

  /// Starts it where no session is; does nothing when every server has one.
  func runBareSession() {
    guard
      let guild = Cast.guilds.last(where: { guild in
        !sessions.contains { $0.guild == guild }
      })
    else { return }
    let room = VoiceRoom.of(guild)
    let session = VoiceSession(
      id: random.uuid(), guild: guild, voice: guild.voice(room.voice), text: guild.text(room.text),
      mode: "openai_realtime", ownership: "transport_only", dialect: dialect,
      requester: room.people[0], participants: [], now: now, providerSession: "")
    session.isBare = true
    sessions.append(session)
    vlog(
      session, "voice_joined:\(session.voiceChannel.id)", user: session.requester.id,
      kind: "voice_session_start",
      [
        "mode": .string(session.mode), "requestedByUserId": .string(session.requester.id),
        "voiceChannelId": .string(session.voiceChannel.id), "maxSessionMinutes": nil,
        "inactivityLeaveSeconds": nil, "intentConfidence": nil,
      ])
    after(pace(120_000)) { $0.end(session, reason: "bot_disconnected") }
  }
}
