package import CockpitChat
internal import ElevenLabsWire
internal import Networking

/// Conversations with an agent of ElevenLabs in text. The agent holds one at a time: a message of another channel ends
/// it only when it is sent a second time.
@MainActor
package final class AgentChat: ChatBackend {
  package let live: LiveConversation
  private weak var answer: AgentAnswer?
  /// The channel that was told of the conversation of another one, and until when a second message ends that.
  private var asked: (owner: String, untilNs: UInt64)?
  private static let askedNs = Nanoseconds.seconds(60)

  package init(_ live: LiveConversation) {
    self.live = live
    live.observe { [weak self] in self?.answer?.hear($0) }
  }

  package var abilities: ChatAbilities { [.serverHistory, .tools, .notes] }

  package func signal(_ signal: ChatSignal) -> String? {
    guard live.talk.phase == .active else {
      return signal == .typing ? nil : "No conversation is live: write a message first."
    }
    switch signal {
    case .typing: live.take(.typing)
    case .context(let text): live.take(.contextualUpdate(text, id: nil))
    case .rating(let isGood):
      guard
        let id = live.talk.lines.last(where: { $0.speaker == .agent && $0.isWhole })?.eventID
      else { return "There is no answer to rate yet." }
      live.take(.feedback(id, isGood.map { $0 ? .like : .dislike }))
    }
    return nil
  }

  package func send(
    _ turn: ChatTurn, tell: @escaping @MainActor (ChatEvent) -> Void
  ) -> any ChatAnswer {
    let answer = AgentAnswer(turn, of: self, tell: tell)
    let earlier = self.answer
    self.answer = answer
    // Held by its timer until it is over.
    _ = live.clock.schedule(afterNs: 0) {
      earlier?.giveWay()
      answer.start()
    }
    return answer
  }

  package func agents(
    _ done: @escaping @MainActor (Result<[ChatAgent], ChatFailure>) -> Void
  ) {
    let own = ChatAgent(id: live.agent)
    guard live.client.hasKey else {
      _ = live.clock.schedule(afterNs: 0) { done(.success([own])) }
      return
    }
    live.client.get(["convai", "agents"], query: [.init("page_size", "100")]) { result in
      switch result {
      case .success(let value):
        let agents = ServiceAgent.list(value) ?? []
        done(.success(agents.prefix(500).map { ChatAgent(id: $0.id, name: $0.name) }))
      case .failure(let problem): done(.failure(ChatFailure(problem)))
      }
    }
  }

  /// Whether a message of this channel may end the live conversation.
  func mayReplace(_ owner: String) -> Bool {
    guard live.talk.phase.isLive, live.talk.owner != owner else { return true }
    // The next session of the same channel.
    if Self.channel(owner) == Self.channel(live.talk.owner) { return true }
    let now = live.clock.nowNs
    if let asked, asked.owner == owner, now <= asked.untilNs {
      self.asked = nil
      return true
    }
    asked = (owner, now + Self.askedNs)
    return false
  }

  /// A session key without its version, which is behind its last `-v`.
  private static func channel(_ owner: String) -> Substring {
    guard let dash = owner.lastIndex(of: "-") else { return owner[...] }
    return owner[dash...].hasPrefix("-v") ? owner[..<dash] : owner[...]
  }
}

extension ChatFailure {
  init(_ problem: ServiceClient.Problem) {
    let kind: Kind =
      switch problem {
      case .refused(let refusal):
        refusal.isKeyRefused ? .authentication : refusal.isRateLimit ? .rateLimit : .request
      case .unreachable: .connection
      case .unreadable: .unsupported
      }
    self.init(kind, problem.sentence)
  }

  init(_ end: ConversationEnd) {
    let kind: Kind =
      switch end {
      case .blocked: .request
      case .failed(let words) where words.contains("connection"): .connection
      default: .agent
      }
    self.init(kind, end.sentence)
  }
}
