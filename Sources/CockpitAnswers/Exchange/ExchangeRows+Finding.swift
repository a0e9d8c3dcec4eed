package import CockpitStores
internal import ClankyWire
internal import LenientJSON

/// Which exchange a row belongs to, and which exchanges there are.
extension ExchangeRows {
  /// An exchange and when it began, in ms since 1970.
  package struct Entry: Hashable, Sendable {
    package var key: Exchange.Key
    package var timeMs: Int64
  }

  /// The exchange with this key; nil if no row of it is on record.
  package func exchange(_ key: Exchange.Key) -> Exchange? {
    guard var exchange = found(key) else { return nil }
    exchange.isCutOff = exchange.isOpen && isLost
    return exchange
  }

  private func found(_ key: Exchange.Key) -> Exchange? {
    switch key {
    case .message(let id): return TextExchange(id, in: self)?.build()
    case .row(let id): return row(id).map { TextExchange(outcome: $0, in: self).build() }
    case .turn(let session, let turn):
      guard let record = voice?.record(session) else { return nil }
      return VoiceExchange(rows: self, record: record, turnID: turn).build()
    case .thought(let session, let thought):
      return OwnExchange(rows: self).thought(thought, session: session)
    case .run(let id): return row(id).flatMap { OwnExchange(rows: self).run(closedBy: $0) }
    case .initiative(let id): return row(id).flatMap { OwnExchange(rows: self).initiative($0) }
    case .request(let kind, let id): return RequestExchange(rows: self).request(kind, id)
    }
  }

  /// The exchange that a row belongs to; nil if none.
  package func key(of id: RowID) -> Exchange.Key? {
    guard let row = row(id) else { return nil }
    if let found = voice?.record(containing: id) {
      return .turn(session: found.record.sessionID, turn: found.turnID)
    }
    if let key = thoughtKey(of: row) { return key }
    if OwnExchange.runKinds.contains(row.kind) {
      return .run(OwnExchange(rows: self).closing(of: row).row)
    }
    if row.kind == "initiative_post" || row.kind == "initiative_skip" { return .initiative(id) }
    if let request = RequestExchange.name(of: row) { return .request(request.kind, request.id) }
    if row.kind == "llm_call" || row.kind == "llm_error", let key = ownCallKey(of: row) {
      return key
    }
    if let trigger = row.triggers.first { return .message(trigger) }
    if RowTriggers.sentKinds.contains(row.kind), let message = row.messageID {
      return .message(message)
    }
    if TextExchange.closings.contains(row.kind) { return .row(id) }
    // A failed call that matches no message is an exchange of its own.
    return keyByTime(of: row) ?? (row.kind == "llm_error" && row.userID != nil ? .row(id) : nil)
  }

  /// The exchange of a message: of one that set it off, or of one that the bot sent.
  package func key(ofMessage id: String) -> Exchange.Key? {
    let named = rows(naming: id)
    if named.contains(where: { $0.triggers.contains(id) }) { return .message(id) }
    return named.last.flatMap { key(of: $0.row) }
  }

  /// What waited at a gateway under this id.
  package func key(ofRequest id: String) -> Exchange.Key? {
    log.rows(holding: id, limit: Self.reach).lazy.compactMap(row)
      .compactMap(RequestExchange.name).first { $0.id == id }.map { .request($0.kind, $0.id) }
  }

  /// The newest run of an automation; with `nearMs` (ms since 1970) the one that ended nearest to that time, at
  /// most a minute from it.
  package func key(ofAutomation id: Int, nearMs: Int64? = nil) -> Exchange.Key? {
    var best: (key: Exchange.Key, distance: Int64)?
    for place in 0..<min(log.count, Self.reach) {
      let view = log.row(at: place)
      if let nearMs, view.timeMs < nearMs - Self.runMs { break }
      guard OwnExchange.runKinds.contains(view.kind), let row = row(view.id),
        row.automationID == String(id)
      else { continue }
      let key = Exchange.Key.run(OwnExchange(rows: self).closing(of: row).row)
      guard let nearMs else { return key }
      let distance = abs(view.timeMs - nearMs)
      if distance <= Self.runMs, distance < best?.distance ?? .max { best = (key, distance) }
    }
    return best?.key
  }

  /// How far the row of a run may be from the time that the list of runs states, in ms.
  private static let runMs: Int64 = 60_000

  /// All exchanges of the log, oldest first. Reads every row.
  package func entries() -> [Entry] {
    guard index != nil else { return indexed().entries() }
    var times: [Exchange.Key: Int64] = [:]
    for place in 0..<log.count {
      guard let row = row(log.rowID(at: place)), let key = anchor(of: row) else { continue }
      times[key] = min(times[key] ?? .max, row.timeMs)
    }
    for record in voice?.log.records.values.map({ $0 }) ?? [] {
      for turn in record.turns {
        times[.turn(session: record.sessionID, turn: turn.id)] = turn.startedAt
      }
    }
    return times.map { Entry(key: $0.key, timeMs: $0.value) }
      .sorted { ($0.timeMs, "\($0.key)") < ($1.timeMs, "\($1.key)") }
  }

  /// Whether a row can be the beginning or the end of an exchange, by its kind alone.
  func isAnchor(_ view: ActionRowView) -> Bool {
    guard !view.isGap, !view.isOfFormerLog else { return false }
    switch view.kind {
    case "text_runtime", "llm_call", "llm_error", "sent_reply", "sent_message", "reply_skipped",
      "reacted", "automation_run", "automation_error", "automation_post", "initiative_post",
      "initiative_skip", "voice_turn_in", "voice_turn_out":
      return true
    case "voice_runtime":
      return view.label.event.map(Self.voiceAnchors.contains) ?? false
    default: return false
    }
  }

  private static let voiceAnchors: Set<String> = [
    "voice_turn_addressing", "voice_turn_finalized", "voice_thought_decision",
    "openai_realtime_asr_final_segment", "file_asr_transcript",
  ]

  /// The exchange that a row is the beginning or the end of; voice turns come from their records.
  private func anchor(of row: ExchangeRow) -> Exchange.Key? {
    switch row.kind {
    case "text_runtime", "llm_call", "sent_reply", "sent_message", "reply_skipped", "reacted":
      if row.string("sessionId") != nil, row.kind == "llm_call" { return nil }
      if let trigger = row.triggers.first { return .message(trigger) }
      guard TextExchange.closings.contains(row.kind) else { return nil }
      return row.messageID.map { .message($0) } ?? .row(row.row)
    case "automation_run", "automation_error", "automation_post":
      return .run(OwnExchange(rows: self).closing(of: row).row)
    case "initiative_post", "initiative_skip": return .initiative(row.row)
    case "voice_runtime":
      guard let key = thoughtKey(of: row), case .thought = key else { return nil }
      return key
    default: return nil
    }
  }

  // MARK: Rows without an id

  /// The thought that a row belongs to: a turn where it was spoken.
  private func thoughtKey(of row: ExchangeRow) -> Exchange.Key? {
    guard row.kind == "voice_runtime", row.event.contains("thought"),
      let session = row.string("sessionId"), let id = row.thoughtID
    else { return nil }
    // One that is held has several decisions; the last one counts.
    let decision = rows(ofThought: id).last { $0.event == OwnExchange.thoughtDecision }
    if let decision, decision.metadata["allow"]?.bool != false {
      return voice?.record(containing: decision.row).map {
        .turn(session: $0.record.sessionID, turn: $0.turnID)
      }
    }
    return .thought(session: session, thought: id)
  }

  /// The rows that name a thought, oldest first.
  func rows(ofThought id: String) -> [ExchangeRow] {
    let ids = index.map { $0.byThought[id] ?? [] } ?? log.rows(holding: id)
    return ids.compactMap(row)
      .filter { $0.kind == "voice_runtime" && $0.thoughtID == id }
      .sorted { ($0.timeMs, $0.actionID ?? .max) < ($1.timeMs, $1.actionID ?? .max) }
  }

  /// A model call of an automation or of the initiative cycle: the next row of an outcome.
  private func ownCallKey(of call: ExchangeRow) -> Exchange.Key? {
    guard let source = call.string("source") else { return nil }
    let prefix =
      source.hasPrefix("automation")
      ? "automation_" : source.hasPrefix("initiative") ? "initiative_" : nil
    guard let prefix else { return nil }
    let next = rows(from: call.timeMs, to: call.timeMs + 120_000) { $0.kind.hasPrefix(prefix) }
      .first { $0.channelID == nil || $0.channelID == call.channelID }
    return next.flatMap { key(of: $0.row) }
  }

  /// A row that names no message belongs to the user's last earlier message in that channel.
  private func keyByTime(of row: ExchangeRow) -> Exchange.Key? {
    guard let channel = row.channelID, let user = row.userID,
      ToolRows.word(of: row.kind) != nil || row.kind == "llm_error"
        || row.kind.hasPrefix("memory_embedding_") || row.kind == "memory_runtime"
    else { return nil }
    let before = rows(from: row.timeMs - 300_000, to: row.timeMs) { view in
      view.channelID == channel && view.userID == user
        && (view.kind == "text_runtime" || view.kind == "llm_call")
    }
    return before.last { !$0.triggers.isEmpty }?.triggers.first.map { .message($0) }
  }
}

extension ExchangeRow {
  var thoughtID: String? { string("thoughtId") ?? string("pendingThoughtId") }
}
