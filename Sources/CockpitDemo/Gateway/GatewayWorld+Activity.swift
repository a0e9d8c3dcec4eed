/// What the gateway writes down of runs and tools: names, times and outcomes, never words. The contract names the list
/// alone; the shape of an entry is that of the published schema, version 1.
extension GatewayWorld {
  /// The list's word for how a run ended.
  static func activityStatus(of run: String) -> String {
    switch run {
    case "done": "succeeded"
    case "killed": "cancelled"
    default: "failed"
    }
  }

  /// An entry of a run, or of one of its tools.
  func writeDown(
    _ run: GatewayRun, status: String, tool: (call: String, name: String)? = nil
  ) {
    let subject = tool == nil ? "agent_run" : "tool_action"
    let phase = status == "started" ? "started" : "finished"
    let short = tool == nil ? "run" : "tool"
    let sequence = (audit.last?["sequence"]?.doubleValue).map { Int($0) + 1 } ?? 1
    var entry: DemoJSON = [
      "eventType": .string(subject), "schemaVersion": 1, "eventId": .string("au-\(sequence)"),
      "sequence": .int(sequence), "sourceSequence": .int(sequence), "occurredAt": .int(Int(now)),
      "redaction": "metadata_only", "kind": .string(subject),
      "action": .string("\(tool == nil ? "agent.run" : "tool.action").\(phase)"),
      "status": .string(status), "actor": ["type": "agent", "id": .string(run.agentID)],
      "agentId": .string(run.agentID), "sessionKey": .string(run.sessionKey),
      "runId": .string(run.id),
    ]
    if let tool {
      entry = entry.setting("toolCallId", .string(tool.call))
        .setting("toolName", .string(tool.name))
    }
    if !["started", "succeeded"].contains(status) {
      entry = entry.setting("errorCode", .string("\(short)_\(status)"))
    }
    audit.append(entry)
    if audit.count > 10_000 { audit.removeFirst(2_000) }
  }
}
