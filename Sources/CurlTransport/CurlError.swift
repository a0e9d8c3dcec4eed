import CCurl
import Networking

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Maps a libcurl result code to a transport error.
@MainActor
struct CurlError {
  let code: CURLcode
  let task: any CurlHandle

  /// nil on success.
  var transportError: TransportError? {
    switch code {
    case CURLE_OK: nil
    // libcurl uses three codes for this, one of them for a protocol it was built without.
    case _ where raw.hasPrefix("Unsupported proxy"): .proxy(text)
    case CURLE_COULDNT_CONNECT: couldNotConnect
    case CURLE_COULDNT_RESOLVE_HOST: .unknownHost
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy(text)
    case CURLE_OPERATION_TIMEDOUT:
      !task.isHeadDone && task.isAtProxy ? .proxy(CurlTask.silentProxy) : .timedOut(phase)
    case CURLE_SSL_CERTPROBLEM: .tls(.ownUnusable, text)
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .tls(.otherKey, text)
    case CURLE_SSL_CONNECT_ERROR where !task.isHeadDone && isAboutOurCertificate:
      .tls(.ownRefused, text)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: .notTLS(text)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS:
      .tls(certificateFault, text)
    // TLS 1.3 reports its objection to the client, such as a missing certificate, only after the
    // handshake.
    case CURLE_RECV_ERROR where !task.isHeadDone && raw.contains("alert"):
      .tls(isAboutOurCertificate ? .ownRefused : .other, text)
    case CURLE_RECV_ERROR: raw.contains("CONNECT") ? .proxy(text) : .connectionLost(text)
    case CURLE_SEND_ERROR, CURLE_PARTIAL_FILE: .connectionLost(text)
    case CURLE_GOT_NOTHING: .connectionLost("the answer is empty")
    case CURLE_FILESIZE_EXCEEDED: .tooLarge
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
      .malformed(text)
    // libcurl's error for a header line, the first one included, above its limit of 100 kB.
    case CURLE_OUT_OF_MEMORY
    where !task.isHeadDone && task.transferInfo(CURLINFO_PRETRANSFER_TIME) > 0:
      .malformed(HeaderCollector.tooLong)
    default: .other(text)
    }
  }

  private var couldNotConnect: TransportError {
    guard task.tunnel == nil else { return .connectionLost("the ssh tunnel was lost") }
    // The library names the host it failed to reach; if that is not ours it is the proxy.
    if !task.base.isLoopback, !raw.isEmpty, !raw.contains(task.base.host) {
      return .proxy(text)
    }
    let reason = Int32(truncatingIfNeeded: task.transferLong(CURLINFO_OS_ERRNO))
    switch reason {
    case 0, ECONNREFUSED: return .refused
    // Accepted and dropped at once: typical of a tunnel with no peer.
    case ECONNRESET, ECONNABORTED, EPIPE:
      return .connectionLost(String(cString: strerror(reason)))
    default: return .unreachable(String(cString: strerror(reason)))
    }
  }

  /// The server ended TLS with an alert about our certificate. A server of TLS 1.2 that misses one says only that the
  /// handshake failed.
  var isAboutOurCertificate: Bool {
    raw.contains("alert") && Self.certificateAlerts.contains { raw.contains($0) }
  }

  /// OpenSSL's words for the alerts 40, 42 to 46, 48, 49 and 116 (RFC 8446, 6.2).
  private static let certificateAlerts = [
    "handshake failure", "bad certificate", "unsupported certificate", "certificate revoked",
    "certificate expired", "certificate unknown", "unknown ca", "access denied",
    "certificate required",
  ]

  private var phase: TimeoutPhase { task.isHeadDone ? .transfer : task.phaseBeforeHead }

  /// The codes are those of OpenSSL's `X509_V_ERR_…`; a wrong name is found by libcurl itself.
  private var certificateFault: CertificateFault {
    switch task.transferLong(CURLINFO_SSL_VERIFYRESULT) {
    // `X509_V_ERR_APPLICATION_VERIFICATION`: from our own comparison alone.
    case 50 where task.leaf != nil: .otherCertificate
    case 9: .notYetValid
    case 10: .expired
    case 2, 18...21: .unknownAuthority
    case 62: .otherName
    default: raw.contains("subject name") ? .otherName : .other
    }
  }

  /// libcurl's raw text: for matching only, never shown.
  private var raw: String {
    let specific = task.libraryText
    return specific.isEmpty ? general : specific
  }

  private var general: String { curl_easy_strerror(code).map { String(cString: $0) } ?? "" }

  /// libcurl's message without the proxy password that it repeats.
  var text: String {
    let base = task.base
    let address = CurlTransport.variable(
      ProxyVariables(for: base, environment: CurlTransport.variable)?.proxy ?? "")
    return ProxyMessages(address: address ?? "").cleaned(
      raw, general: general, isCut: raw.utf8.count >= Int(CURL_ERROR_SIZE) - 8)
  }
}

/// Scheme, host and port as libcurl itself reads them.
struct URLOrigin: Equatable, CustomStringConvertible {
  let scheme: String
  let host: String
  let port: String
  let hasUserInfo: Bool

  init?(_ text: String) {
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK,
      let scheme = Self.part(url, CURLUPART_SCHEME), let host = Self.part(url, CURLUPART_HOST),
      let port = Self.part(url, CURLUPART_PORT)
    else { return nil }
    self.scheme = scheme.lowercased()
    let lowered = host.lowercased()
    self.host = lowered.hasSuffix(".") ? String(lowered.dropLast()) : lowered
    self.port = port
    hasUserInfo =
      Self.part(url, CURLUPART_USER) != nil || Self.part(url, CURLUPART_PASSWORD) != nil
  }

  private static func part(_ url: OpaquePointer, _ part: CURLUPart) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
    guard curl_url_get(url, part, &value, flags) == CURLUE_OK, let value else { return nil }
    defer { curl_free(value) }
    return String(cString: value)
  }

  var description: String { "\(scheme)://\(host):\(port)" }
}
