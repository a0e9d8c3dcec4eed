import Foundation

/// A request as it came over the wire.
struct StubRequest: Sendable {
  var method: String
  /// Path and query as sent.
  var target: String
  /// Names in lower case.
  var headers: [String: String]
  var body: [UInt8]

  var path: String { target.split(separator: "?", maxSplits: 1).first.map(String.init) ?? "" }

  /// The decoded query items.
  var query: [String: String] {
    let items = URLComponents(string: target)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }
}

/// One thing that happens in the body of a chunked answer.
enum StreamStep: Sendable {
  /// One HTTP chunk.
  case chunk([UInt8])
  case pause(milliseconds: Int)
  /// Goes on when the test opens the gate.
  case gate(Gate)
  /// Tells the test that everything before it has been written.
  case open(Gate)
  /// Comments, so that the stream counts as alive, until one side closes.
  case stayAlive
  /// Silence until one side closes.
  case stayMute
  /// The same bytes again and again until one side closes, at once or with pauses.
  case endless([UInt8], everyMs: Int)
  /// Closes the connection without the last chunk.
  case cut
}

/// What a server answers.
struct StubReply: Sendable {
  var status = "200 OK"
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []
  /// Instead of `body`: a chunked one, step by step.
  var steps: [StreamStep]?
  /// Instead of everything else: the bytes of the answer, its first line included, step by step; then
  /// the connection is closed.
  var wire: [StreamStep]?
  /// Nothing at all: the connection is closed.
  var isClosed = false

  static func json(_ text: String, status: String = "200 OK") -> StubReply {
    StubReply(
      status: status, headers: [("Content-Type", "application/json")], body: Array(text.utf8))
  }

  /// An answer that is written down byte for byte.
  static func wire(_ text: String) -> StubReply { StubReply(wire: [.chunk(Array(text.utf8))]) }

  static func stream(_ steps: [StreamStep]) -> StubReply {
    StubReply(headers: [("Content-Type", "text/event-stream")], steps: steps)
  }
}

/// A small HTTP/1.1 server on 127.0.0.1: plain sockets, a thread for each connection, so that a
/// test decides about every byte.
///
/// `@unchecked Sendable`: everything that changes is in `state`, behind `lock`.
final class StubServer: @unchecked Sendable {
  let port: UInt16
  private let listener: Int32
  private let greeting: [UInt8]?
  private let handler: @Sendable (StubRequest) -> StubReply
  private let lock = NSLock()
  private var state = State()

  private struct State {
    var isStopped = false
    var connections: Set<Int32> = []
    var accepted = 0
    var requests: [StubRequest] = []
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// Connections so far, those without a request included.
  var connections: Int { lock.withLock { state.accepted } }

  /// Listens on a free port, or on a given one.
  ///
  /// - Parameter greeting: what everybody is sent who comes, before a word is read; then nothing else.
  init(
    port: UInt16 = 0, greeting: [UInt8]? = nil,
    handler: @escaping @Sendable (StubRequest) -> StubReply
  ) throws {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_INET, kind, 0)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else {
      let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      close(listener)
      throw error
    }
    self.port = UInt16(bigEndian: address.sin_port)
    self.listener = listener
    self.greeting = greeting
    self.handler = handler
    Thread.detachNewThread { [self] in accept() }
  }

  /// Every request so far, oldest first.
  var requests: [StubRequest] { lock.withLock { state.requests } }

  /// Requests for a path.
  func requests(for path: String) -> [StubRequest] { requests.filter { $0.path == path } }

  /// Closes the listener and every connection.
  func stop() {
    lock.withLock {
      guard !state.isStopped else { return }
      state.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  private var isStopped: Bool { lock.withLock { state.isStopped } }

  private func accept() {
    while !isStopped {
      var poller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, 100) > 0 else { continue }
      let connection = Foundation.accept(listener, nil, nil)
      guard connection >= 0 else { continue }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      let isWelcome = lock.withLock {
        guard !state.isStopped else { return false }
        state.connections.insert(connection)
        state.accepted += 1
        return true
      }
      guard isWelcome else {
        close(connection)
        continue
      }
      Thread.detachNewThread { [self] in
        let served = StubConnection(descriptor: connection, isStopped: { self.isStopped })
        if let greeting {
          served.greet(greeting)
        } else {
          served.serve { request in
            self.lock.withLock { self.state.requests.append(request) }
            return self.handler(request)
          }
        }
        lock.withLock {
          state.connections.remove(connection)
          close(connection)
        }
      }
    }
    close(listener)
  }
}

/// Something a test opens once and a server thread waits for.
final class Gate: @unchecked Sendable {  // `isOpen` is read and written inside `condition`
  private let condition = NSCondition()
  private var isOpen = false

  func open() {
    condition.withLock {
      isOpen = true
      condition.broadcast()
    }
  }

  /// True when it is open, false after a while.
  func wait(milliseconds: Int) -> Bool {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: Double(milliseconds) / 1000)
      while !isOpen { if !condition.wait(until: deadline) { break } }
      return isOpen
    }
  }
}
