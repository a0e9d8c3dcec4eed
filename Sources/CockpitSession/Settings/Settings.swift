import ClankyWire
import CockpitStores
import CockpitAnswers
import CockpitText
import Networking
import CockpitFiles
import CockpitRules
import CockpitShell
import Foundation

/// The combined settings: flags win, then a profile's address, then the environment, then the rest
/// of the profile, then the top level of the file.
package struct Settings: Sendable {
  package var paths: Paths
  /// The file that is read, and written on request; nil if there is no directory for one.
  package var configPath: String?
  package var configuration: Configuration
  /// Why the file is ignored, and the consequence: it is not valid TOML (promise P7: never fatal).
  /// nil if it is used.
  package private(set) var setAside: String?
  package var profile: Configuration.Profile
  package var profileName: String
  /// Whether it is shown together with other sources.
  package var isOneOfSeveral = false
  /// The process environment of the run.
  package let process: Environment
  /// The variables that count for it.
  package var environment: [String: String]
  package var options: GivenOptions
  /// Time limit for a keyring or a `token_command`: the user may have to unlock it.
  package var patience = TokenCommand.limit
  /// Whether `token_command` may prompt at the terminal.
  package var mayAsk = true

  /// - Parameter complains: whether a corrupt configuration is reported on stderr; false while a
  ///   screen is up.
  /// - Throws: `Failure` with exit code 2 if the configuration cannot be used.
  package init(
    _ options: GivenOptions, in process: Environment, complains: Bool = true
  ) throws(Failure) {
    self.options = options
    self.process = process
    if process.scope != nil {
      // The terminal is the cockpit's.
      mayAsk = false
      patience = .seconds(20)
    }
    environment = process.variables
    paths = Paths(environment: environment, executable: ProgramFile.path)
    do throws(FileError) {
      configPath = options.config ?? paths.configFile
      configuration = Configuration()
      let found = try configPath.map { path throws(FileError) in
        try Configuration.find(path: path, isRequired: options.config != nil)
      }
      switch found {
      case nil: break
      case .configuration(let read)?: configuration = read
      case .corrupt(let error)?:
        setAside =
          "\(error). The file is not used, and left as it is; nothing is changed on the backend before it is mended."
      }
      profile = try configuration.resolved(profile: options.profile)
    } catch {
      throw Failure(.usage, setAside ?? error.description)
    }
    if complains, let setAside { process.output.complain(setAside) }
    profileName =
      options.source?.profileName ?? options.profile ?? configuration.profile ?? ""
  }

  package var output: Output { process.output }

  /// The backend's address: checked, and refused when the token would travel readable.
  package func backendURL() throws(Failure) -> BackendURL {
    if let name = process.shownSource, options.url == nil, options.profile == nil {
      throw Failure(
        .usage, "the screen shows \(name), which is no backend: --url or --profile names one")
    }
    if let problem = gatewayProblem { throw problem }
    let text =
      options.url ?? profileURL ?? namedURL ?? profile.url ?? "http://127.0.0.1:8787"
    do throws(BackendURL.Problem) {
      var url = try BackendURL(
        text, allowPlainHTTP: options.allowPlainHttp || profile.allowPlainHTTP ?? false)
      url.via = sshHost(of: url)
      return url
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  /// Why a verb that asks a Clanky bot cannot be used with the profile in use; nil if it is one's.
  package var gatewayProblem: Failure? {
    if options.source == .gatewayDemo {
      return Failure(
        .usage,
        "--demo openclaw is for the screen; 'clanky-cockpit demo --kind openclaw' is a gateway for verbs"
      )
    }
    if options.source == .elevenLabsDemo {
      return Failure(
        .usage,
        "--demo elevenlabs is for the screen, 'chat', 'status' and 'doctor'; 'clanky-cockpit demo --kind elevenlabs' is a server of its own"
      )
    }
    if options.source == .companionDemo {
      return Failure(
        .usage,
        "--demo companion is for the screen, 'chat', 'status' and 'doctor'; 'clanky-cockpit demo --kind companion' is a server of its own"
      )
    }
    if profile.companion != nil {
      return Failure(
        .usage,
        "the profile '\(profileName)' is a companion gateway: the screen, 'chat', 'status', 'widget', 'tail', 'watch', 'record', 'snapshot', 'doctor' and what reads recordings know it, this verb does not; choose another profile with --profile"
      )
    }
    if profile.elevenLabs != nil {
      return Failure(
        .usage,
        "the profile '\(profileName)' is an agent of ElevenLabs: the screen, 'chat', 'status', 'widget', 'tail', 'watch', 'record', 'snapshot', 'doctor' and what reads recordings know it, this verb does not; choose another profile with --profile"
      )
    }
    if opensChatServer {
      return Failure(
        .usage,
        "the profile '\(profileName)' is a chat server: the screen, 'chat', 'status' and 'doctor' know it, this verb does not; choose another profile with --profile"
      )
    }
    if let problem = severalProblem { return problem }
    guard profile.gateway != nil else { return nil }
    return Failure(
      .usage,
      "the profile '\(profileName)' is an OpenClaw gateway: the screen, 'approvals', 'status', 'widget', 'tail', 'watch', 'record', 'snapshot', 'digest', 'doctor', 'chat' and what reads recordings know it, this verb does not; choose another profile with --profile"
    )
  }

  /// The address of the active profile; nil if it has none.
  package var profileURL: String? { configuration.profiles[profileName]?.url }

  /// `CLANKY_URL`; an empty one says nothing.
  package var namedURL: String? { environment["CLANKY_URL"].flatMap { $0.isEmpty ? nil : $0 } }

  /// Bytes of rows that are kept, of all sources together.
  package var memory: Int {
    options.memory ?? configuration.memory ?? (sourceNames.isEmpty ? 64 << 20 : 32 << 20)
  }
  /// The format of times.
  package var clock: ClockFormat {
    options.utc || configuration.utc ?? false ? ClockFormat(zone: .gmt) : .local
  }
  package var heldAtQuit: HeldAtQuit {
    configuration.onQuitWithHeld.flatMap(HeldAtQuit.init(rawValue:)) ?? .ask
  }
  /// The profile in the file that applies; nil for its top level.
  package var fileProfile: String? { options.profile ?? configuration.profile }
  package var layout: LayoutChoices {
    var choices = LayoutChoices()
    switch configuration.layout.time {
    case "clock": choices.time = .clock
    case "age": choices.time = .age
    case "precise": choices.time = .milliseconds
    default: break
    }
    choices.wraps = configuration.layout.wrap
    choices.hasHints = configuration.layout.hints ?? true
    choices.hasSidebar = configuration.layout.sidebar ?? true
    if let level = configuration.layout.feed.flatMap(FeedLevel.init(rawValue:)) {
      choices.level = level
    }
    return choices
  }
  /// Which rules judge the bot.
  package var triage: TriageSettings {
    TriageSettings(
      words: configuration.triage.rules, budgetUSD: configuration.triage.budgetUSD)
  }
  /// Which rules over events run, and with which limits.
  package var rules: RuleSettings { RuleSettings.reading(configuration).settings }
  /// What models cost.
  package var prices: PriceTable {
    PriceTable(
      configuration.prices.mapValues { dated in
        dated.compactMap { price in
          WireTime(iso: price.from + "T00:00:00Z").map { time in
            PriceTable.Price(
              fromMs: time.milliseconds, input: price.input, output: price.output,
              cacheRead: price.cacheRead ?? price.input,
              cacheWrite: price.cacheWrite ?? price.input)
          }
        }
      })
  }
  /// The promises of the owner.
  package var promises: PromiseSettings {
    let slo = configuration.slo
    var promises = PromiseSettings()
    if let window = slo.windowMs { promises.windowMs = window }
    promises.textMs = slo.textMs
    promises.voiceMs = slo.voiceMs
    promises.unanswered =
      slo.unansweredShare.map { .share($0) } ?? slo.unansweredCount.map { .count($0) }
    promises.costPerDayUSD = slo.costPerDayUSD
    promises.skip = slo.skip
    return promises
  }
  /// The watches of the configuration. One that cannot be read is left out; `config validate` says why.
  package var watches: [WatchRule] {
    configuration.watches.sorted { $0.key < $1.key }.compactMap { name, watch in
      try? WatchRule(name, watch, clock: clock, views: views)
    }
  }
  private var views: QueryViews { QueryViews(configuration.views) }
  /// A configuration that cannot be read may have set it.
  package var isReadOnly: Bool { setAside != nil || profile.readOnly ?? false }
  /// Why changes are disabled, and what to do; nil if they are allowed.
  package var readOnlyReason: String? {
    guard isReadOnly else { return nil }
    return setAside == nil
      ? "the profile in use is read-only; choose another one with --profile"
      : "nothing is changed while the configuration, which may say read_only, cannot be read; mend it first"
  }
  /// The guild that is meant, by id or name; nil for all.
  package var guild: String? {
    guard let given = options.guild else { return profile.guild }
    return given == Self.allGuilds ? nil : given
  }
  /// What `--guild` and `:guild` call all guilds.
  package static let allGuilds = "off"
  package var caFile: String? { options.caFile ?? profile.caFile }
}

extension WatchRule {
  /// A watch of the configuration.
  package init(
    _ name: String, _ watch: Configuration.Watch, clock: ClockFormat, views: QueryViews
  ) throws(Problem) {
    try self.init(
      name: name, text: watch.query,
      level: watch.level.flatMap(TriageLevel.init(rawValue:)) ?? .warning, zone: clock.queryZone,
      views: views)
  }
}
