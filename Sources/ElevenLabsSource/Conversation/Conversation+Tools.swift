internal import ElevenLabsWire
internal import Networking

/// Tools: those of this program, those of the agent, and those of MCP servers.
extension Conversation {
  mutating func use(_ call: ClientToolCall, _ nowNs: UInt64) -> [ConversationCommand] {
    // One result for each call, also when the call comes twice.
    guard !answeredCalls.contains(call.id), !openCalls.contains(call.id) else { return [] }
    guard openCalls.count < Self.maximumCalls else {
      return [.send(.toolResult(call: call.id, result: "too many calls", isError: true))]
    }
    openCalls.insert(call.id)
    let started = change(tool: call.id, to: .running, nil, nowNs, name: call.name, kind: .client)
    guard setup.tools.contains(call.name) else {
      return started + answer(call.id, "unknown tool", isError: true, nowNs)
    }
    return started + [.run(call)]
  }

  mutating func answer(
    _ call: String, _ result: String, isError: Bool, _ nowNs: UInt64
  ) -> [ConversationCommand] {
    guard openCalls.remove(call) != nil else { return [] }
    if answeredCalls.count >= Self.maximumCalls { answeredCalls = [] }
    answeredCalls.insert(call)
    return [.send(.toolResult(call: call, result: result, isError: isError))]
      + change(tool: call, to: isError ? .failed : .done, isError ? result : nil, nowNs)
  }

  mutating func take(_ use: AgentToolUse, _ nowNs: UInt64) -> [ConversationCommand] {
    let id = use.id ?? "\(use.name) \(use.eventID?.text ?? "")"
    let state: ConversationTool.State = !use.isOver ? .running : use.isError ? .failed : .done
    return change(tool: id, to: state, nil, nowNs, name: use.name, kind: .agent)
  }

  mutating func take(_ call: McpToolCall, _ nowNs: UInt64) -> [ConversationCommand] {
    let waiting = approvals.first { $0.call.id == call.id }
    func settle(_ words: String) -> [ConversationCommand] {
      guard let waiting else { return [] }
      approvals.removeAll { $0.call.id == call.id }
      return [.tell(.settled(waiting, words))]
    }
    switch call.state {
    case .awaitingApproval(let seconds):
      // Repeated, or older than what is known of the call.
      guard waiting == nil, !tools.contains(where: { $0.id == call.id }) else { return [] }
      guard approvals.count < Self.maximumApprovals else {
        return [.send(.approval(call: call.id, isApproved: false))]
      }
      let approval = McpApproval(
        call: call, createdNs: nowNs,
        expiresNs: seconds.map { nowNs + Nanoseconds.seconds(UInt64(min(max(0, $0), 86_400))) })
      approvals.append(approval)
      return [.tell(.waiting(approval))]
        + change(tool: call.id, to: .waiting, nil, nowNs, name: call.name, kind: .mcp)
    case .loading:
      return settle("approved")
        + change(tool: call.id, to: .running, nil, nowNs, name: call.name, kind: .mcp)
    case .success:
      return settle("approved")
        + change(tool: call.id, to: .done, nil, nowNs, name: call.name, kind: .mcp)
    case .failure(let problem):
      let isLate = waiting.map { !$0.isAnswered } ?? false
      return settle(isLate ? "expired" : "denied")
        + change(tool: call.id, to: .failed, problem, nowNs, name: call.name, kind: .mcp)
    case .other: return []
    }
  }

  /// Notes a step of a tool; a tool that is over stays over.
  mutating func change(
    tool id: String, to state: ConversationTool.State, _ problem: String?, _ nowNs: UInt64,
    name: String = "", kind: ConversationTool.Kind = .mcp
  ) -> [ConversationCommand] {
    let place: Int
    if let known = tools.lastIndex(where: { $0.id == id }) {
      guard tools[known].endedNs == nil, tools[known].state != state else { return [] }
      // A call that runs does not wait again.
      guard state != .waiting else { return [] }
      place = known
    } else {
      guard !name.isEmpty || state != .failed else { return [] }
      tools.append(
        ConversationTool(id: id, name: name, kind: kind, state: state, startedNs: nowNs))
      if tools.count > Self.maximumTools { tools.removeFirst() }
      place = tools.count - 1
    }
    tools[place].state = state
    tools[place].problem = problem
    if [.done, .failed, .unknown].contains(state) { tools[place].endedNs = nowNs }
    return [.tell(.tool(tools[place]))]
  }
}
