import TOML
import TOMLKit

/// The keys of a profile that is a companion gateway.
extension ConfigurationReader {
  /// nil unless the profile's kind is `companion`.
  mutating func companion(_ table: TOMLTable, _ path: [String]) -> Configuration.Companion? {
    typealias Key = Configuration.Key
    var companion = Configuration.Companion()
    companion.fingerprint = string(table, "fingerprint", path)
    let capabilities = inner(
      table, "capabilities", path, such: "[profiles.NAME.capabilities]")
    let kind = table["kind"]?.string
    guard kind == "companion" else {
      let isMistyped = table.contains(key: "kind") && !Key.kinds.contains(kind ?? "")
      let isSet = [companion.fingerprint != nil, capabilities != nil]
      for (key, isSet) in zip(Key.companion, isSet) where !isMistyped && isSet {
        complain(key, path, "belongs to a profile with kind = \"companion\"")
      }
      return nil
    }
    companion.maxAttention = table["max_attention"]?.string
    if let capabilities { read(capabilities, path + ["capabilities"], into: &companion) }
    if !table.contains(key: "url") {
      complain("kind", path, "needs a url beside it; 'clanky-cockpit setup --kind companion' pairs")
    }
    if table["guild"]?.string != nil {
      complain("guild", path, "belongs to a Clanky bot; leave it out")
    }
    if let digits = companion.fingerprint, !Self.isFingerprint(digits) {
      complain(
        "fingerprint", path, "must be the 64 lower-case hexadecimal digits of a SHA-256")
    }
    return companion
  }

  private mutating func read(
    _ table: TOMLTable, _ path: [String], into companion: inout Configuration.Companion
  ) {
    typealias Key = Configuration.Key
    check(table, keys: Key.names(in: "profiles.NAME.capabilities"), path)
    companion.capabilities =
      choice(table, "profile", Key.capabilities, path)
      .flatMap(Configuration.Companion.Capabilities.init) ?? .conservative
    companion.needsFocus = bool(table, "require_focus", path) ?? false
    guard let commands = inner(table, "commands", path, such: "{ notify = \"notify-send Agent\" }")
    else { return }
    for name in commands.keys {
      guard Key.families.contains(String(name.prefix { $0 != "." })) else {
        let families = Key.families.joined(separator: ", ")
        complain(name, path + ["commands"], "must begin with one of \(families)")
        continue
      }
      companion.commands[name] = string(commands, name, path + ["commands"])
    }
  }

  private static func isFingerprint(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
