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

  /// A thought that was not spoken, by its rows.
  func thought(_ id: String, session: String, decided row: ExchangeRow) -> Exchange? {
    var exchange = begin(.thought(session: session, thought: id), .thought, row)
    exchange.sessionID = session
    exchange.words = row.string("thoughtText") ?? row.string("finalThought")
    exchange.wordsSource = row.source()
    exchange.admission = .init(
      source: row.source(), allow: row.metadata["allow"]?.bool, reason: row.string("reason"))
    exchange.initiative = .init(source: row.source(), isPost: false, reason: row.string("reason"))
    let others = rows.rows(from: row.timeMs - Self.callMs, to: row.timeMs + Self.runMs) {
      $0.kind == "voice_runtime"
    }.filter { other in
      other.row != row.row
        && (other.string("thoughtId") == id || other.string("pendingThoughtId") == id)
    }
    exchange.sources += others.map { $0.source() }
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
