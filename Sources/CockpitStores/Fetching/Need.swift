package import CockpitDomain
internal import ClankyWire

/// Data that a screen shows and that must be requested from the backend. Panes and verbs state their needs as
/// values; `Fetcher` decides which requests follow.
package enum Need: Hashable, Sendable {
  case memory(MemoryRequest)
  case command(OperationsRequest)
  case settings(SettingsRequest)
  /// Older rows. The link tracks which of them are loaded or in flight.
  case history(HistoryRequest)
  /// The list of past voice sessions; another one after each change of those that are live
  /// (`VoiceStore.liveChanges`).
  case voiceSessions(liveChanges: Int)
  /// Events of a live voice session from before the stored rows.
  case earlierEvents(session: String)
  /// Summaries of past voice sessions, the most wanted first, for as long as they are on the screen.
  case summaries([String])
  /// Something of a gateway.
  case gateway(GatewayLookup)

  /// Whether the receiver deduplicates requests itself, so that the need is passed on with each frame.
  fileprivate var isContinuous: Bool {
    switch self {
    case .history, .summaries: true
    case .memory, .command, .settings, .voiceSessions, .earlierEvents, .gateway: false
    }
  }

  /// A need whose answer includes this one.
  fileprivate var covering: Need? {
    if case .memory(.load(guild: .some)) = self { .memory(.load(guild: nil)) } else { nil }
  }
}

extension Need {
  /// The data of a CMD overview.
  @MainActor package static func operations(_ store: OperationsStore) -> [Need] {
    let requests: [OperationsRequest] = [.loadGuilds, .loadBrowserSessions, .loadAccounts]
    // A bot is in a handful of guilds; a hostile list does not become a flood of requests.
    let guilds = (store.guilds.value ?? []).compactMap(\.id).prefix(50)
    return (requests + guilds.map { .loadAutomations(guild: $0) }).map(Need.command)
  }
}

/// Requests each need once per connection: a reconnect refetches, and a failed request is not retried
/// automatically.
package struct Fetcher: Sendable {
  private var requested: [Need: Int] = [:]

  package init() {}

  /// The requests to make now.
  ///
  /// - Parameters:
  ///   - needs: those of the current screen.
  ///   - connection: the number of the connection (`SourceStatus.returns`).
  package mutating func due(_ needs: [Need], connection: Int) -> [Need] {
    needs.filter { need in
      if need.isContinuous { return true }
      if let covering = need.covering, requested[covering] == connection { return false }
      guard requested[need] != connection else { return false }
      requested[need] = connection
      return true
    }
  }

  /// Forgets all requests, for a manual refresh.
  package mutating func forget() { requested = [:] }
}
