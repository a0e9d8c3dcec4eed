internal import ClankyWire

/// Builds the turns of a session, event by event, in order (contract 8.5).
///
/// A turn belongs to the user of the row; the bot's rows are matched by request, call and item ids,
/// then by source and addressee, then by order. A turn lasts until its speaker starts again or the
/// outcome is known, two minutes at most.
struct TurnBuilder {
  private(set) var turns = NumberedList<VoiceTurnRecord>()
  /// The number of the turn of each event that was fed, in order; -1 for none.
  private var turnOf: [Int32] = []
  /// Turns that may still receive events, oldest first.
  var active: [Int] = []
  /// The newest turn of each speaker.
  var open: [String: Int] = [:]
  var byRequest: [RequestKey: Int] = [:]
  var byCall: [String: Int] = [:]
  var byItem: [String: Int] = [:]
  /// The turn that was heard last.
  var speaking: Int?

  /// The events of the last millisecond.
  private var moment: [(event: VoiceEvent, turn: Int?)] = []

  /// Request numbers are used again for queued utterances; with their source they are not.
  struct RequestKey: Hashable {
    var id: Int
    var source: String?
  }

  /// A requested reply produces audio within this time, in ms, or never does. Twice the backend's
  /// speech timeout leaves room for a queue.
  static let silenceMs: Int64 = 30_000
  /// The same action logged twice, or the two rows of one sound, in ms.
  static let togetherMs: Int64 = 300

  /// Processes the next event; returns the index of its turn, if it has one.
  mutating func feed(_ event: VoiceEvent) -> Int? {
    expire(at: event.timeMs)
    let index = twin(of: event) ?? dispatch(event)
    moment.append((event, index))
    turnOf.append(Int32(index ?? -1))
    guard let index else { return nil }
    turns[index].lastAt = max(turns[index].lastAt, event.timeMs)
    turns[index].events.append(event.id)
    if let cost = event.costUSD { turns[index].costUSD = (turns[index].costUSD ?? 0) + cost }
    judge(index)
    return index
  }

  /// The number of the turn of an event by its place; nil if it has none.
  func turn(ofEvent place: Int) -> Int? {
    guard place < turnOf.count, turns.indices.contains(Int(turnOf[place])) else { return nil }
    return Int(turnOf[place])
  }

  /// Forgets the first events, and the turns that ended before a time, in ms since 1970.
  mutating func dropFirst(_ count: Int, beforeMs: Int64) {
    turnOf.removeFirst(count)
    turns.dropPrefix { $0.lastAt < beforeMs }
    let kept = turns.indices
    active.removeAll { !kept.contains($0) }
    open = open.filter { kept.contains($0.value) }
    byRequest = byRequest.filter { kept.contains($0.value) }
    byCall = byCall.filter { kept.contains($0.value) }
    byItem = byItem.filter { kept.contains($0.value) }
    speaking = speaking.flatMap { kept.contains($0) ? $0 : nil }
    moment.removeAll { $0.turn.map { !kept.contains($0) } ?? false }
  }

  /// The turn of the same row, when it was logged twice.
  private mutating func twin(of event: VoiceEvent) -> Int? {
    if let last = moment.last, last.event.timeMs != event.timeMs { moment.removeAll() }
    guard
      let twin = moment.first(where: {
        $0.event.name == event.name && $0.event.userID == event.userID && $0.turn != nil
          && $0.event.fingerprint == event.fingerprint
      })
    else { return nil }
    return twin.turn
  }

  private mutating func dispatch(_ event: VoiceEvent) -> Int? {
    switch event.lane {
    case .capture: capture(event)
    case .asr: recognition(event)
    case .decision: decision(event)
    case .generation: generation(event)
    case .tools: tool(event)
    case .output: output(event)
    case .bargeIn: bargeIn(event)
    case .thought: thought(event)
    case .screen, .music, .other: nil
    }
  }

  // MARK: turns

  func speakerKey(_ event: VoiceEvent) -> String {
    event.userID ?? event.string("speakerName") ?? ""
  }

  mutating func begin(
    _ event: VoiceEvent, origin: VoiceTurnRecord.Origin = .speech, at start: Int64? = nil,
    isKnown: Bool = true
  ) -> Int {
    var turn = VoiceTurnRecord(id: event.id, origin: origin, startedAt: start ?? event.timeMs)
    turn.isStartKnown = isKnown
    turn.lastAt = event.timeMs
    turn.source = Self.base(event.string("source"))
    if origin == .speech {
      turn.speakerID = event.userID
      turn.speaker = event.string("speakerName")
    }
    let index = turns.append(turn)
    active.append(index)
    if origin == .speech { open[speakerKey(event)] = index }
    return index
  }

  subscript(index: Int) -> VoiceTurnRecord {
    _read { yield turns[index] }
    _modify { yield &turns[index] }
  }

  func mark(_ event: VoiceEvent, isInferred: Bool = false) -> VoiceTurnRecord.Mark {
    VoiceTurnRecord.Mark(timeMs: event.timeMs, event: event.id, isInferred: isInferred)
  }

  /// `realtime:stream_chunk_0` is a part of `realtime`.
  static func base(_ source: String?) -> String? {
    source.map { String($0.prefix { $0 != ":" }) }
  }

  /// The turn of the speaker of a row, as long as it may still be meant.
  func own(_ event: VoiceEvent) -> Int? {
    guard let index = open[speakerKey(event)],
      event.timeMs - turns[index].lastAt <= VoiceTurnRecord.capMs
    else { return nil }
    return index
  }

  mutating func close(_ index: Int) {
    turns[index].isClosed = true
    active.removeAll { $0 == index }
  }

  /// Drops turns that can receive no more events.
  private mutating func expire(at now: Int64) {
    guard let first = active.first,
      now - turns[first].lastAt > Self.silenceMs / 2 || active.count > 8
    else { return }
    for index in active {
      let turn = turns[index]
      if turn.audioStarted == nil, let requested = turn.replyRequested, turn.interrupted == nil,
        turn.skipped == nil, turn.failed == nil, now - requested.timeMs > Self.silenceMs
      {
        turns[index].failed = VoiceTurnRecord.Mark(
          timeMs: requested.timeMs, event: requested.event, isInferred: true)
        turns[index].reason = "never_played"
        turns[index].isOutcomeInferred = true
        judge(index)
        close(index)
      } else if now - turn.lastAt > VoiceTurnRecord.capMs {
        close(index)
      }
    }
  }

  private mutating func judge(_ index: Int) {
    let outcome = turns[index].judged
    if turns[index].outcome != outcome { turns[index].outcome = outcome }
    if turns[index].isOutcomeInferred, outcome != .failed { turns[index].isOutcomeInferred = false }
  }

  // MARK: Matching rows to turns

  /// The turn that a row of the bot belongs to, among those with the go-ahead.
  func answering(
    _ event: VoiceEvent, where fits: (VoiceTurnRecord) -> Bool, newestFirst: Bool = false
  ) -> Int? {
    var found = active.filter {
      turns[$0].decision?.allow == true && event.timeMs - turns[$0].lastAt <= VoiceTurnRecord.capMs
        && fits(turns[$0])
    }
    if found.isEmpty {
      // No decision on record: those that were understood.
      found = active.filter {
        turns[$0].decisions.isEmpty && turns[$0].asrFinal != nil && turns[$0].dropped == nil
          && event.timeMs - turns[$0].lastAt <= Self.silenceMs && fits(turns[$0])
      }
    }
    guard found.count > 1 else { return found.first }
    func narrow(_ isBetter: (VoiceTurnRecord) -> Bool) {
      let better = found.filter { isBetter(turns[$0]) }
      if !better.isEmpty { found = better }
    }
    if let user = event.userID { narrow { $0.speakerID == user || $0.aboutID == user } }
    if let source = Self.base(event.string("source")) {
      narrow { $0.source == source || ($0.origin == .thought && source.contains("thought")) }
    }
    if let name = event.string("talkingTo"), name != "ME", name != "ALL" {
      narrow { $0.speaker?.lowercased() == name.lowercased() }
    }
    if let reason = event.string("captureReason") { narrow { $0.captureReason == reason } }
    if let began = Self.generationStart(event) {
      return found.min { distance($0, began) < distance($1, began) }
    }
    // Those that have long been silent are rarely meant while there is another.
    narrow { event.timeMs - $0.lastAt <= Self.silenceMs }
    return newestFirst ? found.last : found.first
  }

  /// When the generation began, by a row that measures the delays up to itself.
  private static func generationStart(_ event: VoiceEvent) -> Int64? {
    guard event.name == "voice_latency_stage", let reply = event.int("generationToReplyRequestMs")
    else { return nil }
    let (sum, overflow) = reply.addingReportingOverflow(
      event.int("replyRequestToAudioStartMs") ?? 0)
    return overflow || abs(sum) > 600_000 ? nil : event.timeMs - Int64(sum)
  }

  private func distance(_ index: Int, _ time: Int64) -> Int64 {
    abs((turns[index].decision?.mark.timeMs ?? turns[index].startedAt) - time)
  }

  /// By the number of the reply request.
  func requested(_ event: VoiceEvent) -> Int? {
    guard let id = event.int("requestId"), id != 0 else { return nil }
    let source = Self.base(event.string("source"))
    let index =
      byRequest[RequestKey(id: id, source: source)]
      ?? (source == nil
        ? nil
        : byRequest[RequestKey(id: id, source: nil)].flatMap { index in
          turns[index].source == nil || turns[index].source == source ? index : nil
        })
    guard let index, event.timeMs - turns[index].lastAt <= VoiceTurnRecord.capMs else { return nil }
    return index
  }

  mutating func noteRequest(_ event: VoiceEvent, _ index: Int) {
    guard let id = event.int("requestId"), id != 0 else { return }
    turns[index].requestID = id
    byRequest[RequestKey(id: id, source: Self.base(event.string("source")))] = index
    byRequest[RequestKey(id: id, source: nil)] = index
  }

  // MARK: the end

  /// The turns, with the properties that depend on all of them.
  func finish(roster: [String: String], endedAt: Int64?) -> [VoiceTurnRecord] {
    var result = Array(turns)
    var places: [VoiceTurnRecord.ID: Int] = [:]
    for index in result.indices { places[result[index].id] = index }
    let totals = turns.compactMap { turn -> Int? in
      guard let latency = turn.latency, latency.isComplete else { return nil }
      return latency.totalMs
    }
    let mean = totals.count >= 3 ? LatencyStats.mean(of: totals) : nil
    for index in result.indices {
      if let id = result[index].speakerID, let name = roster[id] { result[index].speaker = name }
      if let into = result[index].mergedInto.flatMap({ places[$0] }) {
        let main = turns[turns.startIndex + into]
        result[index].outcome = main.outcome
        result[index].reason = result[index].reason ?? main.reason
      }
      if endedAt != nil { result[index].isClosed = true }
      result[index].anomalies = Self.anomalies(of: result[index], mean: mean)
    }
    return result
  }

  private static func anomalies(
    of turn: VoiceTurnRecord, mean: Int?
  ) -> [VoiceTurnRecord.Anomaly] {
    var found = turn.anomalies
    if let mean, let latency = turn.latency, latency.isComplete, let total = latency.totalMs,
      total > 2 * mean
    {
      found.append(.highLatency(ms: total, meanMs: mean))
    }
    if turn.promoted != nil, turn.words.isEmpty, turn.mergedInto == nil, let dropped = turn.dropped,
      dropped.timeMs - (turn.finalized?.timeMs ?? turn.startedAt) <= 5000
        || turn.reason == "empty_transcript"
    {
      found.append(.emptyASR)
    }
    if let audio = turn.audioStarted?.timeMs, turn.origin == .speech,
      let end = turn.finalized?.timeMs ?? turn.asrFinal?.timeMs, audio - end > 30_000
    {
      found.append(.outputGap(ms: Int(audio - end)))
    }
    for tool in turn.tools {
      if tool.isSuccess == false { found.append(.toolFailed(name: tool.name)) }
      if let ms = tool.durationMs, ms > 3000 { found.append(.slowTool(name: tool.name, ms: ms)) }
    }
    if turn.outcome == .failed, turn.reason == "never_played" { found.append(.neverPlayed) }
    // Two rows may tell of one thing.
    var seen: Set<VoiceTurnRecord.Anomaly> = []
    return found.filter { seen.insert($0).inserted }
  }
}

extension VoiceTurnRecord {
  /// The outcome by what is on record so far.
  fileprivate var judged: Outcome {
    if interrupted != nil { return .interrupted }
    if audioStarted != nil { return .responded }
    if skipped != nil { return .denied }
    if failed != nil { return .failed }
    if dropped != nil, replyRequested == nil || reason == "superseded" { return .dropped }
    return decision?.allow == false && replyRequested == nil ? .denied : .pending
  }
}
