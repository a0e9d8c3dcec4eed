import CockpitSession
import ArgumentParser
import ClankyWire
import CockpitStores
import Foundation
import TerminalCore

/// `facts delete`: deletes one fact permanently.
struct FactsDeleteCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a fact, for good.",
    usage: "clanky-cockpit facts delete ID [--yes] [OPTIONS]",
    discussion: """
      The backend cannot restore what was deleted; the words stay in 'facts journal'. You are asked \
      first; without a terminal --yes is needed. A fact about a user belongs to no guild: it \
      disappears from all of them. --guild looks for the fact in that guild alone. Exits with 0 only when the backend confirmed the \
      deletion, or the fact is seen to be gone after an answer was lost.
      """)

  @OptionGroup var options: FactsOptions

  @Argument(help: ArgumentHelp("The fact's number.", valueName: "ID"))
  var id: FactID

  @Flag(name: .shortAndLong, help: "Delete without asking.")
  var yes = false

  @Flag(help: "Print what was deleted as one JSON object, ASCII only.")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    try FactsSession.permitWriting(settings, options)
    guard yes || environment.isAttended else {
      throw Failure(.usage, "nobody can be asked without a terminal; add --yes to delete")
    }
    let session = try await FactsSession(settings, takesOwnerPrivate: options.ownerPrivate)
    try await session.load()
    let fact = try session.fact(id.value)
    guard let target = session.store.target(of: fact) else {
      throw Failure(.usage, "no guild is known for fact \(id.value); name one with --guild")
    }
    let record = session.record(fact).json
    environment.output.remark(FactsText(session).title(fact))
    environment.output.remark(place(of: fact, target, session))
    let isEverywhere = fact.guildID == nil && target != .ownerPrivate
    guard
      yes
        || session.confirms(
          "Delete it\(isEverywhere ? " from all guilds" : "")? This cannot be undone.")
    else {
      throw Failure(.failed, "Nothing was deleted.")
    }
    guard let deletion = try await session.delete(id.value) else {
      throw Failure(.failed, session.store.undoProblem ?? "Nothing was deleted.")
    }
    if let problem = deletion.problems[id.value] {
      throw Failure(
        Failure.Code(deletion.failures[id.value], wasSent: true), "Not deleted: \(problem)")
    }
    guard deletion.deleted.contains(id.value) else {
      throw Failure(.failed, "Fact \(id.value) had been deleted by somebody else already.")
    }
    if json { environment.output.line(record) }
    environment.output.complain("Fact \(id.value) is deleted.")
  }

  /// The scope of the deletion.
  @MainActor private func place(
    of fact: Fact, _ target: FactTarget, _ session: FactsSession
  ) -> PlainText {
    if target == .ownerPrivate { return "It is one of the owner's private facts." }
    if let guild = fact.guildID { return "It is in \(PlainText(session.guildWords(guild)))." }
    let guilds = session.guilds(of: fact).map(session.guildWords).joined(separator: ", ")
    return "It belongs to no guild and disappears from all of them (found in \(PlainText(guilds)))."
  }
}
