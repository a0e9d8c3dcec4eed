import ArgumentParser

/// `facts`: the bot's memory from the shell. Each verb shares its implementation with MEMORY.
struct FactsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "facts",
    abstract: "Read, correct, delete and export what the bot remembers.",
    discussion: """
      Examples:
        clanky-cockpit facts list --subject 'Nadia Vale'
        clanky-cockpit facts list --filter 'type:preference conf>0.8' --json
        clanky-cockpit facts edit 312 --fact 'Nadia prefers late starts.'
        clanky-cockpit facts export --format csv --output facts.csv

      Exit codes: 0 done, 1 not done or nothing found, 2 refused before anything was sent, 3 no \
      connection, 4 authentication.
      """,
    subcommands: [
      FactsListCommand.self, FactsSearchCommand.self, FactsShowCommand.self,
      FactsRecallCommand.self, FactsReflectionsCommand.self, FactsEditCommand.self,
      FactsDeleteCommand.self, FactsDeleteReflectionCommand.self, FactsPurgeCommand.self,
      FactsForgetCommand.self, FactsExportCommand.self, FactsJournalCommand.self,
    ])
}
