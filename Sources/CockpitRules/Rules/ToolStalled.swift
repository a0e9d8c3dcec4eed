/// 6: a tool runs and runs.
struct ToolStalled: RuleState {
  static let rule = Rule(
    id: .toolStalled, level: .warning,
    condition: "a tool runs over 10 s, or 3 times its own p95 if that is more",
    advice: "Look at the tool's arguments and its server; a hanging one holds the answer back.",
    input: RuleInput(
      names: [
        "realtime_tool_call_started", "realtime_tool_call_completed", "realtime_tool_call_failed",
        "voice_brain_tool_call", "voice_session_end", "bot_logged_in",
      ],
      keys: ["callId", "toolName", "durationMs", "runtimeMs"], memoryMs: 86_400_000),
    limits: [
      RuleLimit(name: "limit_ms", unit: .ms, standard: 10_000, meaning: "the least limit"),
      RuleLimit(name: "factor", unit: .ratio, standard: 3, meaning: "times the tool's own p95"),
    ],
    begin: { ToolStalled($0) })

  private let limitMs: Int64
  private let factor: Double
  private var running = Waiting<String, RuleRow>()
  /// Calls beyond their limit, until they end.
  private var late: [String: RuleRow] = [:]
  private var durations: [String: RecentDurations] = [:]

  private static let leastRuns = 20
  private static let maxTools = 200
  private static let slowTools = ["browser_", "code_"]

  init(_ values: RuleValues) {
    limitMs = values.ms("limit_ms")
    factor = values["factor"]
  }

  var deadlineMs: Int64? { running.deadlineMs }

  /// The limit of a tool in ms; nil if none is known.
  private func limit(_ tool: String) -> Int64? {
    var own: Int64?
    if let runs = durations[tool], runs.values.count >= Self.leastRuns,
      let p95 = runs.percentile(0.95)
    {
      own = Int64(factor * Double(p95))
    }
    if Self.slowTools.contains(where: { tool.hasPrefix($0) }) { return own }
    return max(limitMs, own ?? 0)
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row else { return }
    let tool = row.string("toolName") ?? "a tool"
    switch row.name {
    case "realtime_tool_call_started":
      guard let call = row.string("callId"), let limit = limit(tool) else { return }
      running.wait(call, row, untilMs: row.timeMs + limit)
    case "realtime_tool_call_completed", "realtime_tool_call_failed":
      let call = row.string("callId") ?? ""
      let start = running.remove(call) ?? late.removeValue(forKey: call)
      note(tool, row.int("runtimeMs") ?? start.map { Int(row.timeMs - $0.timeMs) })
    case "voice_brain_tool_call":
      let ms = row.int("durationMs")
      if let ms, let limit = limit(tool), Int64(ms) > limit {
        found.report(
          .init(
            .warning,
            "\(tool) took \(RuleWords.duration(ms)), limit \(RuleWords.duration(limit))",
            [row.cite], about: row, subject: tool))
      }
      note(tool, ms)
    case "voice_session_end":
      running.removeAll { $1.sessionID == row.sessionID }
      late = late.filter { $0.value.sessionID != row.sessionID }
    default:
      for key in running.keys {
        guard let start = running.remove(key) else { continue }
        found.report(
          .init(
            .info, "\(start.string("toolName") ?? "A tool") was lost by the bot's restart",
            [start.cite, row.cite], about: start, subject: "lost"))
      }
    }
  }

  private mutating func note(_ tool: String, _ ms: Int?) {
    guard let ms, ms >= 0, durations[tool] != nil || durations.count < Self.maxTools else { return }
    durations[tool, default: RecentDurations()].add(ms)
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (dueMs, start) in running.due(nowMs) {
      late[start.string("callId") ?? ""] = start
      let tool = start.string("toolName") ?? "A tool"
      found.report(
        .init(
          .warning, "\(tool) has run for over \(RuleWords.duration(dueMs - start.timeMs))",
          [start.cite], about: start, subject: tool, toMs: dueMs,
          missing: "realtime_tool_call_completed"))
    }
  }
}
