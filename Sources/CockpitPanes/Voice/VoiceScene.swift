import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The session on screen, live or past, and data derived from its events.
@MainActor
struct VoiceScene {
  let facts: ViewContext
  let id: String
  /// Its live state; nil for a past session.
  let session: VoiceSession?
  /// Its events; nil if none are recorded.
  let record: VoiceSessionRecord?
  /// Its history entry; nil for a live session.
  let past: HistorySession?

  init(_ facts: ViewContext, live session: VoiceSession) {
    self.facts = facts
    id = session.sessionID
    self.session = session
    record = facts.voice.record(session.sessionID)
    past = nil
  }

  init(_ facts: ViewContext, past id: String) {
    self.facts = facts
    self.id = id
    session = nil
    record = facts.voice.record(id)
    past = facts.pastSessions.first { $0.sessionID == id }
  }

  var isLive: Bool { session != nil }

  /// How much of it is recorded.
  var extent: SessionExtent {
    record?.extent(rowsBeginMs: facts.voiceRowsBeginMs(of: id), isLive: isLive) ?? .whole
  }

  /// The part of the session that is counted; nil for all of it.
  var window: PlainText? {
    func time(_ ms: Int64) -> PlainText { facts.clock.time(ms: ms) }
    return switch extent {
    case .whole, .nothing: nil
    case .since(let ms): "since " + time(ms)
    case .broken(let from, let to): "without " + time(from) + " to " + time(to)
    case .until(let ms): "until " + time(ms)
    }
  }

  /// What part of the session is missing and why, in a sentence; nil if none is.
  var missing: PlainText? {
    func time(_ ms: Int64) -> PlainText { facts.clock.time(ms: ms) }
    let first = PlainText("the first \(SessionSummary.cap) events")
    switch extent {
    case .whole, .nothing: return nil
    case .since(let ms):
      let head: PlainText = "Here since " + time(ms) + "; what was before is "
      if let problem = facts.voice.earlierProblems[id] {
        return head + "not here: " + PlainText(problem: problem, limit: 200) + "."
      }
      return head + (record?.fetched == nil && isLive ? "asked for." : "not here.")
    case .broken(let from, let to):
      return "Here are " + first + ", to " + time(from) + ", and all since " + time(to)
        + "; the backend does not give what is between."
    case .until(let ms):
      return "Here are " + first + ", to " + time(ms) + "; the backend does not give the rest."
    }
  }

  /// `17`, `8 since 23:40:10`: a partial count always shows its window.
  var turnCount: PlainText {
    extent == .nothing ? "-" : Figures.count(turns.count) + (window.map { " " + $0 } ?? "")
  }

  /// Where its lanes end: now, or a little after the last thing that happened in a past session,
  /// which may have been silent for long before it ended.
  var laneEndMs: Int64 {
    guard !isLive, let last = turns.last?.lastAt else { return nowMs }
    return min(nowMs, last + 2000)
  }

  /// Now, or the end of a past session.
  var nowMs: Int64 {
    isLive
      ? facts.nowMs
      : record?.endedAt ?? record?.span?.upperBound ?? past?.endedAt?.milliseconds ?? facts.nowMs
  }

  var turns: [VoiceTurnRecord] { record?.turns ?? [] }
  var skips: SkipRate { record?.skipRate ?? SkipRate() }

  /// The chosen turn, or the newest whose outcome deserves an explanation: it was answered, or the
  /// bot chose to be silent or failed. Noise is shown only if there is no other turn.
  func turn(_ id: VoiceTurnRecord.ID?) -> VoiceTurnRecord? {
    if let id, let turn = record?.turn(id) { return turn }
    return turns.last(where: \.isWorthAsking)
      ?? turns.last { $0.latency != nil || !$0.words.isEmpty && $0.outcome != .pending }
      ?? turns.last
  }

  /// Its place, counted from 1.
  func number(of id: VoiceTurnRecord.ID) -> Int? {
    turns.lastIndex { $0.id == id }.map { $0 + 1 }
  }

  // MARK: Words

  func speaker(of turn: VoiceTurnRecord) -> String {
    switch turn.origin {
    case .thought: "thought"
    case .roomEvent: turn.speaker ?? "room"
    case .speech: turn.speaker ?? turn.speakerID.map { facts.names.user($0) } ?? "?"
    }
  }

  func fate(of turn: VoiceTurnRecord) -> Utterance.Fate? {
    switch turn.outcome {
    case .responded: .answered
    case .denied: .silent(word: "SKIP", reason: turn.skippedReason)
    case .dropped: .silent(word: "DROP", reason: turn.skippedReason)
    case .failed: .failed(turn.skippedReason)
    case .interrupted: .interrupted
    case .pending: turn.isOpen(at: nowMs) ? .pending : nil
    }
  }

  /// The transcript, oldest first; at most the last `limit` utterances.
  func utterances(limit: Int = .max) -> [Utterance] {
    guard let session else { return recorded(turns.suffix(limit)) }
    // The state spells words as the decision heard them, rows as the recogniser wrote them.
    var byWords: [[Substring]: [VoiceTurnRecord]] = [:]
    let turns = turns.suffix(400)
    for turn in turns where !turn.words.isEmpty {
      byWords[turn.words.words, default: []].append(turn)
    }
    var used: Set<VoiceTurnRecord.ID> = []
    var list = session.recentTurns.suffix(limit).map { said in
      var utterance = Utterance(said)
      guard said.role == .user, let at = utterance.atMs, let text = said.text,
        let turn = byWords[text.words]?.min(by: { abs($0.startedAt - at) < abs($1.startedAt - at) }
        ),
        abs(turn.startedAt - at) < VoiceTurnRecord.capMs
      else { return utterance }
      used.insert(turn.id)
      utterance.turnID = turn.id
      utterance.fate = fate(of: turn)
      utterance.latencyMs = turn.latency?.totalMs
      return utterance
    }
    // Turns without a decision are missing from the backend's list: add them with their reason.
    let oldest = list.first { $0.atMs != nil }?.atMs ?? .min
    let silent = turns.filter { turn in
      !used.contains(turn.id) && turn.origin == .speech && turn.startedAt >= oldest
        && (turn.outcome == .denied || turn.outcome == .dropped || turn.outcome == .failed)
        && (!turn.words.isEmpty || turn.outcome != .dropped)
    }
    if !silent.isEmpty {
      let merged = (list + silent.map(utterance)).enumerated().sorted {
        ($0.element.atMs ?? .min, $0.offset) < ($1.element.atMs ?? .min, $1.offset)
      }
      list = merged.map(\.element)
    }
    list += Utterance.partials(of: session).filter { partial in !list.isFinal(partial) }
    return limit < list.count ? Array(list.suffix(limit)) : list
  }

  private func utterance(_ turn: VoiceTurnRecord) -> Utterance {
    Utterance(
      atMs: turn.startedAt, kind: turn.origin.kind,
      speaker: speaker(of: turn), text: turn.words, talkingTo: turn.decision?.talkingTo,
      confidence: turn.decision?.confidence, guess: turn.decision?.reason, fate: fate(of: turn),
      latencyMs: turn.latency?.totalMs, turnID: turn.id, isPartial: turn.isPartial,
      isDiscarded: turn.areWordsDiscarded)
  }

  private func recorded(_ turns: ArraySlice<VoiceTurnRecord>) -> [Utterance] {
    turns.flatMap { turn -> [Utterance] in
      // A thought that was spoken is its own reply.
      if turn.origin == .thought, let reply = turn.reply, !reply.isEmpty {
        var spoken = utterance(turn)
        (spoken.isBot, spoken.speaker, spoken.text) = (true, "bot", reply)
        return [spoken]
      }
      var list: [Utterance] = []
      if turn.origin == .speech || !turn.words.isEmpty { list.append(utterance(turn)) }
      if let reply = turn.reply, !reply.isEmpty {
        list.append(
          Utterance(
            atMs: turn.audioStarted?.timeMs ?? turn.replyRequested?.timeMs, isBot: true,
            speaker: "bot", text: reply, turnID: turn.id))
      }
      return list
    }
  }

  // MARK: Tools

  /// Tool calls of both owners, newest first; those that run stand at the top.
  var tools: [ToolRow] {
    let calls = session?.toolCalls ?? []
    var rows = calls.enumerated().map { place, call in
      ToolRow(call, place: place, ownership: session?.realtimeToolOwnership)
    }
    let known = Set(calls.compactMap(\.callID))
    // As far back as the backend's own list of 180 calls may reach, and no further each frame.
    for turn in turns.suffix(300) {
      for (place, tool) in turn.tools.enumerated() {
        if let id = tool.callID, known.contains(id) { continue }
        if tool.callID == nil, calls.contains(where: { isSame($0, tool) }) { continue }
        rows.append(row(tool, of: turn, place: place))
      }
    }
    // Keys are sorted and not the rows, which are large.
    let keys = rows.indices.map { index in
      let row = rows[index]
      return (
        row.state == .running ? 1 : 0, (row.endedAt ?? row.startedAt)?.milliseconds ?? 0, index
      )
    }
    return keys.sorted(by: >).prefix(200).map { rows[$0.2] }
  }

  /// Whether a row without a call id tells of a call that the list has: the same tool, ended within
  /// 2 s.
  private func isSame(_ call: ToolCall, _ tool: VoiceTurnRecord.Tool) -> Bool {
    guard call.toolName == tool.name, let end = tool.endMs ?? tool.startMs,
      let other = call.completedAt ?? call.startedAt
    else { return false }
    return abs(other.milliseconds - end) < 2000
  }

  private func row(_ tool: VoiceTurnRecord.Tool, of turn: VoiceTurnRecord, place: Int) -> ToolRow {
    ToolRow(
      id: tool.callID ?? "\(turn.id)-\(place)", name: tool.name,
      state: .init(tool, isLive: isLive),
      startedAt: tool.startMs.map { WireTime(milliseconds: $0) },
      endedAt: tool.endMs.map { WireTime(milliseconds: $0) }, durationMs: tool.durationMs,
      arguments: tool.arguments, result: tool.result, error: tool.error,
      isProviderNative: tool.isProviderOwned)
  }

  // MARK: Latency

  /// Over all turns with known latency.
  var latency: LatencyStats {
    (record?.latency ?? LatencyStats(turns: [])).with(session?.latency?.recentTurns ?? [])
  }

  /// The turns behind the percentiles: `34 turns since 21:10` and `since 21:10`; of a past session
  /// `34 turns of it` and `of 34 turns`. nil without a measured turn.
  var latencyWindow: (whole: PlainText, brief: PlainText)? {
    let stats = latency
    let count = stats.total.count
    guard count > 0, let first = stats.points.first(where: { $0.totalMs != nil }) else {
      return nil
    }
    let turns = Figures.count(count) + (count == 1 ? " turn" : " turns")
    guard isLive else { return (turns + " of it", "of " + turns) }
    let since = "since " + facts.clock.shortTime(ms: first.timeMs, now: facts.minuteMs)
    return (turns + " " + since, since)
  }

  /// The waterfall of a turn; if none is recorded, that of the backend's last answer.
  func waterfall(_ turn: VoiceTurnRecord?) -> Waterfall? {
    if let latency = turn?.latency { return waterfall(latency, self.latency, turn) }
    guard turn == nil, let latency = session?.latency, let last = latency.recentTurns.first else {
      return nil
    }
    return waterfall(last, of: latency)
  }

  private func waterfall(
    _ latency: VoiceTurnRecord.Latency, _ stats: LatencyStats, _ turn: VoiceTurnRecord?
  ) -> Waterfall {
    let blamed = stats.blamed(for: latency)
    func share(_ percent: Int?) -> Double? { percent.map { Double($0) / 100 } }
    // Below three turns a percentile says nothing.
    let isRanked = stats.points.count >= 3
    let stages = LatencyStage.allCases.map { stage in
      Waterfall.Stage(
        name: PlainText(stage.name), ms: latency[stage],
        rank: isRanked ? share(latency[stage].flatMap { stats.rank(of: $0, in: stage) }) : nil,
        p50: stats.summary(of: stage).p50, isBlamed: stage == blamed)
    }
    let recogniser: Int? = turn.flatMap { turn in
      guard let end = turn.asrFinal?.timeMs, let start = turn.finalized?.timeMs, end >= start
      else { return nil }
      return Int(end - start) - (latency.finalizedToAsrStartMs ?? 0)
    }
    return Waterfall(
      stages: stages,
      total: .init(
        name: "TOTAL", ms: latency.totalMs,
        rank: isRanked ? share(latency.totalMs.flatMap(stats.rank(ofTotal:))) : nil),
      p50: stats.total.p50, p95: stats.total.p95, queueWaitMs: latency.queueWaitMs,
      queueDepth: latency.pendingQueueDepth,
      trend: stats.trend(last: 60).compactMap(\.totalMs),
      count: max(session?.latency?.turnCount ?? 0, stats.points.count),
      recogniserMs: recogniser.flatMap { $0 > 0 ? $0 : nil })
  }

  private func waterfall(_ turn: LatencyTurn, of latency: VoiceLatency) -> Waterfall {
    let values: [(LatencyStage, Int?, Int?)] = [
      (.finalizedToAsr, turn.finalizedToAsrStartMs, latency.averages.finalizedToAsrStartMs),
      (.asrToGeneration, turn.asrToGenerationStartMs, latency.averages.asrToGenerationStartMs),
      (
        .generationToReply, turn.generationToReplyRequestMs,
        latency.averages.generationToReplyRequestMs
      ),
      (.replyToAudio, turn.replyRequestToAudioStartMs, latency.averages.replyRequestToAudioStartMs),
    ]
    let longest = values.max { ($0.1 ?? -1) < ($1.1 ?? -1) }
    let stats = self.latency
    return Waterfall(
      stages: values.map { stage, ms, average in
        .init(
          name: PlainText(stage.name), ms: ms, p50: average,
          isBlamed: ms != nil && stage == longest?.0)
      },
      total: .init(name: "TOTAL", ms: turn.totalMs), p50: stats.total.p50, p95: stats.total.p95,
      queueWaitMs: turn.queueWaitMs, queueDepth: turn.pendingQueueDepth,
      trend: stats.trend(last: 60).compactMap(\.totalMs),
      count: max(latency.turnCount ?? 0, stats.points.count), recogniserMs: nil)
  }
}

extension ViewContext {
  /// The list of past sessions, once the voice state says which are live.
  @MainActor var voiceListNeeds: [Need] {
    voice.state == nil ? [] : [.voiceSessions(liveChanges: voice.liveChanges)]
  }

  /// From when on all rows of a voice session are in the log, in ms since 1970; nil if unknown.
  @MainActor package func voiceRowsBeginMs(of id: String?) -> Int64? {
    voice.rowsBeginMs(of: id, in: activity.coverage)
  }
}

extension VoiceTurnRecord.Origin {
  fileprivate var kind: TurnKind {
    switch self {
    case .speech: .speech
    case .roomEvent: .membership
    case .thought: .thought
    }
  }
}

extension [Utterance] {
  /// Whether the words that a recogniser still holds are those of the speaker's last line: it keeps
  /// them until its next utterance begins. A part of that line counts while it is not newer.
  fileprivate func isFinal(_ partial: Utterance) -> Bool {
    guard let last = last(where: { !$0.isBot && $0.speaker == partial.speaker }) else {
      return false
    }
    let (said, heard) = (last.text.words, partial.text.words)
    guard said != heard else { return true }
    guard said.starts(with: heard), let end = last.atMs, let at = partial.recognisedAtMs else {
      return false
    }
    return at <= end
  }
}

extension String {
  /// Its words without case, spaces and marks, in which a final text differs from a partial one.
  fileprivate var words: [Substring] {
    lowercased().split { !$0.isLetter && !$0.isNumber }
  }
}
