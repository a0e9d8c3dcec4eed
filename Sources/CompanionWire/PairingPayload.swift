internal import DeviceKeys
internal import LenientJSON

/// What a companion gateway shows as a QR code: where it is, whom to trust, and a challenge to sign.
package struct PairingPayload: Sendable, Equatable {
  /// `wss://…`, or `ws://` to this machine.
  package var endpoint: String
  /// SHA-256 of the leaf certificate in DER, 64 lower-case hexadecimal digits; it replaces the check of the
  /// certificate's issuer. nil for `ws://`.
  package var fingerprint: String?
  /// base64url.
  package var challenge: String

  /// Why a text is no payload. No message repeats the text.
  package enum Problem: Error, Sendable, Equatable, CaseIterable, CustomStringConvertible {
    case empty, tooLong, notJSON, endpoint, plain, fingerprint, challenge

    package var description: String {
      switch self {
      case .empty: "The pairing code is empty. Paste what the gateway shows."
      case .tooLong: "This is too long for a pairing code. Paste the code alone."
      case .notJSON: "This is not a pairing code, or part of it is missing. Copy it whole."
      case .endpoint: "The pairing code names no address. Make a new one on the gateway."
      case .plain:
        "The pairing code has a ws:// address of another machine; only wss:// is accepted there."
      case .fingerprint:
        "The fingerprint in the pairing code is not a SHA-256. Make a new one on the gateway."
      case .challenge: "The pairing code has no usable challenge. Make a new one on the gateway."
      }
    }
  }

  private static let maximumLength = 8_192
  private static let scheme = "oc-pair://"

  /// - Parameter text: the JSON object, or `oc-pair://` and the object in base64url. Unknown members are ignored.
  package init(_ text: String) throws(Problem) {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    guard !text.isEmpty else { throw .empty }
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
    if text.lowercased().hasPrefix(Self.scheme) {
      text.removeFirst(Self.scheme.count)
      if text.hasSuffix("/") { text.removeLast() }
      guard let bytes = Base64URL.decoded(text), let body = String(validating: bytes, as: UTF8.self)
      else { throw .notJSON }
      text = body
    }
    guard let value = try? JSONValue.parse(text), let fields = JSONFields(value) else {
      throw .notJSON
    }
    guard let endpoint = fields.string("endpoint"), let host = Self.host(endpoint) else {
      throw .endpoint
    }
    let isPlain = endpoint.hasPrefix("ws://")
    guard !isPlain || Self.loopback.contains(host) else { throw .plain }
    guard let challenge = fields.string("challenge"), Base64URL.decoded(challenge) != nil,
      !challenge.isEmpty
    else { throw .challenge }
    let digits = fields.string("fingerprint") ?? ""
    guard Self.isSHA256(digits) || (isPlain && digits.isEmpty) else { throw .fingerprint }
    self.endpoint = endpoint
    self.challenge = challenge
    fingerprint = isPlain ? nil : digits
  }

  private static let loopback: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

  private static func isSHA256(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  /// The host of a `ws` or `wss` address; nil for any other text.
  private static func host(_ endpoint: String) -> String? {
    for scheme in ["wss://", "ws://"] where endpoint.hasPrefix(scheme) {
      let rest = endpoint.dropFirst(scheme.count)
      let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      // A user name in front of the host could disguise the real host.
      guard !authority.contains("@") else { return nil }
      let host =
        authority.hasPrefix("[")
        ? String(authority.prefix { $0 != "]" }) + "]" : String(authority.prefix { $0 != ":" })
      return host.isEmpty ? nil : host.lowercased()
    }
    return nil
  }

  /// The server that the pairing is requested of, at `/pair`: the endpoint's host and port, `https` for `wss`.
  package var pairOrigin: String {
    let isTLS = endpoint.hasPrefix("wss://")
    let rest = endpoint.dropFirst(isTLS ? 6 : 5)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return (isTLS ? "https://" : "http://") + authority
  }
}
