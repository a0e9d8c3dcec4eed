/// One WebSocket connection to be made.
package struct WebSocketRequest: Sendable {
  package var url: WebSocketURL
  /// What follows the `?` of the address, encoded; it may be a secret. nil for none.
  package var query: String?
  /// Additional headers, for tunnels and access proxies. Unsafe ones are dropped by the transport.
  package var headers: [HTTPHeader]
  package var clientCertificate: ClientCertificate?
  /// `sha256//` and the base64 hash of the server's public key; any other key is refused.
  package var pin: String?
  /// The server's certificate, instead of the check of issuer and host name.
  package var fingerprint: CertificateFingerprint?
  /// `connectMs` for the connection, `headersMs` for connection and upgrade together.
  package var timeouts: HTTPTimeouts
  /// The most bytes of one message; a longer one ends the connection with 1009.
  package var maximumMessage: Int

  /// The limits of the contract: 15 s until the server greets, 25 MiB a message.
  package init(
    url: WebSocketURL, query: String? = nil, headers: [HTTPHeader] = [],
    clientCertificate: ClientCertificate? = nil,
    pin: String? = nil, fingerprint: CertificateFingerprint? = nil,
    timeouts: HTTPTimeouts = HTTPTimeouts(headersMs: 15_000),
    maximumMessage: Int = 25 << 20
  ) {
    self.url = url
    self.query = query
    self.headers = headers
    self.clientCertificate = clientCertificate
    self.pin = pin
    self.fingerprint = fingerprint
    self.timeouts = timeouts
    self.maximumMessage = maximumMessage
  }

  package func adding(_ more: [HTTPHeader]) -> WebSocketRequest {
    var request = self
    request.headers += more
    return request
  }
}

/// The certificate with which this program shows who it is: PEM files.
package struct ClientCertificate: Sendable, Hashable {
  package var certificate: String
  /// nil when the certificate's file holds the key too.
  package var key: String?

  package init(certificate: String, key: String? = nil) {
    self.certificate = certificate
    self.key = key
  }
}

/// Why a WebSocket connection is over. Text of the far side is as sent, within bounds.
package enum WebSocketEnd: Error, Sendable, Equatable {
  /// There was no connection.
  case failed(TransportError)
  /// The server answered the upgrade with an ordinary answer; the body's first KiB.
  case refused(status: Int, reason: String, body: [UInt8])
  /// Closed with this code: 1006 when the connection ended without a close, the reason says how.
  case closed(code: Int, reason: String)
  /// The server broke the protocol; it was closed with this code.
  case violated(code: Int, why: String)
}

/// A WebSocket connection.
@MainActor
package protocol WebSocketConnection: AnyObject {
  /// Sends one text message; nothing happens before `opened` and after `close`.
  func send(_ text: [UInt8])
  /// Says goodbye and waits a little for the answer; the delegate hears the end.
  func close(code: Int, reason: String)
  /// Ends at once. The delegate is not called any more.
  func cancel()
}

/// Hears about one connection. Calls come on the main actor, never from inside a call to it.
@MainActor
package protocol WebSocketDelegate: AnyObject {
  /// The upgrade is accepted.
  func opened(_ socket: any WebSocketConnection)
  /// A whole text message: valid UTF-8.
  func socket(_ socket: any WebSocketConnection, received text: [UInt8])
  /// A whole binary message.
  func socket(_ socket: any WebSocketConnection, receivedBinary bytes: [UInt8])
  /// Always the last call.
  func socket(_ socket: any WebSocketConnection, ended end: WebSocketEnd)
}

/// Makes WebSocket connections.
@MainActor
package protocol WebSocketTransport: AnyObject {
  /// Begins to connect. The delegate is retained until the end or `cancel`.
  func connect(
    _ request: WebSocketRequest, delegate: any WebSocketDelegate
  ) -> any WebSocketConnection
}

extension WebSocketRequest {
  /// Path and query, as the request line has them.
  package var target: String { url.path + (query.map { "?" + $0 } ?? "") }
}
