package import ElevenLabsWire
internal import LenientJSON
package import Networking

/// Where the speech of a conversation goes. `LiveConversation.send(audio:)` is the other direction.
@MainActor
package protocol ConversationSpeaker: AnyObject {
  /// 16-bit little-endian mono samples, `rate` a second.
  func conversation(spoke samples: [UInt8], rate: Int, event: Int?)
  /// What is not played yet of events up to this one is dropped; nil is all of it.
  func conversationInterrupted(through event: Int?)
}

/// A `Conversation` on a real socket and a real clock.
@MainActor
package final class LiveConversation: WebSocketDelegate {
  package private(set) var talk: Conversation
  package let client: ServiceClient
  package let clock: any LinkClock
  /// The agent of the profile.
  package let agent: String
  /// Plays speech; conversations that begin without one are in text.
  package weak var speaker: (any ConversationSpeaker)?
  /// Runs a tool of the owner's and calls back with its result; only tools that `Conversation.Setup` names.
  package var runTool:
    (ClientToolCall, @escaping @MainActor (_ result: String, _ isError: Bool) -> Void) -> Void = {
      $1("unknown tool", true)
    }
  private let transport: any WebSocketTransport
  private var observers: [(ConversationNotice) -> Void] = []
  private var request: WebSocketRequest?
  private var socket: (any WebSocketConnection)?
  private var timer: (any LinkTimer)?
  /// Counts addresses: an answer to an earlier request for one is not used.
  private var round = 0
  private var waiting: [ConversationInput] = []
  private var isTaking = false

  package init(
    _ setup: Conversation.Setup, agent: String, client: ServiceClient,
    transport: any WebSocketTransport, clock: any LinkClock
  ) {
    talk = Conversation(setup)
    self.agent = agent
    self.client = client
    self.transport = transport
    self.clock = clock
  }

  /// Hears every notice, on the main actor, for as long as this lives.
  package func observe(_ body: @escaping (ConversationNotice) -> Void) { observers.append(body) }

  package var mode: Conversation.Mode? { talk.mode(nowNs: clock.nowNs) }

  /// Samples of the microphone, in the input format of the conversation. Nothing is sent unless one is active.
  package func send(audio samples: [UInt8]) { take(.audio(samples)) }

  package func take(_ input: ConversationInput) {
    waiting.append(input)
    guard !isTaking else { return }
    isTaking = true
    while !waiting.isEmpty {
      let next = waiting.removeFirst()
      if case .start = next { talk.setup.wantsAudio = speaker != nil }
      for command in talk.take(next, nowNs: clock.nowNs) { carryOut(command) }
    }
    isTaking = false
    timer?.cancel()
    timer = talk.wakeNs.map { due in
      clock.schedule(afterNs: due.since(clock.nowNs)) { [weak self] in self?.take(.woke) }
    }
  }

  /// Ends the conversation; nothing is heard of it any more.
  package func stop() {
    take(.end)
    timer?.cancel()
    timer = nil
    client.cancel()
    round += 1
  }

  private func carryOut(_ command: ConversationCommand) {
    switch command {
    case .fetchAddress(let agent): fetch(agent)
    case .connect:
      guard let request else { return }
      self.request = nil
      socket?.cancel()
      socket = transport.connect(request, delegate: self)
    case .send(let frame): socket?.send(frame.bytes)
    case .close(let code, let reason):
      socket?.close(code: code, reason: reason)
      socket = nil
    case .run(let call):
      runTool(call) { [weak self] result, isError in
        self?.take(.toolResult(call: call.id, result: result, isError: isError))
      }
    case .tell(let notice): tell(notice)
    }
  }

  private func tell(_ notice: ConversationNotice) {
    switch notice {
    case .audio(let samples, let id):
      if let rate = talk.metadata?.samplesPerSecond {
        speaker?.conversation(spoke: samples, rate: rate, event: id?.number)
      }
    case .interrupted(let id): speaker?.conversationInterrupted(through: id?.number)
    case .phase where !talk.phase.isLive: round += 1
    default: break
    }
    for observer in observers { observer(notice) }
  }

  // MARK: The address

  private func fetch(_ agent: String) {
    round += 1
    let own = round
    guard client.hasKey else {
      return addressed(ConversationAddress.open(agent, at: client.base))
    }
    client.get(
      ["convai", "conversation", "get-signed-url"], query: [.init("agent_id", agent)]
    ) { [weak self] result in
      guard let self, own == round else { return }
      switch result {
      case .success(let answer):
        addressed(
          answer["signed_url"]?.string.flatMap {
            ConversationAddress.signed($0, at: self.client.base)
          })
      case .failure(.refused(let refusal)): take(.unaddressed(refusal))
      case .failure(let problem): take(.unreachable(problem.sentence))
      }
    }
  }

  private func addressed(_ request: WebSocketRequest?) {
    guard let request else {
      return take(
        .unreachable("The service gave no address that can be used. Check url in the profile."))
    }
    self.request = request
    take(.addressed)
  }

  // MARK: WebSocketDelegate

  package func opened(_ socket: any WebSocketConnection) { if isOurs(socket) { take(.opened) } }

  package func socket(_ socket: any WebSocketConnection, received text: [UInt8]) {
    guard isOurs(socket) else { return }
    take(ServerFrame(text).map { .frame($0) } ?? .unreadable)
  }

  package func socket(_ socket: any WebSocketConnection, receivedBinary bytes: [UInt8]) {
    if isOurs(socket) { take(.unreadable) }
  }

  package func socket(_ socket: any WebSocketConnection, ended end: WebSocketEnd) {
    guard isOurs(socket) else { return }
    self.socket = nil
    switch end {
    case .closed(let code, let reason): take(.closed(code: code, reason: reason))
    case .violated: take(.closed(code: 1_006, reason: ""))
    case .refused(let status, _, let body):
      take(.unaddressed(ServiceRefusal(status: status, body: body)))
    case .failed(let error):
      let failure = FailureDiagnosis(base: client.base, token: nil).failure(error)
      take(.unreachable(ServiceClient.Problem.unreachable(failure).sentence))
    }
  }

  private func isOurs(_ other: any WebSocketConnection) -> Bool { socket === other }
}
