import CockpitChat
import LenientJSON
import Networking

/// HTTP and time that a test moves, and a conversation over them.
@MainActor
final class Scene: Transport, LinkClock {
  final class Task: TransportTask {
    var isCancelled = false
    func cancel() { isCancelled = true }
    func pause() {}
    func resume() {}
  }

  private final class Timer: LinkTimer {
    var body: (@MainActor () -> Void)?
    let dueNs: UInt64

    init(_ dueNs: UInt64, _ body: @escaping @MainActor () -> Void) {
      (self.dueNs, self.body) = (dueNs, body)
    }

    func cancel() { body = nil }
  }

  var nowNs: UInt64 = 1_000_000_000
  var wallMs: Int64 = 1_790_000_000_000
  private var timers: [Timer] = []
  var requests: [HTTPRequest] = []
  private var open: [(task: Task, delegate: any TransportDelegate)] = []
  var events: [ChatEvent] = []

  func open(_ request: HTTPRequest, delegate: any TransportDelegate) -> any TransportTask {
    requests.append(request)
    let task = Task()
    open.append((task, delegate))
    return task
  }

  func schedule(afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void) -> any LinkTimer {
    let timer = Timer(nowNs + delayNs, body)
    timers.append(timer)
    return timer
  }

  func pass(ms: UInt64) {
    let end = nowNs + ms * 1_000_000
    while let next = timers.filter({ $0.body != nil && $0.dueNs <= end }).min(by: {
      $0.dueNs < $1.dueNs
    }) {
      nowNs = max(nowNs, next.dueNs)
      let body = next.body
      next.cancel()
      body?()
    }
    nowNs = end
  }

  // MARK: The server

  var target: String { requests.last?.target.encoded ?? "" }
  var body: JSONValue { requests.last?.body.flatMap { try? JSONValue.parse($0) } ?? .null }
  func header(_ name: String) -> String? {
    requests.last?.headers.first { $0.name == name }?.value
  }

  /// Whether the last request was given up.
  var isCancelled: Bool { open.last?.task.isCancelled ?? false }

  func head(_ status: Int = 200, _ type: String = "text/event-stream", _ more: [HTTPHeader] = []) {
    guard let (task, delegate) = open.last else { return }
    delegate.transfer(
      task,
      received: HTTPHead(status: status, headers: [HTTPHeader("Content-Type", type)] + more))
  }

  func say(_ text: String) {
    guard let (task, delegate) = open.last, !task.isCancelled else { return }
    Array(text.utf8).withUnsafeBytes { delegate.transfer(task, received: $0) }
  }

  func close(_ error: TransportError? = nil) {
    guard let (task, delegate) = open.last, !task.isCancelled else { return }
    delegate.transfer(task, ended: TransportEnd(error: error))
  }

  func answer(_ status: Int, _ text: String, _ more: [HTTPHeader] = []) {
    head(status, "application/json", more)
    if !text.isEmpty { say(text) }
    close()
  }

  func stream(_ text: String) {
    head()
    say(text)
    close()
  }

  // MARK: The conversation

  func chat(
    _ kind: ChatServer.Kind = .gateway, _ interface: ChatInterface = .chat,
    url: String = "http://127.0.0.1:1", secret: String? = "s3cret-token"
  ) throws -> HTTPChat {
    HTTPChat(
      ChatServer(kind: kind, base: try BackendURL(url), secret: secret, interface: interface),
      transport: self, clock: self)
  }

  @discardableResult
  func send(_ turn: ChatTurn, on chat: HTTPChat) -> any ChatAnswer {
    let answer = chat.send(turn) { [weak self] in self?.events.append($0) }
    pass(ms: 0)
    return answer
  }

  var failure: ChatFailure? {
    if case .ended(.failed(let failure)) = events.last { failure } else { nil }
  }
}

extension ChatTurn {
  static func plain(
    _ text: String = "Hello", agent: String? = nil, images: [ChatImage] = [],
    history: ChatTurn.History = .server
  ) -> ChatTurn {
    ChatTurn(
      agent: agent, sessionKey: "agent:wren:cockpit-desk-v1",
      message: ChatMessage(.user, text, images: images), history: history, idempotencyKey: "k1")
  }
}
