package import CockpitDomain
internal import Networking
package import ClankyWire
import Observation

/// Connection state, failures, and the names of guilds and channels.
@MainActor
@Observable
package final class ConnectionStore {
  /// The state of both streams, the last failure, latency and counters.
  package private(set) var status: SourceStatus
  /// The backend's address, for display.
  package let address: String
  /// Whether rows have arrived at least once: stored ones, or a live one of a source without any.
  package private(set) var hasRows = false
  /// Events that could not be read, whole; rows are counted by the log (`ActionLog.totals`).
  package private(set) var rejectedEvents = 0
  /// Why the last of them was rejected.
  package private(set) var lastRejection: String?
  /// Names that guilds, channels, voice sessions, rows and memory have told.
  package private(set) var names = NameTable()

  package init(address: String, status: SourceStatus = SourceStatus()) {
    self.address = address
    self.status = status
  }

  /// The routes that the backend was seen to lack.
  package private(set) var missingRoutes: Set<BackendRoute> = []

  package func apply(_ status: SourceStatus) {
    // Another release may have been started; what is not asked for by itself would stay marked.
    if status.returns != self.status.returns, missingRoutes.contains(where: \.isTried) {
      missingRoutes = missingRoutes.filter { !$0.isTried }
    }
    self.status = status
  }

  /// Records what the answer to a request says about its route. While the streams are silent a 404 may come from
  /// something that hides everything (contract 1.4).
  func note(_ request: RestRequest, _ result: Result<RestAnswer, RestFailure>) {
    guard let route = BackendRoute(request) else { return }
    if result.isProvenMissingRoute {
      let isHeard = status.overall == .live || status.overall == .polling
      if isHeard, !missingRoutes.contains(route) { missingRoutes.insert(route) }
    } else if case .success(let answer) = result, answer.isSuccess, missingRoutes.contains(route) {
      missingRoutes.remove(route)
    }
  }

  /// Records that the backend's rows have arrived.
  func noteRows() { if !hasRows { hasRows = true } }

  package func reject(_ reason: String) {
    rejectedEvents += 1
    lastRejection = reason
  }

  /// Remembers why a row was rejected, which the log has counted.
  func noteRejectedRow(_ reason: String) { lastRejection = reason }

  /// Says which of several sources the rows are of.
  package func name(source: String) { names.sourceName = source }

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

  /// Learns the names of agents, which stand in the place of guilds, and of sessions, in that of channels.
  func learn(_ overview: GatewayOverview) {
    for agent in overview.agents {
      let name = agent.name ?? agent.id
      if names.guilds[agent.id] != name { names.guilds[agent.id] = name }
      learn(user: agent.id, name: name)
    }
    for session in overview.sessions {
      let name = String(session.key.trimmingPrefix("agent:"))
      if names.channels[session.key] != name { names.channels[session.key] = name }
    }
  }

  /// Names of users that are kept: a hostile backend does not fill the memory with them.
  private static let maxUsers = 20_000
  /// When each name was learned, in ms since 1970: the later name wins, in any order of arrival.
  @ObservationIgnored private var nameTimes: [String: Int64] = [:]

  /// Learns the name of one user.
  ///
  /// - Parameter atMs: when the name was used, in ms since 1970 on the backend's clock; `.max`
  ///   overrides all rows.
  package func learn(user id: String, name: String, atMs: Int64 = .max) {
    guard !name.isEmpty, !id.isEmpty, nameTimes[id].map({ $0 <= atMs }) ?? true else { return }
    guard nameTimes.count < Self.maxUsers || nameTimes[id] != nil else { return }
    nameTimes[id] = atMs
    if names.users[id] != name { names.users[id] = name }
  }

  /// Learns the names of users in the voice sessions.
  ///
  /// - Parameter atMs: when the state was received, in ms since 1970 on the backend's clock.
  package func learn(_ state: VoiceState, atMs: Int64 = .max) {
    // Read once: nearly all names are known, and reading an observed property is slow.
    let known = names.users
    func learn(_ id: String?, _ name: String?, _ time: Int64) {
      guard let id, let name else { return }
      if known[id] == name, let told = nameTimes[id] {
        if told < time { nameTimes[id] = time }
      } else {
        self.learn(user: id, name: name, atMs: time)
      }
    }
    for session in state.sessions {
      let began = session.startedAt?.milliseconds ?? 0
      for person in session.memory.factProfiles {
        learn(person.userID, person.displayName, min(atMs, person.loadedAt?.milliseconds ?? began))
      }
      for event in session.membershipEvents {
        learn(event.userID, event.displayName, min(atMs, event.at?.milliseconds ?? began))
      }
      for sharer in session.streamWatch.nativeDiscord.activeSharers {
        learn(sharer.userID, sharer.displayName, min(atMs, sharer.updatedAt?.milliseconds ?? began))
      }
      for asr in session.asrSessions + [session.sharedAsrSession?.session].compactMap(\.self) {
        learn(asr.userID, asr.displayName, min(atMs, asr.connectedAt?.milliseconds ?? began))
      }
      for person in session.activeCaptures { learn(person.userID, person.displayName, atMs) }
      for person in session.participants { learn(person.userID, person.displayName, atMs) }
    }
  }
}
