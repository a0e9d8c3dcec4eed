import ArgumentParser
import CockpitSession
import CockpitPanes

/// The program: without a verb it opens the cockpit.
struct ClankyCockpit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clanky-cockpit",
    abstract: "A terminal cockpit for people who run a Clanky bot.",
    discussion: """
      Without a verb the full-screen cockpit opens. Try it without a backend: \
      clanky-cockpit --demo

      Options of the cockpit, such as --url and --tab: clanky-cockpit open --help

      Every verb and option as JSON: clanky-cockpit --spec, or after a verb: clanky-cockpit tail --spec

      Exit codes: 0 fine, 1 failed, 2 usage or configuration, 3 no connection, 4 authentication.
      """,
    version: programVersion,
    subcommands: [
      OpenCommand.self, ReplayCommand.self, TailCommand.self, SnapshotCommand.self,
      StatusCommand.self,
      WidgetCommand.self, GlanceCommand.self, WatchCommand.self, FactsCommand.self,
      SettingsCommand.self,
      ActionsCommand.self,
      SessionsCommand.self,
      SessionCommand.self, WhyCommand.self, DigestCommand.self, IncidentsCommand.self,
      CompareCommand.self, ChangesCommand.self, WhatIfCommand.self, RecordCommand.self,
      HistoryCommand.self, SinksCommand.self,
      VoiceCommand.self, ApprovalsCommand.self, ChatCommand.self, PttCommand.self,
      SecretsCommand.self, ExplainCommand.self, QRCommand.self, McpCommand.self,
      SkillCommand.self,
      SetupCommand.self,
      DoctorCommand.self, ConfigCommand.self, ThemesCommand.self, KeysCommand.self,
      DemoCommand.self, ResetTerminalCommand.self, ManualCommand.self,
    ],
    defaultSubcommand: OpenCommand.self)
}

extension ClankyCockpit {
  /// The parser's description of the commands; computing it takes longer than a frame.
  static func tree() throws -> CommandTree { try CommandTree(dump: _dumpHelp()) }

  /// The words that may be typed.
  static let vocabulary = Vocabulary(ClankyCockpit.self) { optionsWithValue }

  /// Computed on first use. Without them an option before the verb would be misread; a test reads
  /// them.
  private static let optionsWithValue = (try? tree())?.optionsWithValue ?? []

  /// The verbs for the `:` line, computed on first use.
  static let verbTable = (try? tree()).map { VerbTable($0) } ?? VerbTable()
}
