import ArgumentParser
import ClankyWire
import CockpitSession
import CockpitStores
import Foundation

/// `settings set`: changes one setting.
struct SettingsSetCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change one setting.",
    usage: "clanky-cockpit settings set PATH (VALUE | --default) [--yes] [OPTIONS]",
    discussion: """
      VALUE is what the setting takes: on or off, a number, a text, texts between commas or a JSON \
      array, or JSON; 'settings get PATH' tells. A setting that is not known here takes JSON.

      The change is shown and you are asked; without a terminal --yes is needed. The settings are \
      read again first: if somebody changed this one meanwhile, nothing is sent. The bot clamps and \
      drops values without a word, so what it stored is compared: exits with 0 only if that is what \
      was sent. A save restarts the time limits of live voice sessions.
      """)

  @OptionGroup var options: SettingsWritingOptions

  @Argument(help: ArgumentHelp("The setting.", valueName: "PATH"))
  var path: SettingPathArgument

  @Argument(help: ArgumentHelp("Its new value.", valueName: "VALUE"))
  var value: String?

  @Flag(name: .customLong("default"), help: "Take the default.")
  var takesDefault = false

  func validate() throws {
    guard (value != nil) != takesDefault else {
      throw ValidationError("give a value, or --default")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    try SettingsSession.permitWriting(settings, isReadOnly: options.readOnly)
    guard options.yes || environment.isAttended else {
      throw Failure(.usage, "nobody can be asked without a terminal; add --yes to send it")
    }
    let session = try await SettingsSession(settings)
    let base = try await session.load()
    let edit: SettingsEdit
    do throws(SettingValueProblem) {
      let typed = try value.map { value throws(SettingValueProblem) in
        try SettingItem(base, path.path).value(typed: value)
      }
      edit = SettingsEdit(base, changes: [(path.path, typed)])
    } catch {
      throw Failure(.usage, "\(path.path): \(error.description)")
    }
    try session.confirm(edit, of: base, isAnswered: options.yes)
    try await session.save(edit, json: options.json)
  }
}
