package import Networking

/// Conversations over HTTP: with a gateway, or with any server that speaks OpenAI's interfaces.
@MainActor
package final class HTTPChat: ChatBackend {
  /// Idle time-out of an answer, ms. Long, because an agent may be running a tool.
  package static let idleMs: UInt64 = 300_000

  package let server: ChatServer
  let transport: any Transport
  let clock: any LinkClock
  let idleMs: UInt64
  /// The interface that the server turned out to have; nil before the first answer.
  private var proven: ChatInterface?
  /// What `/v1/models` named, for the life of this connection.
  private var models: [String]?
  /// `x-openclaw-model` by the session key, as the user has chosen it.
  private var chosenModels: [String: String] = [:]
  private var answers: [ObjectIdentifier: HTTPAnswer] = [:]
  private var lists: [ObjectIdentifier: ModelList] = [:]

  package init(
    _ server: ChatServer, transport: any Transport, clock: any LinkClock,
    idleMs: UInt64 = HTTPChat.idleMs
  ) {
    self.server = server
    self.transport = transport
    self.clock = clock
    self.idleMs = idleMs
  }

  package var abilities: ChatAbilities {
    var abilities: ChatAbilities = server.isGateway ? [.images] : [.images, .models]
    if server.keepsHistory { abilities.insert(.serverHistory) }
    return abilities
  }

  /// The interface that the next message is sent with.
  var interface: ChatInterface { proven ?? server.interface }

  func prove(_ interface: ChatInterface) { proven = interface }

  package func send(
    _ turn: ChatTurn, tell: @escaping @MainActor (ChatEvent) -> Void
  ) -> any ChatAnswer {
    let answer = HTTPAnswer(turn, of: self) { [weak self] answer in
      self?.answers[ObjectIdentifier(answer)] = nil
    } tell: {
      tell($0)
    }
    answers[ObjectIdentifier(answer)] = answer
    answer.start()
    return answer
  }

  /// Ends all answers under way, as `cancel` does.
  package func cancelAll() {
    for answer in answers.values { answer.cancel() }
    for list in lists.values { list.cancel() }
    lists = [:]
  }

  /// Over HTTP a gateway takes a model with each message; it has nothing for how long the model thinks.
  package func change(
    _ setting: ChatSetting, session key: String,
    _ done: @escaping @MainActor (ChatFailure?) -> Void
  ) {
    guard server.isGateway, case .model(let model) = setting else {
      return done(
        ChatFailure(.unsupported, "This server has no such setting over HTTP."))
    }
    if let model, let problem = Self.problem(model: model) { return done(problem) }
    chosenModels[key] = model
    done(nil)
  }

  /// It becomes a header.
  private static func problem(model: String) -> ChatFailure? {
    let isPlain = model.utf8.count <= 200 && model.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isPlain ? nil : ChatFailure(.request, "A model's name is one word, without spaces.")
  }

  func chosenModel(_ key: String) -> String? { chosenModels[key] }

  // MARK: Models

  package func agents(_ done: @escaping @MainActor (Result<[ChatAgent], ChatFailure>) -> Void) {
    listModels { [server] result in
      done(
        result.map { names in
          guard server.isGateway else { return names.map { ChatAgent(id: $0) } }
          return names.compactMap { name in
            let agent = ChatServer.agentId(name)
            // `openclaw` and `openclaw/default` are the default agent under other names.
            return agent == name || agent == "default" ? nil : ChatAgent(id: agent)
          }
        })
    }
  }

  /// Names the models; those that were told once are not asked for again by messages.
  func listModels(_ done: @escaping @MainActor (Result<[String], ChatFailure>) -> Void) {
    if let obstacle = server.obstacle {
      _ = clock.schedule(afterNs: 0) { done(.failure(obstacle)) }
      return
    }
    let list = ModelList(server, nowMs: clock.wallMs) { [weak self] list, result in
      self?.lists[ObjectIdentifier(list)] = nil
      if case .success(let names) = result { self?.models = names }
      done(result)
    }
    lists[ObjectIdentifier(list)] = list
    list.start(on: transport)
  }

  /// The model for a message, asked for where it is not known whether the server has it.
  ///
  /// A gateway of protocol 3 lets its default agent answer for one that it does not know.
  func model(
    for agent: String?, _ done: @escaping @MainActor (Result<String, ChatFailure>) -> Void
  ) {
    let isNamed: Bool
    switch server.kind {
    case .gateway: isNamed = agent == nil
    case .other(let model): isNamed = agent != nil || model != nil
    }
    if isNamed || models != nil { return done(named(agent)) }
    listModels { [weak self] result in
      guard let self else { return }
      switch result {
      case .success: done(named(agent))
      // The answer itself will say what is wrong, or work.
      case .failure(let failure) where server.isGateway && failure.kind == .unsupported:
        done(named(agent))
      case .failure(let failure): done(.failure(failure))
      }
    }
  }

  private func named(_ agent: String?) -> Result<String, ChatFailure> {
    guard let model = server.model(for: agent, first: models?.first) else {
      return .failure(
        ChatFailure(
          .request, "The server names no model; set model in the profile, or give --agent."))
    }
    guard server.isGateway, let agent, let models else { return .success(model) }
    guard models.contains(model) else {
      let names = models.map(ChatServer.agentId).filter { $0 != "openclaw" && $0 != "default" }
      return .failure(
        ChatFailure(
          .request,
          "The gateway has no agent \(agent); choose one of \(names.prefix(20).joined(separator: ", "))."
        ))
    }
    return .success(model)
  }
}

/// One `GET /v1/models`.
@MainActor
private final class ModelList: TransportDelegate {
  private static let limit = 4 << 20
  /// The most models that are taken of a list.
  private static let maximumCount = 2_000

  private let server: ChatServer
  private let nowMs: Int64
  private let done: @MainActor (ModelList, Result<[String], ChatFailure>) -> Void
  private var task: (any TransportTask)?
  private var head: HTTPHead?
  private var body: [UInt8] = []

  init(
    _ server: ChatServer, nowMs: Int64,
    done: @escaping @MainActor (ModelList, Result<[String], ChatFailure>) -> Void
  ) {
    self.server = server
    self.nowMs = nowMs
    self.done = done
  }

  func start(on transport: any Transport) {
    task = transport.open(
      HTTPRequest(
        base: server.base, target: server.target(["models"]), purpose: .rest, token: nil,
        headers: server.headers(accepts: "application/json"),
        timeouts: HTTPTimeouts(totalMs: 30_000), maxBodyBytes: Self.limit), delegate: self)
  }

  func cancel() { task?.cancel() }

  func transfer(_ task: any TransportTask, received head: HTTPHead) { self.head = head }

  func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {
    body.append(contentsOf: bytes)
  }

  func transfer(_ task: any TransportTask, ended end: TransportEnd) {
    self.task = nil
    if let error = end.error {
      return done(self, .failure(.unreachable(error, of: server, hasText: false)))
    }
    guard let head, head.status == 200 else {
      let head = head ?? HTTPHead(status: 0)
      return done(
        self, .failure(.refused(head, server.redacted(body), by: server, nowMs: nowMs)))
    }
    guard let names = ModelNames(body)?.names else {
      return done(
        self,
        .failure(
          ChatFailure(
            .request,
            "What answers at \(server.base.origin) has no list of models; check the url of the profile."
          )))
    }
    done(self, .success(Array(names.prefix(Self.maximumCount))))
  }
}
