package import CockpitChat
internal import CompanionWire
internal import Networking

/// Conversations with the agent of a companion gateway. The dialect has one conversation; an answer belongs to
/// the message before it.
@MainActor
package final class CompanionChat: ChatBackend {
  private final class Answer: ChatAnswer {
    let turn: ChatTurn
    let tell: @MainActor (ChatEvent) -> Void
    /// The agent's message that answers; nil before its first frame.
    var message: String?
    var isOver = false

    init(_ turn: ChatTurn, _ tell: @escaping @MainActor (ChatEvent) -> Void) {
      self.turn = turn
      self.tell = tell
    }

    /// The dialect cannot stop an agent: what comes is no longer listened to.
    func cancel() { end(.aborted) }

    func end(_ end: ChatEnd) {
      guard !isOver else { return }
      isOver = true
      tell(.ended(end))
    }
  }

  private let clock: any LinkClock
  private let send: @MainActor (ClientMessage) -> Bool
  private var open: [Answer] = []
  package private(set) var agentNames: [String] = []

  init(clock: any LinkClock, send: @escaping @MainActor (ClientMessage) -> Bool) {
    self.clock = clock
    self.send = send
  }

  package var abilities: ChatAbilities { [.serverHistory, .wholeTexts] }

  package func send(
    _ turn: ChatTurn, tell: @escaping @MainActor (ChatEvent) -> Void
  ) -> any ChatAnswer {
    let answer = Answer(turn, tell)
    _ = clock.schedule(afterNs: 0) { [weak self, weak answer] in
      guard let self, let answer, !answer.isOver else { return }
      let text = turn.message.text
      // Transcribers here give no confidence of their own.
      let message: ClientMessage =
        turn.isSpoken
        ? .voice(text, confidence: 1, language: nil) : .text(text, id: turn.idempotencyKey)
      guard send(message) else {
        return answer.end(
          .failed(
            ChatFailure(
              .connection, "There is no session with the gateway; the message was not sent.")))
      }
      open.append(answer)
      tell(.started(run: nil))
    }
    return answer
  }

  package func agents(
    _ done: @escaping @MainActor (Result<[ChatAgent], ChatFailure>) -> Void
  ) {
    let names = agentNames
    _ = clock.schedule(afterNs: 0) { done(.success(names.map { ChatAgent(id: $0) })) }
  }

  /// - Returns: whether it belongs to an open answer.
  @discardableResult
  func hear(_ text: String, id: String, isFinal: Bool, agent: String?) -> Bool {
    if let agent, !agentNames.contains(agent), agentNames.count < 100 { agentNames.append(agent) }
    open.removeAll(where: \.isOver)
    guard
      let answer = open.first(where: { $0.message == id })
        ?? open.first(where: { $0.message == nil })
    else { return false }
    answer.message = id
    answer.tell(.replaced(text))
    if isFinal {
      answer.end(.completed)
      open.removeAll(where: \.isOver)
    }
    return true
  }

  /// The session is over.
  func lost(_ why: String) {
    for answer in open { answer.end(.failed(ChatFailure(.connection, why))) }
    open = []
  }
}
