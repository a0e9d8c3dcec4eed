import CockpitAnswers
import CockpitDomain
import CockpitStores
import TerminalCore
import TerminalUI

/// A tab of a service of conversations in the place of one of a Clanky bot: the lines that its source states for the
/// tab. In CMD a past conversation can be opened.
package struct ServicePane: GatewayTab {
  package enum Panel: Hashable, Sendable { case list }
  package enum Target: Hashable, Sendable { case line(Int) }

  package var panelFocus = PanelFocus(Panel.list)
  package internal(set) var message: PlainText?
  let tab: Tab
  private let kind: SourceKind
  private var cursor = ListCursor<ServiceItem>()
  /// The past conversation that is open.
  private var opened: String?
  private var openedCursor = ListCursor<ServiceItem>()

  /// The tabs that it takes the place of.
  package static let tabs: [Tab] = [.voice, .brain, .memory, .cmd]

  package init(_ tab: Tab, of kind: SourceKind = .elevenlabs) {
    self.tab = tab
    self.kind = kind
  }

  /// Whether it is of this source.
  package func isOf(_ kind: SourceKind) -> Bool { self.kind == kind }

  package var isTyping: Bool { false }
  package var isDeep: Bool { opened != nil }
  package var chosen: AnyHashable? { nil }

  package var hints: [KeyAction] {
    guard tab == .cmd, kind == .elevenlabs else { return [.help, .palette, .quit] }
    return opened == nil
      ? [.help, .open, .refresh, .palette, .quit] : [.help, .back, .refresh, .quit]
  }

  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    opened.map { [.gateway(.conversation($0))] } ?? []
  }

  // MARK: Keys

  @MainActor package mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]? {
    message = nil
    if let move = command.listMove {
      let list = list(facts, body)
      withCursor { $0.perform(move, in: list) }
      return []
    }
    switch command {
    case .open where hasCursor:
      open(facts, body)
      return []
    case .back where opened != nil, .quit where opened != nil, .interrupt where opened != nil:
      opened = nil
      return []
    case .refresh where facts.isHeard: return [.refetch]
    default: return nil
    }
  }

  @MainActor private mutating func open(_ facts: ViewContext, _ body: Rect) {
    let rows = rows(facts, body.width)
    let line = cursor.settled(in: list(facts, body)).line
    guard rows.indices.contains(line), case .conversation(let id)? = rows[line].item else {
      message = "a past conversation can be opened: put the cursor on one"
      return
    }
    opened = id
    openedCursor = ListCursor()
  }

  @MainActor package mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    guard case .line(let line) = target else { return [] }
    let list = list(facts, body)
    withCursor { $0.select(line: line, in: list) }
    return []
  }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) {
    let list = list(facts, body)
    withCursor { $0.scroll(by: lines, in: list) }
  }

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] { [] }

  @MainActor package mutating func clampSelection(
    _ facts: ViewContext, body: Rect, screen: Size
  ) {
    let list = list(facts, body)
    withCursor { $0.clamp(to: list) }
  }

  private mutating func withCursor(_ change: (inout ListCursor<ServiceItem>) -> Void) {
    if opened == nil { change(&cursor) } else { change(&openedCursor) }
  }

  // MARK: Drawing

  @MainActor private func rows(_ facts: ViewContext, _ width: Int) -> [GatewayRow<ServiceItem>] {
    let rows = ServiceRows(facts: facts, width: width - 2)
    return opened.map { rows.conversation($0) } ?? rows.tab(tab)
  }

  @MainActor private func list(_ facts: ViewContext, _ body: Rect) -> CursorList<ServiceItem> {
    let rows = rows(facts, body.width)
    return CursorList(count: rows.count, height: max(1, body.height)) { rows[$0].item }
  }

  /// Only what can be opened has a cursor: past conversations.
  private var hasCursor: Bool { tab == .cmd && opened == nil && kind == .elevenlabs }

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let rows = rows(facts, body.width)
    let list = list(facts, body)
    let cursor = (opened == nil ? cursor : openedCursor).settled(in: list)
    frame.mark(body, Frame.Target(Target.line(cursor.line)))
    frame.canvas.inside(body) { canvas in
      for (y, row) in rows.dropFirst(cursor.scroll).prefix(list.height).enumerated() {
        if row.isHeading {
          canvas.rule(row.text, trailing: row.trailing, y: y)
        } else {
          let trailing = row.trailing.cut(to: canvas.bounds.width / 2)
          let room = canvas.bounds.width - 2 - (trailing.isEmpty ? 0 : trailing.columns + 2)
          canvas.write(row.text.cut(to: max(0, room)), x: 1, y: y, role: row.role)
          canvas.write(
            trailing, x: canvas.bounds.width - 1 - trailing.columns, y: y, role: .muted)
        }
        if hasCursor, cursor.scroll + y == cursor.line {
          canvas.paintRow(y, background: .selection)
        }
      }
    }
    // A conversation lives on while the lists cannot be read.
    let isLive = facts.service?.isConversing == true && (tab == .voice || tab == .brain)
    if facts.isGatewayAway, !isLive { frame.canvas.fade(body) }
  }

  @MainActor package func plainText(_ facts: ViewContext) -> String? {
    rows(facts, 10_000).map {
      $0.trailing.isEmpty ? $0.text.description : "\($0.text)  \($0.trailing)"
    }.joined(separator: "\n")
  }
}

/// What a line of a service stands for.
enum ServiceItem: Hashable, Sendable {
  case line(section: Int, row: Int)
  case conversation(String)
}
