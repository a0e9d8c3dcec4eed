import CockpitChat
import CockpitStores
import CockpitVoice
import CockpitShell
import CockpitSession
import CockpitFiles
import Foundation
import LenientJSON
import TOML

/// Every effective setting with its source.
struct EffectiveSettings {
  /// The source, strongest first.
  enum Source {
    case flag(String)
    case environment(String)
    /// A line of the file; `profile` is the table it stands in, when it is a profile's.
    case file(path: String, line: Int?, profile: String?)
    case standard

    var name: String {
      switch self {
      case .flag: "flag"
      case .environment: "environment"
      case .file(_, _, let profile): profile == nil ? "file" : "profile"
      case .standard: "default"
      }
    }

    var text: String {
      switch self {
      case .flag(let name): name
      case .environment(let name): "$" + name
      case .file(let path, let line, let profile):
        path + (line.map { ":\($0)" } ?? "") + (profile.map { " (profile \($0))" } ?? "")
      case .standard: "default"
      }
    }

    var place: (path: String, line: Int?)? {
      if case .file(let path, let line, _) = self { (path, line) } else { nil }
    }
  }

  struct Value {
    var key: String
    /// Null if not set, or not shown.
    var json: JSONValue
    /// As it would stand in the file.
    var text: String
    var source: Source
  }

  private(set) var values: [Value] = []
  private let settings: Settings
  private let configuration: Configuration

  init(_ settings: Settings) {
    self.settings = settings
    configuration = settings.configuration
    let options = settings.options
    let environment = settings.environment
    add(
      "profile", settings.fileProfile.map(JSONValue.string) ?? .null,
      options.profile.map { _ in .flag("--profile") } ?? file("profile"))
    if settings.sourceNames.isEmpty {
      addURL(options.url, settings.profileURL, settings.namedURL)
      addToken()
      addGateway()
      addVoice()
    } else {
      add(
        "sources", .array(settings.sourceNames.map(JSONValue.string)), profileFile("sources"))
    }
    if let tag = settings.profile.tag { add("tag", .string(tag), profileFile("tag")) }
    addProfile("ca_file", \.caFile, options.caFile, "--ca-file")
    if settings.profile.clientCertificate != nil || settings.profile.gateway != nil {
      addProfile("client_certificate", \.clientCertificate, nil, "")
      addProfile("client_key", \.clientKey, nil, "")
    }
    if settings.profile.ssh != nil {
      addProfile("ssh", \.ssh, nil, "")
      addProfile("ssh_config", \.sshConfig, nil, "")
    }
    addProfile("guild", \.guild, options.guild, "--guild")
    addProfile(
      "allow_plain_http", \.allowPlainHTTP, options.allowPlainHttp ? true : nil,
      "--allow-plain-http", false)
    addProfile("read_only", \.readOnly, nil, "", false)
    addProfile("theme", \.theme, options.theme, "--theme", "auto")
    addLooks(options, environment)
    add(
      "memory", .string("\(settings.memory >> 20)MiB"),
      options.memory.map { _ in .flag("--memory") } ?? file("memory"))
    add("on_quit_with_held", .string(settings.heldAtQuit.rawValue), file("on_quit_with_held"))
    add("preset", .string(configuration.preset ?? "default"), file("preset"))
    add("title", .bool(configuration.title ?? true), file("title"))
    add("low_bandwidth", .string(configuration.lowBandwidth ?? "auto"), file("low_bandwidth"))
    addTables()
  }

  private mutating func add(_ key: String, _ value: JSONValue, _ source: Source?) {
    values.append(
      Value(key: key, json: value, text: Self.toml(value), source: source ?? .standard))
  }

  private static func toml(_ value: JSONValue) -> String {
    switch value {
    case .null: "(not set)"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): number.text
    case .string(let text):
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    case .array(let list): "[" + list.map(toml).joined(separator: ", ") + "]"
    case .object: "{}"
    }
  }

  /// The line that sets a key of the top level or of a table.
  private func file(_ key: String, profile: String? = nil) -> Source? {
    let whole = profile.map { "profiles.\(TOMLEdit.quoted($0)).\(key)" } ?? key
    guard let line = configuration.lines[whole], let path = configuration.path else { return nil }
    return .file(path: path, line: line, profile: profile)
  }

  /// The line of the profile in use, else that of the top level.
  private func profileFile(_ key: String) -> Source? {
    settings.fileProfile.flatMap { file(key, profile: $0) } ?? file(key)
  }

  private mutating func addProfile(
    _ key: String, _ path: KeyPath<Configuration.Profile, String?>, _ flag: String?,
    _ flagName: String, _ standard: String? = nil
  ) {
    let value = flag ?? settings.profile[keyPath: path] ?? standard
    add(
      key, value.map(JSONValue.string) ?? .null,
      flag.map { _ in .flag(flagName) } ?? profileFile(key))
  }

  private mutating func addProfile(
    _ key: String, _ path: KeyPath<Configuration.Profile, Bool?>, _ flag: Bool?,
    _ flagName: String, _ standard: Bool
  ) {
    let value = flag ?? settings.profile[keyPath: path] ?? standard
    add(key, .bool(value), flag.map { _ in .flag(flagName) } ?? profileFile(key))
  }

  /// In the order of `Settings.backendURL`.
  private mutating func addURL(_ flag: String?, _ profile: String?, _ environment: String?) {
    if settings.options.demo != nil {
      add("url", .string("demo"), .flag("--demo"))
    } else if let flag {
      add("url", .string(Self.withoutUser(flag)), .flag("--url"))
    } else if let profile {
      add("url", .string(Self.withoutUser(profile)), profileFile("url"))
    } else if let environment {
      add("url", .string(Self.withoutUser(environment)), .environment("CLANKY_URL"))
    } else {
      let url = settings.profile.url ?? "http://127.0.0.1:8787"
      add("url", .string(Self.withoutUser(url)), profileFile("url"))
    }
  }

  /// An address with a password in it is refused elsewhere; here it must not be shown.
  private static func withoutUser(_ url: String) -> String {
    guard let at = url.lastIndex(of: "@") else { return url }
    let scheme = url.range(of: "://").map { url[..<$0.upperBound] } ?? ""
    return scheme + "(not shown)" + url[at...]
  }

  /// Of an agent of ElevenLabs. Commands of tools may hold a secret, so their names alone.
  private mutating func add(_ service: Configuration.ElevenLabs) {
    add("kind", .string("elevenlabs"), profileFile("kind"))
    let texts: [(String, String?)] = [
      ("agent", service.agent), ("first_message", service.firstMessage),
      ("language", service.language), ("voice", service.voice),
    ]
    for (key, value) in texts { add(key, value.map(JSONValue.string) ?? .null, profileFile(key)) }
    for name in service.variables.keys.sorted() {
      let key = "variables.\(TOMLEdit.quoted(name))"
      add(key, .string(service.variables[name] ?? ""), profileFile(key))
    }
    for name in service.tools.keys.sorted() {
      let key = "tools.\(TOMLEdit.quoted(name))"
      values.append(
        Value(key: key, json: .null, text: "(a command)", source: profileFile(key) ?? .standard))
    }
  }

  /// Of a gateway's profile alone.
  private mutating func addGateway() {
    if let server = settings.profile.chatServer {
      add("kind", .string("openai"), profileFile("kind"))
      add("api", .string(server.interface ?? "chat"), profileFile("api"))
      add("model", server.model.map(JSONValue.string) ?? .null, profileFile("model"))
      addTalk(history: "client")
    }
    if let service = settings.profile.elevenLabs { return add(service) }
    guard let gateway = settings.profile.gateway else { return }
    add("kind", .string("openclaw"), profileFile("kind"))
    add("api", .string(gateway.interface ?? "ws"), profileFile("api"))
    add("scopes", .string(gateway.scopes.rawValue), profileFile("scopes"))
    add("auth", .string(gateway.isPassword ? "password" : "token"), profileFile("auth"))
    add("pin", gateway.pin.map(JSONValue.string) ?? .null, profileFile("pin"))
    add("max_attention", .string(gateway.maxAttention ?? "urgent"), profileFile("max_attention"))
    add(
      "notify_command", gateway.notifyCommand.map { _ in .string("(set)") } ?? .null,
      profileFile("notify_command"))
    addTalk(history: "server")
    let channel = settings.profile.talk.messageChannel ?? ChatServer.ownMessageChannel
    add("message_channel", .string(channel), profileFile("message_channel"))
    let attention = configuration.attention
    for level in AttentionLevel.allCases.dropFirst() {
      let key = "attention.\(level.name)"
      let effects = settings.attention.effects[level] ?? []
      let names = AttentionEffect.allCases.filter(effects.contains).map { $0.rawValue }
      add(key, names.isEmpty ? .string("off") : .array(names.map(JSONValue.string)), file(key))
    }
    add("attention.quiet", .string(attention.quiet?.text ?? "off"), file("attention.quiet"))
    add("attention.decay", .integer(attention.decay ?? 60), file("attention.decay"))
    add("attention.every", .integer(attention.every ?? 10), file("attention.every"))
  }

  /// Headers, by where their values come from, and who keeps the history.
  private mutating func addTalk(history standard: String) {
    let talk = settings.profile.talk
    for header in talk.headers {
      let key = "headers.\(TOMLEdit.quoted(header.name))"
      values.append(
        Value(
          key: key, json: .null, text: header.value.place, source: profileFile(key) ?? .standard))
    }
    add("history", .string(talk.history?.rawValue ?? standard), profileFile("history"))
  }

  /// Only where `[voice]` is in the file.
  private mutating func addVoice() {
    guard let table = configuration.voice, let voice = settings.voice else { return }
    let names = { (names: [String]) in JSONValue.array(names.map(JSONValue.string)) }
    add("voice.recorder", voice.recorder.map(JSONValue.string) ?? .null, file("voice.recorder"))
    add("voice.player", voice.player.map(JSONValue.string) ?? .null, file("voice.player"))
    add("voice.stt", names(voice.hearing.map(\.name)), file("voice.stt"))
    add("voice.tts", names(voice.speaking.map(\.name)), file("voice.tts"))
    add("voice.require_local", .bool(voice.requiresLocal), file("voice.require_local"))
    add("voice.echo_cancelled", .bool(voice.isEchoCancelled), file("voice.echo_cancelled"))
    add("voice.speak", .string(table.speak ?? "spoken"), file("voice.speak"))
    add("voice.hold", .bool(table.hold ?? false), file("voice.hold"))
  }

  /// The source of the token, in the order of `Settings.token`; never its value.
  private mutating func addToken() {
    let gateway = settings.profile.gateway
    let isServer = settings.profile.chatServer != nil
    let variable =
      gateway?.secretVariable
      ?? (isServer
        ? Settings.openAIVariable
        : settings.profile.elevenLabs != nil ? ElevenLabsSettings.keyVariable : "CLANKY_TOKEN")
    let source: Source? =
      settings.options.demo != nil
      ? .flag("--demo")
      : settings.options.tokenFile != nil
        ? .flag("--token-file")
        : !(settings.environment[variable] ?? "").isEmpty
          ? .environment(variable) : tokenKey.flatMap { profileFile($0) }
    // Looking for a saved one may ask the user to unlock a keyring.
    let saved =
      isServer
      ? "(none)"
      : gateway == nil
        ? "(what setup has saved; doctor says where)" : "(what the gateway has given this device)"
    let text = source == nil ? saved : "(not shown)"
    values.append(Value(key: "token", json: .null, text: text, source: source ?? .standard))
  }

  /// The key that gives the token; none when it belongs to another address.
  private var tokenKey: String? {
    let profile = settings.profile
    if profile.gateway != nil || profile.chatServer != nil || profile.elevenLabs != nil {
      return settings.profile.tokenKey
    }
    return (try? settings.backendURL()).flatMap(settings.tokenKey)
  }

  private mutating func addLooks(_ options: GivenOptions, _ environment: [String: String]) {
    add(
      "glyphs", (options.glyphs?.rawValue ?? configuration.glyphs).map(JSONValue.string) ?? .null,
      options.glyphs.map { _ in .flag("--glyphs") } ?? file("glyphs"))
    if options.noColor {
      add("color", .string("never"), .flag("--no-color"))
    } else if let color = options.color {
      add("color", .string(color.rawValue), .flag("--color"))
    } else if let color = configuration.color {
      add("color", .string(color), file("color"))
    } else if !(environment["NO_COLOR"] ?? "").isEmpty {
      add("color", .string("never"), .environment("NO_COLOR"))
    } else {
      add("color", .string("auto"), nil)
    }
    add(
      "utc", .bool(options.utc || configuration.utc ?? false),
      options.utc ? .flag("--utc") : file("utc"))
    add("mouse", .bool(configuration.mouse ?? true), file("mouse"))
    if let hyperlinks = configuration.hyperlinks {
      add("hyperlinks", .string(hyperlinks), file("hyperlinks"))
    }
  }

  private mutating func addTables() {
    let alerts = configuration.alerts
    add("alerts.notify", .string(alerts.notify ?? "off"), file("alerts.notify"))
    add("alerts.bell", .string(alerts.bell ?? "off"), file("alerts.bell"))
    add("alerts.flash", .string(alerts.flash ?? "off"), file("alerts.flash"))
    add("alerts.via", .string(alerts.via ?? "auto"), file("alerts.via"))
    add("alerts.command", alerts.command.map(JSONValue.string) ?? .null, file("alerts.command"))
    add("alerts.every", .integer(alerts.every ?? 30), file("alerts.every"))
    for (name, ways) in alerts.classes.sorted(by: { $0.key < $1.key }) {
      add(
        "alerts.classes.\(name)",
        ways.isEmpty ? .string("off") : .array(ways.map(JSONValue.string)),
        file("alerts.classes.\(name)"))
    }
    let layout = configuration.layout
    add("layout.tab", .string(layout.tab ?? "pulse"), file("layout.tab"))
    add("layout.time", .string(layout.time ?? "clock"), file("layout.time"))
    add("layout.wrap", .bool(layout.wrap ?? true), file("layout.wrap"))
    add("layout.hints", .bool(layout.hints ?? true), file("layout.hints"))
    add("layout.sidebar", .bool(layout.sidebar ?? true), file("layout.sidebar"))
    add("layout.feed", .string(layout.feed ?? LayoutChoices().level.rawValue), file("layout.feed"))
    let triage = configuration.triage
    for (name, word) in triage.rules.sorted(by: { $0.key < $1.key }) {
      add("triage.\(name)", .string(word), file("triage.\(name)"))
    }
    let budget = triage.budgetUSD.flatMap(JSONValue.finite)
    add("triage.budget_usd", budget ?? .null, file("triage.budget_usd"))
    for (name, anomaly) in configuration.anomalies.sorted(by: { $0.key < $1.key }) {
      let own = "anomalies.\(TOMLEdit.quoted(name))"
      if let level = anomaly.level {
        let key = configuration.lines[own + ".level"] == nil ? own : own + ".level"
        add(key, .string(level), file(key))
      }
      for (limit, value) in anomaly.limits.sorted(by: { $0.key < $1.key }) {
        add("\(own).\(limit)", JSONValue.finite(value) ?? .null, file("\(own).\(limit)"))
      }
    }
    let slo = configuration.slo
    func milliseconds(_ ms: Int?) -> JSONValue { ms.map { .integer($0) } ?? .null }
    add("slo.window", .integer(Int(clamping: slo.windowMs ?? 86_400_000)), file("slo.window"))
    add("slo.text_p95", milliseconds(slo.textMs), file("slo.text_p95"))
    add("slo.voice_p95", milliseconds(slo.voiceMs), file("slo.voice_p95"))
    add(
      "slo.unanswered",
      slo.unansweredShare.flatMap(JSONValue.finite) ?? milliseconds(slo.unansweredCount),
      file("slo.unanswered"))
    add(
      "slo.cost_per_day_usd", slo.costPerDayUSD.flatMap(JSONValue.finite) ?? .null,
      file("slo.cost_per_day_usd"))
    let skip = slo.skip.map { range in
      JSONValue.array([range.lowerBound, range.upperBound].compactMap(JSONValue.finite))
    }
    add("slo.skip", skip ?? .null, file("slo.skip"))
    for (name, watch) in configuration.watches.sorted(by: { $0.key < $1.key }) {
      let level = watch.level ?? "warning"
      // A watch may be a table, or its query alone.
      add(
        "watch.\(name).query", .string(watch.query),
        file("watch.\(name).query") ?? file("watch.\(name)"))
      add("watch.\(name).level", .string(level), file("watch.\(name).level"))
    }
    let history = configuration.history
    add("history.record", .bool(history.record ?? true), file("history.record"))
    add("history.keep", .string(history.keep ?? "24h"), file("history.keep"))
    add("history.max", .string(history.max ?? "1GiB"), file("history.max"))
    add("history.redact", .string(history.redact ?? "none"), file("history.redact"))
    add(
      "history.owner_private", .bool(history.ownerPrivate ?? false), file("history.owner_private"))
    add(
      "history.folder", history.folder.map(JSONValue.string) ?? .null, file("history.folder"))
    for (name, query) in configuration.views.sorted(by: { $0.key < $1.key }) {
      add("views.\(name)", .string(query), file("views.\(name)"))
    }
    for (name, keys) in configuration.keys.sorted(by: { $0.key < $1.key }) {
      let source = configuration.path.map {
        Source.file(path: $0, line: configuration.keyLines[name], profile: nil)
      }
      add("keys.\(name)", .array(keys.map(JSONValue.string)), source)
    }
  }
}
