/// The purpose of an HTTP request; it decides limits and how the answer is delivered.
package enum RequestPurpose: Sendable {
  /// An event stream: no total timeout, no compression.
  case stream
  /// An ordinary request with a bounded answer.
  case rest
}

/// Time limits of one request, milliseconds.
package struct HTTPTimeouts: Sendable, Equatable {
  /// Name resolution, TCP and TLS together.
  package var connectMs: Int
  /// From the start to the end of the response header.
  package var headersMs: Int
  /// Time limit of the whole request; nil for streams.
  package var totalMs: Int?

  /// The limits of the promises: connect 5 s, header 10 s.
  package init(connectMs: Int = 5_000, headersMs: Int = 10_000, totalMs: Int? = nil) {
    self.connectMs = connectMs
    self.headersMs = headersMs
    self.totalMs = totalMs
  }
}

/// HTTP methods the backend knows.
package enum HTTPMethod: String, Sendable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"
}

/// One HTTP request to the configured backend.
package struct HTTPRequest: Sendable {
  /// GET unless something is changed.
  package var method: HTTPMethod
  /// The backend; decides the origin.
  package var base: BackendURL
  /// The path and query below `base`.
  package var target: RequestTarget
  /// Decides limits and compression.
  package var purpose: RequestPurpose
  /// Sent as `x-dashboard-token`, to the origin of `base` only.
  package var token: TokenText?
  /// Additional headers. Names and values with control characters are dropped by the transport.
  package var headers: [HTTPHeader]
  /// Sent with `Content-Type: application/json`, unless `headers` has another one.
  package var body: [UInt8]?
  /// The server's certificate, instead of the check of issuer and host name.
  package var fingerprint: CertificateFingerprint?
  /// Enforced by the transport.
  package var timeouts: HTTPTimeouts
  /// Answers longer than this (after decompression) end with `TransportError.tooLarge`.
  package var maxBodyBytes: Int

  /// 64 MiB: `/api/actions?limit=1000` "can be tens of MB" (wire contract 9.4).
  package static let defaultMaxBodyBytes = 64 << 20

  /// A request; everything but place and purpose has a default.
  package init(
    method: HTTPMethod = .get, base: BackendURL, target: RequestTarget, purpose: RequestPurpose,
    token: TokenText?, headers: [HTTPHeader] = [], body: [UInt8]? = nil,
    timeouts: HTTPTimeouts = HTTPTimeouts(), maxBodyBytes: Int = defaultMaxBodyBytes
  ) {
    self.method = method
    self.base = base
    self.target = target
    self.purpose = purpose
    self.token = token
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.maxBodyBytes = maxBodyBytes
  }
}

/// One header line.
package struct HTTPHeader: Sendable, Equatable {
  /// As sent.
  package let name: String
  /// As sent: remote text in an answer.
  package let value: String

  /// A header line from its two parts.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// Status line and header of a final answer (1xx and followed redirects are not shown).
package struct HTTPHead: Sendable, Equatable {
  /// HTTP status, 200 or above.
  package let status: Int
  /// Reason phrase as sent: remote text, bounded by the transport's limit for a header.
  package let reason: String
  /// In the order sent, duplicates included.
  package let headers: [HTTPHeader]

  /// Keeps everything as sent: text that was cut could not be searched for the token.
  package init(status: Int, reason: String = "", headers: [HTTPHeader] = []) {
    self.status = status
    self.reason = reason
    self.headers = headers
  }

  /// The first header of that name, compared without case.
  package func value(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// Media type in lower case without parameters, `""` when absent.
  package var mediaType: String {
    guard let value = value("content-type") else { return "" }
    let type = value.prefix { $0 != ";" }
    return type.trimmingASCIISpace().lowercased()
  }
}

/// Why a transfer ended without a complete answer.
package enum TransportError: Error, Sendable, Equatable {
  case refused
  case unknownHost
  /// No connection came about, for another reason than a refusal; the system's words.
  case unreachable(String)
  case timedOut(TimeoutPhase)
  /// The certificate was not acceptable; the text comes from the TLS library.
  case tls(CertificateFault, String)
  /// The far side does not speak TLS, or no version that is accepted; the library's words.
  case notTLS(String)
  case proxy(String)
  /// The tunnel to the origin is not open: what happened and what to do.
  case tunnel(String)
  /// The connection broke before the answer was complete.
  case connectionLost(String)
  /// The header or body was longer than allowed.
  case tooLarge
  /// The far side does not speak HTTP as we know it.
  case malformed(String)
  /// A redirect to another origin was not followed; the text is that origin.
  case redirectRefused(String)
  case tooManyRedirects
  /// Anything else the library reports.
  case other(String)
}

/// What is wrong with a certificate, as far as it changes the next step.
package enum CertificateFault: Sendable, Equatable {
  case expired, notYetValid, otherName, unknownAuthority, other
  /// The server's public key is not the pinned one.
  case otherKey
  /// The server's certificate does not have the fingerprint of the request.
  case otherCertificate
  /// The TLS library cannot compare a fingerprint; nothing was sent.
  case fingerprintUnsupported
  /// Our own certificate and key cannot be used together.
  case ownUnusable
  /// The server did not accept our certificate, or misses one.
  case ownRefused
}

/// Which limit ran out.
package enum TimeoutPhase: String, Sendable {
  /// `handshake`: the connection was accepted, but TLS did not start.
  case connect, handshake, headers, transfer
}

/// How a transfer ended.
package struct TransportEnd: Sendable, Equatable {
  /// nil if the answer is complete.
  package let error: TransportError?
  /// Whether any byte of the request may have reached the server. False means certainly not, so
  /// repeating a change is safe.
  package let requestWasSent: Bool

  /// An end; by default the request counts as sent.
  package init(error: TransportError?, requestWasSent: Bool = true) {
    self.error = error
    self.requestWasSent = requestWasSent
  }
}

/// A running transfer.
@MainActor
package protocol TransportTask: AnyObject {
  /// Ends the transfer. The delegate is not called any more.
  func cancel()
  /// Leaves the socket unread; chunks already on their way up may still be delivered once.
  func pause()
  /// Continues after `pause`.
  func resume()
}

/// Hears about one transfer. Calls come on the main actor, never from inside `Transport.open`.
@MainActor
package protocol TransportDelegate: AnyObject {
  /// The header of the final answer.
  func transfer(_ task: any TransportTask, received head: HTTPHead)
  /// A piece of the body, valid during the call only, never empty.
  func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer)
  /// The transfer has ended; always the last call.
  func transfer(_ task: any TransportTask, ended end: TransportEnd)
}

/// Carries out HTTP requests.
@MainActor
package protocol Transport: AnyObject {
  /// Starts a request. The delegate is retained until the transfer ends or is cancelled.
  func open(_ request: HTTPRequest, delegate: any TransportDelegate) -> any TransportTask
  /// The proxy that requests to this backend go through, as far as the environment names it.
  func proxy(for base: BackendURL) -> ProxyVariables?
}

extension Transport {
  /// Default for transports without proxy support.
  package func proxy(for base: BackendURL) -> ProxyVariables? { nil }
}
