import TOML
import TOMLKit

/// Headers, message channel and history of a profile whose agents or models can be talked to.
extension ConfigurationReader {
  /// Reads the keys of a profile whose kind and `api` have been read.
  mutating func readTalk(
    _ table: TOMLTable, _ path: [String], into profile: inout Configuration.Profile
  ) {
    var talk = Configuration.Talk()
    talk.headers = headers(table, path)
    talk.messageChannel = messageChannel(table, path)
    let histories = Configuration.Talk.History.allCases.map(\.rawValue)
    let history = choice(table, "history", histories, path)
    talk.history = history.flatMap(Configuration.Talk.History.init)
    profile.talk = talk
    switch table["kind"]?.string {
    case "openclaw":
      if talk.history == .client, profile.gateway?.interface ?? "ws" == "ws" {
        complain(
          "history", path,
          "needs api = \"chat\" or \"responses\" beside it: over the WebSocket the gateway keeps the history"
        )
      }
    case "openai":
      if talk.messageChannel != nil {
        complain("message_channel", path, "belongs to a profile with kind = \"openclaw\"")
      }
      if talk.history == .server {
        complain("history", path, "must be \"client\": only a gateway keeps a conversation")
      }
    default:
      guard !table.contains(key: "kind") || table["kind"]?.string == "clanky" else { return }
      if table["headers"]?.table != nil {
        complain("headers", path, "belongs to a profile with kind = \"openclaw\" or \"openai\"")
      }
      for (key, isSet) in [
        ("message_channel", talk.messageChannel != nil), ("history", history != nil),
      ] where isSet {
        complain(key, path, "belongs to a profile with kind = \"openclaw\"")
      }
    }
  }

  private mutating func headers(
    _ table: TOMLTable, _ path: [String]
  ) -> [Configuration.Header] {
    guard
      let inner = inner(
        table, "headers", path, such: "{ \"CF-Access-Client-Id\" = \"env:CF_ACCESS_ID\" }")
    else { return [] }
    let path = path + ["headers"]
    var found: [Configuration.Header] = []
    for name in inner.keys.sorted() {
      // A bad value is not repeated: it may be a secret.
      guard let text = string(inner, name, path) else { continue }
      if let problem = HeaderRule.problem(name: name) {
        complain(name, path, problem)
        continue
      }
      guard !found.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
        complain(name, path, "stands there twice: case makes no difference in names of headers")
        continue
      }
      let value = Configuration.Header.Value(text)
      if let problem = Self.problem(value) {
        complain(name, path, problem)
        continue
      }
      found.append(Configuration.Header(name: name, value: value))
    }
    if found.count > HeaderRule.maximumCount {
      complain(
        "headers", Array(path.dropLast()), "has more than \(HeaderRule.maximumCount) headers")
    }
    return found
  }

  private static func problem(_ value: Configuration.Header.Value) -> String? {
    switch value {
    case .literal(let text): HeaderRule.problem(value: text)
    case .variable(let name):
      name.isEmpty ? "has no name behind env:, as in \"env:CF_ACCESS_ID\"" : nil
    case .file(let path): path.isEmpty ? "has no path behind file:, as in \"file:~/.cf\"" : nil
    case .command(let line):
      line.isEmpty ? "has no command behind command:, as in \"command:pass show cf\"" : nil
    }
  }

  private mutating func messageChannel(_ table: TOMLTable, _ path: [String]) -> String? {
    guard let text = string(table, "message_channel", path) else { return nil }
    let isName = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isName, (1...64).contains(text.utf8.count) else {
      complain("message_channel", path, "must be letters, digits, -, _ and ., 64 at most")
      return nil
    }
    return text
  }
}
