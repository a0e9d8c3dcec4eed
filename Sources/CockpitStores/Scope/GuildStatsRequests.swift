internal import ClankyWire
internal import CockpitDomain
internal import LenientJSON
internal import Networking

/// Asks for the backend's figures of one guild while a screen is about it: at once, and again while they age.
@MainActor
package final class GuildStatsRequests {
  private let activity: ActivityStore
  private let connection: ConnectionStore
  private let channel: any RequestChannel
  private let clock: any LinkClock
  /// The guild that was asked for last, when (monotonic), and on which connection.
  private var asked: (guild: String, atNs: UInt64, connection: Int)?
  private var isOpen = false

  /// How often they are asked for: the upstream's phone app asks as often.
  private static let everyNs: UInt64 = 15_000_000_000

  init(
    _ activity: ActivityStore, connection: ConnectionStore, channel: any RequestChannel,
    clock: any LinkClock
  ) {
    self.activity = activity
    self.connection = connection
    self.channel = channel
    self.clock = clock
  }

  /// Asks if it is time to. Call it after each frame.
  package func follow(_ scope: GuildScope) {
    // A name is not asked for before it is known whose it is.
    guard let guild = scope.guild, isKnown(guild) else {
      activity.forgetGuildStats()
      asked = nil
      return
    }
    let status = connection.status
    guard status.overall == .live || status.overall == .polling, !isOpen else { return }
    if let asked, asked.guild == guild, asked.connection == status.returns,
      clock.nowNs.since(asked.atNs) < Self.everyNs
    {
      return
    }
    asked = (guild, clock.nowNs, status.returns)
    isOpen = true
    channel.request(RestRequest(.get, .stats(guild: guild))) { [weak self] result in
      self?.take(result, of: guild)
    }
  }

  private func isKnown(_ guild: String) -> Bool {
    GuildScope.isID(guild) || connection.names.guilds[guild] != nil
  }

  private func take(_ result: Result<RestAnswer, RestFailure>, of guild: String) {
    isOpen = false
    guard asked?.guild == guild else { return }
    guard case .success(let answer) = result, answer.isSuccess,
      let stats = (try? JSONValue.parse(answer.body)).flatMap(StatsEnvelope.init)?.stats
    else {
      activity.applyGuildStatsFailure(
        of: guild, atMs: connection.status.serverMs(clock.wallMs))
      return
    }
    activity.applyGuildStats(
      stats, payload: answer.body, of: guild, atMs: connection.status.serverMs(clock.wallMs))
  }
}
