import CCurl
import Networking
import Dispatch
package import MainLoop

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// HTTP by libcurl's multi-socket interface, driven by the main thread's event loop: no thread of
/// our own, no polling. One instance serves the whole program and keeps connections alive.
@MainActor
package final class CurlTransport: Transport {
  /// Why a transport cannot be made.
  package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
    case unavailable
    case caFileUnreadable(path: String, reason: String)
    case caFileNotPEM(path: String)

    package var description: String {
      switch self {
      case .unavailable:
        "The network library could not be started; check the installation of libcurl."
      case .caFileUnreadable(let path, let reason):
        "The file \(path) given with --ca-file cannot be read: \(reason)."
      case .caFileNotPEM(let path):
        "The file \(path) given with --ca-file holds no PEM certificate; convert it with openssl."
      }
    }
  }

  let clock: any LinkClock
  let trust: TrustAnchors?
  let origin: OriginTLS?
  let tunnel: (any OriginTunnel)?
  private var multi: UnsafeMutableRawPointer?
  private var watches: [Int32: any DescriptorWatch] = [:]
  private let loop: any EventLoop
  private lazy var timer = loop.makeTimer { [weak self] in self?.act(cc_socket_timeout(), 0) }
  private var tasks: [UnsafeMutableRawPointer: any CurlHandle] = [:]
  /// WebSocket connections by descriptor: libcurl has handed these over.
  var sockets: [Int32: CurlSocket] = [:]
  /// Above 0 while libcurl is on the stack: it must not be called again then.
  private var depth = 0
  private var deferred: [@MainActor () -> Void] = []

  nonisolated static let isLibraryReady = cc_global_init() == CURLE_OK

  /// The program must ignore SIGPIPE: TLS libraries write to sockets without `MSG_NOSIGNAL`, and
  /// `CURLOPT_NOSIGNAL` makes libcurl leave signals alone.
  ///
  /// - Parameters:
  ///   - caFile: an additional trust anchor (PEM); the system's own stay valid.
  ///   - tunnel: the way to one origin; nil where the network of this machine is.
  ///   - origin: TLS options for connections to one origin, WebSocket and HTTP.
  package init(
    clock: any LinkClock, loop: any EventLoop = DispatchLoop(), caFile: String? = nil,
    origin: OriginTLS? = nil, tunnel: (any OriginTunnel)? = nil
  ) throws(Problem) {
    guard Self.isLibraryReady, let multi = curl_multi_init() else { throw .unavailable }
    self.clock = clock
    self.loop = loop
    self.multi = multi
    self.origin = origin
    self.tunnel = tunnel
    if let caFile {
      do throws(TrustAnchors.Problem) {
        trust = try TrustAnchors(additional: caFile)
      } catch {
        curl_multi_cleanup(multi)
        switch error {
        case .unreadable(let reason): throw .caFileUnreadable(path: caFile, reason: reason)
        case .notPEM: throw .caFileNotPEM(path: caFile)
        }
      }
    } else {
      trust = nil
    }
    let me = Unmanaged.passUnretained(self).toOpaque()
    cc_multi_set_socket_callback(multi, socketCallback, me)
    cc_multi_set_timer_callback(multi, timerCallback, me)
    // Two streams and a few requests; idle connections above this are closed.
    cc_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 8)
  }

  isolated deinit {
    shutdown()
    timer.unset()
  }

  /// libcurl reads the environment of the process, and so do we.
  package func proxy(for base: BackendURL) -> ProxyVariables? {
    ProxyVariables(for: base, environment: Self.variable)
  }

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Starts a request; an impossible one fails through the delegate.
  package func open(
    _ request: HTTPRequest, delegate: any TransportDelegate
  ) -> any TransportTask {
    let task = CurlTask(request: request, delegate: delegate, transport: self)
    through(request.base, task) { [weak self] socket in
      guard let self, !task.isOver else { return }
      guard task.leaf == nil || LeafPin.isSupported else {
        task.failSoon(.tls(.fingerprintUnsupported, LeafPin.unsupported))
        return
      }
      guard multi != nil, task.prepare(trust: trust, origin: origin, socket: socket) else {
        task.failSoon(.other("the network library is not available"))
        return
      }
      take(task)
    }
    return task
  }

  /// Calls `body` when there is a way to the address and libcurl is not on the stack: now, most of the time.
  ///
  /// - Parameter body: gets the Unix-domain socket of the tunnel; nil without one.
  func through(
    _ base: BackendURL, _ handle: any CurlHandle, _ body: @escaping @MainActor (String?) -> Void
  ) {
    guard let tunnel, tunnel.carries(base) else { return whenIdle { body(nil) } }
    tunnel.open { [weak self] result in
      switch result {
      case .success(let path): self?.whenIdle { body(path) }
      case .failure(let failure): handle.failSoon(.tunnel(failure.sentence))
      }
    }
  }

  var isRunning: Bool { multi != nil }

  /// Ends all transfers without telling their delegates and closes all connections.
  package func shutdown() {
    guard let multi else { return }
    for task in Array(tasks.values) { task.cancel() }
    depth += 1
    curl_multi_cleanup(multi)
    depth -= 1
    self.multi = nil
    // libcurl closes the descriptors it knows; nothing may stay suspended behind it.
    for (descriptor, watch) in watches { watch.cancel { _ = closeDescriptor(descriptor) } }
    watches = [:]
  }

  // MARK: For tasks

  /// Runs `body` as soon as libcurl is not on the stack: now, most of the time.
  func whenIdle(_ body: @escaping @MainActor () -> Void) {
    if depth == 0 {
      body()
      finishTransfers()
    } else {
      deferred.append(body)
    }
  }

  /// Takes a handle that was prepared, until `release`.
  func take(_ task: any CurlHandle) {
    guard let easy = task.easy else { return }
    tasks[easy] = task
    add(task)
  }

  func add(_ task: any CurlHandle) {
    guard let multi, let easy = task.easy else { return }
    guarded { curl_multi_add_handle(multi, easy) }
  }

  func detach(_ task: any CurlHandle) {
    guard let multi, let easy = task.easy else { return }
    guarded { curl_multi_remove_handle(multi, easy) }
  }

  /// Removes a task.
  func release(_ task: any CurlHandle) {
    guard let easy = task.easy, tasks.removeValue(forKey: easy) != nil else { return }
    if let socket = task as? CurlSocket { sockets[socket.descriptor] = nil }
    detach(task)
    task.destroy()
  }

  func unpause(_ task: CurlTask) {
    guard let easy = task.easy else { return }
    guarded { curl_easy_pause(easy, CURLPAUSE_CONT) }
  }

  private func guarded<Code>(_ call: () -> Code) { _ = alone(call) }

  /// A call of libcurl, during which it must not be called again.
  func alone<Code>(_ call: () -> Code) -> Code {
    depth += 1
    defer { depth -= 1 }
    return call()
  }

  // MARK: For libcurl

  private func act(_ descriptor: Int32, _ mask: Int32) {
    guard let multi, depth == 0 else { return }
    var running: Int32 = 0
    guarded { curl_multi_socket_action(multi, descriptor, mask, &running) }
    finishTransfers()
  }

  /// Handles finished transfers and runs deferred work.
  private func finishTransfers() {
    guard depth == 0 else { return }
    repeat {
      while let (easy, code) = nextFinished() {
        tasks[easy]?.finished(code)
      }
      let work = deferred
      deferred = []
      for body in work { body() }
    } while !deferred.isEmpty
  }

  private func nextFinished() -> (UnsafeMutableRawPointer, CURLcode)? {
    guard let multi else { return nil }
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      if message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle {
        return (easy, message.pointee.data.result)
      }
    }
    return nil
  }

  fileprivate func watch(
    _ descriptor: Int32, _ what: Int32, for easy: UnsafeMutableRawPointer?
  ) {
    // One that was handed over is ours to watch.
    guard sockets[descriptor] == nil else { return }
    let reading = what == CURL_POLL_IN || what == CURL_POLL_INOUT
    if reading, let easy { tasks[easy]?.waitsForBytes() }
    let writing = what == CURL_POLL_OUT || what == CURL_POLL_INOUT
    descriptorWatch(descriptor).wanted = Directions(reads: reading, writes: writing)
  }

  func descriptorWatch(_ descriptor: Int32) -> any DescriptorWatch {
    if let watch = watches[descriptor] { return watch }
    let watch = loop.watch(descriptor) { [weak self] ready in
      if let socket = self?.sockets[descriptor] { return socket.ready(ready) }
      let input = ready.contains(.reading) ? Int32(CURL_CSELECT_IN) : 0
      let output = ready.contains(.writing) ? Int32(CURL_CSELECT_OUT) : 0
      self?.act(descriptor, input | output)
    }
    watches[descriptor] = watch
    return watch
  }

  fileprivate func schedule(_ milliseconds: Int) {
    guard milliseconds >= 0 else { return timer.unset() }
    let now = DispatchTime.now().uptimeNanoseconds
    timer.set(dueNs: now + UInt64(milliseconds) * 1_000_000, leewayNs: 1_000_000)
  }

  fileprivate func close(_ descriptor: Int32) {
    guard let watch = watches.removeValue(forKey: descriptor) else {
      _ = closeDescriptor(descriptor)
      return
    }
    watch.cancel { _ = closeDescriptor(descriptor) }
  }

  /// Given to every handle: connections outlive handles, the transport outlives connections.
  static let closeCallback: cc_close_callback = { context, descriptor in
    guard let context else { return 0 }
    nonisolated(unsafe) let pointer = context
    MainActor.assumeIsolated {
      Unmanaged<CurlTransport>.fromOpaque(pointer).takeUnretainedValue().close(descriptor)
    }
    return 0
  }
}

// libcurl calls these only from calls that we make on the main actor. The pointers may therefore be
// captured: nothing leaves the thread.

private let socketCallback: cc_socket_callback = { easy, descriptor, what, context, _ in
  guard let context else { return 0 }
  nonisolated(unsafe) let pointer = context
  nonisolated(unsafe) let handle = easy
  MainActor.assumeIsolated {
    Unmanaged<CurlTransport>.fromOpaque(pointer).takeUnretainedValue()
      .watch(descriptor, what, for: handle)
  }
  return 0
}

private let timerCallback: cc_timer_callback = { _, milliseconds, context in
  guard let context else { return 0 }
  nonisolated(unsafe) let pointer = context
  MainActor.assumeIsolated {
    Unmanaged<CurlTransport>.fromOpaque(pointer).takeUnretainedValue().schedule(milliseconds)
  }
  return 0
}

/// Outside the transport, whose own `close` would shadow this function.
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
