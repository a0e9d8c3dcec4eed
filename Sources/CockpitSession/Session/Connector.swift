import Networking
import CockpitFiles
import CockpitPanes
import CockpitStores
import Foundation
import MainLoop

/// Opens sources for the cockpit: the one it begins with, and the backends of other profiles.
///
/// A token that was given for one origin goes to no other (promise P6): `--token-file` and
/// `CLANKY_TOKEN` belong to the backend that the program was started for.
@MainActor
package final class Connector {
  /// The settings at program start.
  private let first: Settings
  /// Nil if the first source was no backend.
  private let firstURL: BackendURL?
  private let firstName: String
  /// Whether `--read-only` was passed.
  private let isReadOnly: Bool
  private let loop: any EventLoop
  /// The source in use.
  package private(set) var opened: OpenedSource
  /// Its name in the list of profiles.
  package private(set) var current: String
  /// Profiles saved since: for them the current file counts.
  private var saved: Set<String> = []
  /// The profiles, tokens and themes shown on screen.
  package private(set) var facts = SetupFacts()
  /// Themes that were chosen on the screen, by the profile that was in use, and the last of them.
  private var chosenThemes: [String: String] = [:]
  /// Views that were saved on the screen, which the settings that were read at the start do not have.
  private var savedViews: [String: String] = [:]
  private var lastChosenTheme: String?

  package init(_ opened: OpenedProfile, isReadOnly: Bool, loop: any EventLoop) {
    self.loop = loop
    first = opened.settings
    firstURL = opened.sources.count == 1 ? opened.first.backend?.url : nil
    firstName = opened.name
    self.isReadOnly = isReadOnly
    self.opened = opened.first
    profile = opened
    current = opened.settings.profileName
    learn(opened.settings)
  }

  /// The profile in use.
  private var profile: OpenedProfile

  /// Opens the sources of a profile; those in use are left as they are.
  ///
  /// - Parameter name: empty for the top level of the configuration file.
  package func open(_ name: String) async throws -> OpenedProfile {
    try await OpenedProfile.open(try settings(of: name), on: loop)
  }

  /// From now on this profile is in use, and the first of its sources.
  package func adopt(_ opened: OpenedProfile, as name: String) {
    profile = opened
    self.opened = opened.first
    current = name
    learn(opened.settings)
  }

  /// From now on another source of the profile is in use.
  package func show(_ source: OpenedSource) { opened = source }

  /// A theme was chosen on the screen.
  package func chose(theme: String) {
    facts.theme = theme
    chosenThemes[current] = theme
    lastChosenTheme = theme
  }

  /// A filter was given a name on the screen.
  package func saved(view name: String, query: String) {
    facts.views.texts[name] = query
    savedViews[name] = query
  }

  /// Reads all theme files: not before there is something on the screen.
  package func checkThemes() {
    facts.brokenThemes = SetupFactsSource.brokenThemes(opened.settings)
  }

  /// A profile was written to the configuration file.
  package func noteSaved(_ name: String) { saved.insert(name) }

  /// The current configuration file, which may have changed on disk.
  package func configurationNow() throws(Failure) -> Configuration {
    var options = first.options
    options.profile = nil
    return try readable(options).configuration
  }

  /// The settings as the file has them now. One that has become corrupt says nothing about any profile.
  private func readable(_ options: GivenOptions) throws(Failure) -> Settings {
    let settings = try Settings(options, in: first.process, complains: false)
    if let problem = settings.setAside { throw Failure(.usage, problem) }
    return settings
  }

  private func settings(of name: String) throws(Failure) -> Settings {
    if name == first.profileName, !saved.contains(name) {
      var settings = first
      settings.mayAsk = false
      return settings
    }
    var options = first.options
    options.url = nil
    options.source = nil
    options.guild = nil
    options.allowPlainHttp = false
    options.profile = nil
    var settings = try readable(options)
    settings.mayAsk = false
    settings.environment["CLANKY_URL"] = nil
    do throws(FileError) {
      settings.profile =
        name.isEmpty
        ? settings.configuration.base : try settings.configuration.resolved(profile: name)
    } catch {
      throw Failure(.usage, error.description)
    }
    settings.profileName = name
    // What opened the gateway that the program was started for opens no other.
    // A profile that was changed on the screen is still the one that they were given for.
    let isFirst =
      name == first.profileName && settings.profile.url != nil
      && settings.profile.url == first.profile.url
    if !isFirst {
      settings.environment["OPENCLAW_GATEWAY_TOKEN"] = nil
      settings.environment["OPENCLAW_GATEWAY_PASSWORD"] = nil
      settings.environment[Settings.openAIVariable] = nil
    }
    // A gateway's address is checked where it is opened.
    let isBot =
      settings.profile.gateway == nil && settings.profile.chatServer == nil
      && settings.sourceNames.isEmpty
    let url = isBot ? try settings.backendURL() : nil
    if !isFirst, !(firstURL.map { url?.hasSameOrigin(as: $0) ?? false } ?? false) {
      settings.options.tokenFile = nil
      settings.environment["CLANKY_TOKEN"] = nil
    }
    if isReadOnly { settings.profile.readOnly = true }
    return settings
  }

  /// The address of a profile, or the names of its sources.
  private static func place(of profile: Configuration.Profile?) -> String? {
    guard let profile, !profile.sources.isEmpty else { return profile?.url }
    return profile.sources.joined(separator: ", ")
  }

  private func learn(_ settings: Settings) {
    facts = SetupFactsSource.facts(settings)
    facts.views.texts.merge(savedViews) { $1 }
    let configuration = settings.configuration
    // A theme chosen in this run stays, except in a profile with its own theme: it shows the user
    // which profile is active.
    let own = settings.options.theme == nil ? configuration.profiles[current]?.theme : nil
    if let theme = chosenThemes[current] ?? own ?? lastChosenTheme { facts.theme = theme }
    var profiles = configuration.profiles.keys.sorted().map { name in
      let profile = configuration.profiles[name]
      return SetupFacts.Profile(
        name: name, url: Self.place(of: profile) ?? configuration.base.url ?? "",
        isReadOnly: isReadOnly || profile?.readOnly ?? configuration.base.readOnly ?? false)
    }
    if let url = configuration.base.url {
      profiles.insert(
        .init(name: "", url: url, isReadOnly: isReadOnly || configuration.base.readOnly ?? false),
        at: 0)
    }
    // Values from flags, the environment and the demo are in no file.
    for (name, url) in [
      (first.profileName, firstName), (current, profile.name),
    ]
    where !profiles.contains(where: { $0.name == name }) {
      profiles.insert(
        .init(name: name, url: url, isReadOnly: first.isReadOnly, isSaved: false), at: 0)
    }
    if let index = profiles.firstIndex(where: { $0.name == current }) {
      profiles[index].url = profile.name
    }
    facts.profiles = profiles
    facts.current = current
    facts.tokenPlace = opened.backend?.tokenPlace
    facts.configPath = settings.options.config ?? settings.paths.configFile
    let credentials = settings.credentials
    facts.tokenStore =
      credentials.keyringName
      ?? settings.paths.state.map { _ in "a file that only you can read" }
    facts.isUnconfigured =
      configuration.base.url == nil && configuration.profiles.isEmpty
      && settings.options.url == nil && settings.options.source == nil
      && settings.namedURL == nil
  }
}
