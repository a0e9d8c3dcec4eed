import CockpitDomain
import CockpitSession
import CockpitStores
import CockpitText
import CockpitVoice
import TerminalCore

/// The lines of a widget for a gateway: what waits for an answer, and what runs.
@MainActor
struct GatewayGlance {
  typealias Span = GlanceText.Span

  let status: GatewayStatusText
  /// The gateway's clock, ms since 1970.
  let nowMs: Int64
  /// Age of a recorded state, ms; nil for a live one.
  let ageMs: Int64?
  let symbols: SymbolSet
  /// What the voice pipeline of a running screen does; nil at rest.
  var voice: VoicePhase?

  /// - Parameter columns: cells of a line, at most.
  func lines(_ size: GlanceText.Size, columns: Int) -> [[Span]] {
    var lines = [figures]
    switch size {
    case .small: break
    case .medium:
      if let next = status.waiting.first { lines[0] += [Span("  "), subject(next)] }
    case .large:
      lines[0] += counts
      lines += status.waiting.prefix(3).map(line)
      let room = 5 - lines.count
      lines += (status.control.board?.runs ?? []).prefix(room).map(line)
    }
    return lines.map { GlanceText.cut($0, to: columns) }
  }

  /// `● 2 WAIT 1 run !1`: the last are problems.
  private var figures: [Span] {
    guard status.failure == nil, let board = status.control.board else {
      let isRefused = status.failure?.code == Failure.Code.authentication.rawValue
      return [
        Span(glyph(isRefused ? .cross : .ring), .bad), Span(" "),
        Span(isRefused ? "unauthorized" : "unreachable", .bad),
      ]
    }
    var spans = [mark, Span(" ")]
    if !board.canAnswer {
      spans.append(Span("? wait", .muted))
    } else if status.waiting.isEmpty {
      spans.append(Span("0 wait"))
    } else {
      spans.append(Span("\(status.waiting.count) WAIT", .warning))
    }
    if !board.runs.isEmpty {
      spans += [Span(" "), Span(board.runs.count == 1 ? "1 run" : "\(board.runs.count) runs")]
    }
    let problems = status.complaints.count
    if problems > 0 { spans += [Span(" "), Span("!\(problems)", .bad)] }
    if let voice { spans += [Span(" "), Span(PlainText(voice.rawValue), .warning)] }
    if let ageMs { spans += [Span(" "), Span(Figures.age(ms: ageMs), .warning)] }
    return spans
  }

  /// What a service of conversations says: the state of the live one, then its figures; nil for a gateway.
  var service: [PlainText]? {
    guard let board = status.control.service else { return nil }
    let rows = board.sections(of: "pulse").flatMap(\.rows).map { PlainText($0.text, limit: 80) }
    let state = board.state.isEmpty ? "not known yet" : board.state
    let what: PlainText = board.kind == .companion ? "agent " : "conversation "
    return [what + PlainText(state, limit: 20)] + rows
  }

  private var counts: [Span] {
    guard status.failure == nil else { return [] }
    if let service { return service.map { Span("  " + $0, .muted) } }
    guard let overview = status.control.overview else { return [] }
    let agents = overview.agents.count
    let sessions = overview.sessions.count
    return [
      Span(agents == 1 ? "  1 agent" : "  \(agents) agents", .muted),
      Span(sessions == 1 ? "  1 session" : "  \(sessions) sessions", .muted),
    ]
  }

  func line(_ card: ControlBoard.Card) -> [Span] {
    let left = card.expiresMs.map { Figures.age(ms: max(0, $0 - nowMs)) + " left " }
    return [Span(left ?? "", .muted), agent(card.agent), subject(card)]
  }

  func line(_ run: ControlBoard.Run) -> [Span] {
    let since = run.startedMs.map { Figures.age(ms: max(0, nowMs - $0)) + " " }
    let tool = run.tool.map { "runs " + PlainText(status.shown($0), limit: 60) } ?? "runs"
    return [Span(since ?? "", .muted), agent(run.agent), Span(tool)]
  }

  private func agent(_ name: String?) -> Span {
    Span(name.map { PlainText(status.shown($0), limit: 24) + ": " } ?? "", .muted)
  }

  private func subject(_ card: ControlBoard.Card) -> Span {
    Span(PlainText(status.shown(card.subject), limit: 200), .warning)
  }

  private var mark: Span {
    if ageMs != nil { return Span(glyph(.ring), .warning) }
    return status.state == "ok" ? Span(glyph(.dot), .good) : Span("~", .warning)
  }

  private func glyph(_ symbol: Symbol) -> PlainText { GlanceText.glyph(symbol, in: symbols) }
}
