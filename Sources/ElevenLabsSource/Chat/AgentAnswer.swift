internal import CockpitChat
internal import ElevenLabsWire
internal import Networking

/// The answer of an agent to one message.
@MainActor
final class AgentAnswer: ChatAnswer {
  /// The agent may go on after a full text: with a tool, or with a correction.
  private static let graceNs = Nanoseconds.milliseconds(700)

  private let turn: ChatTurn
  private let chat: AgentChat
  private let tell: @MainActor (ChatEvent) -> Void
  /// Held until the end: `AgentChat` knows the newest alone.
  private var keeper: AgentAnswer?
  /// The line of the message.
  private var ownLine: Int?
  private var isSent = false
  private var isOver = false
  /// The agent's lines since the message, by their ids.
  private var lines: [ConversationLine] = []
  private var shown = ""
  private var thought = ""
  private var openTools: Set<String> = []
  private var timer: (any LinkTimer)?

  init(
    _ turn: ChatTurn, of chat: AgentChat, tell: @escaping @MainActor (ChatEvent) -> Void
  ) {
    self.turn = turn
    self.chat = chat
    self.tell = tell
  }

  private var live: LiveConversation { chat.live }

  func start() {
    guard !isOver else { return }
    keeper = self
    guard turn.message.images.isEmpty else {
      return end(
        .failed(ChatFailure(.request, "Agents of ElevenLabs take text alone; remove the images.")))
    }
    let owner = turn.sessionKey
    guard chat.mayReplace(owner) else {
      return end(
        .failed(
          ChatFailure(
            .request,
            "A conversation is live in another channel; send the message again to end it and to begin one here."
          )))
    }
    live.take(.start(owner: owner, agent: turn.agent ?? live.agent, replaces: true))
    guard !isOver else { return }
    if live.talk.phase == .active { tell(.started(run: live.talk.metadata?.conversationID)) }
    live.take(.say(turn.message.text))
  }

  /// The protocol cannot stop an answer: what still comes is not shown.
  func cancel() {
    guard !isOver else { return }
    _ = live.clock.schedule(afterNs: 0) { [self] in end(.aborted) }
  }

  /// Another message has been sent.
  func giveWay() { end(.aborted) }

  // MARK: Hearing

  func hear(_ notice: ConversationNotice) {
    guard !isOver, keeper != nil else { return }
    switch notice {
    case .phase: hearPhase()
    case .line(let line): hear(line)
    case .reasoning where isSent:
      let all = live.talk.reasoning
      if all.hasPrefix(thought) {
        tell(.thinking(String(all.dropFirst(thought.count))))
      } else {
        tell(.thinking(all))
      }
      thought = all
      rest()
    case .tool(let tool) where isSent:
      if tool.endedNs == nil { openTools.insert(tool.id) } else { openTools.remove(tool.id) }
      tell(.tool(Self.chatTool(tool)))
      rest()
    case .waiting(let approval):
      tell(.phase("waits for an approval: \(approval.call.name)"))
    case .remark, .busy, .reasoning, .tool, .settled, .audio, .interrupted, .figures: break
    }
  }

  private func hearPhase() {
    switch live.talk.phase {
    case .connecting: tell(.phase("connecting"))
    case .active: tell(.started(run: live.talk.metadata?.conversationID))
    case .over(let reason):
      let isWhole = !lines.isEmpty && !reason.isError
      end(isWhole ? .completed : .failed(ChatFailure(reason)))
    case .idle, .retrying: break
    }
  }

  private func hear(_ line: ConversationLine) {
    if line.speaker == .user {
      if ownLine == nil, line.text == turn.message.text { ownLine = line.id }
      if line.id == ownLine, !line.isQueued { isSent = true }
      return
    }
    // What comes before the message is sent is the greeting.
    guard isSent, let ownLine, line.atNs > 0 else { return }
    if let known = lines.firstIndex(where: { $0.id == line.id }) {
      lines[known] = line
    } else {
      guard line.id > ownLine, !greetings.contains(line.id) else { return }
      lines.append(line)
    }
    let all = lines.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n\n")
    if all != shown {
      if all.hasPrefix(shown) {
        tell(.text(String(all.dropFirst(shown.count))))
      } else {
        tell(.replaced(all))
      }
      shown = all
    }
    rest()
  }

  /// Lines of the agent that were there when the message was sent.
  private var greetings: Set<Int> {
    guard let own = live.talk.lines.first(where: { $0.id == ownLine }) else { return [] }
    return Set(live.talk.lines.filter { $0.speaker == .agent && $0.atNs < own.atNs }.map(\.id))
  }

  /// After a full text without a tool that runs the answer is over, unless the agent goes on.
  private func rest() {
    timer?.cancel()
    timer = nil
    guard let last = lines.last, last.isWhole, openTools.isEmpty else { return }
    timer = live.clock.schedule(afterNs: Self.graceNs) { [weak self] in self?.end(.completed) }
  }

  private func end(_ end: ChatEnd) {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    timer = nil
    tell(.ended(end))
    keeper = nil
  }

  private static func chatTool(_ tool: ConversationTool) -> ChatTool {
    let state: ChatTool.State =
      switch tool.state {
      case .waiting, .running: .running
      case .done: .done
      case .failed: .failed
      case .unknown: .unknown
      }
    return ChatTool(
      id: tool.id, name: tool.name, state: state,
      durationMs: tool.endedNs.map { Int($0.since(tool.startedNs) / 1_000_000) })
  }
}
