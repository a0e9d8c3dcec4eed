internal import LenientJSON
internal import ClankyWire

/// The chain of a spoken turn: own brain and provider (contract 8.8).
extension ToolChain {
  init(turn: VoiceTurnRecord, events: [VoiceEvent]) {
    let isBrain = turn.path == .brain || turn.path == .unknown
    var steps: [(key: Int64, node: Node)] = []
    let calls = events.filter { $0.kind == "llm_call" || $0.kind == "llm_error" }
    for event in calls { steps.append((event.timeMs, Node(modelCall: event))) }
    let answered = turn.audioStarted?.timeMs ?? turn.replyRequested?.timeMs ?? .max
    let responses = events.filter { $0.name.hasSuffix("_response_done") }
    if !isBrain {
      let early = responses.filter { $0.timeMs < answered }
      for event in early { steps.append((event.timeMs, Node(response: event))) }
      if let last = responses.last(where: { $0.timeMs >= answered }) {
        // Logged when it was played, but generated before.
        let key = early.isEmpty && turn.tools.isEmpty ? turn.startedAt : answered - 1
        steps.append((key, Node(response: last)))
      }
    }
    if !steps.contains(where: { $0.key < (turn.tools.compactMap(\.startMs).min() ?? .max) }),
      turn.generation != nil || !turn.tools.isEmpty || turn.replyRequested != nil
    {
      steps.append((turn.generation?.timeMs ?? turn.startedAt, Node(generationOf: turn)))
    }
    let models = steps.filter { $0.node.kind == .llm }
    if models.count == 1, turn.tools.isEmpty, let ms = turn.latency?.generationToReplyRequestMs,
      let only = steps.firstIndex(where: { $0.node.kind == .llm })
    {
      steps[only].node.durationMs = ms
      steps[only].node.isApproximate = true
      if let requested = turn.replyRequested?.timeMs {
        steps[only].node.startMs = requested - Int64(ms)
        steps[only].node.endMs = requested
      }
    }
    for tool in turn.tools {
      var node = Node(tool: tool)
      node.rowID = tool.events.last.flatMap { id in events.first { $0.id == id }?.rowID }
      steps.append((tool.startMs ?? tool.endMs ?? turn.startedAt, node))
    }
    var columns = Self.columns(steps)
    columns += Self.ending(turn, events, speech: isBrain ? responses : [])
    self.init(
      path: isBrain ? .brain : .provider, columns: columns)
    costUSD = turn.costUSD
    if span != nil { cover(turn.generation?.timeMs ?? turn.decision?.mark.timeMs) }
  }

  /// Model calls stand alone; tools that overlap stand side by side.
  private static func columns(_ steps: [(key: Int64, node: Node)]) -> [[Node]] {
    var columns: [[Node]] = []
    var end: Int64 = .min
    for step in steps.enumerated().sorted(by: {
      ($0.element.key, $0.offset) < ($1.element.key, $1.offset)
    }) {
      let node = step.element.node
      if node.kind == .tool, columns.last?.first?.kind == .tool, let start = node.startMs,
        start < end
      {
        columns[columns.count - 1].append(node)
        end = max(end, node.endMs ?? .max)
      } else {
        columns.append([node])
        end = node.kind == .tool ? node.endMs ?? .max : .min
      }
    }
    return columns
  }

  private static func ending(
    _ turn: VoiceTurnRecord, _ events: [VoiceEvent], speech: [VoiceEvent]
  ) -> [[Node]] {
    func cite(_ node: inout Node, _ mark: VoiceTurnRecord.Mark) {
      node.events = [mark.event]
      node.rowID = events.first { $0.id == mark.event }?.rowID
    }
    if let skipped = turn.skipped {
      var node = Node(.skipped, turn.reason ?? "skipped")
      node.startMs = skipped.timeMs
      node.endMs = skipped.timeMs
      node.detail = turn.reply
      cite(&node, skipped)
      return [[node]]
    }
    var columns: [[Node]] = []
    if turn.replyRequested != nil || turn.reply != nil {
      var node = Node(.reply, "reply")
      node.detail = turn.reply
      if let requested = turn.replyRequested {
        node.startMs = requested.timeMs
        node.endMs = requested.timeMs
        cite(&node, requested)
      }
      node.isSuccess = turn.audioStarted != nil ? true : turn.outcome == .failed ? false : nil
      columns.append([node])
    }
    if let audio = turn.audioStarted {
      var node = Node(.audio, "audio")
      node.startMs = turn.replyRequested?.timeMs
      node.endMs = audio.timeMs
      node.durationMs = turn.latency?.replyRequestToAudioStartMs
      node.isSuccess = true
      for event in speech {
        node.tokensIn =
          event.tokens("inputTokens").map { $0 + (node.tokensIn ?? 0) } ?? node.tokensIn
        node.tokensOut =
          event.tokens("outputTokens").map { $0 + (node.tokensOut ?? 0) } ?? node.tokensOut
        node.costUSD = event.costUSD.map { $0 + (node.costUSD ?? 0) } ?? node.costUSD
      }
      cite(&node, audio)
      columns.append([node])
    }
    return columns
  }
}

extension ToolChain.Node {
  /// A row is written when the call has ended; its start is unknown.
  init(modelCall event: VoiceEvent) {
    self.init(.llm, event.string("model") ?? event.content ?? "model")
    endMs = event.timeMs
    isSuccess = event.kind == "llm_call"
    if event.kind == "llm_error" { detail = event.content }
    tokensIn = event.metadata["usage"]?["inputTokens"]?.int
    tokensOut = event.metadata["usage"]?["outputTokens"]?.int
    cacheRead = event.metadata["usage"]?["cacheReadTokens"]?.int
    costUSD = event.costUSD
    events = [event.id]
    rowID = event.rowID
  }

  init(response event: VoiceEvent) {
    self.init(.llm, event.string("responseModel") ?? "provider")
    endMs = event.timeMs
    isSuccess = event.string("responseStatus").map { $0 == "completed" }
    tokensIn = event.tokens("inputTokens")
    tokensOut = event.tokens("outputTokens")
    cacheRead = event.tokens("cacheReadTokens")
    costUSD = event.costUSD
    events = [event.id]
    rowID = event.rowID
  }

  /// A generation whose model call was not recorded.
  init(generationOf turn: VoiceTurnRecord) {
    self.init(.llm, turn.models.first ?? "model")
    startMs = turn.generation?.timeMs
    if let mark = turn.generation { events = [mark.event] }
  }

  init(tool: VoiceTurnRecord.Tool) {
    self.init(.tool, tool.name)
    startMs = tool.startMs
    endMs = tool.endMs
    durationMs = tool.durationMs
    isSuccess = tool.isSuccess
    isRunning = tool.isRunning
    detail = tool.error
    arguments = tool.arguments
    events = tool.events
  }
}

extension VoiceEvent {
  /// From the usage of a realtime response; zero may mean not counted.
  fileprivate func tokens(_ key: String) -> Int? {
    metadata["responseUsage"]?[key]?.int.flatMap { $0 >= 0 ? $0 : nil }
  }
}
