internal import ClankyWire
internal import ElevenLabsWire
internal import LenientJSON

/// Rows from what happens in the live conversation.
struct ConversationFeed {
  /// Lines that have a row, by their ids: a correction makes no second one.
  private var written: Set<Int> = []
  private var tools: [String: ConversationTool.State] = [:]
  private var phase = Conversation.Phase.idle

  mutating func take(
    _ notice: ConversationNotice, _ talk: Conversation, agent: String, nowMs: Int64
  ) -> [LiveRow] {
    let id = talk.metadata?.conversationID
    func row(
      _ kind: String, _ content: String, _ more: [(key: String, value: JSONValue?)] = []
    ) -> LiveRow {
      LiveRow(
        kind, content, atMs: nowMs, agent: agent, conversation: id,
        [("conversationId", id.map { .string($0) })] + more)
    }
    switch notice {
    case .phase:
      let before = phase
      phase = talk.phase
      guard before != phase else { return [] }
      switch phase {
      case .connecting: written = []
      case .active: return [row("conversation_started", "a conversation from here began")]
      case .over(let end):
        tools = [:]
        return [row(end.isError ? "conversation_failed" : "conversation_ended", end.sentence)]
      case .idle, .retrying: break
      }
      return []
    case .line(let line):
      guard line.isWhole, !line.isQueued, !line.text.isEmpty, written.insert(line.id).inserted
      else { return [] }
      return [row(line.speaker == .user ? "text_message" : "sent_reply", line.text)]
    case .tool(let tool): return take(tool).map { row($0, $1, $2) }
    case .waiting(let approval):
      return [row("approval_requested", approval.call.name, Self.of(approval))]
    case .settled(let approval, let words):
      let kind = words == "expired" ? "approval_timeout" : "approval_answered"
      return [row(kind, "\(approval.call.name): \(words)", Self.of(approval))]
    case .remark(let words): return [row("conversation_notice", words)]
    case .busy, .reasoning, .audio, .interrupted, .figures: return []
    }
  }

  private static func of(_ approval: McpApproval) -> [(key: String, value: JSONValue?)] {
    [("approvalId", .string(approval.call.id)), ("toolName", .string(approval.call.name))]
  }

  private mutating func take(
    _ tool: ConversationTool
  ) -> [(String, String, [(key: String, value: JSONValue?)])] {
    guard tools[tool.id] != tool.state else { return [] }
    tools[tool.id] = tool.state
    var more: [(key: String, value: JSONValue?)] = [
      ("toolName", .string(tool.name)), ("toolCallId", .string(tool.id)),
      ("toolKind", .string(tool.kind.rawValue)),
    ]
    if let end = tool.endedNs {
      more.append(("durationMs", .integer((end - min(end, tool.startedNs)) / 1_000_000)))
    }
    switch tool.state {
    case .waiting: return []
    case .running: return [("tool_started", tool.name, more)]
    case .done: return [("tool_finished", tool.name, more)]
    case .failed:
      return [("tool_failed", tool.name + (tool.problem.map { ": \($0)" } ?? ""), more)]
    case .unknown: return [("tool_unknown", tool.name, more)]
    }
  }
}
