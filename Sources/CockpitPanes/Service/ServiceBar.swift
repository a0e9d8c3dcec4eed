import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// Row 2 of PULSE for a service of conversations: what its source counts of today, and since when nothing was heard.
struct ServiceBar: FramePart {
  private struct Figure: Hashable {
    var text: PlainText
    var role: Role
  }

  private let figures: [Figure]
  /// Whether what is shown is of an earlier connection.
  private let isAway: Bool

  @MainActor init(_ board: ServiceBoard, _ facts: ViewContext) {
    isAway = facts.isGatewayAway
    let state = PlainText(board.state, limit: 20)
    // A conversation has a separate connection: its state is current even if the lists are not.
    let words: PlainText =
      board.kind == .companion
      ? state.isEmpty ? "agent: not known yet" : (isAway ? "agent was " : "agent ") + state
      : board.state == "error" ? "conversation failed" : "conversation " + state
    var figures = [Figure(text: words, role: .heading)]
    for section in board.sections(of: "pulse") {
      // Of the lists alone: the conversation's state is current.
      if isAway, let readMs = section.readMs {
        figures.append(Figure(text: "as of " + facts.clock.time(ms: readMs) + ":", role: .muted))
      }
      figures += section.rows.map { row in
        Figure(
          text: PlainText(row.text, limit: 80), role: row.role == .negative ? .negative : .number)
      }
    }
    self.figures = figures
  }

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    frame.canvas.inside(area) { canvas in
      var x = 1
      for figure in figures {
        guard x + figure.text.columns <= canvas.bounds.width else { return }
        x = canvas.write(figure.text, x: x, role: figure.role) + 3
      }
    }
    if isAway { frame.canvas.fade(area) }
  }
}
