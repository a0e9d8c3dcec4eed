import CockpitSession
import ArgumentParser
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON

/// `voice join`: lets the bot join a user's voice channel.
struct VoiceJoinCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Let the bot join the voice channel where somebody is.",
    usage: "clanky-cockpit voice join [OPTIONS]",
    discussion: """
      The voice channel cannot be chosen: the bot follows the person named with --user, or the first \
      person it finds in voice. Guilds, people and channels are named by id or by name; names of \
      people are known only while they are in voice with the bot.

      Joining takes up to a minute. Exits with 0 only when the backend says that the bot is in the \
      channel.
      """)

  /// How long a backend takes to join at most.
  private static let longestSeconds = 60

  @OptionGroup var options: VoiceOptions

  @Option(help: ArgumentHelp("The person to follow: id or name.", valueName: "U"))
  var user: String?

  @Option(help: ArgumentHelp("Where the bot writes: id or name.", valueName: "C"))
  var textChannel: String?

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    try options.permitChanging(settings)
    environment.needs(seconds: Self.longestSeconds)
    let session = try await RestSession(settings)
    let targets = VoiceTargets(session)
    let guild = session.settings.guild
    let request = JoinRequest(
      guildID: guild, requesterUserID: try await targets.user(user),
      textChannelID: try await targets.textChannel(textChannel, guild: guild))
    let store = OperationsStore()
    let service = OperationsService(store: store, requester: session.link, clock: session.clock)
    VoiceTargets.sayInterruption(in: environment) { store.join.isUnderWay }
    service.perform(.join(request))
    try await waitUnlessInterrupted { !store.join.isUnderWay }
    switch store.join {
    case .ended(let result, _):
      if options.json { environment.output.line(Self.line(result)) }
      let sentence = result.reason?.sentence ?? "The backend gives no reason; look at VOICE."
      guard result.ok == true else { throw Failure(.failed, sentence) }
      environment.output.complain(
        await targets.place(of: result).map { "\(sentence) \($0)" } ?? sentence)
    case .failed(let failure, _): throw Failure(failure)
    case .none, .underWay: throw Failure(.failed, "The bot was not asked to join; try again.")
    }
  }

  private static func line(_ result: JoinResult) -> [UInt8] {
    var line = JSONObjectWriter()
    line.string("type", "join")
    line.bool("ok", result.ok)
    line.string("reason", result.reason?.rawValue)
    line.string("guild_id", result.guildID)
    line.string("voice_channel_id", result.voiceChannelID)
    line.string("text_channel_id", result.textChannelID)
    line.string("requester_user_id", result.requesterUserID)
    return line.finish()
  }
}
