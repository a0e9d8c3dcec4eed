internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

/// Puts the exchange of a message together from the rows that name it, and from those that fit by time.
@MainActor
struct TextExchange {
  let rows: ExchangeRows
  /// Empty where the row of the outcome names none.
  let message: String
  private let key: Exchange.Key
  private let linked: [ExchangeRow]

  /// How long after its last row a message may still be answered, in ms.
  static let settleMs: Int64 = 120_000
  /// How long after the last call an error can be that of sending, in ms.
  private static let sendErrorMs: Int64 = 5000
  /// An embedding that names nothing comes within this time of the message, in ms.
  private static let embeddingMs: Int64 = 15_000

  static let closings: Set<String> = [
    "sent_reply", "sent_message", "reply_skipped", "reacted",
  ]

  /// Nil when no row names the message.
  init?(_ message: String, in rows: ExchangeRows) {
    self.rows = rows
    self.message = message
    key = .message(message)
    linked = rows.rows(naming: message).filter { row in
      row.triggers.contains(message) || RowTriggers.sentKinds.contains(row.kind)
    }
    guard !linked.isEmpty else { return nil }
  }

  /// The exchange of an outcome row that names no message; no other row can be linked to it.
  init(outcome row: ExchangeRow, in rows: ExchangeRows) {
    self.rows = rows
    message = ""
    key = .row(row.row)
    linked = [row]
  }

  func build() -> Exchange {
    var exchange = Exchange(key: key, medium: .text)
    let first = linked[0]
    exchange.guildID = linked.lazy.compactMap(\.guildID).first
    exchange.channelID = linked.lazy.compactMap(\.channelID).first
    exchange.trigger = first.source()
    exchange.startMs = first.timeMs
    for row in linked { take(row, into: &exchange) }
    name(&exchange)
    let end = linked.last { Self.closings.contains($0.kind) }
    exchange.endMs = (end ?? linked[linked.count - 1]).timeMs
    addTimed(to: &exchange, end: end)
    let isClosed =
      end != nil || exchange.admission?.allow == false || exchange.gate?.allow == false
      || exchange.queue != nil
    exchange.settledMs = isClosed ? exchange.endMs : exchange.endMs + Self.settleMs
    exchange.isOpen = !isClosed && rows.nowMs < exchange.settledMs
    exchange.isComplete = rows.isComplete(from: first, toMs: exchange.settledMs)
    exchange.isOfAgent = linked.contains { RowOrigin.isGateway($0.metadata) }
    exchange.steps = exchange.isOfAgent ? runSteps(exchange) : steps(exchange, end)
    addFacts(to: &exchange, end)
    exchange.sources.sort { ($0.timeMs, $0.actionID ?? .max) < ($1.timeMs, $1.actionID ?? .max) }
    return exchange
  }

  // MARK: Rows that name the message

  private func take(_ row: ExchangeRow, into exchange: inout Exchange) {
    let source = row.source()
    exchange.sources.append(source)
    exchange.add(cost: row, source)
    switch row.kind {
    case "text_runtime": decision(row, into: &exchange)
    case "llm_call": exchange.calls.append(Exchange.Call(row))
    case "llm_error": exchange.modelErrors.append(Exchange.Note(row))
    case "sent_reply", "sent_message": exchange.sent.append(Exchange.Note(row))
    case "reply_skipped": exchange.skips.append(Exchange.Note(row))
    case "reacted": exchange.reactions.append(Exchange.Note(row))
    case "memory_fact": exchange.learned.append(Exchange.Note(row))
    case "memory_embedding_call", "memory_embedding_error": exchange.lookups.append(source)
    case "llm_run_aborted": exchange.stopped = Exchange.Note(row)
    case let kind where kind.hasPrefix("tool_") && RowOrigin.isGateway(row.metadata):
      exchange.lastStep = Exchange.Note(row)
    default: break
    }
    if let addressing = Exchange.Addressing(row) { exchange.addressing = addressing }
  }

  private func decision(_ row: ExchangeRow, into exchange: inout Exchange) {
    let decision = Exchange.Decision(
      source: row.source(), allow: row.metadata["allow"]?.bool, reason: row.string("reason"))
    switch row.event {
    case "reply_queue_gate_rejected": exchange.queue = decision
    case "reply_pipeline_gate": exchange.gate = decision
    case "reply_tool_availability":
      exchange.offer = row.source()
      exchange.offeredTools =
        row.metadata["includedTools"]?.array?.count ?? row.metadata["includedToolCount"]?.int
    case let event where event.hasSuffix("admission_decision"): exchange.admission = decision
    default: break
    }
  }

  /// The row of the message itself has its author; prompts have the name and the words.
  private func name(_ exchange: inout Exchange) {
    exchange.authorID =
      linked.first { $0.kind == "text_runtime" }?.userID
      ?? linked.first { $0.kind == "llm_call" || $0.kind == "llm_error" }?.userID
    for row in linked where exchange.words == nil {
      for prompt in row.prompts {
        guard let found = TriggerWords(prompt: prompt) else { continue }
        exchange.author = found.author
        exchange.words = found.words
        exchange.wordsSource = row.source()
      }
    }
    if let begin = linked.first(where: {
      RowOrigin.isGateway($0.metadata) && $0.string("asked") != nil
    }) {
      exchange.words = begin.string("asked")
      exchange.wordsSource = begin.source()
    }
    if let id = exchange.authorID, let name = rows.names.userName(id) { exchange.author = name }
  }

  // MARK: Rows that fit by time

  private func addTimed(to exchange: inout Exchange, end: ExchangeRow?) {
    guard let channel = exchange.channelID, let author = exchange.authorID else { return }
    // The user's next message in this channel has rows of its own.
    let next = nextMessageMs(after: exchange.startMs, channel, author)
    let lastMs = min(end?.timeMs ?? exchange.endMs + 30_000, next.map { $0 - 1 } ?? .max)
    let gateMs = exchange.gate?.source.timeMs
    let near = rows.rows(from: exchange.startMs, to: lastMs) { view in
      view.channelID == channel && view.userID == author
        && (view.kind == "llm_error" || view.kind.hasPrefix("memory_embedding_")
          || ToolRows.word(of: view.kind) != nil)
    }.filter { $0.triggers.isEmpty }
    for row in near {
      let source = row.source(.time)
      switch row.kind {
      case "llm_error":
        guard let gateMs, row.timeMs >= gateMs else { continue }
        exchange.modelErrors.append(Exchange.Note(row, .time))
      case "memory_embedding_call", "memory_embedding_error":
        guard row.timeMs <= gateMs ?? exchange.startMs + Self.embeddingMs else { continue }
        exchange.lookups.append(source)
      default: continue
      }
      exchange.sources.append(source)
      exchange.add(cost: row, source)
    }
    addTools(near, to: &exchange)
    if end == nil {
      exchange.endMs = max(exchange.endMs, exchange.modelErrors.map(\.source.timeMs).max() ?? 0)
      addSendErrors(to: &exchange)
    }
  }

  private func nextMessageMs(after ms: Int64, _ channel: String, _ author: String) -> Int64? {
    rows.rows(from: ms, to: ms + 900_000) { view in
      view.kind == "text_runtime" && view.channelID == channel && view.userID == author
    }.first { $0.event.hasSuffix("admission_decision") && !$0.triggers.contains(message) }?.timeMs
  }

  /// The tools that calls asked for, with the rows between that call and the next that stand for results.
  private func addTools(_ near: [ExchangeRow], to exchange: inout Exchange) {
    let ended = linked.filter { RunTool.ends.contains($0.kind) }
    guard ended.isEmpty else { return exchange.tools += ended.map(Exchange.Tool.init(run:)) }
    for (place, call) in exchange.calls.enumerated() where !call.tools.isEmpty {
      let next =
        place + 1 < exchange.calls.count
        ? exchange.calls[place + 1].source.timeMs : exchange.endMs
      let results = (near + linked).filter {
        ToolRows.word(of: $0.kind) != nil && $0.timeMs >= call.source.timeMs && $0.timeMs <= next
      }
      for tool in ToolRows.tools(named: call.tools, results: results, message: message) {
        exchange.tools.append(tool)
        guard let source = tool.source, source.link == .time,
          let row = source.row.flatMap(rows.row)
        else { continue }
        exchange.sources.append(source)
        exchange.add(cost: row, source)
      }
    }
  }

  /// Errors of the bot right after the last call, where nothing was sent: they name no message.
  private func addSendErrors(to exchange: inout Exchange) {
    guard let last = exchange.calls.last?.source.timeMs else { return }
    let errors = rows.rows(from: last, to: last + Self.sendErrorMs) { $0.kind == "bot_error" }
    for row in errors {
      let text = (row.content ?? "").lowercased()
      guard row.string("source") == "message_event" || text.contains("send") else { continue }
      exchange.sendErrors.append(Exchange.Note(row, .time))
      exchange.sources.append(row.source(.time))
      exchange.endMs = max(exchange.endMs, row.timeMs)
    }
  }

  // MARK: Times and facts

  /// Durations from the outcome row; without one, the times between rows.
  private func steps(_ exchange: Exchange, _ end: ExchangeRow?) -> [Exchange.Step] {
    if let end, let performance = end.metadata["performance"]?.object {
      let steps = StepNames.text.compactMap { key, _ in
        performance[key]?.int.flatMap { ms -> Exchange.Step? in
          guard ms >= 0, ms < 86_400_000 else { return nil }
          return Exchange.Step(key: key, ms: ms, source: end.source(), isInferred: false)
        }
      }
      if !steps.isEmpty { return steps }
    }
    var steps: [Exchange.Step] = []
    func add(_ key: String, from: Exchange.Source?, to: Exchange.Source?) {
      guard let from, let to, to.timeMs >= from.timeMs else { return }
      steps.append(
        .init(key: key, ms: Int(to.timeMs - from.timeMs), source: to, isInferred: true))
    }
    let first = exchange.calls.first?.source
    add("beforeGateMs", from: exchange.admission?.source, to: exchange.gate?.source)
    add("llm1Ms", from: exchange.gate?.source, to: first)
    if exchange.calls.count > 1 {
      add("followupMs", from: first, to: exchange.calls.last?.source)
    }
    add("deliveryMs", from: exchange.calls.last?.source, to: end?.source())
    return steps
  }

  /// The durations of a run's tools, and the time during which no tool ran.
  private func runSteps(_ exchange: Exchange) -> [Exchange.Step] {
    var steps: [Exchange.Step] = []
    var covered: [ClosedRange<Int64>] = []
    for tool in exchange.tools {
      guard let source = tool.source, let ms = tool.durationMs else { continue }
      steps.append(.init(key: tool.name, ms: ms, source: source, isInferred: false))
      covered.append(source.timeMs - Int64(ms)...source.timeMs)
    }
    guard let last = exchange.calls.last?.source, exchange.endMs > exchange.startMs else {
      return steps
    }
    var (busyMs, untilMs) = (Int64(0), exchange.startMs)
    for range in covered.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      busyMs += max(0, min(range.upperBound, exchange.endMs) - max(range.lowerBound, untilMs))
      untilMs = max(untilMs, range.upperBound)
    }
    let restMs = Int(exchange.endMs - exchange.startMs - busyMs)
    if restMs > 0 {
      steps.append(.init(key: "modelMs", ms: restMs, source: last, isInferred: false))
    }
    return steps
  }

  private func addFacts(to exchange: inout Exchange, _ end: ExchangeRow?) {
    let call = linked.last { $0.kind == "llm_call" && !$0.prompts.isEmpty }
    guard let row = call ?? end.flatMap({ $0.prompts.isEmpty ? nil : $0 }) else { return }
    exchange.prompt = row.source()
    exchange.knownFacts = rows.knownFacts().count
    exchange.facts = PromptFacts.find(
      in: row.prompts, among: rows.knownFacts(), guild: exchange.guildID,
      said: [exchange.words, exchange.answer].compactMap { $0 })
  }
}
