import CockpitSession
import ArgumentParser
import CockpitStores
import Foundation
import LenientJSON

/// `voice leave`: says that the backend cannot, unless this one can.
struct VoiceLeaveCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "leave",
    abstract: "Let the bot leave voice, where the backend has a route for it.",
    usage: "clanky-cockpit voice leave [--guild G] [OPTIONS]",
    discussion: """
      A Clanky backend of version 1 has no such route; then this says so and exits with 1. Whoever \
      is in voice can tell the bot to leave.
      """)

  @OptionGroup var options: VoiceOptions

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    try options.permitChanging(settings)
    let session = try await RestSession(settings)
    let store = OperationsStore()
    let service = OperationsService(store: store, requester: session.link, clock: session.clock)
    // Another route must answer first, so that a 404 concerns this route only.
    service.perform(.loadGuilds)
    try await waitUnlessInterrupted { !store.guilds.isLoading }
    if let failure = store.guilds.failure { throw Failure(failure) }
    let guild = session.settings.guild
    VoiceTargets.sayInterruption(in: environment) { store.leave.isUnderWay }
    service.perform(.leave(guild: guild))
    try await waitUnlessInterrupted { !store.leave.isUnderWay }
    if options.json { environment.output.line(Self.line(store)) }
    switch store.leave {
    case .ended: environment.output.complain("The bot left voice.")
    case .failed(let failure, _): throw Failure(failure)
    case .none, .underWay: throw Failure(.failed, "The bot was not asked to leave; try again.")
    }
  }

  @MainActor
  private static func line(_ store: OperationsStore) -> [UInt8] {
    var line = JSONObjectWriter()
    line.string("type", "leave")
    if case .ended(let ok, _) = store.leave { line.bool("ok", ok) } else { line.bool("ok", false) }
    line.bool("served", store.canLeave)
    if case .failed(let failure, _) = store.leave { line.string("problem", failure.sentence) }
    return line.finish()
  }
}
