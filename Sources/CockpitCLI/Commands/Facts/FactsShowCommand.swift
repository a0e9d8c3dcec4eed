import CockpitSession
import ArgumentParser
import CockpitStores
import Foundation

/// `facts show`: one fact with all its members.
struct FactsShowCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one fact with all its members.",
    usage: "clanky-cockpit facts show ID [OPTIONS]",
    discussion: "Exits with 1 when there is no such fact.")

  @OptionGroup var options: FactsOptions

  @Argument(help: ArgumentHelp("The fact's number.", valueName: "ID"))
  var id: FactID

  @Flag(help: "One JSON object, ASCII only, with the exact texts.")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    let session = try await FactsSession(settings, takesOwnerPrivate: options.ownerPrivate)
    try await session.load()
    let fact = try session.fact(id.value)
    if json {
      environment.output.line(session.record(fact).json)
    } else {
      for line in FactsText(session).details(fact) { environment.output.line(line) }
    }
  }
}
