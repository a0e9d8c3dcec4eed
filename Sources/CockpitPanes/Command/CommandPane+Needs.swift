import TerminalUI
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

extension CommandPane {
  /// The data that the tab shows.
  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    var needs = Need.operations(facts.command)
    for item in unfolded.union(isTall ? unfoldable(facts) : []) {
      switch item {
      case .guild(let id): needs.append(.command(.loadChannels(guild: id)))
      case .automation(let id, let guild):
        needs.append(.command(.loadRuns(guild: guild, automation: id)))
      default: break
      }
    }
    needs.append(contentsOf: facts.voiceListNeeds)
    let summaries = wantedSummaries(facts)
    if !summaries.isEmpty { needs.append(.summaries(summaries)) }
    return needs
  }

  /// Fetches everything again; nil without a connection, so that the shell reconnects.
  @MainActor mutating func refresh(_ facts: ViewContext) -> [Effect]? {
    guard facts.isHeard else { return nil }
    message = "everything on this tab is fetched anew"
    return [.refetch]
  }

  /// Clamps cursors and scroll positions to the content.
  @MainActor package mutating func clampSelection(_ facts: ViewContext, body: Rect, screen: Size) {
    prepare(facts, body: body, screen: screen)
    let layout = layout(facts, in: body, of: screen)
    for panel in Array(cursors.keys) where !layout[panel].isEmpty {
      let rows = content(panel, facts, layout).rows
      cursors[panel]?.clamp(to: rows.list(height: layout.content(panel).height))
    }
  }
}
