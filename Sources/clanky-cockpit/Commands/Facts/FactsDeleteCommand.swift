import ArgumentParser
import CockpitStores
import Foundation

/// `facts delete`: deletes one fact, for good.
struct FactsDeleteCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a fact, for good.",
    usage: "clanky-cockpit facts delete ID --guild G [--yes] [OPTIONS]",
    discussion: """
      The backend cannot restore what was deleted; the words stay in 'facts journal'. You are asked \
      first; without a terminal --yes is needed. Exits with 0 only when the backend confirmed the \
      deletion, or the fact is seen to be gone after an answer was lost.
      """)

  @OptionGroup var options: FactsOptions

  @Argument(help: ArgumentHelp("The fact's number.", valueName: "ID"))
  var id: FactID

  @Flag(name: .shortAndLong, help: "Delete without asking.")
  var yes = false

  @MainActor func main() async throws {
    let settings = try Settings(options.shared)
    try FactsSession.permitWriting(settings, options)
    guard settings.guild != nil || options.ownerPrivate else {
      throw await guildMissing(settings)
    }
    guard yes || FactsSession.isAttended else {
      throw Failure(.usage, "nobody can be asked without a terminal; add --yes to delete")
    }
    let session = try await FactsSession(settings, takesOwnerPrivate: options.ownerPrivate)
    try await session.load()
    let fact = try session.fact(id.value)
    Output.remark(FactsText(session).title(fact))
    guard yes || FactsSession.confirms("Delete it? This cannot be undone.") else {
      throw Failure(.failed, "Nothing was deleted.")
    }
    guard let deletion = await session.delete(id.value) else {
      throw Failure(.failed, session.store.undoProblem ?? "Nothing was deleted.")
    }
    if let problem = deletion.problems[id.value] {
      throw Failure(session.writeCode(wasSent: true), "Not deleted: \(problem)")
    }
    guard deletion.deleted.contains(id.value) else {
      throw Failure(.failed, "Fact \(id.value) had been deleted by somebody else already.")
    }
    Output.complain("Fact \(id.value) is deleted.")
  }

  /// Asks for the guild, naming those that the fact is found in.
  @MainActor private func guildMissing(_ settings: Settings) async -> Failure {
    let ask = "say in which guild with --guild"
    do {
      let session = try await FactsSession(settings, takesOwnerPrivate: false)
      try await session.load()
      let guilds = session.guilds(of: try session.fact(id.value)).map(session.guildWords)
      return Failure(
        .usage,
        guilds.isEmpty
          ? "\(ask); the backend does not name it"
          : "\(ask); fact \(id.value) is found in \(guilds.joined(separator: ", "))")
    } catch {
      return Failure(.usage, "\(ask); which one that is could not be found out: \(error)")
    }
  }
}
