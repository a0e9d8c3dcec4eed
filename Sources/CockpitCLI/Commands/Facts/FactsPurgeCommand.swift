import ArgumentParser
import ClankyWire
import CockpitSession
import CockpitStores
import Foundation
import TerminalCore

/// `facts purge`: deletes all memory of a guild.
struct FactsPurgeCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Delete all memory of a guild, for good.",
    usage: "clanky-cockpit facts purge --guild ID [--confirm NAME] [OPTIONS]",
    discussion: """
      Deletes the guild's facts, its stored messages, voice summaries and reflection runs. Facts that \
      belong to no guild, as those about people and the owner's, stay. What goes is counted and shown \
      first, and the guild's name has to be typed; without a terminal --confirm NAME is needed. The words \
      of the facts are written to the journal before the one request; the backend cannot restore anything. \
      It can take 20 seconds.

      Exits with 0 only when the memory was read again and is gone; 1 when the backend refused it, or \
      when its outcome is unknown.
      """)

  @OptionGroup var options: PartOptions

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    try FactsSession.permitWriting(settings, isReadOnly: options.readOnly)
    guard let guild = settings.guild else {
      throw Failure(.usage, "name the guild with --guild; only one can be purged at a time")
    }
    let session = try await FactsSession(settings, takesOwnerPrivate: false)
    try await session.load()
    guard let name = session.store.guildNames[guild] else {
      throw Failure(.failed, "The backend names no guild \(guild), so nothing was sent.")
    }
    try await session.delete(.guild(id: guild, name: name), options, in: environment)
  }
}

/// `facts delete-reflection`: deletes the record of a reflection run.
struct FactsDeleteReflectionCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "delete-reflection",
    abstract: "Delete the record of a reflection run, for good.",
    usage: "clanky-cockpit facts delete-reflection RUN [--confirm DAY] [OPTIONS]",
    discussion: """
      Deletes what the run extracted, chose and skipped; the facts that it saved stay. 'facts reflections' \
      lists the runs. The day of the run has to be typed; without a terminal --confirm DAY is needed.

      Exits with 0 only when the runs were read again and it is not among them.
      """)

  @OptionGroup var options: PartOptions

  @Argument(help: ArgumentHelp("The id of the run.", valueName: "RUN"))
  var run: String

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    try FactsSession.permitWriting(settings, isReadOnly: options.readOnly)
    let session = try await FactsSession(settings, takesOwnerPrivate: false)
    let page = try await session.reflections()
    guard let found = page.runs.first(where: { $0.runID == run }) else {
      throw Failure(
        .failed, "The backend lists no reflection run \(run); 'facts reflections' shows them.")
    }
    try await session.delete(.run(id: run, day: found.dateKey), options, in: environment)
  }
}

/// Options of the verbs that delete a part of the memory as a whole.
struct PartOptions: ParsableArguments {
  @OptionGroup var shared: SharedOptions

  @Option(
    help: ArgumentHelp("The word that would be typed; deletes without asking.", valueName: "WORD"))
  var confirm: String?

  @Flag(help: "Refuse whatever changes something on the backend.")
  var readOnly = false
}

extension FactsSession {
  /// Counts a part, has its word typed, deletes it, and says what came of it.
  ///
  /// - Throws: unless it was read again and is gone.
  func delete(
    _ part: MemoryPart, _ options: PartOptions, in environment: Environment
  ) async throws(Failure) {
    let word = part.word
    guard options.confirm != nil || environment.isAttended else {
      throw Failure(
        .usage, "nobody can type '\(word)' without a terminal; add --confirm '\(word)'")
    }
    guard options.confirm == nil || options.confirm == word else {
      throw Failure(.usage, "--confirm wants '\(word)'; nothing was sent")
    }
    let count = try await self.count(part)
    sayCount(count, of: part)
    if options.confirm == nil {
      output.prompt("Type \(PlainText(word)) to delete it; this cannot be undone: ")
      let typed = settings.process.readLine()?.trimmingCharacters(in: .whitespaces)
      guard typed == word else { throw Failure(.failed, "Nothing was deleted.") }
    }
    guard let whole = try await delete(part, count) else {
      throw Failure(.failed, store.undoProblem ?? "Nothing was deleted.")
    }
    let outcome = whole.outcome ?? "Its outcome is unknown."
    guard whole.isSeenGone else {
      throw Failure(Failure.Code(whole.failure, wasSent: true), outcome)
    }
    output.complain(outcome)
  }

  private func sayCount(_ count: MemoryPartCount, of part: MemoryPart) {
    switch part {
    case .guild(let id, _):
      output.remark("All memory of \(PlainText(guildWords(id))): \(count.words), counted just now;")
      output.remark("and its stored messages and voice summaries, which no route counts.")
      if count.staying > 0 {
        output.remark("\(count.staying) facts that belong to no guild stay.")
      }
    case .run:
      output.remark("\(PlainText(part.title)); the \(count.staying) facts that it saved stay.")
    }
  }
}
