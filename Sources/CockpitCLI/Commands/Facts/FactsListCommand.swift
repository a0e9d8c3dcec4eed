import CockpitSession
import ArgumentParser
import ClankyWire
import CockpitStores
import Foundation
import TerminalCore

/// `facts list`: the bot's facts, one per line.
struct FactsListCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List facts: number, subject, type, confidence, day of the last change, text.",
    usage: "clanky-cockpit facts list [OPTIONS]",
    discussion: """
      Everything that the backend lists is fetched, page by page. What is missing then is said on \
      stderr. An empty list is no failure.

      --at TIME lists them as they were last fetched before then, from what was recorded, and asks no backend.
      """)

  @OptionGroup var options: FactsOptions
  @OptionGroup var selection: FactsSelection
  @OptionGroup var past: PastOptions

  @Flag(help: "JSON lines, ASCII only, with the exact texts.")
  var json = false

  func validate() throws { try selection.check() }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    if let recorded = try past.open(settings) {
      let answers = RecordedAnswers(recorded)
      settings.output.complain("The facts \(answers.asOf).")
      for sentence in answers.remarks("GET /api/memory/facts") {
        settings.output.complain(sentence)
      }
      return try await list(
        try FactsSession(recorded, answers, takesOwnerPrivate: options.ownerPrivate))
    }
    try await list(try await FactsSession(settings, takesOwnerPrivate: options.ownerPrivate))
  }

  @MainActor private func list(_ session: FactsSession) async throws {
    try await session.load()
    let facts = try selection.facts(of: session)
    try await FactsText(session).write(facts.map { session.record($0) }, json: json)
    session.sayWhatIsMissing()
  }
}

/// Which facts, in which order: shared by `list` and `export`.
struct FactsSelection: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only about this id, name, or self, lore, owner.", valueName: "S"))
  var subject: String?

  // A negated term begins with a dash.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only facts that match, such as 'type:preference conf>0.8 age<7d rust'.", valueName: "Q"))
  var filter: String = ""

  @Option(help: "Newest change, newest, surest first; or by subject or type.")
  var order: FactsOrder = .updated

  @Flag(help: "The other way round.")
  var reverse = false

  @Option(help: ArgumentHelp("The first N only.", valueName: "N"))
  var limit: Int?

  /// Validates the filter before any request.
  func check() throws {
    if let limit, limit < 1 { throw ValidationError("--limit is 1 or more") }
    var query = FactViewQuery()
    query.filter = filter
    if let problem = query.filterProblem { throw ValidationError("--filter: \(problem)") }
  }

  @MainActor func facts(of session: FactsSession) throws -> [Fact] {
    var query = FactViewQuery()
    query.subject = try subject.map { try session.subject($0) }
    query.filter = filter
    query.order = order.order
    query.isReversed = reverse
    let facts = session.facts(query)
    if facts.isEmpty, let subject {
      session.output.complain("No fact that fits is about '\(subject)'.")
    }
    return limit.map { Array(facts.prefix($0)) } ?? facts
  }
}

enum FactsOrder: String, ExpressibleByArgument, CaseIterable, Sendable {
  case updated, created, confidence, subject, type

  var order: FactViewQuery.Order { FactViewQuery.Order(rawValue: rawValue) ?? .updated }
}
