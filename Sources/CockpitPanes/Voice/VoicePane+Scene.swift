import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

extension VoicePane {
  /// The session on screen: the open past one, the chosen live one, or the first; without a live
  /// one the past one under the cursor of the list. nil if there is none at all.
  @MainActor func scene(_ facts: ViewContext) -> VoiceScene? {
    let facts = dataEnd(facts)
    guard let id = shownID(facts) else { return nil }
    if pastID == nil, let session = facts.voice.session(id) {
      return VoiceScene(facts, live: session)
    }
    return VoiceScene(facts, past: id)
  }

  /// The id of that session.
  @MainActor func shownID(_ facts: ViewContext) -> String? {
    if let pastID { return pastID }
    let ids = facts.liveSessions.lazy.map(\.sessionID)
    return ids.first { $0 == sessionID } ?? ids.first ?? chosenPast(facts)
  }

  /// The live session on screen; nil if there is none, or a past one is shown.
  @MainActor func liveID(_ facts: ViewContext) -> String? {
    guard pastID == nil, let id = shownID(facts), facts.voice.isLive(id) else { return nil }
    return id
  }

  /// The list of past sessions, the whole of a live one that is shown, and figures of past ones.
  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    var needs = facts.voiceListNeeds
    if let id = liveID(facts), let record = facts.voice.record(id),
      !record.extent(rowsBeginMs: facts.voiceRowsBeginMs(of: id), isLive: true).isWhole
    {
      needs.append(.earlierEvents(session: id))
    }
    let summaries = wantedSummaries(facts)
    if !summaries.isEmpty { needs.append(.summaries(summaries)) }
    return needs
  }

  @MainActor func subject(_ facts: ViewContext) -> Subject {
    if pastID != nil { return .past }
    if !facts.liveSessions.isEmpty { return .live }
    return facts.pastSessions.isEmpty ? .history : .last
  }

  /// The past sessions to summarise, by priority: about as many as a screen lists, while the list
  /// is shown.
  @MainActor func wantedSummaries(_ facts: ViewContext) -> [String] {
    guard view == .history || pastID == nil && facts.liveSessions.isEmpty else { return [] }
    let ids = facts.pastSessions.map(\.sessionID).filter { !$0.isEmpty }
    let newest = ids.prefix(Self.summaries)
    guard case .past(let id)? = cursors[.list]?.id, let place = ids.firstIndex(of: id),
      place >= newest.count / 2
    else { return Array(newest) }
    return [id] + ids[(place - newest.count / 2)...].prefix(Self.summaries) + newest
  }

  /// How many past sessions are summarised without a request by the user.
  private static let summaries = 20

  @MainActor func layout(_ facts: ViewContext, in body: Rect, of screen: Size) -> Layout {
    layout(facts, scene(facts), in: body, of: screen)
  }

  @MainActor func layout(
    _ facts: ViewContext, _ scene: VoiceScene?, in body: Rect, of screen: Size
  ) -> Layout {
    let subject = subject(facts)
    let session = scene?.session
    var lines: [Panel: Int] = [:]
    if let scene, !isWhyOpen, !isZoomed, LayoutClass(screen).width == .large, body.height >= 48 {
      switch view {
      case .live where session != nil && subject == .live:
        lines = self.lines(scene, facts, width: body.width)
      case .turns: lines[.list] = scene.turns.count
      case .skips, .anomalies:
        lines[.list] =
          content(
            .list, scene, facts, size: Size(width: body.width - Self.column - 4, height: 60),
            isFull: false
          ).lines.count
      case .events: lines[.list] = EventLines.limit
      case .history: lines[.list] = facts.pastSessions.count
      default: break
      }
    }
    return layout(
      in: body, of: screen, subject: subject, sessions: facts.liveSessions.count,
      needs: Needs(
        hasHistory: !facts.pastSessions.isEmpty,
        people: session?.participants.count ?? 0,
        hasScreen: session?.streamWatch.active == true,
        hasMusic: session?.music.active == true, lines: lines))
  }

  /// The lines that the panels of a tall screen have to show, counted as far as a screen can show them.
  @MainActor private func lines(
    _ scene: VoiceScene, _ facts: ViewContext, width: Int
  ) -> [Panel: Int] {
    let side = min(52, width / 4) - 4
    let middle = min(48, (width - side - 4) * 2 / 5) - 4
    let widths: [Panel: Int] = [
      .people: middle, .tools: middle, .screen: side, .music: side,
      .engine: side, .transcript: width - side - middle - 12,
    ]
    return widths.reduce(into: [:]) { lines, panel in
      let size = Size(width: panel.value, height: 60)
      lines[panel.key] = min(
        60, content(panel.key, scene, facts, size: size, isFull: false).lines.count)
    }
  }

  /// The turn that waterfall and verdict are about: the chosen one, or the newest that the view
  /// lists.
  @MainActor func shownTurn(_ scene: VoiceScene) -> VoiceTurnRecord? {
    if turnID == nil, view == .skips { return scene.turns.last(where: TurnLines.isSkip) }
    if view == .events {
      return shownEvent(scene).flatMap { scene.record?.turnID(of: $0.id) }
        .flatMap { scene.record?.turn($0) }
    }
    if turnID == nil, view == .anomalies, let last = scene.record?.anomalies.last {
      return scene.turn(last.turnID)
    }
    return scene.turn(turnID)
  }
}
