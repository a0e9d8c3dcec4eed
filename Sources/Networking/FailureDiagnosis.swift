/// Turns responses and transport errors into a `LinkFailure`.
package struct FailureDiagnosis: Sendable {
  /// The kind of answer the request expected.
  package enum Expectation: Sendable { case eventStream, json }

  /// Only this much of an error body is inspected.
  package static let bodyPrefixLimit = 8_192

  private let base: BackendURL
  package let token: TokenText?
  private let proxy: ProxyVariables?

  /// `base` supplies the host name for messages; `token` is redacted from remote text; `proxy` is
  /// the proxy in use.
  package init(base: BackendURL, token: TokenText?, proxy: ProxyVariables? = nil) {
    self.base = base
    self.token = token
    self.proxy = proxy
  }

  /// A transfer that ended early.
  package func failure(_ error: TransportError) -> LinkFailure {
    switch error {
    case .refused: .refused(origin: base.origin)
    case .unknownHost: .unknownHost(base.host)
    case .unreachable(let detail): .unreachable(origin: base.origin, detail: clean(detail))
    case .timedOut(.connect): .timedOut(.connect)
    case .timedOut(.handshake): .timedOut(.handshake)
    case .timedOut(.headers): .timedOut(.headers)
    case .timedOut(.transfer): .timedOut(.transfer)
    case .tls(let fault, let detail): .tls(host: base.host, fault, detail: clean(detail))
    case .notTLS(let detail): .notTLS(origin: base.origin, detail: clean(detail))
    case .proxy(let detail): .proxy(clean(detail), variables: proxy)
    case .tunnel(let sentence): .stated(clean(sentence))
    case .connectionLost(let detail), .other(let detail): .connectionLost(clean(detail))
    case .tooLarge: .answerTooLarge
    case .malformed(let detail): .transport(clean(detail))
    case .redirectRefused(let origin): .redirected(to: clean(origin))
    case .tooManyRedirects: .tooManyRedirects
    }
  }

  /// Checks a response with a header; nil if it is as expected. `body` holds at least the first
  /// `bodyPrefixLimit` bytes unless the answer is an event stream.
  package func failure(
    _ head: HTTPHead, body: some Collection<UInt8>, expecting: Expectation
  ) -> LinkFailure? {
    let text = ErrorBody(body, mediaType: head.mediaType)
    switch head.status {
    case 204 where expecting == .eventStream: return .endedByServer
    case 200...299:
      switch expecting {
      case .eventStream where head.mediaType == "text/event-stream": return nil
      case .eventStream:
        return .notClanky(
          text.isHTML ? .html(status: head.status) : .contentType(clean(head.mediaType)))
      case .json:
        if text.isHTML { return .notClanky(.html(status: head.status)) }
        return body.isEmpty || text.looksLikeJSON ? nil : .notClanky(.notJSON)
      }
    case 300...399: return .notClanky(.unexpectedStatus(head.status))
    case 401: return unauthorized(text, head)
    case 403: return .forbidden
    case 404: return notFound(text)
    case 407: return .proxy("authentication required (407)", variables: proxy)
    case 429: return .rateLimited
    case 400...499:
      return text.isHTML
        ? .notClanky(.html(status: head.status))
        : .requestRejected(status: head.status, message: message(text, head))
    default: return serverSide(text, head)
    }
  }

  /// The backend sends no challenge and answers in JSON (wire contract 1.3).
  private func unauthorized(_ text: ErrorBody, _ head: HTTPHead) -> LinkFailure {
    let isOwn = text.errorText?.hasPrefix("Unauthorized. Provide ") ?? false
    let challenge = head.value("www-authenticate")
    guard !isOwn, challenge != nil || text.isHTML else {
      return .unauthorized(tokenGiven: token != nil)
    }
    // Keep only the scheme name; the rest is arbitrary.
    let scheme = (challenge ?? "").prefix { $0.isASCII && ($0.isLetter || $0 == "-") }
    return .loginInFront(scheme: scheme.count <= 20 ? clean(String(scheme)) : "")
  }

  /// A tunnel's gate answers `{"error":"Not found."}` on every path, while the backend answers an
  /// unknown GET path in plain text (wire contract 1.6). On a remote host any other non-HTML 404 is
  /// treated as the gate.
  private func notFound(_ text: ErrorBody) -> LinkFailure {
    if text.isHTML { return .notClanky(.html(status: 404)) }
    switch text.errorText {
    case "Not found."?: return .hidden(tokenGiven: token != nil)
    case let message?: return .requestRejected(status: 404, message: clean(message))
    case nil: return base.isLoopback ? .notClanky(.wrongPath) : .hidden(tokenGiven: token != nil)
    }
  }

  private func serverSide(_ text: ErrorBody, _ head: HTTPHead) -> LinkFailure {
    if text.errorText == "dashboard_token_required_when_public_https_enabled" {
      return .tokenRequiredByServer
    }
    let code = text.cloudflareCode
    if (520...530).contains(head.status) || code != nil {
      return .tunnelDown(status: head.status, code: code)
    }
    // The backend is no gateway: 502 and 504 come from a proxy in front of it.
    let isGateway = [502, 504].contains(head.status) && text.errorText == nil
    if isGateway || (text.isHTML || text.isEmpty) && head.status == 503 {
      return .tunnelDown(status: head.status, code: nil)
    }
    if head.status == 511 { return .notClanky(.networkLogin) }
    if head.status >= 600 { return .notClanky(.unexpectedStatus(head.status)) }
    return .serverError(status: head.status, message: message(text, head))
  }

  /// The backend's own error text, else the reason phrase; never HTML.
  private func message(_ text: ErrorBody, _ head: HTTPHead) -> String {
    clean(text.errorText ?? (text.isHTML ? "" : head.reason))
  }

  private func clean(_ text: String) -> String {
    let redacted = token?.redact(text) ?? text
    return BoundedText.bounded(UserInfo.removed(from: redacted, of: .remote))
  }
}

/// The start of an untrusted error body.
package struct ErrorBody {
  private let bytes: [UInt8]
  private let mediaType: String

  package init(_ body: some Collection<UInt8>, mediaType: String) {
    let start = body.prefix(FailureDiagnosis.bodyPrefixLimit).drop { $0 <= 0x20 }
    bytes = Array(start)
    self.mediaType = mediaType
  }

  package var isEmpty: Bool { bytes.isEmpty }

  package var isHTML: Bool {
    mediaType == "text/html" || mediaType == "application/xhtml+xml" || bytes.first == 0x3C
  }

  /// Starts like a JSON value.
  package var looksLikeJSON: Bool {
    guard let first = bytes.first else { return false }
    return "{[\"-0123456789tfn".utf8.contains(first) && !isHTML
  }

  /// The value of `error`, else `reason`, of a small JSON object. A scan, not a parser: the text is
  /// only displayed, except for the two fixed sentences of the contract.
  package var errorText: String? {
    guard bytes.first == 0x7B else { return nil }
    return string(after: "\"error\"") ?? string(after: "\"reason\"")
  }

  /// `error code: 1033` of Cloudflare's pages.
  package var cloudflareCode: Int? {
    let lowered = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    for marker in ["error code: ", "error code</span> <span>", "cf-error-code\">", "error "] {
      var from = 0
      while let at = lowered.firstIndex(of: marker.utf8, from: from) {
        let digits = lowered[(at + marker.utf8.count)...].prefix { (0x30...0x39).contains($0) }
        if digits.count == 4, let code = Int(String(decoding: digits, as: UTF8.self)),
          (1_000...1_299).contains(code)
        {
          return code
        }
        from = at + 1
      }
    }
    return nil
  }

  private func string(after key: String) -> String? {
    guard let at = bytes.firstIndex(of: key.utf8, from: 0) else { return nil }
    var rest = bytes[(at + key.utf8.count)...].drop { $0 <= 0x20 }
    guard rest.first == 0x3A else { return nil }
    rest = rest.dropFirst().drop { $0 <= 0x20 }
    guard rest.first == 0x22 else { return nil }
    var value: [UInt8] = []
    var escaped = false
    for byte in rest.dropFirst() {
      if escaped {
        // Only the escapes that stand for themselves; others are shown as they came.
        if byte != 0x22, byte != 0x5C, byte != 0x2F { value.append(0x5C) }
        value.append(byte)
        escaped = false
      } else if byte == 0x5C {
        escaped = true
      } else if byte == 0x22 {
        break
      } else {
        value.append(byte)
      }
    }
    return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
  }
}

extension [UInt8] {
  /// First position of `pattern`; patterns are short constants and the array is bounded.
  fileprivate func firstIndex(of pattern: String.UTF8View, from start: Int) -> Int? {
    guard let first = pattern.first, count >= pattern.count + start else { return nil }
    return (start...(count - pattern.count)).first { index in
      self[index] == first && self[index..<(index + pattern.count)].elementsEqual(pattern)
    }
  }
}
