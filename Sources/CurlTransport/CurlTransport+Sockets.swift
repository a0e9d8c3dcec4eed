import CCurl
import Networking
internal import MainLoop

extension CurlTransport: WebSocketTransport {
  /// Begins to connect; an impossible request fails through the delegate.
  package func connect(
    _ request: WebSocketRequest, delegate: any WebSocketDelegate
  ) -> any WebSocketConnection {
    let socket = CurlSocket(request: request, delegate: delegate, transport: self)
    through(request.url.base, socket) { [weak self] path in
      guard let self, !socket.isOver else { return }
      guard socket.leaf == nil || LeafPin.isSupported else {
        return socket.failSoon(.tls(.fingerprintUnsupported, LeafPin.unsupported))
      }
      guard isRunning, socket.prepare(trust: trust, origin: origin, socket: path) else {
        return socket.failSoon(.other("the network library is not available"))
      }
      take(socket)
    }
    return socket
  }

  /// From now on the socket itself hears when its descriptor is ready.
  func adopt(_ socket: CurlSocket) {
    sockets[socket.descriptor] = socket
    want(socket, writes: false)
  }

  /// Reading is always wanted.
  func want(_ socket: CurlSocket, writes: Bool) {
    guard sockets[socket.descriptor] === socket else { return }
    descriptorWatch(socket.descriptor).wanted = Directions(reads: true, writes: writes)
  }

  /// One piece of what has arrived, valid during `body` only.
  func receive(
    _ easy: UnsafeMutableRawPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> (code: CURLcode, count: Int) {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
      var count = 0
      let code = alone { curl_easy_recv(easy, buffer.baseAddress, buffer.count, &count) }
      if code == CURLE_OK, count > 0 { body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return (code, code == CURLE_OK ? count : 0)
    }
  }

  func transmit(
    _ easy: UnsafeMutableRawPointer, _ bytes: ArraySlice<UInt8>
  ) -> (code: CURLcode, count: Int) {
    guard !bytes.isEmpty else { return (CURLE_OK, 0) }
    return bytes.withUnsafeBytes { buffer in
      var count = 0
      let code = alone { curl_easy_send(easy, buffer.baseAddress, buffer.count, &count) }
      return (code, code == CURLE_OK ? count : 0)
    }
  }
}
