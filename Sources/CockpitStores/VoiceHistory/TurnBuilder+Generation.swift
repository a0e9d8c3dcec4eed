internal import LenientJSON
internal import ClankyWire

/// Generation and tools.
extension TurnBuilder {
  // MARK: generation

  mutating func generation(_ event: VoiceEvent) -> Int? {
    let isFailure =
      event.name == "realtime_generation_failed" || event.name == "voice_brain_generation_failed"
      || event.name == "voice_generation_watchdog_timeout"
    if event.name == "openai_realtime_instructions_updated",
      let reason = event.string("reason"), reason != "turn_context"
    {
      return nil
    }
    func open(_ turn: VoiceTurnRecord) -> Bool {
      turn.audioStarted == nil || turn.audioCompleted == nil
    }
    // A turn that has failed is tried again only where no other one waits.
    let waiting =
      isFailure
      ? nil : answering(event, where: { open($0) && $0.failed == nil }, newestFirst: true)
    guard
      let index = waiting ?? answering(event, where: open, newestFirst: true)
        ?? lateModelCall(event)
    else { return nil }
    if isFailure {
      self[index].failed = mark(event)
      self[index].reason =
        event.name == "voice_generation_watchdog_timeout"
        ? "generation_watchdog_timeout" : event.string("error") ?? event.detail ?? event.name
      if event.name == "voice_generation_watchdog_timeout" {
        self[index].anomalies.append(.watchdog)
      }
      return index
    }
    if event.kind.hasPrefix("llm_") { modelCall(index, event) }
    if self[index].generation == nil { self[index].generation = mark(event) }
    if self[index].path == .unknown, event.name.hasPrefix("voice_generation_prep") {
      self[index].path = .brain
    }
    return index
  }

  /// A model call is logged when it has ended: the reply may already be in progress.
  private func lateModelCall(_ event: VoiceEvent) -> Int? {
    guard event.kind.hasPrefix("llm_"), let last = speaking,
      event.timeMs - self[last].lastAt < 2000
    else { return nil }
    return last
  }

  private mutating func modelCall(_ index: Int, _ event: VoiceEvent) {
    if let model = event.string("model"), !self[index].models.contains(model) {
      self[index].models.append(model)
    }
    if event.kind == "llm_error" {
      self[index].failed = mark(event)
      self[index].reason = event.content ?? "llm_error"
      return
    }
    let text = event.string("transcript") ?? ""
    if text.contains("[SKIP]"), (event.int("toolCallCount") ?? 0) == 0 {
      self[index].skipped = mark(event)
      self[index].reason = "llm_skip"
    } else {
      self[index].failed = nil  // It was tried again.
    }
  }

  // MARK: tools

  mutating func tool(_ event: VoiceEvent) -> Int? {
    switch event.name {
    case "voice_brain_tool_call":
      guard
        let index = answering(event, where: { $0.audioCompleted == nil }, newestFirst: true)
          ?? own(event)
      else { return nil }
      let length = event.int("durationMs").flatMap { $0 >= 0 && $0 < 3_600_000 ? $0 : nil }
      // An error text tells as much; without either it is not known how it went (contract 4.1).
      let isError = event.bool("isError") ?? (event.string("error") != nil ? true : nil)
      self[index].tools.append(
        VoiceTurnRecord.Tool(
          name: event.string("toolName") ?? "?", callID: event.string("callId"),
          startMs: length.map { event.timeMs - Int64($0) }, endMs: event.timeMs, durationMs: length,
          isSuccess: isError.map { !$0 }, arguments: event.metadata["toolInput"],
          result: event.metadata["toolResultSummary"], error: event.string("error"),
          isProviderOwned: false, events: [event.id]))
      if self[index].path == .unknown { self[index].path = .brain }
      return index
    // The service behind a tool names no turn.
    case "search_call", "search_error":
      return answering(
        event, where: { $0.generation != nil && $0.audioCompleted == nil }, newestFirst: true)
    case "realtime_tool_call_started": return toolStarted(event)
    case "realtime_tool_call_completed", "realtime_tool_call_failed": return toolEnded(event)
    default: return nil
    }
  }

  private mutating func toolStarted(_ event: VoiceEvent) -> Int? {
    guard let index = toolTurn(event) else { return nil }
    let call = event.string("callId")
    if let call {
      if self[index].tools.contains(where: { $0.callID == call }) { return index }
      byCall[call] = index
    }
    if self[index].path == .unknown { self[index].path = .native }
    self[index].tools.append(
      VoiceTurnRecord.Tool(
        name: event.string("toolName") ?? "?", callID: call, startMs: event.timeMs, endMs: nil,
        durationMs: nil, isSuccess: nil, arguments: event.metadata["arguments"], result: nil,
        error: nil, isProviderOwned: true, events: [event.id]))
    return index
  }

  private mutating func toolEnded(_ event: VoiceEvent) -> Int? {
    guard let index = toolTurn(event) else { return nil }
    let call = event.string("callId")
    let runtime = event.int("runtimeMs").flatMap { $0 > 0 && $0 < 3_600_000 ? $0 : nil }
    let isOK = event.name == "realtime_tool_call_completed"
    if let call { byCall[call] = index }
    let place =
      self[index].tools.lastIndex { call != nil && $0.callID == call }
      ?? self[index].tools.lastIndex {
        call == nil && $0.isRunning && $0.name == event.string("toolName")
      }
    if let place {
      guard self[index].tools[place].isRunning else { return index }
      let start = self[index].tools[place].startMs
      self[index].tools[place].endMs = event.timeMs
      self[index].tools[place].durationMs = runtime ?? start.map { Int(event.timeMs - $0) }
      self[index].tools[place].isSuccess = isOK
      self[index].tools[place].result = event.metadata["outputSummary"]
      self[index].tools[place].error = event.string("error")
      self[index].tools[place].events.append(event.id)
    } else {
      self[index].tools.append(
        VoiceTurnRecord.Tool(
          name: event.string("toolName") ?? "?", callID: call,
          startMs: runtime.map { event.timeMs - Int64($0) }, endMs: event.timeMs,
          durationMs: runtime, isSuccess: isOK, arguments: event.metadata["arguments"],
          result: event.metadata["outputSummary"], error: event.string("error"),
          isProviderOwned: true, events: [event.id]))
    }
    return index
  }

  private func toolTurn(_ event: VoiceEvent) -> Int? {
    if let known = event.string("callId").flatMap({ byCall[$0] }) { return known }
    if let index = answering(event, where: { $0.audioCompleted == nil }, newestFirst: true) {
      return index
    }
    // The provider may still be at it while it speaks.
    guard let last = speaking, event.timeMs - self[last].lastAt < Self.silenceMs else { return nil }
    return last
  }
}
