import ClankyLink
import CockpitFiles
import CockpitPanes
import Foundation

/// What flags, environment and configuration file say together; flags win, then the environment,
/// then the profile, then the top level of the file.
struct Settings: Sendable {
  var paths: Paths
  /// The file that is read, and written when the user says so; nil when there is no home for one.
  var configPath: String?
  var configuration: Configuration
  var profile: Configuration.Profile
  var profileName: String
  var environment: [String: String]
  var options: SharedOptions
  /// How long a keyring or a `token_command` may take: somebody may have to unlock it.
  var patience = TokenCommand.limit
  /// Whether `token_command` may ask the person at the terminal.
  var mayAsk = true

  /// - Throws: `Failure` with exit code 2 when the configuration cannot be used.
  init(_ options: SharedOptions) throws(Failure) {
    self.options = options
    environment = ProcessInfo.processInfo.environment
    paths = Paths(environment: environment, executable: ProgramFile.path)
    do throws(FileError) {
      configPath = options.config ?? paths.configFile
      configuration =
        try configPath.map { path throws(FileError) in
          try Configuration.load(path: path, isRequired: options.config != nil)
        } ?? Configuration()
      profile = try configuration.resolved(profile: options.profile)
    } catch {
      throw Failure(.usage, error.description)
    }
    profileName =
      options.demo != nil ? "demo" : options.profile ?? configuration.profile ?? ""
  }

  /// The backend's address: checked, and refused when the token would travel readable.
  func backendURL() throws(Failure) -> BackendURL {
    let text =
      options.url ?? (options.profile != nil ? profile.url : nil) ?? namedURL
      ?? profile.url ?? "http://127.0.0.1:8787"
    do throws(BackendURL.Problem) {
      return try BackendURL(
        text, allowPlainHTTP: options.allowPlainHttp || profile.allowPlainHTTP ?? false)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  /// `CLANKY_URL`; an empty one says nothing.
  var namedURL: String? { environment["CLANKY_URL"].flatMap { $0.isEmpty ? nil : $0 } }

  var memory: Int { options.memory ?? configuration.memory ?? 64 << 20 }
  /// How times are written.
  var clock: ClockFormat {
    options.utc || configuration.utc ?? false ? ClockFormat(zone: .gmt) : .local
  }
  var heldAtQuit: HeldAtQuit {
    configuration.onQuitWithHeld.flatMap(HeldAtQuit.init(rawValue:)) ?? .ask
  }
  /// The profile that is used, in the file; nil for its top level.
  var fileProfile: String? { options.profile ?? configuration.profile }
  var layout: LayoutChoices {
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
    return choices
  }
  var isReadOnly: Bool { profile.readOnly ?? false }
  var guild: String? { options.guild ?? profile.guild }
  var caFile: String? { options.caFile ?? profile.caFile }
}
