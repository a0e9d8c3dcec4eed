import TOML
import TOMLKit

/// The keys of a profile that is an agent of ElevenLabs.
extension ConfigurationReader {
  /// nil unless the profile's kind is `elevenlabs`.
  mutating func elevenLabs(_ table: TOMLTable, _ path: [String]) -> Configuration.ElevenLabs? {
    var service = Configuration.ElevenLabs()
    service.agent = string(table, "agent", path)
    service.firstMessage = string(table, "first_message", path)
    service.language = string(table, "language", path)
    service.voice = string(table, "voice", path)
    if let variables = inner(table, "variables", path, such: "{ user_name = \"Mira\" }") {
      for name in variables.keys {
        service.variables[name] = string(variables, name, path + ["variables"])
      }
    }
    if let tools = inner(table, "tools", path, such: "{ lamp = \"lamp-switch\" }") {
      for name in tools.keys {
        service.tools[name] = string(tools, name, path + ["tools"])
      }
    }
    let kind = table["kind"]?.string
    guard kind == "elevenlabs" else {
      let isMistyped = table.contains(key: "kind") && !Configuration.Key.kinds.contains(kind ?? "")
      // A value of a wrong type has been reported.
      let isSet = [
        service.agent != nil, service.firstMessage != nil, service.language != nil,
        service.voice != nil, !service.variables.isEmpty,
        !service.tools.isEmpty,
      ]
      for (key, isSet) in zip(Configuration.Key.elevenLabs, isSet) where !isMistyped && isSet {
        complain(key, path, "belongs to a profile with kind = \"elevenlabs\"")
      }
      return nil
    }
    if service.agent?.isEmpty ?? true {
      complain("kind", path, "needs the id of an agent beside it: agent = \"agent_…\"")
    }
    if table["guild"]?.string != nil {
      complain("guild", path, "belongs to a Clanky bot; leave it out")
    }
    return service
  }
}
