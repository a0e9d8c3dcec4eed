internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

/// Puts together what the bot does of its own accord: runs of automations, initiative posts, thoughts that it
/// keeps to itself.
@MainActor
struct OwnExchange {
  let rows: ExchangeRows

  /// How far before the row of the outcome its model call may be, in ms.
  private static let callMs: Int64 = 120_000
  /// A post and the row of its run are together, in ms.
  private static let runMs: Int64 = 10_000

  // MARK: Automations

  static let runKinds: Set<String> = ["automation_run", "automation_error", "automation_post"]

  /// The row that closes the run that a row belongs to: a post is followed by the row of its run.
  func closing(of row: ExchangeRow) -> ExchangeRow {
    guard row.kind == "automation_post", let id = row.automationID else { return row }
    return rows.rows(from: row.timeMs, to: row.timeMs + Self.runMs) { $0.kind == "automation_run" }
      .first { $0.automationID == id } ?? row
  }

  func run(closedBy row: ExchangeRow) -> Exchange? {
    guard Self.runKinds.contains(row.kind) else { return nil }
    let id = row.automationID ?? "?"
    var exchange = begin(.run(row.row), .automation, row)
    exchange.run = .init(
      automationID: id, status: row.string("runStatus"),
      statusAfter: row.string("statusAfterRun"), source: row.source(),
      summary: row.kind == "automation_post" ? row.content : Self.afterColon(row.content))
    if exchange.isOfAgent { readJob(row, into: &exchange) }
    let posts =
      row.kind == "automation_post"
      ? [row]
      : rows.rows(from: row.timeMs - Self.runMs, to: row.timeMs) { $0.kind == "automation_post" }
        .filter { $0.automationID == id }
    if let post = posts.last {
      exchange.sent = [.init(post)]
      if post.row != row.row { exchange.sources.append(post.source()) }
    }
    addCalls(before: row, to: &exchange) { call in
      call.string("event") == "automation:\(id)"
        || call.string("source")?.hasPrefix("automation") == true
    }
    // Only the prompt has the instruction.
    exchange.words = row.metadata["replyPrompts"]?["initialUserPrompt"]?.string.map {
      String($0.prefix(200))
    }
    exchange.wordsSource = exchange.words == nil ? nil : row.source()
    return finish(exchange, row)
  }

  /// `NAME: what its run said`, or `NAME`.
  private func readJob(_ row: ExchangeRow, into exchange: inout Exchange) {
    let parts = (row.content ?? "").split(separator: ": ", maxSplits: 1).map(String.init)
    exchange.run?.status = row.string("status")
    exchange.run?.name = parts.first
    exchange.run?.summary = parts.count > 1 ? parts[1] : nil
    exchange.run?.isDelivered = row.metadata["delivered"]?.bool
  }

  private static func afterColon(_ text: String?) -> String? {
    guard let text, let colon = text.firstRange(of: ": ") else { return text }
    return String(text[colon.upperBound...])
  }

  // MARK: Initiative

  func initiative(_ row: ExchangeRow) -> Exchange? {
    guard row.kind == "initiative_post" || row.kind == "initiative_skip" else { return nil }
    var exchange = begin(.initiative(row.row), .initiative, row)
    let isPost = row.kind == "initiative_post"
    exchange.initiative = .init(
      source: row.source(), isPost: isPost,
      reason: row.string("reason") ?? (isPost ? nil : row.content))
    if isPost { exchange.sent = [.init(row)] }
    addCalls(before: row, to: &exchange) { call in
      call.string("source")?.hasPrefix("initiative") == true
    }
    return finish(exchange, row)
  }

  // MARK: Thoughts

  static let thoughtDecision = "voice_thought_decision"
  private static let thoughtCleared = "voice_pending_thought_cleared"
  /// How long a thought may wait for its moment after its last row, in ms.
  private static let thoughtMs: Int64 = 600_000

  /// A thought that was not spoken, or not yet, by its rows.
  func thought(_ id: String, session: String) -> Exchange? {
    let named = rows.rows(ofThought: id)
    let decision = named.last { $0.event == Self.thoughtDecision }
    // One that is let go without a decision has a reason in the row that says so.
    let cleared = named.last {
      $0.event == Self.thoughtCleared && $0.string("reason") != "spoken"
    }
    let isHeld = decision?.string("action") == "hold"
    let end = isHeld || decision == nil ? cleared : decision
    guard let row = end ?? decision ?? named.last else { return nil }
    var exchange = begin(.thought(session: session, thought: id), .thought, row)
    exchange.sessionID = session
    let told = named.last { $0.string("thoughtText") != nil || $0.string("finalThought") != nil }
    exchange.words = told.flatMap { $0.string("thoughtText") ?? $0.string("finalThought") }
    exchange.wordsSource = told?.source()
    if let decision {
      exchange.admission = .init(
        source: decision.source(), allow: decision.metadata["allow"]?.bool,
        reason: decision.string("reason"))
    }
    if let end {
      exchange.initiative = .init(
        source: end.source(), isPost: false, reason: end.string("reason"))
    }
    exchange.isOpen =
      end == nil && !named.contains { $0.event == Self.thoughtCleared }
      && rows.nowMs - (named.last?.timeMs ?? row.timeMs) < Self.thoughtMs
    exchange.sources += named.filter { $0.row != row.row }.map { $0.source() }
    return finish(exchange, row)
  }

  // MARK: Both

  private func begin(
    _ key: Exchange.Key, _ medium: Exchange.Medium, _ row: ExchangeRow
  ) -> Exchange {
    var exchange = Exchange(key: key, medium: medium)
    exchange.guildID = row.guildID
    exchange.channelID = row.channelID
    exchange.sources = [row.source()]
    exchange.isOfAgent = RowOrigin.isGateway(row.metadata)
    exchange.add(cost: row, row.source())
    return exchange
  }

  /// The last call before the outcome whose source fits; it names neither.
  private func addCalls(
    before row: ExchangeRow, to exchange: inout Exchange, where fits: (ExchangeRow) -> Bool
  ) {
    let fromMs = row.timeMs - Self.callMs
    let found = rows.rows(from: fromMs, to: row.timeMs) {
      $0.kind == "llm_call" || $0.kind == "llm_error"
    }.last { fits($0) && (row.channelID == nil || $0.channelID == row.channelID) }
    guard let call = found else { return }
    let link: Exchange.Link = call.string("event")?.contains(":") == true ? .id : .time
    let source = call.source(link)
    exchange.sources.append(source)
    exchange.add(cost: call, source)
    if call.kind == "llm_call" {
      var made = Exchange.Call(call)
      made.source = source
      exchange.calls = [made]
    } else {
      exchange.modelErrors = [.init(call, link)]
    }
    exchange.prompt = call.prompts.isEmpty ? nil : source
  }

  private func finish(_ given: Exchange, _ row: ExchangeRow) -> Exchange {
    var exchange = given
    exchange.sources.sort { ($0.timeMs, $0.actionID ?? .max) < ($1.timeMs, $1.actionID ?? .max) }
    exchange.trigger = exchange.sources.first
    exchange.startMs = exchange.sources.first?.timeMs ?? row.timeMs
    exchange.endMs = exchange.sources.last?.timeMs ?? row.timeMs
    exchange.settledMs = exchange.endMs
    let first = exchange.sources.first?.row.flatMap(rows.row) ?? row
    exchange.isComplete = rows.isComplete(from: first, toMs: exchange.settledMs)
    if let prompt = exchange.prompt?.row.flatMap(rows.row) ?? (row.prompts.isEmpty ? nil : row) {
      exchange.prompt = exchange.prompt ?? row.source()
      exchange.knownFacts = rows.knownFacts().count
      exchange.facts = PromptFacts.find(
        in: prompt.prompts, among: rows.knownFacts(), guild: exchange.guildID,
        said: [exchange.words, exchange.answer].compactMap { $0 })
    }
    return exchange
  }
}

extension ExchangeRow {
  /// The automation of a run, a number on the wire.
  var automationID: String? {
    metadata["automationId"]?.int.map(String.init) ?? string("automationId")
  }
}
