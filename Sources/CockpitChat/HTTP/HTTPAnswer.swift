internal import Networking

/// One answer over HTTP: the request, its fallback to the other interface, and the stream.
@MainActor
final class HTTPAnswer: ChatAnswer {
  /// The most that is kept of a body that is no stream, bytes.
  private static let bodyLimit = 8 << 20
  /// A stream repeats names and ids beside each word.
  private static let streamLimit = 256 << 20
  private static let timeouts = HTTPTimeouts(headersMs: 180_000)

  private let turn: ChatTurn
  private let chat: HTTPChat
  private let onEnd: @MainActor (HTTPAnswer) -> Void
  private let tell: @MainActor (ChatEvent) -> Void
  private var decoder: StreamDecoder
  private var interface: ChatInterface
  private var hasFallenBack = false
  private var model = ""
  private var task: (any TransportTask)?
  private var timer: (any LinkTimer)?
  private var head: HTTPHead?
  private var body: [UInt8] = []
  private var hasText = false
  private var heardNs: UInt64 = 0
  private var isOver = false

  init(
    _ turn: ChatTurn, of chat: HTTPChat, onEnd: @escaping @MainActor (HTTPAnswer) -> Void,
    tell: @escaping @MainActor (ChatEvent) -> Void
  ) {
    self.turn = turn
    self.chat = chat
    self.onEnd = onEnd
    self.tell = tell
    interface = chat.interface
    decoder = StreamDecoder(interface, isGateway: chat.server.isGateway)
  }

  /// Begins asynchronously: no event is delivered before this returns.
  func start() {
    timer = chat.clock.schedule(afterNs: 0) { [weak self] in self?.begin() }
  }

  func cancel() {
    guard !isOver else { return }
    task?.cancel()
    task = nil
    isOver = true
    timer?.cancel()
    timer = chat.clock.schedule(afterNs: 0) {
      for event in self.decoder.abort() { self.tell(event) }
      self.onEnd(self)
    }
  }

  private func begin() {
    if let problem = chat.server.obstacle ?? ChatImage.problem(turn.message.images) {
      return end(problem)
    }
    chat.model(for: turn.agent) { [weak self] result in
      guard let self, !isOver else { return }
      switch result {
      case .success(let model):
        self.model = model
        ask()
      case .failure(let failure): end(failure)
      }
    }
  }

  private func ask() {
    let server = chat.server
    let bytes = ChatBody.bytes(
      turn, model: model, interface: interface, isGateway: server.isGateway)
    guard !server.isGateway || bytes.count <= ChatBody.maximumBytes else {
      return end(
        ChatFailure(
          .request,
          "The message with its history and images is larger than the 20 MB that a gateway takes; send less, or begin a new conversation."
        ))
    }
    var headers = server.headers(accepts: "text/event-stream")
    if server.isGateway {
      headers.append(HTTPHeader("x-openclaw-message-channel", server.messageChannel))
      if let agent = turn.agent {
        headers.append(HTTPHeader("x-openclaw-agent-id", ChatServer.agentId(agent)))
      }
      if let model = chat.chosenModel(turn.sessionKey) {
        headers.append(HTTPHeader("x-openclaw-model", model))
      }
      if turn.history == .server {
        headers.append(HTTPHeader("x-openclaw-session-key", turn.sessionKey))
      }
    }
    let segments = interface == .chat ? ["chat", "completions"] : ["responses"]
    (head, body) = (nil, [])
    task = chat.transport.open(
      HTTPRequest(
        method: .post, base: server.base, target: server.target(segments), purpose: .stream,
        token: nil, headers: headers, body: bytes, timeouts: Self.timeouts,
        maxBodyBytes: Self.streamLimit), delegate: self)
  }

  // MARK: Silence

  private func watchSilence() {
    heardNs = chat.clock.nowNs
    guard timer == nil else { return }
    waitForSilence(Nanoseconds.milliseconds(chat.idleMs))
  }

  private func waitForSilence(_ ns: UInt64) {
    timer = chat.clock.schedule(afterNs: ns) { [weak self] in
      guard let self, !isOver else { return }
      timer = nil
      let limit = Nanoseconds.milliseconds(chat.idleMs)
      let silent = chat.clock.nowNs.since(heardNs)
      guard silent >= limit else { return waitForSilence(limit - silent) }
      end(
        ChatFailure(
          .connection,
          "Nothing was heard of the answer for \(ChatFailure.duration(Int(chat.idleMs))); what has arrived is kept. Send the message again."
        ))
    }
  }

  // MARK: Telling

  private func say(_ events: [ChatEvent]) {
    for event in events {
      if case .text = event { hasText = true }
      if case .replaced = event { hasText = true }
      tell(event)
    }
    if decoder.isOver { close() }
  }

  private func end(_ failure: ChatFailure) { say(decoder.finish(failure)) }

  private func close() {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    timer = nil
    task?.cancel()
    task = nil
    onEnd(self)
  }
}

extension HTTPAnswer: TransportDelegate {
  func transfer(_ task: any TransportTask, received head: HTTPHead) {
    guard !isOver else { return }
    self.head = head
    if head.status == 200 { chat.prove(interface) }
    timer?.cancel()
    timer = nil
    watchSilence()
  }

  func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {
    guard !isOver, let head else { return }
    watchSilence()
    if head.status == 200, head.mediaType == "text/event-stream" {
      say(decoder.feed(bytes))
    } else if body.count + bytes.count <= Self.bodyLimit {
      body.append(contentsOf: bytes)
    }
  }

  func transfer(_ task: any TransportTask, ended end: TransportEnd) {
    self.task = nil
    guard !isOver else { return }
    if let error = end.error {
      return self.end(.unreachable(error, of: chat.server, hasText: hasText))
    }
    guard let head else { return say(decoder.finish()) }
    guard head.status == 200 else { return refused(head) }
    switch head.mediaType {
    case "text/event-stream": say(decoder.finish())
    case "application/json": say(decoder.whole(body))
    default:
      self.end(
        ChatFailure(
          .request,
          "What answers at \(chat.server.base.origin) is no chat server: it sent \(head.mediaType.isEmpty ? "no content type" : head.mediaType). Check the url of the profile."
        ))
    }
  }

  private func refused(_ head: HTTPHead) {
    let failure = ChatFailure.refused(
      head, chat.server.redacted(body), by: chat.server, nowMs: chat.clock.wallMs)
    guard failure.kind == .unsupported, !hasFallenBack else { return end(failure) }
    hasFallenBack = true
    interface = interface.other
    decoder = StreamDecoder(interface, isGateway: chat.server.isGateway)
    ask()
  }
}
