internal import ClankyWire
internal import LenientJSON
internal import OpenClawWire

/// Tools of a run. `tool` comes for runs of one's own and of subscribed sessions, `item` to every reader: both tell
/// of the same call, and each call has one start and one end.
extension GatewayRun {
  /// The number of tool calls that are tracked per run.
  static let maximumTools = 500

  mutating func tool(_ event: AgentEvent, atMs: Int64) -> [LiveRow] {
    guard let call = JSONFields(event.data)?.id("toolCallId") else { return [] }
    let name = event.data["name"]?.string ?? tools[call]?.name ?? "tool"
    switch event.phase {
    case "start":
      return begin(call, name, words: Self.words(event.data["args"]), event.data["args"], atMs)
    case "result":
      return end(
        call, name, isError: event.data["isError"]?.bool ?? false,
        words: event.data["meta"]?.string ?? Self.text(event.data["result"]),
        event.data["result"], atMs)
    default: return []
    }
  }

  mutating func item(_ event: AgentEvent, atMs: Int64) -> [LiveRow] {
    guard let fields = JSONFields(event.data), let call = fields.id("toolCallId", "itemId") else {
      return []
    }
    let name = fields.string("name") ?? fields.string("kind") ?? "tool"
    switch event.phase {
    case "start": return begin(call, name, words: fields.string("title") ?? "", nil, atMs)
    case "end":
      let status = fields.string("status")
      let isError = status == "failed" || status == "blocked" || fields.string("error") != nil
      return end(
        call, name, isError: isError, words: fields.string("error") ?? fields.string("title"),
        nil, atMs)
    default: return []
    }
  }

  /// What a command wrote is a part of its call.
  mutating func output(_ event: AgentEvent) {
    guard let fields = JSONFields(event.data), let call = fields.id("toolCallId") else { return }
    guard var tool = tools[call] else { return }
    tool.exitCode = fields.int("exitCode") ?? tool.exitCode
    tool.durationMs = fields.int("durationMs") ?? tool.durationMs
    tools[call] = tool
  }

  /// The run is over: what became of its open calls is not known.
  mutating func endTools(atMs: Int64) -> [LiveRow] {
    let open = tools.filter { !$0.value.isOver }.sorted { $0.value.startMs < $1.value.startMs }
    return open.flatMap { call, tool in
      tools[call]?.isOver = true
      return [
        row(
          "tool_unknown", "\(tool.name): the run ended, its outcome is not known", atMs: atMs,
          [("toolCallId", .string(call)), ("toolName", .string(tool.name))])
      ]
    }
  }

  private mutating func begin(
    _ call: String, _ name: String, words: String, _ arguments: JSONValue?, _ atMs: Int64
  ) -> [LiveRow] {
    guard tools[call] == nil, tools.count < Self.maximumTools else { return [] }
    tools[call] = Tool(name: name, startMs: atMs)
    toolNames.append(name)
    return [
      row(
        "tool_started", words.isEmpty ? name : "\(name): \(words)", atMs: atMs,
        [("toolCallId", .string(call)), ("toolName", .string(name)), ("args", arguments)])
    ]
  }

  private mutating func end(
    _ call: String, _ name: String, isError: Bool, words: String?, _ result: JSONValue?,
    _ atMs: Int64
  ) -> [LiveRow] {
    let known = tools[call]
    guard known?.isOver != true, known != nil || tools.count < Self.maximumTools else { return [] }
    var tool = known ?? Tool(name: name, startMs: atMs)
    tool.isOver = true
    tools[call] = tool
    if known == nil { toolNames.append(name) }
    let durationMs = tool.durationMs ?? (known == nil ? nil : Int(max(0, atMs - tool.startMs)))
    return [
      row(
        isError ? "tool_failed" : "tool_finished",
        words.map { "\(tool.name): \($0)" } ?? tool.name, atMs: atMs,
        [
          ("toolCallId", .string(call)), ("toolName", .string(tool.name)),
          ("durationMs", durationMs.map { .integer($0) }),
          ("exitCode", tool.exitCode.map { .integer($0) }),
          ("isError", .bool(isError)), ("result", result.map(Self.head)),
        ])
    ]
  }

  /// Arguments on one line.
  private static func words(_ arguments: JSONValue?) -> String {
    guard let arguments, arguments != .null else { return "" }
    if let command = arguments["command"]?.string ?? arguments["cmd"]?.string { return command }
    let text = arguments.string ?? arguments.serialized()
    return text == "{}" ? "" : String(text.prefix(400))
  }

  /// The first line of a result.
  private static func text(_ result: JSONValue?) -> String? {
    let text = result?.string ?? result?["content"]?.array?.first?["text"]?.string
    return text.flatMap { $0.split(separator: "\n").first.map { String($0.prefix(200)) } }
  }

  /// The beginning of a large result, and its size.
  private static func head(_ result: JSONValue) -> JSONValue {
    let bytes = result.serialized().utf8.count
    guard bytes > 64 << 10 else { return result }
    let text = result.string ?? result["content"]?.array?.first?["text"]?.string ?? ""
    return .body([("bytes", .integer(bytes)), ("head", .string(String(text.prefix(4_000))))])
  }
}
