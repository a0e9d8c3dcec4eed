package import CockpitChat
package import LenientJSON
internal import Networking
internal import OpenClawWire

/// Conversations with the agents of a gateway over its WebSocket.
@MainActor
package final class GatewayChat: ChatBackend {
  /// nil when the connection's owner is gone: nothing can be sent any more.
  private(set) weak var port: (any GatewayPort)?
  let clock: any LinkClock
  private var answers: [String: GatewayAnswer] = [:]

  init(_ port: any GatewayPort) {
    self.port = port
    clock = port.clock
  }

  /// The agent that the gateway takes where none is named; nil while it is not connected.
  package var defaultAgent: String? { port?.greeting?.defaultAgentId }

  package var abilities: ChatAbilities { [.images, .serverHistory, .tools] }

  package func send(
    _ turn: ChatTurn, tell: @escaping @MainActor (CockpitChat.ChatEvent) -> Void
  ) -> any ChatAnswer {
    let answer = GatewayAnswer(turn, of: self, tell: tell)
    // The gateway answers a message once: a second attempt listens to the same run.
    answers[turn.idempotencyKey]?.give(way: answer)
    answers[turn.idempotencyKey] = answer
    answer.start()
    return answer
  }

  func over(_ answer: GatewayAnswer) {
    if answers[answer.runId] === answer { answers[answer.runId] = nil }
  }

  package func agents(
    _ done: @escaping @MainActor (Result<[ChatAgent], ChatFailure>) -> Void
  ) {
    guard let port else {
      _ = clock.schedule(afterNs: 0) { done(.failure(ChatFailure(.disconnected))) }
      return
    }
    port.send(.listAgents) { result in
      switch result {
      case .success(let payload):
        let agents = payload["agents"]?.array ?? []
        done(
          .success(
            agents.prefix(500).compactMap { agent in
              agent["id"]?.string.map { ChatAgent(id: $0, name: agent["name"]?.string) }
            }))
      case .failure(let failure): done(.failure(ChatFailure(failure)))
      }
    }
  }

  package func change(
    _ setting: ChatSetting, session key: String,
    _ done: @escaping @MainActor (ChatFailure?) -> Void
  ) {
    guard let port, port.isLive else { return done(ChatFailure(.disconnected)) }
    let patch: GatewayRequest.SessionPatch =
      switch setting {
      case .model(let name): .model(name)
      case .thinking(let level): .thinkingLevel(level)
      }
    port.send(.patchSession(key: key, patch)) { result in
      switch result {
      case .success: done(nil)
      case .failure(let failure): done(ChatFailure(failure))
      }
    }
  }

  /// A text as audio, by whatever the gateway has for it.
  ///
  /// - Parameter done: called once; the answer is `{audioBase64, outputFormat?, mimeType?}`.
  package func speak(
    _ text: String, _ done: @escaping @MainActor (Result<JSONValue, ChatFailure>) -> Void
  ) {
    guard let port, port.isLive, let greeting = port.greeting else {
      _ = clock.schedule(afterNs: 0) { done(.failure(ChatFailure(.disconnected))) }
      return
    }
    let request = GatewayRequest.speak(text)
    guard request.exists(in: greeting.protocolVersion) else {
      let old = ChatFailure(.unsupported, "This gateway is too old to speak.")
      _ = clock.schedule(afterNs: 0) { done(.failure(old)) }
      return
    }
    port.send(request) { done($0.mapError { ChatFailure($0) }) }
  }

  // MARK: Hearing

  func hear(_ event: GatewayEvent) {
    guard !answers.isEmpty else { return }
    switch event.name {
    case "chat":
      guard let chat = OpenClawWire.ChatEvent(event.payload) else { return }
      answers[chat.runId]?.hear(.chat(chat))
    case "agent", "session.tool":
      guard let agent = AgentEvent(event.payload) else { return }
      answers[agent.runId]?.hear(.agent(agent))
    default: break
    }
  }

  /// Connected anew, or events are lost.
  func recover() { for answer in Array(answers.values) { answer.recover() } }

  /// The connection is lost and tried again.
  func lost() { for answer in Array(answers.values) { answer.lost() } }

  /// The connection does not come back by itself.
  ///
  /// - Parameter why: one sentence.
  func closed(_ why: String) { for answer in Array(answers.values) { answer.closed(why) } }
}

extension ChatFailure {
  init(_ failure: RequestFailure) {
    switch failure {
    case .refused(let error):
      let kind: Kind =
        error.missingScope != nil || error.code == "FORBIDDEN"
        ? .authentication
        : error.isUnknownMethod ? .unsupported : error.code == "AGENT_TIMEOUT" ? .agent : .request
      self.init(kind, error.sentence, retryAfterMs: error.retryAfterMs)
    case .disconnected, .timedOut, .tooMany: self.init(.connection, failure.description)
    }
  }
}
