internal import ClankyWire
internal import LenientJSON
internal import OpenClawWire

/// Runs: what an agent says, and the steps on the way.
extension GatewayFeed {
  // MARK: What it says

  mutating func chat(_ event: ChatEvent, _ payload: JSONValue) {
    let now = nowMs
    let new: [LiveRow] = runs.change(event.runId, atMs: now) { run in
      run.learn(session: event.sessionKey, agent: event.agentId, spawnedBy: nil)
      let wasOver = run.isOver
      run.text.take(event.state)
      switch event.state {
      case .status(let phase): run.phase = phase
      case .delta:
        if !wasOver { run.firstTextMs = run.firstTextMs ?? now }
      case .final(let text, let stopReason):
        return run.ended(text, stopReason: stopReason, payload, atMs: now)
      case .aborted:
        run.isOver = true
        guard run.toldText == nil else { return [] }
        run.toldText = run.text.text
        let words = run.text.text.isEmpty ? "stopped" : "stopped: \(run.text.text)"
        return [run.row("llm_run_aborted", words, atMs: now)]
      case .failed(let message, let kind): return run.failed(message, kind: kind, atMs: now)
      case .other: break
      }
      return []
    }
    rows += new
  }

  // MARK: The steps

  mutating func agent(_ event: AgentEvent, _ payload: JSONValue) {
    let atMs = time(payload["ts"])
    let isHeartbeat = payload["isHeartbeat"]?.bool == true
    let isStart = event.stream == "lifecycle" && event.phase == "start"
    let asker = isStart ? event.sessionKey.flatMap { askers.removeValue(forKey: $0) } : nil
    let new: [LiveRow] = runs.change(event.runId, atMs: atMs) { run in
      run.learn(session: event.sessionKey, agent: event.agentId, spawnedBy: event.spawnedBy)
      if let asker { (run.asker, run.askedFor) = (asker.name, asker.words) }
      switch event.stream {
      case "lifecycle": return run.lifecycle(event, isHeartbeat: isHeartbeat, atMs: atMs)
      case "run_status": run.phase = event.phase
      case "assistant": run.firstTextMs = run.firstTextMs ?? atMs
      case "thinking":
        if let text = event.data["text"]?.string {
          run.thinking = text
        } else if let delta = event.data["delta"]?.string,
          run.thinking.utf8.count < LiveRow.textLimit
        {
          run.thinking += delta
        }
      case "tool": return run.tool(event, atMs: atMs)
      case "item": return run.item(event, atMs: atMs)
      case "command_output": run.output(event)
      case "plan": return run.plan(event, atMs: atMs)
      case "usage": run.outputTokens = event.data["outputTokens"]?.int ?? run.outputTokens
      case "approval": break
      default:
        // Streams of later gateways: a few rows a run, with what they said.
        guard run.notes < 20 else { return [] }
        run.notes += 1
        return [run.row("llm_run_note", event.stream, atMs: atMs, [("data", event.data)])]
      }
      return []
    }
    rows += new
  }
}

extension GatewayRun {
  mutating func learn(session: String?, agent: String?, spawnedBy: String?) {
    self.session = session ?? self.session
    self.agent = agent ?? self.agent ?? GatewayFeed.agent(of: self.session)
    self.spawnedBy = spawnedBy ?? self.spawnedBy
  }

  /// A row of this run; all rows of a run are one turn.
  func row(
    _ kind: String, _ content: String, atMs: Int64, cost: Double? = nil,
    _ metadata: [(key: String, value: JSONValue?)] = []
  ) -> LiveRow {
    let own: [(key: String, value: JSONValue?)] = [
      ("triggerMessageId", .string(id)), ("spawnedBy", spawnedBy.map { .string($0) }),
    ]
    return LiveRow(
      kind, content, atMs: atMs, agent: agent, session: session, user: agent, cost: cost,
      own + metadata)
  }

  mutating func ended(
    _ text: String?, stopReason: String?, _ payload: JSONValue, atMs: Int64
  ) -> [LiveRow] {
    isOver = true
    // A run that was yielded goes on and ends again; a repetition has no second row.
    let whole = text ?? self.text.text
    guard toldText != whole else { return [] }
    toldText = whole
    var rows: [LiveRow] = thought(atMs: atMs)
    rows.append(call(payload, stopReason: stopReason, text: whole, atMs: atMs))
    if whole.isEmpty {
      rows.append(row("llm_run_finished", "ended without a text", atMs: atMs))
    } else {
      rows.append(
        row(
          "sent_reply", whole, atMs: atMs,
          [
            ("durationMs", .integer(max(0, atMs - startMs))),
            ("firstTextMs", firstTextMs.map { .integer(max(0, $0 - startMs)) }),
          ]))
    }
    return rows
  }

  /// What it thought, once.
  private mutating func thought(atMs: Int64) -> [LiveRow] {
    guard !thinking.isEmpty, !isThinkingTold else { return [] }
    isThinkingTold = true
    return [row("llm_run_thinking", thinking, atMs: atMs)]
  }

  private func call(
    _ payload: JSONValue, stopReason: String?, text: String, atMs: Int64
  ) -> LiveRow {
    let message = payload["message"]
    let usage = (payload["usage"] ?? message?["usage"]).flatMap(JSONFields.init)
    let model = payload["model"]?.string ?? message?["model"]?.string
    let provider = payload["provider"]?.string ?? message?["provider"]?.string
    let cost =
      usage?.nested("cost", as: JSONFields.init)?.double("total")
      ?? payload["estimatedCostUsd"]?.double
    let tokens: [(key: String, value: JSONValue?)] = [
      ("inputTokens", usage?.int("input", "inputTokens").map { .integer($0) }),
      (
        "outputTokens",
        (usage?.int("output", "outputTokens") ?? outputTokens).map { .integer($0) }
      ),
      ("cacheReadTokens", usage?.int("cacheRead", "cacheReadTokens").map { .integer($0) }),
      ("cacheWriteTokens", usage?.int("cacheWrite", "cacheWriteTokens").map { .integer($0) }),
    ]
    var row = row(
      "llm_call", [provider, model].compactMap(\.self).joined(separator: ":"), atMs: atMs,
      cost: cost,
      [
        ("provider", provider.map { .string($0) }), ("model", model.map { .string($0) }),
        ("usage", .body(tokens)), ("messageId", .string(id)),
        ("toolCallCount", .integer(tools.count)),
        (
          "toolNames",
          toolNames.isEmpty ? nil : .string(toolNames.prefix(8).joined(separator: ", "))
        ),
        ("stopReason", stopReason.map { .string($0) }),
        ("responseChars", .integer(text.utf16.count)), ("transcript", .string(text)),
        ("durationMs", .integer(max(0, atMs - startMs))),
        ("firstTextMs", firstTextMs.map { .integer(max(0, $0 - startMs)) }),
      ])
    // As in a bot's rows: the call is made for who asked, the answer is the agent's.
    row.user = asker
    return row
  }

  mutating func failed(_ message: String, kind: String?, atMs: Int64) -> [LiveRow] {
    isOver = true
    guard !hasFailureRow else { return [] }
    hasFailureRow = true
    return thought(atMs: atMs) + [
      row(
        "llm_error", message.isEmpty ? "the run failed" : message, atMs: atMs,
        [
          ("errorType", kind.map { .string($0) }), ("messageId", .string(id)),
          ("durationMs", .integer(max(0, atMs - startMs))),
        ])
    ]
  }

  mutating func lifecycle(_ event: AgentEvent, isHeartbeat: Bool, atMs: Int64) -> [LiveRow] {
    switch event.phase {
    case "start":
      guard !hasStartRow else { return [] }
      hasStartRow = true
      isOver = false
      startMs = atMs
      let words = spawnedBy.map { "run begins for \($0)" } ?? "run begins"
      return [
        row(
          "llm_run_started", isHeartbeat ? "heartbeat" : words, atMs: atMs,
          [("askedBy", asker.map { .string($0) }), ("asked", askedFor.map { .string($0) })])
      ]
    case "end":
      isOver = true
      return endTools(atMs: atMs)
    case "error":
      return endTools(atMs: atMs)
        + failed(event.data["error"]?.string ?? "", kind: nil, atMs: atMs)
    case "fallback_step":
      return [row("llm_run_fallback", "another model is tried", atMs: atMs, [("data", event.data)])]
    default: return []
    }
  }

  mutating func plan(_ event: AgentEvent, atMs: Int64) -> [LiveRow] {
    let steps = event.data["steps"]
    guard plan != steps else { return [] }
    plan = steps
    let list = (steps?.array ?? []).prefix(100)
    let done = list.filter { $0["status"]?.string == "completed" }.count
    let current = list.first { $0["status"]?.string == "in_progress" }?["step"]?.string
    let words = "\(done) of \(list.count) steps done" + (current.map { ", now: \($0)" } ?? "")
    return [
      row(
        "llm_run_plan", words, atMs: atMs,
        [("explanation", event.data["explanation"]), ("steps", steps)])
    ]
  }
}
