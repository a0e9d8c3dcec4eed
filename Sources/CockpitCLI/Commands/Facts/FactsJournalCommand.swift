import CockpitSession
import CockpitText
import ArgumentParser
import ClankyWire
import CockpitFiles
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore

/// `facts journal`: the writes to the bot's memory from this machine.
struct FactsJournalCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Show the journal of edits and deletions, oldest first.",
    usage: "clanky-cockpit facts journal [OPTIONS]",
    discussion: """
      The journal is a file in the state directory; no backend is asked. A write has two lines: one \
      before its request goes out, one with the outcome. With the first alone, the outcome is \
      unknown.
      """)

  @OptionGroup var shared: SharedOptions

  @Option(name: .customShort("n"), help: ArgumentHelp("The last N lines.", valueName: "N"))
  var count: Int = 100

  @Flag(help: "JSON lines, ASCII only, with the facts before and after.")
  var json = false

  func validate() throws {
    guard (1...1_000_000).contains(count) else {
      throw ValidationError("-n is a number from 1 to 1000000")
    }
  }

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    try JournalLines.write(
      last: count, settings, in: environment, open: { JournalFile(folder: $0) },
      entry: JournalEntry.init(line:)
    ) { entry in
      if json {
        environment.output.line(Self.json(entry))
      } else {
        write(entry, clock: settings.clock, to: environment.output)
      }
    }
  }

  private static func json(_ entry: JournalEntry) -> [UInt8] {
    var line = JSONObjectWriter()
    line.string("write", entry.write)
    line.string("at", WireTime(milliseconds: entry.atMs).iso)
    line.string("backend", entry.backend)
    line.string("guild_id", entry.guild)
    line.string("verb", entry.verb.rawValue)
    line.int("fact_id", entry.factID)
    line.string("outcome", entry.outcome.rawValue)
    line.string("detail", entry.detail)
    if let subject = entry.subject { line.string("subject", subject) }
    if !entry.facts.isEmpty { line.value("facts", .array(entry.facts.map(\.json))) }
    line.value("before", entry.before?.json ?? .null)
    line.value("after", entry.after?.json ?? .null)
    return line.finish()
  }

  private func write(_ entry: JournalEntry, clock: ClockFormat, to output: Output) {
    let words: [PlainText] = [
      clock.day(ms: entry.atMs), clock.time(ms: entry.atMs),
      PlainText(entry.outcome.rawValue).padded(to: 9), PlainText(entry.verb.rawValue).padded(to: 6),
      entry.subject.map { "\($0) in \(entry.guild) at \(entry.backend)" }
        ?? "fact \(entry.factID) in \(entry.guild) at \(entry.backend)",
    ]
    output.line(words.joined(separator: " "))
    guard entry.subject == nil else {
      for fact in entry.facts { output.line("  - \(fact.fact ?? "")") }
      if let detail = entry.detail { output.line("  \(detail)") }
      return
    }
    if entry.outcome == .sending || entry.after == nil {
      output.line("  - \(entry.before?.fact ?? "")")
    }
    if entry.outcome == .sending, let after = entry.after?.fact { output.line("  + \(after)") }
    if let detail = entry.detail { output.line("  \(detail)") }
  }
}
