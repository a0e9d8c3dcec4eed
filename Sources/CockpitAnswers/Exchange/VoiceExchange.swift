internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

/// Puts the exchange of a spoken turn together from its record.
@MainActor
struct VoiceExchange {
  let rows: ExchangeRows
  let record: VoiceSessionRecord
  let turnID: VoiceTurnRecord.ID

  /// How long a reply that was asked for may be without sound before it is taken for lost, in ms.
  private static let settleMs: Int64 = 35_000

  /// nil if the session has no such turn.
  func build() -> Exchange? {
    guard let turn = record.turn(turnID),
      let verdict = record.verdict(turnID, nowMs: rows.nowMs)
    else { return nil }
    let isThought = turn.origin == .thought
    var exchange = Exchange(
      key: .turn(session: record.sessionID, turn: turnID), medium: isThought ? .thought : .voice)
    exchange.sessionID = record.sessionID
    exchange.guildID = record.guildID
    exchange.channelID = record.textChannelID
    exchange.authorID = turn.speakerID ?? turn.aboutID
    exchange.author =
      turn.speaker ?? record.name(exchange.authorID)
      ?? exchange.authorID.flatMap(rows.names.userName)
    if !turn.words.isEmpty { exchange.words = turn.words }
    exchange.startMs = turn.startedAt
    // Turns that are answered together have the answer of one.
    let main = turn.mergedInto.flatMap(record.turn) ?? turn
    var part = Exchange.VoicePart(turn: main, verdict: verdict, sources: [:])
    for id in turn.events + (main.id == turn.id ? [] : main.events) {
      guard let event = record.event(id) else { continue }
      take(event, into: &exchange, &part)
    }
    addMoments(of: turn, main, part, to: &exchange)
    part.endReason = endReason(of: main)
    exchange.trigger = exchange.sources.min { $0.timeMs < $1.timeMs }
    exchange.voice = part
    exchange.endMs = max(turn.startedAt, exchange.sources.map(\.timeMs).max() ?? turn.lastAt)
    exchange.settledMs = exchange.endMs + Self.settleMs
    exchange.isOpen = turn.isOpen(at: rows.nowMs)
    if let first = exchange.trigger?.row.flatMap(rows.row) {
      exchange.isComplete = rows.isComplete(from: first, toMs: exchange.settledMs)
    }
    addSteps(of: main, part, to: &exchange)
    addFacts(to: &exchange)
    return exchange
  }

  /// Events whose row is not in the log any more cite their id.
  private func source(of event: VoiceEvent) -> Exchange.Source {
    let actionID =
      event.rowID.flatMap { rows.log.row($0)?.actionID } ?? event.actionID
    return Exchange.Source(
      row: event.rowID, actionID: actionID, timeMs: event.timeMs, kind: event.kind,
      event: event.name,
      link: event.string("sessionId") == record.sessionID ? .id : .time)
  }

  private func take(
    _ event: VoiceEvent, into exchange: inout Exchange, _ part: inout Exchange.VoicePart
  ) {
    let source = source(of: event)
    part.sources[event.id] = source
    exchange.sources.append(source)
    if let usd = event.costUSD, usd > 0 {
      exchange.costs.append(
        .init(source: source, usd: usd, name: Exchange.costName(of: event.kind)))
    }
    if event.kind == "llm_call" {
      let usage = event.metadata["usage"]
      exchange.calls.append(
        Exchange.Call(
          source: source, model: event.string("model"), tools: [],
          inputTokens: usage?["inputTokens"]?.int, outputTokens: usage?["outputTokens"]?.int,
          output: event.string("transcript").map { String($0.prefix(4000)) },
          hasPrompt: event.isTrimmed))
    } else if event.kind == "llm_error" {
      exchange.modelErrors.append(.init(source: source, text: event.content ?? ""))
    } else if event.kind == "memory_fact" {
      exchange.learned.append(.init(source: source, text: event.content ?? ""))
    }
  }

  /// Checklist entries of the turn other than the verdict.
  private func addMoments(
    of turn: VoiceTurnRecord, _ main: VoiceTurnRecord, _ part: Exchange.VoicePart,
    to exchange: inout Exchange
  ) {
    func source(_ mark: VoiceTurnRecord.Mark?) -> Exchange.Source? {
      mark.flatMap { part.sources[$0.event] }
    }
    exchange.wordsSource =
      source(turn.asrFinal) ?? source(turn.decision?.mark) ?? source(main.decision?.mark)
    if let decision = turn.decision ?? main.decision, let source = source(decision.mark) {
      exchange.admission = .init(source: source, allow: decision.allow, reason: decision.reason)
      if decision.directAddressed != nil || decision.talkingTo != nil {
        exchange.addressing = .init(
          source: source, isDirect: decision.directAddressed, reason: decision.talkingTo,
          confidence: decision.confidence, threshold: nil)
      }
    }
    exchange.tools = main.tools.map { tool in
      Exchange.Tool(
        name: tool.name, source: tool.events.last.flatMap { part.sources[$0] },
        durationMs: tool.durationMs, isSuccess: tool.isSuccess, error: tool.error)
    }
    if let source = source(main.audioStarted), main.audioStarted?.isInferred == false {
      exchange.sent = [.init(source: source, text: main.reply ?? "")]
    }
    if let source = source(main.skipped) {
      exchange.skips = [.init(source: source, text: main.reason ?? "")]
    }
  }

  /// The wire's code of the row that ended the turn, where that has one of its own.
  private func endReason(of turn: VoiceTurnRecord) -> String? {
    guard let mark = turn.failed ?? turn.skipped ?? turn.dropped, !mark.isInferred,
      let event = record.event(mark.event)
    else { return nil }
    return event.string("reason") ?? event.string("skipCause")
  }

  private func addSteps(
    of turn: VoiceTurnRecord, _ part: Exchange.VoicePart, to exchange: inout Exchange
  ) {
    guard let latency = turn.latency, let source = part.sources[latency.mark.event] else { return }
    for stage in LatencyStage.allCases {
      guard let ms = latency[stage] else { continue }
      exchange.steps.append(.init(key: stage.key, ms: ms, source: source, isInferred: false))
    }
    if let ms = latency.queueWaitMs {
      exchange.steps.append(.init(key: "queueWaitMs", ms: ms, source: source, isInferred: false))
    }
  }

  /// The prompt of the last call, else of any row of the turn that has one.
  private func addFacts(to exchange: inout Exchange) {
    let candidates = exchange.calls.reversed().map(\.source) + exchange.sources.reversed()
    for source in candidates {
      guard let row = source.row.flatMap(rows.row) else { continue }
      let prompts = row.prompts
      guard !prompts.isEmpty else { continue }
      exchange.prompt = source
      exchange.knownFacts = rows.knownFacts().count
      exchange.facts = PromptFacts.find(
        in: prompts, among: rows.knownFacts(), guild: exchange.guildID,
        said: [exchange.words, exchange.answer].compactMap { $0 })
      return
    }
  }
}
