internal import ClankyWire
internal import LenientJSON
internal import OpenClawWire

/// Rows of what happened while nothing was heard, from the gateway's list of activity.
extension GatewayFeed {
  /// Rows for what has none yet. The list has no words: what was said then stays unknown.
  ///
  /// - Parameter entries: in any order.
  mutating func fill(_ entries: [ActivityEntry]) -> [LiveRow] {
    let ordered = entries.sorted { ($0.atMs, $0.sequence) < ($1.atMs, $1.sequence) }
    return ordered.compactMap { entry in
      guard let run = entry.runId, insert(filled: entry.id) else { return nil }
      switch entry.subject {
      case .run: return fill(run: run, entry)
      case .tool(let call?, let name): return fill(tool: call, name, of: run, entry)
      case .tool(nil, _), .other: return nil
      }
    }
  }

  /// A run that is known from the list alone does not count as one that runs now.
  private mutating func changeFilled(
    _ id: String, _ entry: ActivityEntry, _ body: (inout GatewayRun) -> LiveRow?
  ) -> LiveRow? {
    let isNew = runs[id] == nil
    return runs.change(id, atMs: entry.atMs) { run in
      if isNew { (run.isOnlyFilled, run.isOver) = (true, true) }
      run.learn(session: entry.session, agent: entry.agent, spawnedBy: nil)
      return body(&run)
    }
  }

  private mutating func fill(run id: String, _ entry: ActivityEntry) -> LiveRow? {
    changeFilled(id, entry) { run in
      if entry.status == "started" {
        // One that was heard of in its middle has begun before: its start is news.
        guard !run.hasStartRow, run.isOnlyFilled || !run.isOver else { return nil }
        run.hasStartRow = true
        run.startMs = min(run.startMs, entry.atMs)
        return run.filled("llm_run_started", "run begins", entry)
      }
      let isTold = run.toldText != nil || run.hasFailureRow || run.hasFilledEnd
      guard !isTold else { return nil }
      // That it ended was seen; whether it failed was not.
      guard !run.isOver || run.isOnlyFilled || entry.status != "succeeded" else { return nil }
      (run.isOver, run.hasFilledEnd) = (true, true)
      let duration: [(key: String, value: JSONValue?)] = [
        (
          "durationMs",
          run.hasStartRow && entry.atMs >= run.startMs
            ? .integer(entry.atMs - run.startMs) : nil
        )
      ]
      switch entry.status {
      case "succeeded":
        return run.filled(
          "llm_run_finished", "ended; the gateway's list has no words", entry, duration)
      case "cancelled": return run.filled("llm_run_aborted", "cancelled", entry, duration)
      default:
        run.hasFailureRow = true
        let code = entry.errorCode.map { " (\($0))" } ?? ""
        return run.filled("llm_error", "the run: \(entry.status)\(code)", entry, duration)
      }
    }
  }

  private mutating func fill(
    tool call: String, _ name: String?, of id: String, _ entry: ActivityEntry
  ) -> LiveRow? {
    changeFilled(id, entry) { run in
      let known = run.tools[call]
      let name = known?.name ?? name ?? "tool"
      let own: [(key: String, value: JSONValue?)] = [
        ("toolCallId", .string(call)), ("toolName", .string(name)),
      ]
      if entry.status == "started" {
        guard known == nil, run.tools.count < GatewayRun.maximumTools else { return nil }
        run.tools[call] = GatewayRun.Tool(name: name, startMs: entry.atMs)
        run.toolNames.append(name)
        return run.filled("tool_started", name, entry, own)
      }
      guard known?.isOver != true, known != nil || run.tools.count < GatewayRun.maximumTools
      else { return nil }
      var tool = known ?? GatewayRun.Tool(name: name, startMs: entry.atMs)
      tool.isOver = true
      run.tools[call] = tool
      if known == nil { run.toolNames.append(name) }
      let duration: JSONValue? = known.map { .integer(max(0, entry.atMs - $0.startMs)) }
      let kind =
        switch entry.status {
        case "succeeded": "tool_finished"
        case "unknown": "tool_unknown"
        default: "tool_failed"
        }
      let words = entry.status == "succeeded" ? name : "\(name): \(entry.status)"
      return run.filled(kind, words, entry, own + [("durationMs", duration)])
    }
  }
}

extension GatewayRun {
  /// A row that says of itself that it was filled in.
  fileprivate func filled(
    _ kind: String, _ content: String, _ entry: ActivityEntry,
    _ metadata: [(key: String, value: JSONValue?)] = []
  ) -> LiveRow {
    row(
      kind, content, atMs: entry.atMs,
      [("filledIn", .bool(true)), ("activityId", .string(entry.id))] + metadata)
  }
}
