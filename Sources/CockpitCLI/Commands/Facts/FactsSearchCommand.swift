import CockpitSession
import ArgumentParser
import CockpitStores
import Foundation

/// `facts search`: the backend's own search by meaning.
struct FactsSearchCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search facts by meaning, best first, with their scores.",
    usage: "clanky-cockpit facts search TEXT... [OPTIONS]",
    discussion: """
      The backend searches the facts of one guild and gives 24 at most; without --guild each guild \
      is searched in turn. It does not look at facts about users and owners: for words in any fact \
      use 'facts list --filter TEXT'. The bot may pay a little for every search.

      Exits with 1 when nothing was found, as grep does.
      """)

  @OptionGroup var options: FactsOptions

  @Argument(help: ArgumentHelp("What to look for.", valueName: "TEXT"))
  var words: [String]

  @Option(help: ArgumentHelp("The best N only, 24 at most.", valueName: "N"))
  var limit: Int = 24

  @Flag(help: "JSON lines, ASCII only, with the exact texts.")
  var json = false

  private var text: String { words.joined(separator: " ") }

  func validate() throws {
    guard (1...24).contains(limit) else {
      throw ValidationError("--limit is a number from 1 to 24")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("say what to look for")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    let session = try await FactsSession(settings, takesOwnerPrivate: options.ownerPrivate)
    let hits = try await session.search(text, limit: limit)
    guard !hits.isEmpty else {
      throw Failure(
        .failed,
        "Nothing was found by meaning; try 'facts list --filter', which also looks at facts about users."
      )
    }
    try await FactsText(session).write(hits, json: json)
  }
}
