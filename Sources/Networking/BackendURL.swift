/// The validated base URL of a backend. Every request of the link lies below it.
package struct BackendURL: Sendable, Hashable, CustomStringConvertible {
  /// The two schemes a backend can have.
  package enum Scheme: String, Sendable {
    case http, https

    /// The port when none is written.
    package var defaultPort: Int { self == .http ? 80 : 443 }
  }

  /// Why a URL is refused. Exit code 2. No message repeats the URL: it may hold a password.
  package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
    case empty
    case missingScheme
    case scheme
    case userInfo
    case queryOrFragment
    case host
    case port
    case path
    case plainHTTP(host: String)

    package var description: String {
      switch self {
      case .empty: "The URL is empty; write something like http://127.0.0.1:8787."
      case .missingScheme: "The URL has no scheme; put http:// or https:// in front of it."
      case .scheme: "Only http:// and https:// URLs can be used; change the scheme."
      case .userInfo:
        "The URL contains a user name or password; remove everything before the @ and use --token-file."
      case .queryOrFragment:
        "The URL has a query or a fragment; remove everything from the first ? or #."
      case .host:
        "The URL has no usable host name; write a DNS name (punycode for non-ASCII) or an IP address."
      case .port: "The port in the URL is not between 1 and 65535; correct it."
      case .path: "The path of the URL contains characters that need percent-encoding; encode them."
      case .plainHTTP(let host):
        """
        Plain http would send the token readable to \(host); use https:// or add --allow-plain-http.
        """
      }
    }
  }

  /// `http` only for loopback, unless it was allowed.
  package let scheme: Scheme
  /// Lower case, without brackets, without a trailing dot.
  package let host: String
  /// The written port, or the default one of the scheme.
  package let port: Int
  /// Empty or `/something`, never with a trailing slash.
  package let basePath: String
  /// The ssh host that the address is seen from; nil for this machine. It tells apart what has the same address on
  /// several machines.
  package var via: String?

  /// Parses and validates `--url`.
  package init(_ text: String, allowPlainHTTP: Bool = false) throws(Problem) {
    let text = text.trimmingASCIISpace()
    guard !text.isEmpty else { throw .empty }
    guard let separator = text.firstRange(of: "://") else { throw .missingScheme }
    guard let scheme = Scheme(rawValue: text[..<separator.lowerBound].lowercased()) else {
      throw .scheme
    }
    let rest = text[separator.upperBound...]
    let authorityEnd = rest.firstIndex { "/?#\\".contains($0) } ?? rest.endIndex
    let authority = rest[..<authorityEnd]
    // Before anything else: a password may contain any character.
    guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw .userInfo }
    let tail = rest[authorityEnd...]
    guard !tail.contains(where: { $0 == "?" || $0 == "#" }) else { throw .queryOrFragment }
    let (host, port) = try Self.parseAuthority(authority)
    let path = try Self.parsePath(tail)
    if scheme == .http, !allowPlainHTTP, !Loopback.isLoopback(host) {
      throw .plainHTTP(host: host)
    }
    self.scheme = scheme
    self.host = host
    self.port = port ?? scheme.defaultPort
    basePath = path
  }

  private static func parseAuthority(
    _ authority: Substring
  ) throws(Problem) -> (host: String, port: Int?) {
    var hostText: Substring
    var portText: Substring?
    if authority.first == "[" {
      guard let close = authority.firstIndex(of: "]") else { throw .host }
      hostText = authority[authority.index(after: authority.startIndex)..<close]
      guard hostText.contains(":"),
        hostText.utf8.allSatisfy({ HostBytes.isHex($0) || $0 == 0x3A || $0 == 0x2E })
      else { throw .host }
      let after = authority[authority.index(after: close)...]
      if !after.isEmpty {
        guard after.first == ":" else { throw .host }
        portText = after.dropFirst()
      }
    } else {
      let pieces = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      hostText = pieces.first ?? ""
      if pieces.count == 2 { portText = pieces[1] }
      if hostText.hasSuffix(".") { hostText = hostText.dropLast() }
      guard !hostText.isEmpty, hostText.utf8.count <= 253,
        hostText.utf8.allSatisfy(HostBytes.isName),
        hostText.utf8.first != UInt8(ascii: "-"), hostText.utf8.first != UInt8(ascii: "."),
        !hostText.contains("..")
      else { throw .host }
    }
    guard let portText, !portText.isEmpty else { return (hostText.lowercased(), nil) }
    guard portText.utf8.count <= 5, portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(portText), (1...65_535).contains(port)
    else { throw .port }
    return (hostText.lowercased(), port)
  }

  private static func parsePath(_ tail: Substring) throws(Problem) -> String {
    guard tail.utf8.allSatisfy(HostBytes.isPath) else { throw .path }
    let segments = tail.split(separator: "/")
    guard !segments.contains(where: { $0 == "." || $0 == ".." }) else { throw .path }
    var path = ""
    for segment in segments {
      path += "/"
      path += segment
    }
    return path
  }

  /// `scheme://host:port`, the port left out when it is the default one.
  package var origin: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == scheme.defaultPort
      ? "\(scheme.rawValue)://\(name)" : "\(scheme.rawValue)://\(name):\(port)"
  }

  package var description: String { address + (via.map { " via \($0)" } ?? "") }

  /// The URL itself.
  package var address: String { origin + basePath }

  /// 127.0.0.0/8, `::1` or `localhost`.
  package var isLoopback: Bool { Loopback.isLoopback(host) }

  /// Same scheme, host and port (RFC 6454).
  package func hasSameOrigin(as other: BackendURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// The absolute URL of a target below this base.
  package func absolute(_ target: RequestTarget) -> String {
    origin + basePath + target.encoded
  }
}

/// Addresses that never leave the machine. Deliberately strict: `127.1` or octal forms are not
/// recognised and count as remote.
enum Loopback {
  static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" { return true }
    if host.contains(":") {
      // "::1" in any spelling: groups of zeros, then a one.
      let groups = host.split(separator: ":", omittingEmptySubsequences: true)
      guard let last = groups.last, Int(last, radix: 16) == 1, last.count <= 4 else { return false }
      let zeros = groups.dropLast().allSatisfy { $0.count <= 4 && Int($0, radix: 16) == 0 }
      return zeros && (host.contains("::") || groups.count == 8)
    }
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    guard octets.count == 4, octets[0] == "127" else { return false }
    return octets.allSatisfy { octet in
      guard octet.utf8.count <= 3, let value = UInt8(octet) else { return false }
      return String(value) == octet
    }
  }
}

private enum HostBytes {
  static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  static func isName(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// pchar of RFC 3986 plus the slash.
  static func isPath(_ byte: UInt8) -> Bool {
    isName(byte) || "/~!$&'()*+,;=:@%".utf8.contains(byte)
  }
}
