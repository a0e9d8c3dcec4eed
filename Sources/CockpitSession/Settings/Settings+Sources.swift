import CockpitDemo
import CockpitFiles

/// A profile with several sources.
extension Settings {
  /// The profiles that are shown together; empty for one source.
  package var sourceNames: [String] {
    if options.source == .severalDemo { return Self.demoSources.map(\.name) }
    return options.url == nil && options.source == nil ? profile.sources : []
  }

  /// The sources of `--demo several`.
  private static let demoSources: [(name: String, source: GivenSource)] = [
    ("clanky", .demo(.story)), ("openclaw", .gatewayDemo),
  ]

  /// Why a verb that needs one source cannot be used with the profile in use; nil if that has one.
  package var severalProblem: Failure? {
    guard !sourceNames.isEmpty else { return nil }
    if options.source == .severalDemo {
      return Failure(
        .usage, "--demo several is for the screen and for status; --demo is one bot for all verbs")
    }
    return Failure(
      .usage,
      "the profile '\(profileName)' has several sources, and this needs one: choose it with --profile \(sourceNames.joined(separator: ", --profile "))"
    )
  }

  /// The settings of one of its sources: those of the profile that it names.
  ///
  /// What was given for one backend, in a flag or the environment, goes to none of several. They share the memory for
  /// rows equally, so that one busy bot does not displace the rows of the others.
  package func settings(ofSource name: String) throws(Failure) -> Settings {
    if options.tokenFile != nil {
      throw Failure(
        .usage,
        "--token-file is for one backend, and the profile '\(profileName)' has several sources; set token_file in their profiles"
      )
    }
    if options.guild != nil {
      throw Failure(
        .usage,
        "--guild is for one bot, and the profile '\(profileName)' has several sources; set guild in their profiles"
      )
    }
    var settings = self
    settings.isOneOfSeveral = true
    settings.options.memory = memory / sourceNames.count
    if let demo = Self.demoSources.first(where: { $0.name == name }), options.source != nil {
      settings.options.source = demo.source
      settings.profileName = name
      return settings
    }
    do {
      settings.profile = try configuration.resolved(profile: name)
    } catch {
      throw Failure(.usage, error.description)
    }
    settings.profileName = name
    settings.options.profile = name
    for variable in [
      "CLANKY_URL", "CLANKY_TOKEN", "OPENCLAW_GATEWAY_TOKEN", "OPENCLAW_GATEWAY_PASSWORD",
      ElevenLabsSettings.keyVariable,
    ] {
      settings.environment[variable] = nil
    }
    if isReadOnly { settings.profile.readOnly = true }
    return settings
  }

  /// The settings of each of its sources, in their order.
  package func settingsOfSources() throws(Failure) -> [Settings] {
    var all: [Settings] = []
    for name in sourceNames { all.append(try settings(ofSource: name)) }
    return all
  }
}
