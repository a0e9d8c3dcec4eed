import Children
import Foundation

/// Bots that announce themselves on the local network by mDNS (`_clanky._tcp`), found through the system's own
/// tool. Anybody on the network can announce anything: only name and address are used, and the user confirms them.
package struct LocalBot: Hashable, Sendable {
  /// Untrusted text.
  package var name: String
  /// `http://HOST:PORT`; the host is a numeric address, or a name under `.local`.
  package var url: String

  /// nil if the host is no plain address or name, or the port is none.
  package init?(name: String, host: String, port: String) {
    guard let number = UInt16(port), number > 0 else { return nil }
    var host = host.lowercased()
    if host.hasSuffix(".") { host.removeLast() }
    let isIPv6 = host.contains(":")
    let allowed: (UInt8) -> Bool = { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
        || (isIPv6 && byte == 0x3A)
    }
    guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(allowed),
      // An address of one link needs the name of the link, which a URL does not have.
      !host.hasPrefix("fe80:")
    else { return nil }
    let name = String(name.prefix(200))
    self.name = name.isEmpty ? host : name
    url = "http://" + (isIPv6 ? "[\(host)]" : host) + ":\(number)"
  }
}

/// The programs that look for bots, and the reading of what they print.
package enum LocalBots {
  /// The service that a bot announces.
  package static let service = "_clanky._tcp"
  /// Most that are listed.
  static let most = 20

  package enum Tool: String, CaseIterable, Sendable {
    case avahi = "avahi-browse"
    case dnsSD = "dns-sd"

    /// avahi-browse: resolve the services (`-r`), print parsable columns (`-p`), exit (`-t`). dns-sd: print the
    /// records of all services (`-Z`); it runs until it is killed.
    var arguments: [String] {
      switch self {
      case .avahi: ["-rtp", LocalBots.service]
      case .dnsSD: ["-Z", LocalBots.service]
      }
    }
  }

  /// The first of the tools that this machine has.
  package static func tool(in environment: [String: String]) -> (tool: Tool, path: String)? {
    for tool in Tool.allCases {
      if let path = Program.find(tool.rawValue, environment: environment) { return (tool, path) }
    }
    return nil
  }

  /// Looks for bots, for at most `patience`. What the tool printed until then counts.
  package static func find(
    with tool: Tool, at path: String, environment: [String: String], patience: Duration,
    unless isCalledOff: () -> Bool = { false }
  ) -> [LocalBot] {
    let program = HelperProgram(path: path, arguments: tool.arguments, environment: environment)
    let output = Result { () throws(HelperProgram.Problem) in
      try program.output(within: patience, unless: isCalledOff)
    }
    // A search that is nice to have: without it the address is typed.
    guard case .success(let bytes) = output else { return [] }
    return read(String(decoding: bytes, as: UTF8.self), of: tool)
  }

  /// The bots in the output of a tool, each once.
  package static func read(_ text: String, of tool: Tool) -> [LocalBot] {
    var bots: [LocalBot] = []
    for line in text.split(whereSeparator: \.isNewline).prefix(1000) {
      let bot = tool == .avahi ? avahi(line) : zone(line)
      guard let bot, !bots.contains(where: { $0.url == bot.url }) else { continue }
      // IPv4 is the address that people compare.
      if bot.url.contains("["), bots.contains(where: { $0.name == bot.name }) { continue }
      bots.append(bot)
      if bots.count == most { break }
    }
    return bots
  }

  /// `=;eth0;IPv4;Den\032Bot;_clanky._tcp;local;den.local;192.168.1.5;8787;"txt"`
  private static func avahi(_ line: Substring) -> LocalBot? {
    let fields = split(line)
    guard fields.count >= 9, fields[0] == "=", fields[4] == service else { return nil }
    return LocalBot(name: plain(fields[3]), host: fields[7], port: fields[8])
  }

  /// `Den\032Bot._clanky._tcp   SRV   0 0 8787 den.local. ; …`
  private static func zone(_ line: Substring) -> LocalBot? {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard words.count >= 6, words[1] == "SRV", let end = words[0].range(of: ".\(service)") else {
      return nil
    }
    return LocalBot(
      name: plain(String(words[0][..<end.lowerBound])), host: String(words[5]),
      port: String(words[4]))
  }

  /// Columns end at a semicolon that no backslash stands before.
  private static func split(_ line: Substring) -> [String] {
    var fields = [""]
    var isEscaped = false
    for character in line {
      if character == ";", !isEscaped {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return fields
  }

  /// `\032` is the byte of that decimal number; another character after a backslash is itself.
  private static func plain(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == 0x5C else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(3)
      if digits.count == 3, let code = UInt8(String(decoding: digits, as: UTF8.self)) {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else if let next = rest.popFirst() {
        bytes.append(next)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
