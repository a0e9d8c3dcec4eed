package import ClankyLink
package import ClankyWire
import Observation

/// How the backend is heard: connection state, failures, names of guilds and channels.
@MainActor
@Observable
package final class ConnectionStore {
  /// The state of both streams, the last failure, latency and counters.
  package private(set) var status: LinkStatus
  /// The backend's address, for display.
  package let address: String
  /// Events that could not be read, whole.
  package private(set) var rejectedEvents = 0
  /// Why the last of them was rejected.
  package private(set) var lastRejection: String?
  /// Since when the bot's own troubles last.
  package private(set) var botWatch = BotWatch()
  /// Names that guilds, channels and voice sessions have told.
  package private(set) var names = NameTable()

  package init(address: String, status: LinkStatus = LinkStatus()) {
    self.address = address
    self.status = status
  }

  package func apply(_ status: LinkStatus) { self.status = status }

  /// Notes what statistics say of the bot itself.
  ///
  /// - Parameter wallMs: on our own clock.
  package func note(_ runtime: Runtime?, wallMs: Int64) {
    guard let runtime else { return }
    var watch = botWatch
    let isTunnelUp = runtime.publicHttps.map { $0.status == .ready || $0.enabled == false } ?? true
    watch.note(
      BotTrouble.Cause.found(in: runtime), of: [.discord, .tunnel],
      keeping: isTunnelUp ? [] : [.tunnelStarting], atMs: status.serverMs(wallMs))
    if watch != botWatch { botWatch = watch }
  }

  /// Notes what a voice state says of the bot itself.
  ///
  /// - Parameter wallMs: on our own clock.
  package func note(voice causes: [BotTrouble.Cause], wallMs: Int64) {
    var watch = botWatch
    watch.note(causes, of: [.voice, .tools], atMs: status.serverMs(wallMs))
    if watch != botWatch { botWatch = watch }
  }

  package func reject(_ reason: String) {
    rejectedEvents += 1
    lastRejection = reason
  }

  /// Learns the names in the answer of `GET /api/guilds`.
  package func learn(guilds: [Guild]) {
    for guild in guilds {
      guard let id = guild.id, let name = guild.name else { continue }
      if names.guilds[id] != name { names.guilds[id] = name }
    }
  }

  /// Learns the names in the answer of `GET /api/guilds/:id/channels`.
  package func learn(channels: [Channel]) {
    for channel in channels {
      guard let id = channel.id, let name = channel.name else { continue }
      if names.channels[id] != name { names.channels[id] = name }
    }
  }

  /// Names of users that are kept: a hostile backend does not fill the memory with them.
  private static let maxUsers = 20_000

  /// Learns the name of one user.
  package func learn(user id: String, name: String) {
    guard !name.isEmpty, names.users[id] != name else { return }
    guard names.users.count < Self.maxUsers || names.users[id] != nil else { return }
    names.users[id] = name
  }

  /// Learns who is who from the people of voice sessions: the only place where the backend says it.
  package func learn(_ state: VoiceState) {
    // Asked once: nearly all are known, and reading what is observed has its price.
    let known = names.users
    for session in state.sessions {
      let people =
        session.participants.map { ($0.userID, $0.displayName) }
        + session.activeCaptures.map { ($0.userID, $0.displayName) }
        + session.membershipEvents.map { ($0.userID, $0.displayName) }
        + session.asrSessions.map { ($0.userID, $0.displayName) }
        + session.memory.factProfiles.map { ($0.userID, $0.displayName) }
      for case (let id?, let name?) in people where known[id] != name {
        learn(user: id, name: name)
      }
    }
  }
}
