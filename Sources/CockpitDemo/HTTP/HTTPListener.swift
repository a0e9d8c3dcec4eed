import FlyingSocks
import Foundation
import Synchronization

/// Accepts connections on 127.0.0.1 and runs a task for each.
final class HTTPListener: Sendable {
  /// The bound port.
  let port: UInt16
  private let socket: Socket
  private let pool: any AsyncSocketPool
  private let tasks = Mutex<[Task<Void, Never>]>([])
  private let connections = Mutex<[Int: Task<Void, Never>]>([:])
  private let nextID = Atomic<Int>(0)

  /// Binds to `port`, or to a free one when it is 0; throws the socket error.
  init(port: UInt16) throws {
    // Not `HTTPServer.defaultPool()`: FlyingFox brings FoundationNetworking into every start.
    #if canImport(Darwin)
      pool = .kQueue()
    #else
      pool = .ePoll()
    #endif
    let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: port)
    socket = try Socket(domain: Int32(AF_INET), type: .stream)
    do {
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: address)
      try socket.listen()
      guard case .ip4(_, let bound) = try socket.sockname() else {
        throw SocketError.unsupportedAddress
      }
      self.port = bound
    } catch {
      try? socket.close()
      throw error
    }
  }

  /// The system's error for a socket, without the library's wording.
  static func reason(_ error: any Error) -> String {
    guard case SocketError.failed(_, let code, let message) = error else { return "\(error)" }
    return code == EADDRINUSE ? "another program has that port" : message
  }

  /// Starts accepting.
  func start(
    clock: any DemoClock, bodyLimit: Int, handler: @escaping HTTPConnection.Handler
  ) async throws {
    try await pool.prepare()
    let pool = pool
    let listening = try AsyncSocket(socket: socket, pool: pool)
    let poolTask = Task { _ = try? await pool.run() }
    let acceptTask = Task { [weak self] in
      while !Task.isCancelled {
        guard let client = try? await listening.accept() else {
          // Out of descriptors or stopping; a pause keeps the former from spinning.
          if Task.isCancelled { return }
          try? await Task.sleep(for: .milliseconds(20))
          continue
        }
        // Events are small writes that must not wait for an acknowledgement of the previous one.
        try? client.socket.setValue(
          true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        guard let self else {
          try? client.close()
          return
        }
        self.serve(
          HTTPConnection(socket: client, clock: clock, bodyLimit: bodyLimit, handler: handler))
      }
    }
    tasks.withLock { $0 = [acceptTask, poolTask] }
  }

  private func serve(_ connection: HTTPConnection) {
    let id = nextID.wrappingAdd(1, ordering: .relaxed).newValue
    connections.withLock { connections in
      connections[id] = Task { [weak self] in
        await connection.run()
        try? connection.socket.close()
        self?.forget(id)
      }
    }
  }

  private func forget(_ id: Int) {
    _ = connections.withLock { $0.removeValue(forKey: id) }
  }

  /// Ends every open connection at once; new ones are still accepted.
  func dropConnections() {
    let open = connections.withLock { Array($0.values) }
    for task in open { task.cancel() }
  }

  /// Stops listening and ends every connection.
  func stop() async {
    let (accept, pool) = tasks.withLock { ($0.first, $0.last) }
    accept?.cancel()
    await accept?.value
    let open = connections.withLock { Array($0.values) }
    for task in open { task.cancel() }
    for task in open { await task.value }
    pool?.cancel()
    await pool?.value
    try? socket.close()
  }
}

extension HTTPListener {
  /// A listener on 127.0.0.1, not accepting yet.
  ///
  /// - Parameter port: 0 for a free one.
  static func bound(to port: UInt16) throws(DemoServerError) -> HTTPListener {
    do {
      return try HTTPListener(port: port)
    } catch {
      throw .cannotListen(port: port, reason: reason(error))
    }
  }

  /// Starts accepting, or closes the socket and says why it cannot.
  ///
  /// - Parameter bodyLimit: the most bytes of a request's body.
  func serve(
    clock: any DemoClock, bodyLimit: Int = HTTPConnection.backendBodyLimit,
    handler: @escaping HTTPConnection.Handler
  ) async throws(DemoServerError) {
    do {
      try await start(clock: clock, bodyLimit: bodyLimit, handler: handler)
    } catch {
      await stop()
      throw .cannotListen(port: port, reason: "\(error)")
    }
  }
}
