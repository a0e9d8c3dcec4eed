import ArgumentParser
import ClankyWire
import CockpitFiles
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import TerminalCore

/// `settings journal`: the saves from this machine.
struct SettingsJournalCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Show the journal of saves of the bot's settings, oldest first.",
    usage: "clanky-cockpit settings journal [OPTIONS]",
    discussion: """
      The journal is a file in the state directory; no backend is asked. A save has two lines: one \
      before its request goes out, with all that was asked for before, and one with the outcome. With \
      the first alone, the outcome is unknown. Secrets are masked.
      """)

  @OptionGroup var shared: SharedOptions

  @Option(name: .customShort("n"), help: ArgumentHelp("The last N lines.", valueName: "N"))
  var count: Int = 100

  @Flag(help: "JSON lines, ASCII only, as they are in the file.")
  var json = false

  func validate() throws {
    guard (1...1_000_000).contains(count) else {
      throw ValidationError("-n is a number from 1 to 1000000")
    }
  }

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    try JournalLines.write(
      last: count, settings, in: environment, open: StateStorage.settingsJournal,
      entry: SettingsJournalEntry.init(line:)
    ) { entry in
      if json {
        environment.output.line(entry.line)
      } else {
        write(entry, clock: settings.clock, to: environment.output)
      }
    }
  }

  private func write(_ entry: SettingsJournalEntry, clock: ClockFormat, to output: Output) {
    let words: [PlainText] = [
      clock.day(ms: entry.atMs), clock.time(ms: entry.atMs),
      PlainText(entry.outcome.rawValue).padded(to: 9), PlainText(entry.verb).padded(to: 6),
      PlainText("at \(entry.backend)"),
    ]
    output.line(words.joined(separator: " "))
    for change in entry.changes {
      output.line("  " + PlainText(change.path.description))
      output.line("  - " + SettingWords.value(change.before, at: change.path))
      output.line("  + " + SettingWords.value(change.after, at: change.path))
    }
    if let detail = entry.detail { output.line("  " + PlainText(detail)) }
  }
}
