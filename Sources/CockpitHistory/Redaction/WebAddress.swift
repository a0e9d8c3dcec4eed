/// Hosts of addresses.
enum WebAddress {
  /// The host of `https://host:port/path`, in lower case; nil if the text is no address.
  static func host(of text: String) -> String? {
    guard let scheme = text.firstRange(of: "://"),
      text[..<scheme.lowerBound].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return nil }
    var rest = text[scheme.upperBound...].prefix { !"/?#\\ \"'<>".contains($0) }
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    if rest.hasPrefix("[") { return rest.prefix { $0 != "]" }.dropFirst().lowercased() }
    let host = rest.prefix { $0 != ":" }.lowercased()
    return host.isEmpty ? nil : host
  }

  /// Names of this machine say nothing about anybody.
  static func isOwn(_ host: String) -> Bool {
    host == "localhost" || host == "127.0.0.1" || host == "::1" || host == "0.0.0.0"
  }
}

/// What a document is about.
enum RecordedPlace: Hashable {
  case guilds, channels, other

  init(document name: String) {
    let path = name.prefix { $0 != "?" }
    if path == "GET /api/guilds" {
      self = .guilds
    } else if path.hasPrefix("GET /api/guilds/"), path.hasSuffix("/channels") {
      self = .channels
    } else {
      self = .other
    }
  }
}
