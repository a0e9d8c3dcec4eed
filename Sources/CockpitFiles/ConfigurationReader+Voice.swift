import TOML
import TOMLKit

extension ConfigurationReader {
  mutating func read(voice table: TOMLTable) {
    typealias Key = Configuration.Key
    let path = ["voice"]
    check(table, keys: Key.names(in: "voice"), path)
    var voice = Configuration.Voice()
    voice.recorder = command(table, "recorder", path)
    voice.player = command(table, "player", path)
    voice.requireLocal = bool(table, "require_local", path)
    voice.echoCancelled = bool(table, "echo_cancelled", path)
    voice.speak = choice(table, "speak", Key.speak, path)
    voice.hold = bool(table, "hold", path)
    if let services = inner(table, "services", path, such: "[voice.services.whisper]") {
      for name in services.keys {
        let place = path + ["services"]
        guard PromisedShare.isName(name) else {
          complain(name, place, "is no name of a service: letters, digits, - and _, 40 at most")
          continue
        }
        guard let entry = inner(services, name, place, such: "[voice.services.\(name)]") else {
          continue
        }
        voice.services[name] = service(entry, place + [name])
      }
    }
    voice.stt = names(table, "stt", path, voice, builtIn: [])
    voice.tts = names(table, "tts", path, voice, builtIn: Configuration.Voice.builtIn)
    configuration.voice = voice
  }

  private mutating func service(
    _ table: TOMLTable, _ path: [String]
  ) -> Configuration.Voice.Service {
    check(table, keys: Configuration.Key.names(in: "voice.services.NAME"), path)
    var service = Configuration.Voice.Service()
    service.kind = choice(table, "kind", Configuration.Key.speechKinds, path)
    service.command = command(table, "command", path)
    service.url = string(table, "url", path)
    service.model = string(table, "model", path)
    service.voice = string(table, "voice", path)
    service.language = string(table, "language", path)
    service.rate = number(table, "rate", 4_000...192_000, "samples a second", path)
    service.local = bool(table, "local", path)
    service.tokenFile = string(table, "token_file", path)
    service.tokenCommand = string(table, "token_command", path)
    if service.tokenCommand != nil, service.tokenFile != nil {
      complain("token_file", path, "stands beside token_command; leave one of the two out")
    }
    if service.kind == "command", !table.contains(key: "command") {
      complain("kind", path, "needs a command beside it, such as \"whisper-cli -f {file}\"")
    }
    if service.command != nil, let kind = service.kind, kind != "command" {
      complain("command", path, "belongs to a service with kind = \"command\"")
    }
    return service
  }

  private mutating func command(_ table: TOMLTable, _ key: String, _ path: [String]) -> String? {
    guard let text = string(table, key, path) else { return nil }
    if !text.allSatisfy(\.isWhitespace) { return text }
    complain(key, path, "must be a command line")
    return nil
  }

  /// Names of services, each of which must be known.
  private mutating func names(
    _ table: TOMLTable, _ key: String, _ path: [String], _ voice: Configuration.Voice,
    builtIn: [String]
  ) -> [String]? {
    guard let value = note(table, key, path) else { return nil }
    guard let names = strings(value) else {
      complain(key, path, "must be a list of services, such as [\"whisper\", \"openai\"]")
      return nil
    }
    let known = voice.services.keys.sorted() + builtIn
    for name in names where !known.contains(name) {
      complain(
        key, path,
        "names '\(name)', and there is no such service"
          + (name.nearest(of: known).map { "; did you mean '\($0)'?" }
            ?? "; add a [voice.services.\(TOMLEdit.quoted(name))] table"))
    }
    return names.filter(known.contains)
  }
}
