import ClankyLink
import ClankyWire
import CockpitStores
import TerminalCore

extension CommandPane {
  /// What the open tab wants fetched by itself: each thing once for each connection, so that a
  /// reconnect reads anew what may have changed meanwhile, and a failure is not repeated by itself.
  @MainActor package mutating func wishes(_ facts: Facts, body: Rect, screen: Size) -> [Effect] {
    guard facts.isHeard else { return [] }
    return ask(wanted(facts), facts, if: true)
  }

  /// Asks for what was not asked for yet on this connection.
  @MainActor mutating func ask(
    _ requests: [CommandRequest], _ facts: Facts, if isWanted: Bool
  ) -> [Effect] {
    guard isWanted, facts.isHeard else { return [] }
    let connection = facts.status.returns
    let new = requests.filter { asked[$0] != connection }
    for request in new { asked[request] = connection }
    return new.map(Effect.command)
  }

  /// What the tab is made of.
  @MainActor private func wanted(_ facts: Facts) -> [CommandRequest] {
    var wanted: [CommandRequest] = [.loadGuilds, .loadBrowserSessions, .loadAccounts]
    // A bot is in a handful of guilds; a hostile list does not become a flood of requests.
    let guilds = (facts.command.guilds.value ?? []).compactMap(\.id).prefix(50)
    wanted += guilds.map { .loadAutomations(guild: $0) }
    for item in unfolded {
      switch item {
      case .guild(let id): wanted.append(.loadChannels(guild: id))
      case .automation(let id, let guild):
        wanted.append(.loadRuns(guild: guild, automation: id))
      default: break
      }
    }
    return wanted
  }

  /// Fetches everything anew; nil without a connection, so that the shell tries one.
  @MainActor mutating func refresh(_ facts: Facts) -> [Effect]? {
    guard facts.isHeard else { return nil }
    asked = [:]
    notice = "everything on this tab is fetched anew"
    return ask(wanted(facts), facts, if: true) + [.loadVoiceHistory]
  }

  /// Brings cursors and scroll positions into what there is to show.
  @MainActor package mutating func settle(_ facts: Facts, body: Rect, screen: Size) {
    let layout = layout(in: body, of: screen)
    for panel in Array(cursors.keys) where !layout[panel].isEmpty {
      let rows = content(panel, facts, layout).rows
      cursors[panel]?.settle(rows, height: layout.content(panel).height)
    }
  }
}
