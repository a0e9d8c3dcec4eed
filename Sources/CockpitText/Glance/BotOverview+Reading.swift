import ClankyWire
import CockpitStores
import TerminalCore

/// From the answers of the backend to an overview.
extension BotOverview {
  /// Takes in the body of `GET /api/stats`.
  package mutating func read(_ envelope: StatsEnvelope, nowMs: Int64) {
    costToday = envelope.costToday(at: WireTime(milliseconds: backendMs(nowMs)))
    isReady = envelope.runtime?.isReady
    guildCount = envelope.runtime?.guildCount
    judge(BotHealth(runtime: envelope.runtime, nowMs: backendMs(nowMs)))
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
    var own = state
    own.sessions.removeAll { guild != nil && $0.guildID != guild }
    judge(
      BotHealth(isKnown: false, troubles: BotTrouble.Cause.found(in: own).map { BotTrouble($0) }))
  }

  /// Reads the body of `GET /api/actions` for the last hour.
  ///
  /// - Parameter limit: the requested maximum; a full list may be incomplete.
  /// - Returns: false if it is no list of actions.
  @MainActor
  package mutating func read(
    actions body: [UInt8], limit: Int, names: some NameDirectory, nowMs: Int64
  ) -> Bool {
    guard let (store, count) = Self.log(body, nowMs: nowMs) else { return false }
    activity = Activity(
      actions: store.log.totals.seen.actions, failures: store.log.totals.seen.failures,
      isCapped: count >= limit)
    judge(BotHealth(isKnown: false, troubles: store.failureTroubles(nowMs: backendMs(nowMs))))
    read(newestOf: store.log, names: names)
    return true
  }

  /// Takes in the body of `GET /api/actions` for the newest rows only.
  @MainActor
  package mutating func read(newest body: [UInt8], names: some NameDirectory, nowMs: Int64) {
    guard let (store, _) = Self.log(body, nowMs: nowMs) else { return }
    read(newestOf: store.log, names: names)
  }

  @MainActor
  private mutating func read(newestOf log: ActionLog, names: some NameDirectory) {
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

  /// The rows of a body, and its number of elements; nil if it is no list.
  @MainActor
  private static func log(_ body: [UInt8], nowMs: Int64) -> (ActivityStore, Int)? {
    let isList = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
    guard isList else { return nil }
    // The counts below are of all rows, also of those that no longer fit.
    let store = ActivityStore(memory: 16 << 20)
    return body.withUnsafeBytes { bytes in
      let report = store.applyRows(bytes, nowMs: nowMs)
      return report.isComplete ? (store, report.count + report.rejected) : nil
    }
  }

  /// Something is wrong although the backend answers.
  package mutating func degrade(_ sentence: String) {
    if health == .healthy { health = .degraded }
    detail = [detail, sentence].compactMap(\.self).joined(separator: " ")
  }

  /// Adds the bot's health according to one answer; several answers add up. The wording is that of
  /// the screen.
  private mutating func judge(_ health: BotHealth) {
    var whole = bot ?? health
    if bot != nil {
      whole = BotHealth(
        isKnown: whole.isKnown || health.isKnown, troubles: whole.troubles + health.troubles)
    }
    bot = whole
    botWord = whole.word.description
    if let sentence = BotText(health).sentence { degrade(sentence.description) }
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
