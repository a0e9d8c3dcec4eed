import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The sheet of the agents' tools: which of them may be used, and what those answer that only read.
struct GatewayToolsView: Hashable, Sendable {
  private var cursor = ListCursor<GatewayToolItem>()
  /// The results that are open, each reached from the one before.
  private(set) var opened: [Opened] = []

  struct Opened: Hashable, Sendable {
    var call: GatewayToolCall
    var isRaw = false
    var cursor = ListCursor<GatewayToolItem>()
  }

  @MainActor func needs(_ facts: ViewContext) -> [Need] {
    let agents = (facts.gateway?.agents ?? []).prefix(GatewayToolRows.maximumAgents)
    return agents.map { Need.gateway(.tools(agent: $0.id)) }
      + opened.flatMap { [$0.call] + Self.shown(beside: $0.call) }.map { Need.gateway(.tool($0)) }
  }

  private static func shown(beside call: GatewayToolCall) -> [GatewayToolCall] {
    call.tool == .browserStatus ? [GatewayToolCall(agent: call.agent, .browserTabs)] : []
  }

  /// What came of a key.
  enum Reply: Hashable {
    case ignored, done
    /// With words for the user.
    case says(PlainText)
    case effect(Effect)
  }

  // MARK: Keys

  @MainActor mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect
  ) -> Reply {
    if let move = command.listMove {
      let list = list(facts, body)
      withCursor { $0.perform(move, in: list) }
      return .done
    }
    switch command {
    case .open: return open(facts, body)
    case .rawJSON where !opened.isEmpty:
      opened[opened.count - 1].isRaw.toggle()
      opened[opened.count - 1].cursor = ListCursor()
      return .done
    case .back where !opened.isEmpty:
      opened.removeLast()
      return .done
    default: return .ignored
    }
  }

  @MainActor private mutating func open(_ facts: ViewContext, _ body: Rect) -> Reply {
    let rows = rows(facts, body)
    let line = currentCursor.settled(in: list(facts, body)).line
    guard rows.indices.contains(line) else { return .done }
    switch rows[line].item {
    case .tool(let agent, let name)?:
      // The whole of a line that may be cut.
      guard rows[line].role == .text else {
        return .says(
          PlainText(rows[line].text.description.split(separator: " ").joined(separator: " ")))
      }
      guard let call = Self.call(name, of: agent) else {
        return .says("the tab MEMORY uses this tool: " + facts.keys.text(.memory))
      }
      show(call)
    case .session(let agent, let key)?: show(GatewayToolCall(agent: agent, .history(session: key)))
    case .screenshot(let agent)?: show(GatewayToolCall(agent: agent, .browserScreenshot))
    case .save(let call, let path)?: return .effect(.saveImage(call, path: path))
    case .agent?, .line?, nil: break
    }
    return .done
  }

  private mutating func show(_ call: GatewayToolCall) { opened.append(Opened(call: call)) }

  private static func call(_ name: String, of agent: String) -> GatewayToolCall? {
    switch name {
    case "agents_list": GatewayToolCall(agent: agent, .agents)
    case "sessions_list": GatewayToolCall(agent: agent, .sessions)
    case "session_status": GatewayToolCall(agent: agent, .status(session: nil))
    case "sessions_history":
      GatewayToolCall(agent: agent, .history(session: "agent:\(agent):main"))
    case "browser": GatewayToolCall(agent: agent, .browserStatus)
    default: nil
    }
  }

  @MainActor mutating func scroll(by lines: Int, on facts: ViewContext, body: Rect) {
    let list = list(facts, body)
    withCursor { $0.scroll(by: lines, in: list) }
  }

  @MainActor mutating func select(line: Int, on facts: ViewContext, body: Rect) {
    let list = list(facts, body)
    withCursor { $0.select(line: line, in: list) }
  }

  @MainActor mutating func clamp(_ facts: ViewContext, body: Rect) {
    let list = list(facts, body)
    withCursor { $0.clamp(to: list) }
  }

  private var currentCursor: ListCursor<GatewayToolItem> { opened.last?.cursor ?? cursor }

  private mutating func withCursor(_ change: (inout ListCursor<GatewayToolItem>) -> Void) {
    if opened.isEmpty {
      change(&cursor)
    } else {
      change(&opened[opened.count - 1].cursor)
    }
  }

  // MARK: Drawing

  @MainActor private func rows(_ facts: ViewContext, _ body: Rect) -> [GatewayToolRow] {
    let rows = GatewayToolRows(facts: facts, width: body.width - 2)
    return opened.last.map { rows.result($0.call, isRaw: $0.isRaw) } ?? rows.tools()
  }

  /// One row is the heading of the sheet.
  @MainActor private func list(
    _ facts: ViewContext, _ body: Rect
  ) -> CursorList<GatewayToolItem> {
    let rows = rows(facts, body)
    return CursorList(count: rows.count, height: max(1, body.height - 1)) { rows[$0].item }
  }

  @MainActor func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let rows = rows(facts, body)
    let list = list(facts, body)
    let cursor = currentCursor.settled(in: list)
    frame.canvas.inside(body) { canvas in
      canvas.rule(opened.isEmpty ? "TOOLS" : "RESULT", trailing: hint(facts), y: 0)
      for (y, row) in rows.dropFirst(cursor.scroll).prefix(list.height).enumerated() {
        let trailing = row.trailing.cut(to: canvas.bounds.width / 2)
        let room = canvas.bounds.width - 2 - (trailing.isEmpty ? 0 : trailing.columns + 1)
        canvas.write(
          row.text.cut(to: max(0, room)), x: 1, y: y + 1,
          role: row.isHeading ? .heading : row.role, attributes: row.isHeading ? .bold : [])
        canvas.writeRight(trailing, y: y + 1, role: .muted)
        if cursor.scroll + y == cursor.line { canvas.paintRow(y + 1, background: .selection) }
      }
      if let opened = opened.last, !opened.isRaw, let preview = facts.pictures[.tool(opened.call)] {
        draw(preview, below: max(0, rows.count - cursor.scroll) + 2, into: &canvas)
      }
    }
  }

  /// The picture of a result, under its rows.
  private func draw(_ preview: ImagePreview, below y: Int, into canvas: inout Canvas) {
    let room = Size(width: canvas.bounds.width - 2, height: canvas.bounds.height - y)
    guard let grid = preview.grid, room.width > 0, room.height > 0 else { return }
    let cells = grid.cells(in: room)
    guard let scaled = grid.scaled(width: cells.width, height: cells.height * 2) else { return }
    canvas.draw(scaled, x: 1, y: y)
  }

  @MainActor private func hint(_ facts: ViewContext) -> PlainText {
    opened.isEmpty
      ? facts.keys.text(.open) + " uses the tool"
      : facts.keys.text(.rawJSON) + " JSON  " + facts.keys.text(.back) + " back"
  }

  @MainActor func plainText(_ facts: ViewContext) -> String {
    rows(facts, Rect(x: 0, width: 10_000, height: 10_000)).map {
      $0.trailing.isEmpty ? $0.text.description : "\($0.text)  \($0.trailing)"
    }.joined(separator: "\n")
  }
}
