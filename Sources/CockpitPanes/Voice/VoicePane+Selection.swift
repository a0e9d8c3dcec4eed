import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// VOICE on the selected answer.
extension VoicePane {
  /// The chosen turn and the session of it that was chosen.
  private struct Choice: Hashable {
    var session: String?
    var turn: VoiceTurnRecord.ID
  }

  package var chosen: AnyHashable? {
    turnID.map { Choice(session: pastID ?? sessionID, turn: $0) }
  }

  /// The session of an answer, and its turn; nil for what was written.
  static func place(of answer: SelectedAnswer) -> (session: String, turn: VoiceTurnRecord.ID?)? {
    switch answer.key {
    case .turn(let session, let turn): (session, turn)
    case .thought(let session, _): (session, nil)
    case .message, .row, .run, .initiative, .request: nil
    }
  }

  @MainActor package mutating func stand(
    on answer: SelectedAnswer, _ facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    guard let (session, turn) = Self.place(of: answer) else {
      message = "not spoken: " + answer.name(facts) + "; this is the newest of VOICE"
      return []
    }
    if session == shownID(facts), turn != nil, turn == turnID { return [] }
    var effects: [Effect] = []
    if session != shownID(facts) || view == .history {
      effects = reveal(session: session, facts)
      hasFollowed = pastID != nil
    }
    guard let turn else {
      let ms = answer.exchange.startMs
      lanes.show(from: ms, to: max(ms, answer.exchange.endMs), nowMs: scene(facts)?.laneEndMs ?? ms)
      return effects
    }
    select(turn, facts)
    cursors[.turn] = nil
    for panel in [Panel.list, .transcript, .report] {
      if panel == .list, view != .turns, view != .skips { continue }
      if panel == .report, view != .report { continue }
      cursors[panel, default: ListCursor()].select(id: .turn(turn))
    }
    return effects
  }

  package mutating func letGo() {
    if hasFollowed { pastID = nil }
    hasFollowed = false
    follow()
  }
}

extension VoicePane {
  /// Follows the newest session again.
  package mutating func forgetSessions() {
    (sessionID, pastID, turnID) = (nil, nil, nil)
    cursors = [:]
  }
}
