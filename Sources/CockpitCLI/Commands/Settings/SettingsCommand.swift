import ArgumentParser
import ClankyWire

/// `settings`: reads and changes the settings of the bot.
struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Read and change the settings of the bot.",
    discussion: """
      Examples:
        clanky-cockpit settings get voice
        clanky-cockpit settings get --search 'images day' --json
        clanky-cockpit settings set voice.sessionLimits.maxSessionMinutes 45
        clanky-cockpit settings diff
        clanky-cockpit settings export --output settings.json

      The bot has one document of settings, and a save replaces it whole. So a change reads it again, \
      sends it once with this one change, and compares what was stored. The settings of this program \
      are another thing: 'config'.

      Exit codes: 0 done, 1 not done or nothing found, 2 refused before anything was sent, 3 no \
      connection, 4 authentication.
      """,
    subcommands: [
      SettingsGetCommand.self, SettingsSetCommand.self, SettingsDiffCommand.self,
      SettingsEditCommand.self, SettingsExportCommand.self, SettingsPresetCommand.self,
      SettingsResetCommand.self, SettingsUndoCommand.self, SettingsRefreshCommand.self,
      SettingsJournalCommand.self,
    ])
}

/// Options of every `settings` verb that may change something.
struct SettingsWritingOptions: ParsableArguments {
  @OptionGroup var shared: SharedOptions

  @Flag(name: .shortAndLong, help: "Send without asking.")
  var yes = false

  @Flag(help: "Print the outcome as one JSON object, ASCII only.")
  var json = false

  @Flag(help: "Refuse whatever changes something on the backend.")
  var readOnly = false
}

/// A setting, as an argument.
struct SettingPathArgument: ExpressibleByArgument {
  let path: SettingPath

  init?(argument: String) {
    guard let path = SettingPath(argument) else { return nil }
    self.path = path
  }
}
