internal import LenientJSON
internal import ClankyWire

/// The chain of a text answer (contract 8.8, Text).
extension ToolChain {
  /// How far around a row related rows are searched: in rows of the display and in ms.
  private static let reach = (rows: 600, ms: Int64(600_000))

  private static let closing: Set<String> = ["sent_reply", "sent_message", "reply_skipped"]

  /// Service rows that represent the result of a tool, and the tool's name.
  private static let services: [String: String] = [
    "search_call": "search", "search_error": "search", "browser_browse_call": "browse",
    "browser_browse_failed": "browse", "browser_agent_session_turn": "browse",
    "image_call": "image", "image_error": "image", "gif_call": "gif", "gif_error": "gif",
    "video_call": "video", "video_error": "video", "video_context_call": "video",
    "video_context_error": "video", "memory_fact": "memory", "memory_embedding_call": "memory",
    "code_agent_call": "code", "code_agent_error": "code",
  ]

  /// One row of a text answer.
  struct TextRow {
    var row: RowID
    var timeMs: Int64
    var kind: String
    var channel: String?
    var content: String?
    var costUSD: Double?
    var isFailure: Bool
    var metadata: JSONValue
  }

  /// The chain of the message that a row of the log belongs to; nil if it belongs to none, or
  /// its model call is not on record.
  package static func text(of row: RowID, in log: ActionLog) -> ToolChain? {
    text(of: row, in: log) { TextRow($0) }
  }

  static func text(
    of row: RowID, in log: ActionLog, read: (ActionRowView) -> TextRow
  ) -> ToolChain? {
    guard let view = log.row(row), !view.isGap, let index = log.index(of: row) else { return nil }
    let range = max(0, index - reach.rows)..<min(log.count, index + reach.rows + 1)
    let channel = view.channelID
    let near = log.rows(in: range).filter {
      !$0.isGap && $0.isOfFormerLog == view.isOfFormerLog && $0.channelID == channel
        && abs($0.timeMs - view.timeMs) <= reach.ms
        && ($0.kind.hasPrefix("llm_") || closing.contains($0.kind) || services[$0.kind] != nil
          || RunTool.ends.contains($0.kind))
    }
    let rows = near.map(read).sorted { ($0.timeMs, $0.row) < ($1.timeMs, $1.row) }
    guard let message = message(of: read(view), among: rows) else { return nil }
    return text(message: message, rows: rows)
  }

  /// The message that set a row off.
  private static func message(of row: TextRow, among rows: [TextRow]) -> String? {
    if let id = row.trigger { return id }
    guard services[row.kind] != nil else { return nil }
    // Services do not name their caller; assume the last model call of the channel.
    return rows.last { $0.kind == "llm_call" && $0.timeMs <= row.timeMs && $0.trigger != nil }?
      .trigger
  }

  /// Rows by time.
  static func text(message: String, rows: [TextRow]) -> ToolChain? {
    let calls = rows.filter { $0.kind.hasPrefix("llm_") && $0.trigger == message }
    guard let first = calls.first else { return nil }
    let end = rows.last { closing.contains($0.kind) && $0.trigger == message }
    if RowOrigin.isGateway(first.metadata) {
      let tools = rows.filter { RunTool.ends.contains($0.kind) && $0.trigger == message }
      return run(calls: calls, tools: tools, end: end)
    }
    let last = end?.timeMs ?? calls.last?.timeMs ?? first.timeMs
    let results = rows.filter { row in
      services[row.kind] != nil && row.timeMs >= first.timeMs && row.timeMs <= last
        && (row.trigger == nil || row.trigger == message)
        && row.metadata["source"]?.string?.contains("voice") != true
    }
    let performance = end?.metadata["performance"]
    var columns: [[Node]] = []
    // When everything before the next call was finished.
    var readyMs = Int64.min
    for (place, call) in calls.enumerated() {
      let next = place + 1 < calls.count ? calls[place + 1].timeMs : Int64.max
      var node = Node(text: call)
      if place == 0 {
        node.take(milliseconds(performance?["llm1Ms"]))
      } else if calls.count == 2, let ms = milliseconds(performance?["followupMs"]) {
        // It starts when the first call is finished, and includes the tools.
        let (since, overflow) = call.timeMs.subtractingReportingOverflow(readyMs)
        let own = overflow ? ms : min(ms, Int(since))
        node.take(own > 0 ? own : nil)
        node.isApproximate = node.durationMs != nil
      }
      let tools = tools(
        of: call, results: results.filter { $0.timeMs >= call.timeMs && $0.timeMs < next })
      readyMs = tools.compactMap(\.endMs).max() ?? call.timeMs
      columns.append([node])
      columns.append(tools)
    }
    if let end { columns.append([Node(closing: end)]) }
    var chain = ToolChain(path: .text, columns: columns)
    if let end, let total = milliseconds(performance?["totalMs"]) {
      chain.cover(end.timeMs - Int64(total))
    }
    return chain
  }

  /// A plausible duration of an answer; nil for any other value.
  static func milliseconds(_ value: JSONValue?) -> Int? {
    value?.int.flatMap { (1..<86_400_000).contains($0) ? $0 : nil }
  }

  /// The tools requested by a call, with the rows of their results.
  private static func tools(of call: TextRow, results: [TextRow]) -> [Node] {
    var left = results
    var nodes: [Node] = []
    for name in call.toolNames {
      let row = left.firstIndex { row in
        guard let word = services[row.kind] else { return false }
        return name.contains(word) && (word == "memory" || !name.contains("memory"))
      }
      var node = Node(.tool, name)
      if let row { node.fill(from: left.remove(at: row)) }
      nodes.append(node)
    }
    for row in left where row.kind != "memory_embedding_call" && row.kind != "memory_fact" {
      var node = Node(.tool, row.kind)
      node.fill(from: row)
      nodes.append(node)
    }
    return nodes
  }
}

extension ToolChain.TextRow {
  init(_ view: ActionRowView) {
    row = view.id
    timeMs = view.timeMs
    kind = view.kind
    channel = view.channelID
    content = view.content(limit: VoiceEvent.maxContent)
    costUSD = view.costUSD
    isFailure = view.isFailure
    metadata = view.metadata()
  }

  /// The message that set it off (contract 4.5, Text).
  var trigger: String? {
    let key =
      kind.hasPrefix("llm_")
      ? "messageId" : kind == "memory_embedding_call" ? "traceMessageId" : "triggerMessageId"
    guard let id = metadata[key]?.string, !id.isEmpty else { return nil }
    return id
  }

  /// One text with the names in it, or a list (contract 4.5).
  var toolNames: [String] {
    let value = metadata["toolNames"]
    let names =
      value?.array?.compactMap(\.string)
      ?? value?.string?.split(separator: ",").map { String($0.drop { $0 == " " }) } ?? []
    return names.filter { !$0.isEmpty }
  }
}

extension ToolChain.Node {
  init(text row: ToolChain.TextRow) {
    self.init(.llm, row.metadata["model"]?.string ?? row.content ?? "model")
    endMs = row.timeMs
    isSuccess = row.kind != "llm_error"
    if row.kind == "llm_error" { detail = row.content }
    tokensIn = row.metadata["usage"]?["inputTokens"]?.int
    tokensOut = row.metadata["usage"]?["outputTokens"]?.int
    cacheRead = row.metadata["usage"]?["cacheReadTokens"]?.int
    costUSD = row.costUSD
    rowID = row.row
  }

  init(closing row: ToolChain.TextRow) {
    self.init(row.kind == "reply_skipped" ? .skipped : .reply, row.kind)
    startMs = row.timeMs
    endMs = row.timeMs
    isSuccess = true
    detail = row.content
    rowID = row.row
    // Its cost repeats that of the model calls (contract 4.5, Text).
    take(ToolChain.milliseconds(row.metadata["performance"]?["sendMs"]))
  }

  /// Sets the duration before the known end.
  fileprivate mutating func take(_ ms: Int?) {
    guard let ms, let endMs else { return }
    durationMs = ms
    startMs = endMs - Int64(ms)
  }

  mutating func fill(from row: ToolChain.TextRow) {
    let ms = (row.metadata["latencyMs"] ?? row.metadata["durationMs"])?.int
    durationMs = ms.flatMap { $0 >= 0 && $0 < 3_600_000 ? $0 : nil }
    endMs = row.timeMs
    startMs = durationMs.map { row.timeMs - Int64($0) }
    isSuccess = !row.isFailure
    detail = row.isFailure ? row.content : nil
    costUSD = row.costUSD
    rowID = row.row
  }
}
