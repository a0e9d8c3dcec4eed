/// The host of a profile's `ssh`, as OpenSSH takes it: `host`, `user@host`, or an alias of its configuration.
package enum SSHHost {
  /// What is wrong with it; nil if nothing is. What begins with a hyphen would be an option, and no shell reads it.
  package static func problem(_ host: String) -> String? {
    guard !host.isEmpty, host.utf8.count <= 255 else { return "must name a host" }
    let parts = host.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") }) else {
      return "must be a host such as \"bot.example\" or \"user@bot.example\""
    }
    let isPlain = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-._@:+%".utf8.contains(byte)
      }
    }
    return isPlain
      ? nil : "must be a host such as \"bot.example\"; a port and a key belong into ~/.ssh/config"
  }
}
