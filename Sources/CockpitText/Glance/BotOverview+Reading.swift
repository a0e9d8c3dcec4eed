import ClankyWire
import CockpitStores
import TerminalCore

/// From the answers of the backend to an overview.
extension BotOverview {
  /// Takes in the body of `GET /api/stats`.
  package mutating func read(_ envelope: StatsEnvelope, nowMs: Int64) {
    costToday = envelope.costToday(at: WireTime(milliseconds: backendMs(nowMs)))
    latency = envelope.stats.flatMap { ReplyLatency($0.performance) }
    last24h = envelope.stats.flatMap { $0.last24h.isEmpty ? nil : $0.last24h }
    isReady = envelope.runtime?.isReady
    guildCount = envelope.runtime?.guildCount
    if costToday == nil { degrade("Today's cost is missing from the statistics.") }
  }

  /// Reads the live sessions.
  ///
  /// - Parameter guild: only sessions of this guild; the voice state is never scoped (contract
  ///   3.2).
  package mutating func read(_ state: VoiceState, guild: String?, names: some NameDirectory) {
    sessions = state.sessions.filter { guild == nil || $0.guildID == guild }.map { session in
      var session = Session(session)
      session.channel = session.channelID.flatMap(names.channelName)
      return session
    }
  }

  /// Counts the rows of the last hour.
  ///
  /// - Parameter limit: the requested maximum; a full list may be incomplete.
  @MainActor
  package mutating func read(hour answer: AnsweredRows, limit: Int) {
    let seen = answer.log.totals.seen
    activity = Activity(
      actions: seen.actions, failures: seen.failures, isCapped: answer.elements >= limit)
    newestRowMs = answer.log.rows(in: 0..<1).first?.timeMs
  }

  /// Takes the newest rows.
  @MainActor
  package mutating func read(newestOf log: ActionLog, names: some NameDirectory) {
    newestRowMs = log.rows(in: 0..<1).first?.timeMs
    rows = log.rows(in: 0..<min(log.count, Self.rowLimit)).compactMap { row in
      guard let action = row.action() else { return nil }
      let summary = ActionSummary(of: action, metadata: action.metadata(), names: Names(names))
      return Row(
        atMs: row.timeMs, kind: action.kind, label: summary.label.description,
        text: Self.cut(summary.text.description), isFailure: row.isFailure)
    }
  }

  /// The part of a text to keep. Counted in scalars: a single character may have a megabyte of
  /// marks.
  package static func cut(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(textLimit)))
  }

  /// Something is wrong although the backend answers.
  package mutating func degrade(_ sentence: String) {
    if health == .healthy { health = .degraded }
    detail = [detail, sentence].compactMap(\.self).joined(separator: " ")
  }
}

extension BotOverview.Session {
  package init(_ session: VoiceSession) {
    self.init(sessionID: session.sessionID)
    guildID = session.guildID
    channelID = session.voiceChannelID
    people = session.participantCount ?? session.participants.count
    attention = session.conversation.wake.attentionMode?.rawValue
    startedAtMs = session.startedAt?.milliseconds
    lastReply = session.recentTurns.last { $0.role == .assistant && $0.kind == .speech }?.text
      .map(BotOverview.cut)
  }
}
