package import ClankyWire

extension VoiceSample {
  /// The part of a session of a voice state that rules look at; nil without an id.
  package init?(_ session: VoiceSession) {
    guard !session.sessionID.isEmpty else { return nil }
    let music = session.music
    self.init(
      sessionID: session.sessionID, guildID: session.guildID, phase: session.assistantOutput.phase,
      phaseEnteredMs: session.assistantOutput.phaseEnteredAt?.milliseconds,
      // 0 means none (contract 5.2.2).
      requestID: session.assistantOutput.requestID.flatMap { $0 == 0 ? nil : $0 },
      activeResponseID: session.realtime?.state?.activeResponseID,
      lastEventMs: session.realtime?.state?.lastEventAt?.milliseconds,
      isRealtimeConnected: session.realtime?.state?.connected,
      ownership: session.realtimeToolOwnership,
      pendingTurns: (session.batchAsr?.pendingTurns ?? 0) + (session.realtime?.pendingTurns ?? 0),
      deferredTurns: session.pendingDeferredTurns, isMusicPlaying: music.phase == .playing,
      musicTitle: music.lastTrackTitle)
    for capture in session.activeCaptures {
      guard let user = capture.userID, let began = capture.startedAt else { continue }
      captures[user] = began.milliseconds
    }
    for recogniser in session.asrSessions {
      guard let user = recogniser.userID, let isConnected = recogniser.connected else { continue }
      recognisers[user] = isConnected
    }
    for server in session.mcpStatus where server.connected == false {
      guard let name = server.serverName, let error = server.lastError, !error.isEmpty else {
        continue
      }
      failedServers[name] = error
    }
  }
}

extension RuleEvent {
  /// The event of a voice state that came at a time, in ms since 1970 on the backend's clock.
  package init(_ state: VoiceState, atMs: Int64) {
    self.init(timeMs: atMs, body: .voice(state.sessions.compactMap(VoiceSample.init)))
  }

  /// The event of stats that came at a time, in ms since 1970 on the backend's clock.
  package init(_ envelope: StatsEnvelope, atMs: Int64) {
    var sample = HealthSample(
      isReady: envelope.runtime?.isReady,
      isReconnecting: envelope.runtime?.gateway.reconnectInFlight,
      reconnectAttempts: envelope.runtime?.gateway.reconnectAttempts,
      isTunnelEnabled: envelope.runtime?.publicHttps?.enabled ?? false,
      tunnelStatus: envelope.runtime?.publicHttps?.status?.rawValue,
      queuedReplies: envelope.runtime?.replyQueue.pending)
    for day in envelope.stats?.dailyCost ?? [] {
      if let name = day.day, let usd = day.usd { sample.costByDay[name] = usd }
    }
    self.init(timeMs: atMs, body: .health(sample))
  }
}
