import CockpitSession
import CockpitFiles
import Foundation

/// The checks of configuration, theme and folders.
struct DoctorFiles: Sendable {
  /// The settings for the other checks; nil if the configuration cannot be used.
  private(set) var settings: Settings?
  private let options: SharedOptions
  private let paths: Paths
  private var problem: Failure?

  init(options: SharedOptions, in environment: Environment) {
    self.options = options
    paths = Paths(environment: environment.variables, executable: ProgramFile.path)
    do throws(Failure) {
      settings = try Settings(options, in: environment, complains: false)
    } catch {
      problem = error
    }
  }

  func checks() -> [DoctorCheck] {
    var checks = [configuration()]
    if let settings { checks.append(theme(settings)) }
    checks.append(state())
    return checks
  }

  private func configuration() -> DoctorCheck {
    let path = options.config ?? paths.configFile
    if let problem {
      return DoctorCheck(
        "config", .fail, problem.description,
        "correct the file; 'clanky-cockpit config validate' lists every problem")
    }
    if let setAside = settings?.setAside {
      return DoctorCheck(
        "config", .fail, setAside, "correct the file, or rename it to begin anew")
    }
    guard let path else {
      return DoctorCheck(
        "config", .warn, "there is no place for a configuration file",
        paths.remedy("XDG_CONFIG_HOME"))
    }
    guard PlaceCheck(path) != nil else {
      return DoctorCheck("config", .ok, "\(path) does not exist; everything has its default")
    }
    let count = settings?.configuration.profiles.count ?? 0
    return DoctorCheck(
      "config", .ok,
      "\(path) is valid\(count == 0 ? "" : ", \(count) profile\(count == 1 ? "" : "s")")"
    )
  }

  private func theme(_ settings: Settings) -> DoctorCheck {
    do throws(Failure) {
      let appearance = try Appearance(settings, isForTerminal: true)
      let name = appearance.isThemeFixed ? settings.options.theme ?? settings.profile.theme : nil
      return DoctorCheck("theme", .ok, name ?? "auto: light or dark as the terminal is")
    } catch {
      return DoctorCheck(
        "theme", .fail, error.description, "'clanky-cockpit themes list' names those that work")
    }
  }

  private func state() -> DoctorCheck {
    guard let path = paths.state else {
      return DoctorCheck(
        "state", .warn, "there is no place for drafts, journal and log",
        paths.remedy("XDG_STATE_HOME"))
    }
    guard let folder = PlaceCheck(path) else {
      let above = PlaceCheck.nearestFolder(above: path)
      guard let above, above.check.isFolder, above.check.isWritable else {
        return DoctorCheck(
          "state", .fail, "\(path) cannot be made in \(above?.path ?? "/")",
          "set XDG_STATE_HOME to a folder of your own")
      }
      if let problem = ChangeLocks.problem(in: above.path) { return noLocks(problem) }
      return DoctorCheck(
        "state", .ok, "\(path) will be made, 0700, when there is something to keep")
    }
    guard folder.isFolder, !folder.isLink else {
      return DoctorCheck("state", .fail, "\(path) is no folder", "move it away")
    }
    guard folder.isOurs, folder.isWritable else {
      return DoctorCheck(
        "state", .fail, "\(path) cannot be written", "set XDG_STATE_HOME to a folder of your own")
    }
    if let problem = ChangeLocks.problem(in: path) { return noLocks(problem) }
    guard !folder.isOpenToOthers else {
      return DoctorCheck(
        "state", .warn, "others can look into \(path) (\(folder.modeText))",
        "run: chmod 700 '\(path)'")
    }
    return DoctorCheck("state", .ok, "\(path), \(folder.modeText)")
  }

  /// Every edit and every deletion would be refused (`ChangeLocks`).
  private func noLocks(_ problem: FileError) -> DoctorCheck {
    DoctorCheck(
      "state", .fail, "\(problem.description); until then no fact can be changed",
      "set XDG_STATE_HOME to a folder on a local disk")
  }
}
