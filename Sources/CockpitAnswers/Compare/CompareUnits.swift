package import CockpitStores
internal import ClankyWire
internal import LenientJSON

/// What a comparison counts, read out of rows once: turns, replies and triggers, never events.
package struct CompareUnits: Hashable, Sendable {
  /// A message or a spoken turn, and what came of it.
  package struct Turn: Hashable, Sendable {
    /// When it began, in ms since 1970.
    package var timeMs: Int64
    package var isVoice: Bool
    package var outcome: WhyRule.Outcome
    /// The wire's code; nil where it has none.
    package var reason: String?
    package var guildID: String?
    package var sessionID: String?
    package var models: [String] = []
    /// The row of the outcome.
    package var evidence: Answer.Evidence
    /// Of a text reply as its row states it, of a spoken one from the end of speech to the first sound, in ms.
    package var latencyMs: Int?
    /// Of a spoken reply with sound.
    package var stages: [LatencyStage: Int] = [:]
    /// Whether sound of it was taken for speech.
    package var isPromoted = false
    /// All rows that it caused, in US dollars; nil if none has a cost.
    package var costUSD: Double?
    /// Input and output of its calls; nil if none says.
    package var tokens: Int?
    package var tools: [Tool] = []
  }

  /// A tool whose result is on record.
  package struct Tool: Hashable, Sendable {
    package var name: String
    package var isSuccess: Bool
    package var evidence: Answer.Evidence
  }

  /// A model call.
  package struct Call: Hashable, Sendable {
    package var timeMs: Int64
    package var guildID: String?
    package var sessionID: String?
    package var model: String
    /// The share of its input that came from the cache; nil if it does not say.
    package var cacheShare: Double?
    package var evidence: Answer.Evidence
  }

  /// What a rule over the order of events found.
  package struct Incident: Hashable, Sendable {
    /// When it began, in ms since 1970.
    package var timeMs: Int64
    package var rule: String
    package var guildID: String?
    package var sessionID: String?
    package var evidence: Answer.Evidence

    package init(
      timeMs: Int64, rule: String, guildID: String?, sessionID: String?, evidence: Answer.Evidence
    ) {
      self.timeMs = timeMs
      self.rule = rule
      self.guildID = guildID
      self.sessionID = sessionID
      self.evidence = evidence
    }
  }

  /// Any row.
  package struct Row: Hashable, Sendable {
    package var timeMs: Int64
    package var kind: String
    package var guildID: String?
    /// The failure that it reports; nil if it reports none.
    package var failure: Answer.Evidence?
  }

  /// Each oldest first.
  package var turns: [Turn] = []
  package var calls: [Call] = []
  package var rows: [Row] = []
  package var incidents: [Incident] = []
  package var changes: [LedgerChange] = []
  /// Of which parts of the time that was looked at rows are missing, or may be.
  package var missing: [MissingStretch] = []
  /// The time that was looked at, in ms since 1970.
  package var fromMs: Int64 = 0
  package var toMs: Int64 = 0

  package init() {}
}

/// Reads units out of rows, some exchanges at a time.
@MainActor
package struct CompareReader {
  private let rows: ExchangeRows
  private var entries: ArraySlice<ExchangeRows.Entry>
  private var units = CompareUnits()
  private var hasRows = false

  /// - Parameter rows: indexed, with the voice sessions followed.
  package init(_ rows: ExchangeRows) {
    self.rows = rows
    entries = rows.entries()[...]
    units.toMs = rows.nowMs
    units.fromMs = rows.log.oldestMs ?? rows.nowMs
  }

  /// - Returns: whether there is more to read.
  package mutating func read(exchanges count: Int = .max) -> Bool {
    for entry in entries.prefix(count) {
      guard let exchange = rows.exchange(entry.key), rows.scope.holds(exchange.guildID),
        exchange.medium == .text || exchange.medium == .voice
      else { continue }
      units.turns.append(turn(Why(exchange)))
    }
    entries = entries.dropFirst(count)
    return !entries.isEmpty
  }

  /// All of it, once nothing is left to read.
  package mutating func finish() -> CompareUnits {
    units.turns.sort { $0.timeMs < $1.timeMs }
    readRows()
    units.changes = ChangeLedger.changes(in: rows)
    return units
  }

  private func turn(_ why: Why) -> CompareUnits.Turn {
    let exchange = why.exchange
    let evidence =
      why.answer.evidence.first
      ?? Answer.Evidence(timeMs: exchange.startMs, claim: why.outcome.rawValue)
    var turn = CompareUnits.Turn(
      timeMs: exchange.startMs, isVoice: exchange.medium == .voice, outcome: why.outcome,
      reason: why.reason, guildID: exchange.guildID, sessionID: exchange.sessionID,
      evidence: evidence)
    turn.models = exchange.calls.compactMap(\.model)
    turn.costUSD = exchange.costUSD
    let tokens = exchange.calls.compactMap { call -> Int? in
      guard call.inputTokens != nil || call.outputTokens != nil else { return nil }
      return (call.inputTokens ?? 0).addingReportingOverflow(call.outputTokens ?? 0).partialValue
    }
    turn.tokens =
      tokens.isEmpty ? nil : tokens.reduce(0) { $0.addingReportingOverflow($1).partialValue }
    turn.tools = exchange.tools.compactMap { tool in
      guard let isSuccess = tool.isSuccess, let source = tool.source else { return nil }
      return .init(
        name: tool.name, isSuccess: isSuccess,
        evidence: Answer.Evidence(
          rowID: source.row, actionID: source.actionID, timeMs: source.timeMs, kind: source.kind,
          claim: tool.name))
    }
    if let voice = exchange.voice {
      turn.isPromoted = voice.turn.promoted != nil
      turn.models += voice.turn.models
      // Turns that are answered together have one reply, which is that of the main one.
      if case .turn(_, let id) = exchange.key, id == voice.turn.id,
        let latency = voice.turn.latency, latency.isComplete
      {
        turn.latencyMs = latency.totalMs
        for stage in LatencyStage.allCases { turn.stages[stage] = latency[stage] }
      }
    } else if why.outcome == .replied, let row = exchange.sent.first?.source.row.flatMap(rows.row) {
      turn.latencyMs = row.metadata["performance"]?["totalMs"]?.int.flatMap {
        $0 > 0 && $0 < 86_400_000 ? $0 : nil
      }
    }
    return turn
  }

  private mutating func readRows() {
    let log = rows.log
    for place in (0..<log.count).reversed() {
      let view = log.row(at: place)
      guard !view.isGap, !view.isOfFormerLog, view.isIn(rows.scope) else { continue }
      var row = CompareUnits.Row(timeMs: view.timeMs, kind: view.kind, guildID: view.guildID)
      if view.isFailure { row.failure = Answer.Evidence(view, view.label.title) }
      units.rows.append(row)
      guard view.kind == "llm_call", let call = LlmCall(view) else { continue }
      units.calls.append(
        .init(
          timeMs: view.timeMs, guildID: view.guildID,
          sessionID: rows.row(view.id)?.string("sessionId"), model: call.model ?? "?",
          cacheShare: call.cacheShare, evidence: Answer.Evidence(view, call.model ?? "?")))
    }
  }
}
