import ArgumentParser
import ClankyWire
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import TerminalCore

/// `facts recall`: what the bot would put in front of its model now.
struct FactsRecallCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "recall",
    abstract: "Show what the bot would recall for some words, people and a kind of reply.",
    usage: "clanky-cockpit facts recall TEXT... [--person P]... [OPTIONS]",
    discussion: """
      Asks one guild: the one of --guild, else the first. The first --person is the one that it would \
      answer; names work where they are known. With --mode voice the people in the live session of the \
      guild are added. The bot may pay a little for it (embeddings).
      """)

  @OptionGroup var options: FactsOptions

  @Argument(help: ArgumentHelp("What somebody might say.", valueName: "TEXT"))
  var words: [String]

  @Option(help: ArgumentHelp("A person: name or id; several may be given.", valueName: "P"))
  var person: [String] = []

  @Option(help: ArgumentHelp("The channel whose conversations come first.", valueName: "ID"))
  var channel: String?

  @Option(help: ArgumentHelp("text or voice.", valueName: "MODE"))
  var mode = "text"

  @Flag(help: "JSON lines, ASCII only, one for each fact.")
  var json = false

  func validate() throws {
    guard ["text", "voice"].contains(mode) else {
      throw ValidationError("--mode is text or voice")
    }
    guard words.contains(where: { $0.contains { !$0.isWhitespace } }) else {
      throw ValidationError("say what somebody might say")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    let session = try await FactsSession(settings, takesOwnerPrivate: options.ownerPrivate)
    try await session.load()
    guard let guild = settings.guild ?? session.store.guilds?.first else {
      throw Failure(.failed, "The backend names no guilds; name one with --guild.")
    }
    var people: [String] = []
    for name in person { people.append(try session.subject(name)) }
    let snapshot = try await session.recall(
      SnapshotRequest(
        guildID: guild, channelID: channel, userID: people.first,
        queryText: words.joined(separator: " "), mode: SnapshotMode(rawValue: mode),
        participantIDs: people.count > 1 ? people : []))
    if !json { say(snapshot, guild, session) }
    for (title, facts) in Self.lists(snapshot, session) {
      let shown = facts.filter { !session.isHidden($0) }
      if !json { environment.output.line(title + PlainText(" \(facts.count)")) }
      try await FactsText(session).write(shown.map { session.record($0) }, json: json)
      if shown.count < facts.count {
        environment.output.complain(
          "\(facts.count - shown.count) of the owner's private facts left out; --owner-private shows them."
        )
      }
    }
  }

  @MainActor private func say(
    _ snapshot: RuntimeSnapshot, _ guild: String, _ session: FactsSession
  ) {
    session.output.remark(
      "\(mode) reply in \(PlainText(session.guildWords(guild))), for:")
    for person in snapshot.participants {
      let id = person.userID ?? "?"
      session.output.remark(
        "  \(PlainText(session.name(of: id) ?? person.displayName ?? id))  \(PlainText(person.source?.rawValue ?? ""))"
      )
    }
  }

  @MainActor private static func lists(
    _ snapshot: RuntimeSnapshot, _ session: FactsSession
  ) -> [(PlainText, [Fact])] {
    let slice = snapshot.slice
    var lists: [(PlainText, [Fact])] = [
      ("relevant", slice.relevantFacts), ("guidance", slice.guidanceFacts),
      ("behaviour", slice.behavioralFacts),
    ]
    for person in slice.participantProfiles {
      let id = person.userID ?? "?"
      let name = session.name(of: id) ?? person.displayName ?? id
      lists.append(("about " + PlainText(name, limit: 60), person.facts))
    }
    if slice.participantProfiles.isEmpty { lists.append(("about them", slice.userFacts)) }
    return lists + [("about itself", slice.selfFacts), ("community", slice.loreFacts)]
  }
}

extension FactsSession {
  func recall(_ question: SnapshotRequest) async throws(Failure) -> RuntimeSnapshot {
    memoryService.perform(.recall(question))
    try await wait { [store] in !store.recall.isLoading }
    switch store.recall {
    case .loaded(let snapshot, _): return snapshot
    case .notServed: throw Failure(.failed, "This backend does not say what it would recall.")
    case .failed(let failure, _): throw Failure(failure)
    case .none, .loading: throw Failure(.failed, "It was not asked.")
    }
  }
}
