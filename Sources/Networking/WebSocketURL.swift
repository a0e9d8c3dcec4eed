/// The address of a WebSocket server: `ws://` or `wss://`.
package struct WebSocketURL: Sendable, Hashable, CustomStringConvertible {
  /// Why an address is refused. No message repeats it: it may hold a password.
  package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
    case scheme
    /// Everything that an http address must be as well.
    case address(BackendURL.Problem)
    case plain(host: String)

    package var description: String {
      switch self {
      case .scheme:
        "A gateway has an address such as ws://127.0.0.1:18789 or wss://host; put ws:// or wss:// in front of it."
      case .address(let problem): problem.description
      case .plain(let host):
        "ws:// would send the token readable to \(host); use wss://, or allow it in the profile with allow_plain_http = true."
      }
    }
  }

  /// Host, port and path, with `http` for `ws` and `https` for `wss`.
  package internal(set) var base: BackendURL

  /// - Parameter insecure: `ws://` to any host, not only to this machine and to private addresses.
  package init(_ text: String, insecure: Bool = false) throws(Problem) {
    let text = text.trimmingASCIISpace()
    guard let separator = text.firstRange(of: "://") else { throw .scheme }
    let scheme: String
    switch text[..<separator.lowerBound].lowercased() {
    case "ws": scheme = "http"
    case "wss": scheme = "https"
    default: throw .scheme
    }
    do throws(BackendURL.Problem) {
      base = try BackendURL(scheme + text[separator.lowerBound...], allowPlainHTTP: true)
    } catch {
      throw .address(error)
    }
    guard insecure || base.scheme == .https || base.isLoopback || PrivateAddress.is(base.host)
    else { throw .plain(host: base.host) }
  }

  /// `host:port`, the port left out when it is the default one: what `Host` holds.
  package var authority: String { String(base.origin.dropFirst(base.scheme.rawValue.count + 3)) }

  /// The path of the request, with its slash.
  package var path: String { base.basePath.isEmpty ? "/" : base.basePath }

  /// The same address, seen from an ssh host.
  package func seen(from host: String?) -> WebSocketURL {
    var url = self
    url.base.via = host
    return url
  }

  /// Scheme, host and port: what a stored credential belongs to.
  package var origin: String { (base.scheme == .https ? "wss://" : "ws://") + authority }

  package var description: String { origin + base.basePath }
}

/// Addresses that are not routed through the internet (RFC 1918, 3927, 4193, 4291). As strict as
/// `Loopback`: other spellings count as public.
enum PrivateAddress {
  static func `is`(_ host: String) -> Bool {
    if host.contains(":") {
      guard let first = host.split(separator: ":").first, !host.hasPrefix(":"),
        let group = Int(first, radix: 16), first.count == 4
      else { return false }
      return group & 0xFE00 == 0xFC00 || group & 0xFFC0 == 0xFE80
    }
    let octets = host.split(separator: ".", omittingEmptySubsequences: false).map { octet in
      UInt8(octet).flatMap { String($0) == octet ? $0 : nil }
    }
    guard octets.count == 4, let first = octets[0], let second = octets[1], octets[2] != nil,
      octets[3] != nil
    else { return false }
    return first == 10 || first == 172 && (16...31).contains(second)
      || first == 192 && second == 168 || first == 169 && second == 254
  }
}
