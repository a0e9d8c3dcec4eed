import TOML
import TOMLKit

/// The keys of a profile whose agents or models can be talked to.
extension ConfigurationReader {
  /// Reads `api` and `model` of a profile whose kind has been read.
  mutating func readChat(
    _ table: TOMLTable, _ path: [String], into profile: inout Configuration.Profile
  ) {
    let interface = choice(table, "api", Configuration.Key.interfaces, path)
    let model = string(table, "model", path)
    switch table["kind"]?.string {
    case "openclaw":
      profile.gateway?.interface = interface
      if model != nil { complain("model", path, "belongs to a profile with kind = \"openai\"") }
    case "openai":
      var server = Configuration.ChatServer()
      server.model = model
      server.interface = interface
      profile.chatServer = server
      if interface == "ws" {
        complain("api", path, "must be \"chat\" or \"responses\": only a gateway has a WebSocket")
      }
      if !table.contains(key: "url") {
        complain("kind", path, "needs a url beside it, such as \"https://api.openai.com/v1\"")
      }
      if table["guild"]?.string != nil {
        complain("guild", path, "belongs to a Clanky bot; leave it out")
      }
    default:
      let isMistyped = table.contains(key: "kind") && table["kind"]?.string != "clanky"
      for (key, isSet) in [("api", interface != nil), ("model", model != nil)]
      where isSet && !isMistyped {
        complain(key, path, "belongs to a profile with kind = \"openclaw\" or \"openai\"")
      }
    }
  }
}
