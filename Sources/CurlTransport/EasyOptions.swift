import CCurl
import Networking

/// The request header as libcurl wants it; wiped afterwards because it holds the token.
struct RequestHeaders {
  private(set) var list: UnsafeMutablePointer<curl_slist>?

  mutating func build(_ request: HTTPRequest) {
    // libcurl would wait a second for "100 Continue" before it sends a body.
    append("Expect:")
    if request.purpose == .stream { append("Accept-Encoding: identity") }
    let hasType = request.headers.contains { $0.name.lowercased() == "content-type" }
    if request.body != nil, !hasType { append("Content-Type: application/json") }
    for header in request.headers where Self.isSafe(header) {
      append("\(header.name): \(header.value)")
    }
    request.token?.withBytes { token in
      var line = Array("x-dashboard-token: ".utf8)
      line.reserveCapacity(line.count + token.count + 1)
      line.append(contentsOf: token)
      line.append(0)
      line.withUnsafeMutableBytes { buffer in
        if let start = buffer.baseAddress {
          list = curl_slist_append(list, start.assumingMemoryBound(to: CChar.self)) ?? list
        }
        for index in buffer.indices { buffer[index] = 0 }
      }
    }
  }

  /// Overwrites and frees the list. The handle that used it must be gone.
  mutating func wipe() {
    var node = list
    while let current = node {
      if let text = current.pointee.data {
        var index = 0
        while text[index] != 0 {
          text[index] = 0
          index += 1
        }
      }
      node = current.pointee.next
    }
    curl_slist_free_all(list)
    list = nil
  }

  private mutating func append(_ line: String) {
    list = curl_slist_append(list, line) ?? list
  }

  private static func isSafe(_ header: HTTPHeader) -> Bool {
    !header.name.isEmpty
      && header.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
      && header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }
}

/// Sets options of a handle and remembers whether libcurl accepted all of them.
final class EasyOptions {
  private let easy: UnsafeMutableRawPointer
  private(set) var succeeded = true

  init(easy: UnsafeMutableRawPointer) {
    self.easy = easy
  }

  func apply(
    _ request: HTTPRequest, headers: RequestHeaders, trust: TrustAnchors?, origin: OriginTLS?
  ) {
    string(CURLOPT_URL, request.base.absolute(request.target))
    string(CURLOPT_PROTOCOLS_STR, request.base.scheme.rawValue)
    string(CURLOPT_USERAGENT, "clanky-cockpit")
    check(cc_set_list(easy, CURLOPT_HTTPHEADER, headers.list))
    // Our header is meant for the backend, not for a proxy.
    long(CURLOPT_HEADEROPT, 1)
    long(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if request.base.isLoopback { string(CURLOPT_NOPROXY, "*") }
    // libcurl would send our header to the redirect target too.
    long(CURLOPT_FOLLOWLOCATION, 0)
    long(CURLOPT_NOSIGNAL, 1)
    // Without this, an unresponsive name server would block the program: libcurl joins its resolver
    // thread when a transfer is cancelled.
    check(cc_set_quick_exit(easy))
    long(CURLOPT_HTTP_VERSION, 2)  // CURL_HTTP_VERSION_1_1: a paused stream must not hold up others
    verification(trust)
    if let origin, origin.applies(to: request.base) {
      identify(pin: origin.pin, own: origin.clientCertificate)
    }
    limits(request)
    method(request)
  }

  /// A connection alone, on which WebSocket is spoken afterwards.
  func apply(_ request: WebSocketRequest, trust: TrustAnchors?, origin: OriginTLS?) {
    let base = request.url.base
    string(CURLOPT_URL, base.origin + request.url.path)
    string(CURLOPT_PROTOCOLS_STR, base.scheme.rawValue)
    long(CURLOPT_CONNECT_ONLY, 1)
    // Over http too a proxy has to give a way through: nothing but the connection is libcurl's.
    long(CURLOPT_HTTPPROXYTUNNEL, 1)
    long(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if base.isLoopback { string(CURLOPT_NOPROXY, "*") }
    long(CURLOPT_NOSIGNAL, 1)
    check(cc_set_quick_exit(easy))
    // CURL_HTTP_VERSION_1_1: over h2 there is no upgrade.
    long(CURLOPT_HTTP_VERSION, 2)
    long(CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connectMs)
    long(CURLOPT_TCP_KEEPALIVE, 1)
    long(CURLOPT_FRESH_CONNECT, 1)
    verification(trust)
    let tls = origin?.applies(to: base) == true ? origin : nil
    identify(
      pin: request.pin ?? tls?.pin, own: request.clientCertificate ?? tls?.clientCertificate)
  }

  /// Whom the server has to be, and who we are to it.
  private func identify(pin: String?, own: ClientCertificate?) {
    if let pin { string(CURLOPT_PINNEDPUBLICKEY, pin) }
    guard let own else { return }
    string(CURLOPT_SSLCERT, own.certificate)
    string(CURLOPT_SSLKEY, own.key ?? own.certificate)
    // Else OpenSSL would ask for the password of an encrypted key at the terminal.
    string(CURLOPT_KEYPASSWD, "")
  }

  /// Connects to a Unix-domain socket in place of the address; a proxy has no say then.
  func apply(socket: String) {
    string(CURLOPT_UNIX_SOCKET_PATH, socket)
    string(CURLOPT_NOPROXY, "*")
  }

  /// Replaces the check of the server's certificate. The last option to be set.
  @MainActor func apply(_ leaf: LeafPin, isAlone: Bool) {
    if !leaf.install(in: easy, isAlone: isAlone) { succeeded = false }
  }

  private func verification(_ trust: TrustAnchors?) {
    long(CURLOPT_SSL_VERIFYPEER, 1)
    long(CURLOPT_SSL_VERIFYHOST, 2)
    long(CURLOPT_SSLVERSION, 6)  // CURL_SSLVERSION_TLSv1_2 and above
    trust?.pem.withUnsafeBytes { check(cc_set_ca_blob(easy, $0.baseAddress, $0.count)) }
  }

  private func limits(_ request: HTTPRequest) {
    long(CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connectMs)
    if let total = request.timeouts.totalMs { long(CURLOPT_TIMEOUT_MS, total) }
    long(CURLOPT_BUFFERSIZE, 64 << 10)
    switch request.purpose {
    case .stream:
      long(CURLOPT_TCP_KEEPALIVE, 1)
    // No CURLOPT_LOW_SPEED_LIMIT: libcurl would wake every second to check the speed, and the
    // link itself replaces a stream that was silent for 20 s.
    case .rest:
      string(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
      // Limits declared lengths; the callback counts the actual bytes after decompression.
      check(cc_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.maxBodyBytes)))
    }
  }

  private func method(_ request: HTTPRequest) {
    if request.method != .get {
      string(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
      // On a reused connection that turns out to be dead libcurl would repeat the request by itself;
      // a change must be sent once.
      long(CURLOPT_FRESH_CONNECT, 1)
    }
    guard request.method != .get || request.body != nil else { return }
    let body = request.body ?? []
    check(cc_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
    body.withUnsafeBytes { bytes in
      if bytes.count > 0 {
        check(cc_set_bytes(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress))
      } else {
        check(cc_set_string(easy, CURLOPT_COPYPOSTFIELDS, ""))
      }
    }
  }

  private func string(_ option: CURLoption, _ value: String) {
    check(cc_set_string(easy, option, value))
  }

  private func long(_ option: CURLoption, _ value: Int) { check(cc_set_long(easy, option, value)) }

  private func check(_ code: CURLcode) { if code != CURLE_OK { succeeded = false } }
}
