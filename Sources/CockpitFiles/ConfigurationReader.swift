import Foundation
import TOML
import TOMLKit

/// Reads typed values of a document, and collects problems and line numbers.
struct ConfigurationReader {
  let path: String
  let outline: TOMLOutline?
  var problems: [(line: Int?, error: FileError)] = []
  var configuration = Configuration()

  init(path: String, text: String) {
    self.path = path
    outline = TOMLOutline(Array(text.utf8))
  }

  var sortedProblems: [FileError] {
    problems.enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
      .map(\.element.error)
  }

  mutating func read(_ table: TOMLTable) -> Configuration {
    typealias Key = Configuration.Key
    configuration.path = path
    check(table, keys: Key.names(in: nil), [])
    configuration.base = profile(table, [])
    configuration.profile = string(table, "profile", [])
    configuration.glyphs = choice(table, "glyphs", Key.glyphs, [])
    configuration.color = choice(table, "color", Key.color, [])
    configuration.utc = bool(table, "utc", [])
    configuration.mouse = bool(table, "mouse", [])
    configuration.hyperlinks = toggle(table, "hyperlinks", Key.automatic, [])
    configuration.memory = memory(table)
    configuration.onQuitWithHeld = choice(table, "on_quit_with_held", Key.onQuitWithHeld, [])
    configuration.preset = choice(table, "preset", Key.presets, [])
    configuration.title = bool(table, "title", [])
    configuration.lowBandwidth = toggle(table, "low_bandwidth", Key.automatic, [])
    if let keys = inner(table, "keys", [], such: "[keys]") { read(keys: keys) }
    if let alerts = inner(table, "alerts", [], such: "[alerts]") { read(alerts: alerts) }
    if let attention = inner(table, "attention", [], such: "[attention]") {
      read(attention: attention)
    }
    if let layout = inner(table, "layout", [], such: "[layout]") { read(layout: layout) }
    if let voice = inner(table, "voice", [], such: "[voice]") { read(voice: voice) }
    if let triage = inner(table, "triage", [], such: "[triage]") { read(triage: triage) }
    if let anomalies = inner(table, "anomalies", [], such: "[anomalies]") {
      for rule in anomalies.keys { read(anomaly: rule, anomalies) }
    }
    if let history = inner(table, "history", [], such: "[history]") { read(history: history) }
    if let slo = inner(table, "slo", [], such: "[slo]") { read(slo: slo) }
    if let prices = inner(table, "prices", [], such: "[prices.\"provider/model\"]") {
      read(prices: prices)
    }
    if let watches = inner(table, "watch", [], such: "[watch.NAME]") { read(watches: watches) }
    if let sinks = inner(table, "sinks", [], such: "[sinks.NAME]") { read(sinks: sinks) }
    if let views = inner(table, "views", [], such: "[views]") {
      for name in views.keys { configuration.views[name] = string(views, name, ["views"]) }
    }
    if let profiles = inner(table, "profiles", [], such: "[profiles.prod]") {
      for name in profiles.keys {
        let path = ["profiles", name]
        guard
          let entry = inner(
            profiles, name, ["profiles"], such: "[profiles.\(TOMLEdit.quoted(name))]")
        else { continue }
        check(entry, keys: Key.names(in: "profiles.NAME"), path)
        var profile = profile(entry, path)
        profile.clientCertificate = string(entry, "client_certificate", path)
        profile.clientKey = string(entry, "client_key", path)
        if profile.clientKey != nil, profile.clientCertificate == nil {
          complain("client_key", path, "needs a client_certificate beside it")
        }
        profile.ssh = string(entry, "ssh", path)
        profile.sshConfig = string(entry, "ssh_config", path)
        if let problem = profile.ssh.flatMap(SSHHost.problem) { complain("ssh", path, problem) }
        if profile.sshConfig != nil, profile.ssh == nil {
          complain("ssh_config", path, "needs ssh beside it")
        }
        if profile.ssh != nil, profile.url == nil {
          complain("ssh", path, "needs a url beside it: the address as that host sees it")
        }
        profile.gateway = gateway(entry, path)
        profile.elevenLabs = elevenLabs(entry, path)
        profile.companion = companion(entry, path)
        readChat(entry, path, into: &profile)
        readTalk(entry, path, into: &profile)
        profile.tag = tag(entry, path)
        profile.sources = sources(entry, path)
        configuration.profiles[name] = profile
      }
      checkSources()
    }
    return configuration
  }

  mutating func profile(_ table: TOMLTable, _ path: [String]) -> Configuration.Profile {
    var profile = Configuration.Profile()
    profile.url = string(table, "url", path)
    profile.tokenCommand = string(table, "token_command", path)
    profile.tokenFile = string(table, "token_file", path)
    if profile.tokenCommand != nil, profile.tokenFile != nil {
      complain("token_file", path, "stands beside token_command; leave one of the two out")
    }
    profile.caFile = string(table, "ca_file", path)
    profile.guild = string(table, "guild", path)
    profile.allowPlainHTTP = bool(table, "allow_plain_http", path)
    profile.readOnly = bool(table, "read_only", path)
    profile.theme = string(table, "theme", path)
    return profile
  }
}
