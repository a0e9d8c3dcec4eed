/// The origin a token belongs to. A token saved for one scheme, host and port is never used for
/// another (promise P6).
package struct CredentialKey: Hashable, Sendable {
  /// `http` or `https`; for a gateway what is kept of it, such as `wss-device`.
  package let scheme: String
  /// Lower case, without brackets.
  package let host: String
  package let port: Int
  /// Of a gateway: each profile is a device of its own. Empty for Clanky.
  package let profile: String

  /// Takes the parts of a checked address; the port is always the real one, never left out.
  package init(scheme: String, host: String, port: Int, profile: String = "") {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.profile = profile
  }

  /// `https://bot.example:443`, the name of the item in a keyring.
  package var origin: String {
    let user = profile.isEmpty ? "" : Self.plain(profile) + "@"
    return "\(scheme)://\(user)\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// What a keyring shows beside the item.
  var label: String {
    profile.isEmpty ? "Clanky dashboard token for \(origin)" : "OpenClaw gateway \(origin)"
  }

  /// The key as a file name: `https_443_bot.example`. No host name contains `+`, so an IPv6 address
  /// cannot collide with one.
  var fileName: String {
    let name = "\(scheme)_\(port)_\(host.replacing(":", with: "+"))"
    return profile.isEmpty ? name : "\(name)@\(Self.plain(profile))"
  }

  /// A profile's name in letters that files and addresses take; different names stay different.
  private static func plain(_ name: String) -> String {
    var plain = ""
    for byte in name.utf8 {
      let letter = Unicode.Scalar(byte)
      let isPlain =
        letter.isASCII && letter.properties.isAlphabetic || ("0"..."9").contains(letter)
        || letter == "-" || letter == "_"
      let digits = (byte < 16 ? "0" : "") + String(byte, radix: 16)
      plain += isPlain ? String(Character(letter)) : "%" + digits
    }
    return plain
  }
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
