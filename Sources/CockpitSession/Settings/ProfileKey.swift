import CockpitDomain
import CockpitFiles
import CockpitPanes
import TerminalCore

/// A key of a profile that is no Clanky bot's, as the settings sheet shows it. A new key of a profile is a line of `all`.
struct ProfileKey: Sendable {
  typealias Form = ProfileSettings.Form

  let name: String
  let group: String
  let kinds: Set<SourceKind>
  let meaning: String
  let form: @Sendable (SourceKind) -> Form
  /// What holds where nothing is said; for words on the screen.
  let standard: @Sendable (SourceKind) -> String
  /// What the profile says, as text.
  let value: @Sendable (Configuration.Profile) -> String?
  /// The flag or variable that wins over the profile, with the value it gives; nil if none was given.
  let given: @Sendable (Settings) -> (origin: String, value: String)?
  let effect: ProfileSettings.Effect
  /// Whether the value itself is never shown.
  let isHidden: Bool

  private init(
    _ name: String, _ group: String, _ kinds: Set<SourceKind>, _ meaning: String, _ form: Form,
    standard: @escaping @Sendable (SourceKind) -> String = { _ in "none" },
    given: @escaping @Sendable (Settings) -> (origin: String, value: String)? = { _ in nil },
    effect: ProfileSettings.Effect = .reconnect, isHidden: Bool = false,
    formOfServer: Form? = nil,
    value: @escaping @Sendable (Configuration.Profile) -> String?
  ) {
    self.name = name
    self.group = group
    self.kinds = kinds
    self.meaning = meaning
    self.form = { $0 == .openai ? formOfServer ?? form : form }
    self.standard = standard
    self.value = value
    self.given = given
    self.effect = effect
    self.isHidden = isHidden
  }

  private static let every: Set<SourceKind> = [.openclaw, .openai, .elevenlabs, .companion]
  private static let both: Set<SourceKind> = [.openclaw, .openai]
  private static let gateway: Set<SourceKind> = [.openclaw]
  private static let service: Set<SourceKind> = [.elevenlabs]
  private static let companion: Set<SourceKind> = [.companion]

  /// In the order of the sheet. Headers follow, one for each.
  static let all: [ProfileKey] = [
    ProfileKey(
      "kind", "connection", every, "What answers at the address.",
      .shown("a profile of another kind is another profile: setup makes one")
    ) { SourceKind($0).rawValue },
    ProfileKey(
      "url", "connection", every, "The address.", .text,
      standard: { $0 == .elevenlabs ? "https://api.elevenlabs.io" : "none" }
    ) { $0.url },
    ProfileKey(
      "allow_plain_http", "connection", every,
      "Whether a plain connection may go to a host that is not this machine: the token is readable on the way.",
      .flag, standard: { _ in "false" },
      given: { $0.options.allowPlainHttp ? ("--allow-plain-http", "true") : nil }
    ) { $0.allowPlainHTTP.map { "\($0)" } },
    ProfileKey(
      "ca_file", "connection", every, "One more authority for certificates, PEM.", .text,
      given: { settings in settings.options.caFile.map { ("--ca-file", $0) } }
    ) { $0.caFile },
    ProfileKey(
      "fingerprint", "connection", companion,
      "SHA-256 of the gateway's certificate, from the pairing; it replaces the check of its issuer.",
      .shown("pair again where the gateway has a new certificate: setup --kind companion")
    ) { $0.companion?.fingerprint },
    ProfileKey(
      "pin", "connection", gateway,
      "The public key that the gateway must have: sha256// and a base64 hash.", .text
    ) { $0.gateway?.pin },
    ProfileKey(
      "client_certificate", "connection", every,
      "The certificate with which this machine shows who it is, PEM.", .text
    ) { $0.clientCertificate },
    ProfileKey(
      "client_key", "connection", every, "Its key, if it is not in the same file, PEM.", .text
    ) { $0.clientKey },

    ProfileKey(
      "ssh", "connection", both.union(companion), "The ssh host that the address is seen from.",
      .text
    ) { $0.ssh },
    ProfileKey(
      "ssh_config", "connection", both.union(companion), "A configuration file for ssh.", .text,
      standard: { _ in "ssh's own" }
    ) { $0.sshConfig },

    ProfileKey(
      "token_file", "secrets", every.subtracting(companion),
      "The file with the token or password, of mode 0600. The secret itself is never shown.", .text,
      standard: { _ in "what setup has saved, if anything" },
      given: { settings in settings.options.tokenFile.map { ("--token-file", $0) } }
    ) { $0.tokenFile },
    ProfileKey(
      "token_command", "secrets", every.subtracting(companion),
      "The command whose first line is the token.",
      .shown("a command line may hold a secret: change it in an editor"), isHidden: true
    ) { $0.tokenCommand },
    ProfileKey(
      "auth", "secrets", gateway, "What the secret is: the gateway's token or its password.",
      .choice(["token", "password"]), standard: { _ in "token" }
    ) { $0.gateway.map { $0.isPassword ? "password" : "token" } },

    ProfileKey(
      "scopes", "rights", gateway,
      "What this device asks the gateway for: watch sees all but approvals, operate answers them and stops runs, admin does everything.",
      .choice(["watch", "operate", "admin"]), standard: { _ in "watch" }
    ) { $0.gateway?.scopes.rawValue },
    ProfileKey(
      "read_only", "rights", every, "Whether no key changes anything there.", .flag,
      standard: { _ in "false" }
    ) { $0.readOnly.map { "\($0)" } },
    ProfileKey(
      "max_attention", "rights", gateway.union(companion),
      "The highest level of attention of this gateway.",
      .choice(["passive", "notify", "active", "interrupt", "urgent"]),
      standard: { $0 == .companion ? "interrupt" : "urgent" }
    ) { $0.gateway?.maxAttention ?? $0.companion?.maxAttention },
    ProfileKey(
      "notify_command", "rights", gateway,
      "The command that shows notifications of agents. With one this machine is a node of the gateway.",
      .shown("a command line may hold a secret: change it in an editor"), isHidden: true
    ) { $0.gateway?.notifyCommand },
    ProfileKey(
      "capabilities", "rights", companion,
      "What agents may ask for: conservative is notify and canvas, extended adds camera, microphone, location and screen, full adds the rest.",
      .shown("it is a table with the commands that serve capabilities: change it in an editor"),
      standard: { _ in "conservative" }
    ) { $0.companion?.capabilities.rawValue },

    ProfileKey(
      "api", "conversation", both,
      "How agents or models are talked to: the gateway's WebSocket, chat completions, or open responses.",
      .choice(["ws", "chat", "responses"]), standard: { $0 == .openai ? "chat" : "ws" },
      formOfServer: .choice(["chat", "responses"])
    ) { $0.gateway?.interface ?? $0.chatServer?.interface },
    ProfileKey(
      "model", "conversation", [.openai], "The model that answers where none is named.", .text,
      standard: { _ in "the first that the server names" }
    ) { $0.chatServer?.model },
    ProfileKey(
      "history", "conversation", both,
      "Who keeps the conversation: the server, or this program, which sends all of it with each message.",
      .choice(["server", "client"]), standard: { $0 == .openai ? "client" : "server" },
      formOfServer: .shown("only a gateway keeps a conversation")
    ) { $0.talk.history?.rawValue },
    ProfileKey(
      "message_channel", "conversation", gateway,
      "The message channel that is sent to the gateway over HTTP.", .text,
      standard: { _ in "clanky-cockpit" }
    ) { $0.talk.messageChannel },

    ProfileKey(
      "agent", "conversation", service, "The id of the agent, from its page.", .text
    ) { $0.elevenLabs?.agent },
    ProfileKey(
      "first_message", "conversation", service, "What the agent says first.", .text,
      standard: { _ in "the agent's own" }
    ) { $0.elevenLabs?.firstMessage },
    ProfileKey(
      "language", "conversation", service, "The language of the conversation, such as en.", .text,
      standard: { _ in "the agent's own" }
    ) { $0.elevenLabs?.language },
    ProfileKey(
      "voice", "conversation", service, "The id of the voice.", .text,
      standard: { _ in "the agent's own" }
    ) { $0.elevenLabs?.voice },

    ProfileKey(
      "theme", "screen", every, "The theme of this profile.",
      .shown("the theme menu changes it: :theme"), standard: { _ in "auto" },
      given: { settings in settings.options.theme.map { ("--theme", $0) } }
    ) { $0.theme },
    ProfileKey(
      "tag", "screen", every, "Two letters before its rows, where it is one of several sources.",
      .text, standard: { _ in "letters of its name" }, effect: .restart
    ) { $0.tag },
  ]
}
