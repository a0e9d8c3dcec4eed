import TOML
import TOMLKit

/// The keys of a profile that is an OpenClaw gateway.
extension ConfigurationReader {
  /// nil unless the profile's kind is `openclaw`.
  mutating func gateway(_ table: TOMLTable, _ path: [String]) -> Configuration.Gateway? {
    typealias Key = Configuration.Key
    let kind = choice(table, "kind", Key.kinds, path)
    let scopes = choice(table, "scopes", Key.scopes, path)
    let auth = choice(table, "auth", Key.secrets, path)
    let attention = choice(table, "max_attention", Key.attention, path)
    var gateway = Configuration.Gateway()
    gateway.scopes = scopes.flatMap(Configuration.Gateway.Scopes.init) ?? .watch
    gateway.isPassword = auth == "password"
    gateway.pin = string(table, "pin", path)
    gateway.maxAttention = attention
    gateway.notifyCommand = string(table, "notify_command", path)
    guard kind == "openclaw" else {
      // A mistyped kind is reported once, not again for each of its keys.
      let isMistyped = kind == nil && table.contains(key: "kind")
      for key in Key.gateway.dropFirst()
      where !isMistyped && isSet(key, scopes, auth, gateway)
        && !(kind == "companion" && key == "max_attention")
      {
        complain(key, path, "belongs to a profile with kind = \"openclaw\"")
      }
      return nil
    }
    check(gateway, table, path)
    return gateway
  }

  private func isSet(
    _ key: String, _ scopes: String?, _ auth: String?, _ gateway: Configuration.Gateway
  ) -> Bool {
    switch key {
    case "scopes": scopes != nil
    case "auth": auth != nil
    case "pin": gateway.pin != nil
    case "notify_command": gateway.notifyCommand != nil
    default: gateway.maxAttention != nil
    }
  }

  private mutating func check(
    _ gateway: Configuration.Gateway, _ table: TOMLTable, _ path: [String]
  ) {
    if !table.contains(key: "url") {
      complain("kind", path, "needs a url beside it, such as \"ws://127.0.0.1:18789\"")
    }
    if table["guild"]?.string != nil {
      complain("guild", path, "belongs to a Clanky bot; leave it out")
    }
    if gateway.notifyCommand?.allSatisfy(\.isWhitespace) == true {
      complain("notify_command", path, "is empty; leave it out, or name a command")
    }
    if let pin = gateway.pin, !Self.isPin(pin) {
      complain(
        "pin", path, "must be \"sha256//\" and the 44 characters of a base64 SHA-256 hash")
    }
  }

  /// libcurl takes anything else for the name of a file.
  private static func isPin(_ text: String) -> Bool {
    let start = "sha256//"
    guard text.hasPrefix(start) else { return false }
    let hash = text.utf8.dropFirst(start.utf8.count)
    let letters = hash.dropLast().allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    return hash.count == 44 && hash.last == UInt8(ascii: "=") && letters
  }
}
