package import ClankyLink
internal import ClankyWire

/// Something that a screen, or a verb that prints one, is made of and that comes only when it is asked for. A
/// value: who shows something states its needs, and the `Fetcher` decides which requests follow.
package enum Need: Hashable, Sendable {
  case memory(MemoryRequest)
  case command(CommandRequest)
  /// Rows of the past. The link itself knows which are here and on their way.
  case history(HistoryWish)
  /// The list of past voice sessions; another one after each change of those that are live
  /// (`VoiceStore.liveChanges`).
  case voiceSessions(liveChanges: Int)
  /// What a live voice session did before the rows here begin.
  case earlierEvents(session: String)
  /// Summaries of past voice sessions, the most wanted first, for as long as they are on the screen.
  case summaries([String])

  /// Whether it is stated to somebody who keeps account of it, and so with each frame.
  fileprivate var isContinuous: Bool {
    switch self {
    case .history, .summaries: true
    case .memory, .command, .voiceSessions, .earlierEvents: false
    }
  }

  /// A need that brings this one along.
  fileprivate var covering: Need? {
    if case .memory(.load(guild: .some)) = self { .memory(.load(guild: nil)) } else { nil }
  }
}

extension Need {
  /// What an overview of CMD is made of.
  @MainActor package static func operations(_ store: CommandStore) -> [Need] {
    let requests: [CommandRequest] = [.loadGuilds, .loadBrowserSessions, .loadAccounts]
    // A bot is in a handful of guilds; a hostile list does not become a flood of requests.
    let guilds = (store.guilds.value ?? []).compactMap(\.id).prefix(50)
    return (requests + guilds.map { .loadAutomations(guild: $0) }).map(Need.command)
  }
}

/// Remembers which needs were requested on which connection: each once, so that a reconnect reads anew what may
/// have changed meanwhile and a failure is not repeated by itself.
package struct Fetcher: Sendable {
  private var requested: [Need: Int] = [:]

  package init() {}

  /// The requests to make now.
  ///
  /// - Parameters:
  ///   - needs: what is shown is made of these.
  ///   - connection: the number of the connection (`LinkStatus.returns`).
  package mutating func due(_ needs: [Need], connection: Int) -> [Need] {
    needs.filter { need in
      if need.isContinuous { return true }
      if let covering = need.covering, requested[covering] == connection { return false }
      guard requested[need] != connection else { return false }
      requested[need] = connection
      return true
    }
  }

  /// Forgets what was requested: a person wants everything anew.
  package mutating func forget() { requested = [:] }
}
