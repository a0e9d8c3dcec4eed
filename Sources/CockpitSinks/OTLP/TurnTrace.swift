internal import ClankyWire
internal import LenientJSON

/// A turn as spans. The ids come from what the turn is, so that a turn that is sent again is the same trace.
struct TurnTrace {
  private let turn: Turn
  private let bot: String
  private let traceID: [UInt8]
  private let rootID: [UInt8]
  private let hasWords: Bool

  /// - Parameters:
  ///   - fingerprint: of the bot.
  ///   - hasWords: whether transcripts and arguments are in it.
  init(_ turn: Turn, bot: String, fingerprint: [UInt8], hasWords: Bool) {
    self.turn = turn
    self.bot = bot
    self.hasWords = hasWords
    traceID = RowFingerprint.digest([
      Array("trace".utf8), fingerprint, Array(turn.anchor.utf8),
    ])
    rootID = Self.spanID(traceID, "root", turn.rows.first?.key ?? [])
  }

  private static func spanID(_ trace: [UInt8], _ role: String, _ key: [UInt8]) -> [UInt8] {
    Array(RowFingerprint.digest([Array("span".utf8), trace, Array(role.utf8), key]).prefix(8))
  }

  static func ns(_ ms: Int64) -> UInt64 { UInt64(clamping: ms) &* 1_000_000 }

  func spans() -> [OTLPSpan] {
    var spans = [root()]
    for row in turn.rows { spans += self.spans(of: row) }
    spans += recognition() + speech() + phases()
    return spans
  }

  // MARK: the root

  private func root() -> OTLPSpan {
    var end = turn.lastMs
    let spoken = turn.rows.last { $0.label.event == "bot_utterance_completed" }
    if let audio = turn.rows.last(where: { $0.label.kind == "voice_turn_out" }) {
      let playback = spoken?.metadata["estimatedPlaybackMs"]?.double ?? 0
      end = audio.atMs + Int64(max(0, min(playback, 3_600_000)))
    }
    var span = OTLPSpan(
      traceID: traceID, spanID: rootID, name: "invoke_agent \(bot)", kind: .internal,
      startNs: Self.ns(turn.firstMs), endNs: Self.ns(max(turn.firstMs, end)))
    span.attributes = [
      .init(GenAI.operation, .string("invoke_agent")), .init(GenAI.agent, .string(bot)),
      .init(GenAI.kind, .string(turn.surface.rawValue)),
      .init(GenAI.rowKey, .string(turn.rows.first?.keyText ?? "")),
      .init(GenAI.outcome, .string(turn.outcome.rawValue)),
      .init(GenAI.isSilent, .bool(turn.outcome != .answered && turn.outcome != .interrupted)),
      .init(GenAI.isSettled, .bool(turn.isSettled)),
    ]
    if let reason = turn.reason { span.attributes.append(.init(GenAI.reason, .string(reason))) }
    if let session = turn.session {
      span.attributes.append(.init(GenAI.conversation, .string(session)))
    }
    let person = turn.rows.first { $0.label.kind != "voice_turn_out" && $0.person != nil }?.person
    if let person { span.attributes.append(.init(GenAI.user, .string(person))) }
    switch turn.outcome {
    case .answered: span.attributes.append(.init(GenAI.endReason, .string("completed")))
    case .interrupted: span.attributes.append(.init(GenAI.endReason, .string("interrupted")))
    case .denied, .dropped, .failed, .unknown: break
    }
    for row in turn.rows where row.isFailure {
      span.events.append(
        OTLPSpan.Event(
          timeNs: Self.ns(row.atMs), name: "exception",
          attributes: [
            .init("exception.type", .string(row.label.title)),
            .init("exception.message", .string(String((row.content ?? "").prefix(500)))),
          ]))
    }
    if turn.outcome == .failed || turn.outcome == .unknown && turn.isFailure {
      let failed = turn.rows.first(where: \.isFailure)
      span.error = turn.reason ?? failed?.label.title ?? ""
      span.attributes.append(
        .init(GenAI.errorType, .string(failed?.label.title ?? turn.reason ?? "failed")))
    }
    return span
  }

  // MARK: spans of rows

  private func child(
    _ role: String, _ row: SinkRow, _ name: String, _ kind: OTLPSpan.Kind, startMs: Int64,
    endMs: Int64
  ) -> OTLPSpan {
    var span = OTLPSpan(
      traceID: traceID, spanID: Self.spanID(traceID, role, row.key), parentID: rootID, name: name,
      kind: kind, startNs: Self.ns(min(startMs, endMs)), endNs: Self.ns(endMs))
    span.attributes = [
      .init(GenAI.kind, .string(row.label.title)), .init(GenAI.rowKey, .string(row.keyText)),
    ]
    if row.costNanos > 0 {
      span.attributes.append(.init(GenAI.cost, .double(Double(row.costNanos) / 1e9)))
    }
    if row.isFailure {
      span.error = row.label.title
      span.attributes.append(.init(GenAI.errorType, .string(row.label.title)))
    }
    return span
  }

  private func spans(of row: SinkRow) -> [OTLPSpan] {
    let event = row.label.event ?? ""
    switch row.label.kind {
    case "llm_call", "llm_error": return [chat(row)]
    case "memory_embedding_call":
      var span = child(
        "embeddings", row, Self.named("embeddings", row.metadata["model"]?.string), .client,
        startMs: row.atMs, endMs: row.atMs)
      span.attributes.append(.init(GenAI.operation, .string("embeddings")))
      return [with(usageOf: row, with(modelOf: row, span))]
    default: break
    }
    if event.hasSuffix("_response_done") { return [realtime(row)] }
    guard row.label.chips.contains(.tool), !event.hasSuffix("_started") else { return [] }
    return [tool(row)]
  }

  private static func named(_ operation: String, _ model: String?) -> String {
    model.map { "\(operation) \($0.prefix(100))" } ?? operation
  }

  /// A call of a model has no duration on the wire: in voice it is the stage of generation.
  private func chat(_ row: SinkRow) -> OTLPSpan {
    let stage = turn.rows.first {
      $0.label.event == "voice_latency_stage" && $0.atMs >= row.atMs
        && $0.metadata["generationToReplyRequestMs"]?.double != nil
    }
    let ms = stage?.metadata["generationToReplyRequestMs"]?.double
      .map { Int64(max(0, min($0, 3_600_000))) }
    var span = child(
      "chat", row, Self.named("chat", row.metadata["model"]?.string), .client,
      startMs: max(turn.firstMs, row.atMs - (ms ?? 0)), endMs: row.atMs)
    span.attributes.append(.init(GenAI.operation, .string("chat")))
    span.attributes.append(.init(GenAI.isDurationKnown, .bool(ms != nil)))
    if let reason = row.metadata["stopReason"]?.string {
      span.attributes.append(.init(GenAI.finishReasons, .string(reason)))
    }
    return with(usageOf: row, with(modelOf: row, span))
  }

  private func realtime(_ row: SinkRow) -> OTLPSpan {
    let request = turn.rows.last {
      $0.label.event == "realtime_reply_requested" && $0.atMs <= row.atMs
    }
    var span = child(
      "realtime", row,
      Self.named("realtime_inference", row.metadata["responseModel"]?.string), .client,
      startMs: request?.atMs ?? row.atMs, endMs: row.atMs)
    span.attributes.append(.init(GenAI.operation, .string("realtime_inference")))
    span.attributes.append(.init(GenAI.isDurationKnown, .bool(request != nil)))
    return with(usageOf: row, span)
  }

  private func tool(_ row: SinkRow) -> OTLPSpan {
    let name =
      row.metadata["toolName"]?.string ?? row.metadata["tool"]?.string ?? row.label.title
    let call = row.metadata["callId"]?.string
    let start = call.flatMap { call in
      turn.rows.first {
        $0.label.event == "realtime_tool_call_started" && $0.metadata["callId"]?.string == call
      }
    }
    let duration = row.durationMs.map { max(0, min($0, 86_400_000)) }
    var span = child(
      "tool", row, "execute_tool \(name.prefix(100))", .internal,
      startMs: start?.atMs ?? row.atMs - (duration ?? 0), endMs: row.atMs)
    span.attributes += [
      .init(GenAI.operation, .string("execute_tool")), .init(GenAI.toolName, .string(name)),
      .init(
        GenAI.toolType,
        .string(row.metadata["toolType"]?.string == "mcp" ? "extension" : "function")),
      .init(GenAI.isDurationKnown, .bool(start != nil || duration != nil)),
    ]
    if let call { span.attributes.append(.init(GenAI.toolCall, .string(call))) }
    if hasWords, let input = row.metadata["toolInput"] ?? start?.metadata["arguments"] {
      let text = input.string ?? input.serialized()
      span.attributes.append(.init(GenAI.toolArguments, .string(String(text.prefix(4000)))))
    }
    return span
  }

  private func with(modelOf row: SinkRow, _ span: OTLPSpan) -> OTLPSpan {
    var span = span
    if let provider = row.metadata["provider"]?.string {
      span.attributes.append(.init(GenAI.provider, .string(provider)))
    }
    if let model = row.metadata["model"]?.string {
      span.attributes.append(.init(GenAI.requestModel, .string(model)))
    }
    return span
  }

  private static let usageNames = [
    ("inputTokens", GenAI.inputTokens), ("outputTokens", GenAI.outputTokens),
    ("cacheReadTokens", GenAI.cacheReadTokens), ("cacheWriteTokens", GenAI.cacheWriteTokens),
    ("inputAudioTokens", GenAI.audioInputTokens), ("outputAudioTokens", GenAI.audioOutputTokens),
  ]

  private func with(usageOf row: SinkRow, _ span: OTLPSpan) -> OTLPSpan {
    var span = span
    let usage = row.metadata["usage"] ?? row.metadata["responseUsage"]
    for (key, name) in Self.usageNames {
      guard let tokens = usage?[key]?.int, tokens >= 0 else { continue }
      span.attributes.append(.init(name, .int(Int64(tokens))))
    }
    return span
  }

  // MARK: spans of stages

  private func recognition() -> [OTLPSpan] {
    turn.rows.filter { $0.label.event?.hasSuffix("_asr_final_segment") == true }.map { row in
      let text = row.metadata["transcript"]?.string ?? ""
      var span = child(
        "asr", row, Self.named("speech_to_text", row.metadata["model"]?.string), .client,
        startMs: turn.firstMs, endMs: row.atMs)
      span.attributes.append(.init(GenAI.operation, .string("speech_to_text")))
      span.attributes.append(
        .init(GenAI.words, .int(Int64(text.split { $0.isWhitespace }.count))))
      if hasWords { span.attributes.append(.init(GenAI.transcript, .string(text))) }
      return span
    }
  }

  private func speech() -> [OTLPSpan] {
    guard let request = turn.rows.first(where: { $0.label.event == "realtime_reply_requested" }),
      let audio = turn.rows.first(where: {
        $0.label.kind == "voice_turn_out" && $0.atMs >= request.atMs
      })
    else { return [] }
    var span = child(
      "speech", audio, "text_to_speech", .client, startMs: request.atMs, endMs: audio.atMs)
    span.attributes.append(.init(GenAI.operation, .string("text_to_speech")))
    return [span]
  }

  private static let phaseNames = [
    ("queueMs", "clanky.queue"), ("ingestMs", "clanky.ingest"), ("memorySliceMs", "clanky.memory"),
    ("llm1Ms", "clanky.model"), ("followupMs", "clanky.followup"),
    ("typingDelayMs", "clanky.typing"), ("sendMs", "clanky.send"),
  ]

  /// The phases of an answer in text, one after the other up to the time of the row.
  private func phases() -> [OTLPSpan] {
    guard turn.surface == .text,
      let row = turn.rows.last(where: { $0.metadata["performance"]?.object != nil }),
      let performance = row.metadata["performance"]
    else { return [] }
    let known = Self.phaseNames.compactMap { key, name -> (String, Int64)? in
      guard let ms = performance[key]?.double, ms >= 0, ms < 3_600_000 else { return nil }
      return (name, Int64(ms))
    }
    var at = row.atMs - known.reduce(0) { $0 + $1.1 }
    return known.map { name, ms in
      var span = child(name, row, name, .internal, startMs: at, endMs: at + ms)
      // The cost and the failure are those of the row, not of each phase.
      span.error = nil
      span.attributes.removeAll { $0.key == GenAI.cost || $0.key == GenAI.errorType }
      at += ms
      return span
    }
  }
}
