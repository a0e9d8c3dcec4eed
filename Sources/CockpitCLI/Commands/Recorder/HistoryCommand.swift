import ArgumentParser

/// `history`: what was recorded on the disk.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Look at what was recorded on the disk, search it, keep or remove parts of it.",
    discussion: """
      The cockpit and 'record' write it; these verbs need no backend. docs/history.md has the tables.

      Examples:
        clanky-cockpit history status
        clanky-cockpit history search 'why silent' -n 20
        clanky-cockpit history pin --from 2026-11-24T22:00 --to 2026-11-24T23:00 --note 'the silence'

      Exit codes: 0 done, 1 nothing found or damage found, 2 usage.
      """,
    subcommands: [
      HistoryStatusCommand.self, HistoryListCommand.self, HistorySearchCommand.self,
      HistoryVerifyCommand.self, HistoryRebuildCommand.self, HistoryPruneCommand.self,
      HistoryPinCommand.self, HistoryUnpinCommand.self, HistoryMarksCommand.self,
      HistoryUnmarkCommand.self, HistoryForgetCommand.self,
      HistoryRepairCommand.self, HistoryExportCommand.self, HistoryImportCommand.self,
    ])
}
