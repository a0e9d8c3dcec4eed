extension Configuration {
  /// The keys and values of the file, shared by the parser, `config show` and the test of the
  /// reference page.
  package enum Key {
    static let profile = [
      "url", "token_command", "token_file", "ca_file", "guild", "allow_plain_http", "read_only",
      "theme",
    ]
    /// Of a profile that is an OpenClaw gateway, and the key that says so.
    static let gateway = [
      "kind", "scopes", "auth", "pin", "max_attention", "notify_command",
    ]
    /// Of every profile with an address: who this machine is to the server.
    static let certificate = ["client_certificate", "client_key"]
    /// Of every profile but those of services: the way to its address.
    static let tunnel = ["ssh", "ssh_config"]
    static let kinds = ["clanky", "openclaw", "openai", "elevenlabs", "companion"]
    /// Of a profile that is an agent of ElevenLabs.
    static let elevenLabs = ["agent", "first_message", "language", "voice", "variables", "tools"]
    /// Of a profile that is a companion gateway.
    static let companion = ["fingerprint", "capabilities"]
    static let capabilities = Companion.Capabilities.allCases.map(\.rawValue)
    /// What a capability's name begins with, where a command can serve it.
    static let families = ["camera", "microphone", "location", "notify", "screen", "ble"]
    /// Of a profile whose agents or models can be talked to.
    static let chat = ["api", "model", "headers", "message_channel", "history"]
    static let interfaces = ["ws", "chat", "responses"]
    /// Of a profile alone: several sources on one screen.
    static let several = ["sources", "tag"]
    /// Beside `sources`; all else is said by the profiles that are named.
    static let besideSources = ["sources", "theme", "read_only"]
    static let scopes = Gateway.Scopes.allCases.map(\.rawValue)
    static let secrets = ["token", "password"]
    private static let top = [
      "profile", "glyphs", "color", "utc", "mouse", "memory", "on_quit_with_held", "preset",
      "title", "low_bandwidth", "hyperlinks",
    ]
    private static let tables = [
      "profiles", "keys", "alerts", "layout", "triage", "anomalies", "history", "views", "slo",
      "watch", "prices", "attention", "voice", "sinks",
    ]

    static let glyphs = ["unicode", "safe", "ascii"]
    static let color = ["auto", "always", "never"]
    static let onQuitWithHeld = ["ask", "send", "drop"]
    static let presets = ["default", "less", "k9s", "arrows"]
    static let automatic = ["auto", "on", "off"]
    static let severities = ["off", "on", "info", "warning", "error"]
    static let levels = ["off", "on", "info", "warning", "critical"]
    static let routes = ["auto", "osc9", "osc99", "osc777", "bell", "command"]
    static let ways = ["notify", "bell", "flash"]
    static let attention = ["passive", "notify", "active", "interrupt", "urgent"]
    static let attentionEffects = ["strip", "card", "bell", "flash", "notify"]
    static let speak = ["spoken", "always", "off"]
    static let speechKinds = ["command", "openai", "elevenlabs"]
    static let tabs = ["pulse", "voice", "brain", "memory", "cmd"]
    static let times = ["clock", "age", "precise"]
    static let feedLevels = ["story", "normal", "everything"]
    /// Seconds: up to a day.
    static let every = 1...86_400

    /// The names allowed in a table.
    ///
    /// - Parameter table: nil means the top level; `profiles.NAME` stands for every profile. `keys`
    ///   has no fixed names: they are those of commands. Those of `views` and `watch` are the user's.
    package static func names(in table: String?) -> [String] {
      switch table {
      case nil: profile + tables + top
      case "profiles.NAME":
        profile + certificate + tunnel + gateway + chat + elevenLabs + companion + several
      case "profiles.NAME.capabilities": ["profile", "require_focus", "commands"]
      case "alerts": ["notify", "bell", "flash", "via", "command", "every", "classes"]
      case "attention": Array(attention.dropFirst()) + ["quiet", "decay", "every"]
      case "alerts.classes": Alerts.Class.allCases.map(\.rawValue)
      case "triage": Triage.Rule.allCases.map(\.rawValue) + ["budget_usd"]
      case "slo": ["window", "text_p95", "voice_p95", "unanswered", "cost_per_day_usd", "skip"]
      case "watch.NAME": ["query", "level"]
      case "prices.MODEL": ["from", "input", "output", "cache_read", "cache_write"]
      case "history": ["record", "keep", "max", "redact", "owner_private", "folder"]
      case "voice":
        [
          "recorder", "player", "stt", "tts", "require_local", "echo_cancelled", "speak", "hold",
          "services",
        ]
      case "sinks.NAME":
        [
          "kind", "url", "dsn", "file", "redact", "prompts", "headers_command", "max_lag", "sample",
          "allow_plain_http", "gzip", "max",
        ]
      case "voice.services.NAME":
        [
          "kind", "command", "url", "model", "voice", "language", "rate", "local", "token_file",
          "token_command",
        ]
      case "layout": ["tab", "time", "wrap", "hints", "sidebar", "feed"]
      default: []
      }
    }

    /// Every key that can be set, as in `alerts.classes.error`; those of a profile stand for the top
    /// level and all profiles, `profiles.NAME` is for those of profiles alone, and `keys.COMMAND` for every command.
    package static var all: [String] {
      profile + top + ["keys.COMMAND", "views.NAME", "anomalies.RULE"]
        + (certificate + tunnel + gateway + chat + elevenLabs + companion + several).map {
          "profiles.NAME.\($0)"
        }
        + [
          "alerts", "alerts.classes", "attention", "layout", "triage", "history", "slo",
          "watch.NAME",
          "prices.MODEL", "voice", "voice.services.NAME", "sinks.NAME",
        ].flatMap { (table: String) in
          names(in: table).filter { $0 != "classes" && $0 != "services" }.map { "\(table).\($0)" }
        }
    }
  }
}
