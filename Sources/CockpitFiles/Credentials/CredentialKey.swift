/// The origin a token belongs to. A token saved for one scheme, host and port is never used for
/// another (promise P6).
package struct CredentialKey: Hashable, Sendable {
  /// `http` or `https`.
  package let scheme: String
  /// Lower case, without brackets.
  package let host: String
  package let port: Int

  /// Takes the parts of a checked address; the port is always the real one, never left out.
  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// `https://bot.example:443`, the name of the item in a keyring.
  package var origin: String {
    "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// The key as a file name: `https_443_bot.example`. No host name contains `+`, so an IPv6 address
  /// cannot collide with one.
  var fileName: String { "\(scheme)_\(port)_\(host.replacing(":", with: "+"))" }
}

/// Where a saved token is stored.
package enum CredentialPlace: Hashable, Sendable, CustomStringConvertible {
  /// The keyring of a Linux desktop, through `secret-tool`.
  case secretService
  /// The login keychain of macOS, through `security`.
  case keychain
  /// A file of ours, 0600 in 0700.
  case file(String)

  package var description: String {
    switch self {
    case .secretService: "Secret Service"
    case .keychain: "Keychain"
    case .file(let path): "file \(path)"
    }
  }
}
