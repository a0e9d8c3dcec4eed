import CCurl
import Networking

/// What has an easy handle on the transport's multi handle: a request, or a socket.
@MainActor
protocol CurlHandle: AnyObject {
  var base: BackendURL { get }
  var easy: UnsafeMutableRawPointer? { get }
  /// The certificate that the server must have; nil where the system's authorities decide.
  var leaf: LeafPin? { get }
  /// The Unix-domain socket that leads to the server; nil where the network does.
  var tunnel: String? { get }
  /// The answer's header is complete; a socket has none.
  var isHeadDone: Bool { get }
  /// The server, or a proxy, accepted the connection.
  var isTaken: Bool { get set }
  var errorText: UnsafeMutablePointer<CChar>? { get }

  /// Reports a failure from outside the call that began it.
  func failSoon(_ error: TransportError)
  /// libcurl is done with the handle.
  func finished(_ code: CURLcode)
  func cancel()
  /// Frees the handle and wipes what it held.
  func destroy()
}

/// Facts for error messages.
extension CurlHandle {
  /// A proxy took the connection and has not made one to the backend yet.
  var isAtProxy: Bool {
    isTaken && !base.isLoopback && transferLong(CURLINFO_HTTP_CONNECTCODE) == 0
      && ![0, base.port].contains(transferLong(CURLINFO_PRIMARY_PORT))
  }

  /// How far a transfer without a header has got.
  var phaseBeforeHead: TimeoutPhase {
    if transferInfo(CURLINFO_PRETRANSFER_TIME) > 0 { return .headers }
    return base.scheme == .https && isTaken ? .handshake : .connect
  }

  /// libcurl waits for input: while connecting it waits until it can write. Before the name is
  /// resolved it waits for its own resolver.
  func waitsForBytes() {
    if transferInfo(CURLINFO_NAMELOOKUP_TIME) > 0 { isTaken = true }
  }

  var libraryText: String {
    guard let errorText else { return "" }
    return String(cString: errorText)
  }

  func transferLong(_ info: CURLINFO) -> Int {
    guard let easy else { return 0 }
    var value = 0
    cc_get_long(easy, info, &value)
    return value
  }

  func transferInfo(_ info: CURLINFO) -> Double {
    guard let easy else { return 0 }
    var value = 0.0
    cc_get_double(easy, info, &value)
    return value
  }
}
