/// The content of the configuration file. Every value is optional: flags and the environment win,
/// and missing values have defaults.
package struct Configuration: Hashable, Sendable {
  /// The settings of a profile; the top level of the file sets the same for all profiles.
  package struct Profile: Hashable, Sendable {
    package var url: String?
    package var tokenCommand: String?
    /// A path; `~/` is the home folder.
    package var tokenFile: String?
    package var caFile: String?
    /// Of a profile alone: PEM files; `~/` is the home folder.
    package var clientCertificate: String?
    package var clientKey: String?
    /// Of a profile alone: the host that `url` is seen from, and a configuration file for ssh.
    package var ssh: String?
    package var sshConfig: String?
    package var guild: String?
    package var allowPlainHTTP: Bool?
    package var readOnly: Bool?
    package var theme: String?
    /// Of a profile alone: what answers at `url`; nil is Clanky's backend.
    package var gateway: Gateway?
    /// The same for a server that can only be talked to.
    package var chatServer: ChatServer?
    /// The same for an agent of ElevenLabs.
    package var elevenLabs: ElevenLabs?
    /// The same for a companion gateway.
    package var companion: Companion?
    /// Of either: its requests and conversations.
    package var talk = Talk()
    /// Of a profile alone: the profiles whose sources it shows together; empty for a profile of one source.
    package var sources: [String] = []
    /// Of a profile alone: the two characters before its rows where several sources are shown.
    package var tag: String?

    package init() {}
  }

  package var base = Profile()
  package var profiles: [String: Profile] = [:]
  /// The profile that is used when none is named.
  package var profile: String?
  package var glyphs: String?
  package var color: String?
  package var utc: Bool?
  package var mouse: Bool?
  /// `auto`, `on` or `off`: whether links are written to the terminal.
  package var hyperlinks: String?
  /// Nil writes them to terminals that are known to take them.
  package var writesHyperlinks: Bool? {
    hyperlinks == "on" ? true : hyperlinks == "off" ? false : nil
  }
  /// What quitting does with held deletions: `ask`, `send` or `drop`.
  package var onQuitWithHeld: String?
  /// A key preset: `default`, `less`, `k9s`, `arrows`.
  package var preset: String?
  /// Keys by the id of a command, from `[keys]`, where `_` in a name stands for `-`; an empty list
  /// leaves the command without a key. Neither ids nor keys are checked here.
  package var keys: [String: [String]] = [:]
  package var alerts = Alerts()
  package var attention = Attention()
  package var layout = Layout()
  /// Nil where there is no `[voice]`: then nothing of it is on the screen.
  package var voice: Voice?
  package var triage = Triage()
  package var history = History()
  /// Rules over events, from `[anomalies]`, by name. Names of rules and of their limits are not checked here.
  package var anomalies: [String: Anomaly] = [:]
  package var slo = Promises()
  /// Prices by `provider/model`, from `[prices]`, in the order of their days.
  package var prices: [String: [Price]] = [:]
  /// Watches by their names, from `[watch]`.
  package var watches: [String: Watch] = [:]
  /// Queries by their names, from `[views]`. Not checked here.
  package var views: [String: String] = [:]
  /// Where recorded rows are sent, by name, from `[sinks]`.
  package var sinks: [String: Sink] = [:]
  /// Whether the window title shows the bot's state.
  package var title: Bool?
  /// `auto`, `on` or `off`: fewer frames on a slow line.
  package var lowBandwidth: String?

  /// Alerts, from `[alerts]`.
  package struct Alerts: Hashable, Sendable {
    /// Alert classes; the names in `[alerts.classes]`.
    package enum Class: String, Hashable, Sendable, CaseIterable {
      case voiceStart = "voice_start"
      case voiceEnd = "voice_end"
      case error
      case directAddress = "direct_address"
      case automation
      case alarm
    }

    /// `off`, `on`, or the lowest severity: `info`, `warning`, `error`.
    package var notify: String?
    package var bell: String?
    package var flash: String?
    /// `auto`, `osc9`, `osc99`, `osc777`, `bell` or `command`.
    package var via: String?
    /// Run with `/bin/sh -c`; the words are in `$CLANKY_TITLE` and `$CLANKY_TEXT`.
    package var command: String?
    /// Seconds between two notifications.
    package var every: Int?
    /// A list of `notify`, `bell`, `flash` by the name of a class, empty for `off`: wins over the
    /// severities.
    package var classes: [String: [String]] = [:]

    package init() {}
  }

  /// What counts as a trouble of the bot, from `[triage]`.
  package struct Triage: Hashable, Sendable {
    /// The rules; those of the program, in a test.
    package enum Rule: String, Hashable, Sendable, CaseIterable {
      case discord, models
      case voiceProvider = "voice_provider"
      case tunnel, queue, errors, search, embeddings, browser, mcp, recognition, speech
      case turnsWaiting = "turns_waiting"
      case automationFailed = "automation_failed"
      case automationMissed = "automation_missed"
      case budget, slo, unanswered, connection
    }

    /// `off`, `on` or a level by the name of a rule.
    package var rules: [String: String] = [:]
    /// US dollars per UTC day.
    package var budgetUSD: Double?

    package init() {}
  }

  /// One rule over events: `RULE = "off"`, or a table `[anomalies.RULE]`.
  package struct Anomaly: Hashable, Sendable {
    /// `off`, `on` or a level.
    package var level: String?
    /// Its limits by name.
    package var limits: [String: Double] = [:]

    package init() {}
  }

  /// Service levels, from `[slo]`.
  package struct Promises: Hashable, Sendable {
    package var windowMs: Int64?
    /// In ms.
    package var textMs: Int?
    package var voiceMs: Int?
    /// A share from 0 to 1, or a count within the window; at most one of the two.
    package var unansweredShare: Double?
    package var unansweredCount: Int?
    package var costPerDayUSD: Double?
    /// Shares from 0 to 1.
    package var skip: ClosedRange<Double>?

    package init() {}
  }

  /// One watch: a query, perhaps with a condition, from `[watch]`. Its query is not checked here.
  package struct Watch: Hashable, Sendable {
    package var query: String
    /// `info`, `warning` or `critical`.
    package var level: String?

    package init(query: String, level: String? = nil) {
      self.query = query
      self.level = level
    }
  }

  /// What is recorded on the disk, from `[history]`.
  package struct History: Hashable, Sendable {
    /// Whether the cockpit records.
    package var record: Bool?
    /// Milliseconds; 0 records nothing.
    package var keepMs: Int64?
    /// The text of the value, for messages.
    package var keep: String?
    package var maxBytes: Int?
    package var max: String?
    /// `words` if what people and models say is left out.
    package var redact: String?
    /// Whether the owner's private facts are recorded too.
    package var ownerPrivate: Bool?
    /// Instead of the one in the state folder.
    package var folder: String?

    package init() {}
  }

  /// The initial layout, from `[layout]`.
  package struct Layout: Hashable, Sendable {
    /// The tab that opens first.
    package var tab: String?
    /// `clock`, `age` or `precise`.
    package var time: String?
    package var wrap: Bool?
    /// Whether the last row shows key hints.
    package var hints: Bool?
    /// Whether wide screens show PULSE's side column.
    package var sidebar: Bool?
    /// `story`, `normal` or `everything`.
    package var feed: String?

    package init() {}
  }

  /// Memory for raw actions, in bytes.
  package var memory: Int?

  /// The source file; nil if there is none.
  package var path: String?
  /// The line of each value, from 1, by its full name, such as `profiles.prod.url`.
  package var lines: [String: Int] = [:]
  /// The same for `keys`, by the id of the command.
  package var keyLines: [String: Int] = [:]

  package init() {}

  /// The settings of a profile, completed with those of the top level.
  package func resolved(profile name: String?) throws(FileError) -> Profile {
    guard let name = name ?? profile else { return base }
    guard let profile = profiles[name] else {
      let known = profiles.keys.sorted().joined(separator: ", ")
      throw FileError(
        profiles.isEmpty
          ? "there is no profile '\(name)': the configuration has none; add a [profiles.\(name)] table"
          : "there is no profile '\(name)'; the configuration has: \(known)")
    }
    var merged = profile
    merged.theme = profile.theme ?? base.theme
    merged.readOnly = profile.readOnly ?? base.readOnly
    // It has no address, and its sources have theirs.
    guard profile.sources.isEmpty else { return merged }
    // What the top level says of Clanky's address is not said of another server's.
    if profile.gateway == nil, profile.chatServer == nil, profile.elevenLabs == nil,
      profile.companion == nil
    {
      merged.url = profile.url ?? base.url
      // A profile with a token source uses no other.
      if profile.tokenCommand == nil, profile.tokenFile == nil {
        merged.tokenCommand = base.tokenCommand
        merged.tokenFile = base.tokenFile
      }
      merged.guild = profile.guild ?? base.guild
      merged.allowPlainHTTP = profile.allowPlainHTTP ?? base.allowPlainHTTP
    }
    merged.caFile = profile.caFile ?? base.caFile
    return merged
  }
}
