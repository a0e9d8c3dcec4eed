import CockpitAnswers
import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// A tab of a gateway in the place of one of a Clanky bot: CMD with its agents, sessions and jobs, its log, and the
/// tools of its agents; VOICE with a sentence.
package struct GatewayPane: GatewayTab {
  package enum Panel: Hashable, Sendable { case list }
  package enum Target: Hashable, Sendable { case line(Int) }

  package var panelFocus = PanelFocus(Panel.list)
  package internal(set) var message: PlainText?
  let tab: Tab
  /// The first line in sight.
  private var first = 0
  /// What CMD shows.
  enum Page: Int, CaseIterable, Hashable, Sendable { case overview, log, tools }
  private(set) var page = Page.overview
  private(set) var tools = GatewayToolsView()
  /// At rest it follows the newest line.
  private var logCursor = ListCursor<Int>()

  /// The tabs that it takes the place of.
  package static let tabs: [Tab] = [.voice, .cmd]

  package init(_ tab: Tab) { self.tab = tab }

  package var isTyping: Bool { false }
  package var isDeep: Bool { page != .overview }
  package var hints: [KeyAction] {
    guard tab == .cmd else { return [.help, .palette, .quit] }
    return page == .tools
      ? [.help, .open, .back, .refresh, .nextView, .quit]
      : [.help, .nextView, .refresh, .palette, .quit]
  }

  /// Log and tools are asked for while they are shown, and not before.
  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    guard tab == .cmd else { return [] }
    switch page {
    case .overview: return [.gateway(.nodes)]
    case .log: return [.gateway(.logs)]
    case .tools: return tools.needs(facts)
    }
  }
  package var chosen: AnyHashable? { nil }

  // MARK: Keys

  @MainActor package mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]? {
    message = nil
    if tab == .cmd {
      if page == .tools {
        switch tools.perform(command, on: facts, body: body) {
        case .ignored: break
        case .done: return []
        case .says(let words):
          message = words
          return []
        case .effect(let effect): return [effect]
        }
      }
      switch command {
      case .nextView, .previousView:
        let step = command == .nextView ? 1 : Page.allCases.count - 1
        page = Page(rawValue: (page.rawValue + step) % Page.allCases.count) ?? .overview
        return []
      case .back where page != .overview:
        page = .overview
        return []
      case .refresh where facts.isHeard: return [.refetch]
      default: break
      }
    }
    if page == .log {
      guard let move = command.listMove else { return nil }
      logCursor.perform(move, in: GatewayLogView(facts).list(in: body))
      return []
    }
    let room = max(1, body.height - 1)
    switch command {
    case .down: first += 1
    case .up: first -= 1
    case .pageDown: first += room
    case .pageUp: first -= room
    case .halfPageDown: first += room / 2
    case .halfPageUp: first -= room / 2
    case .top: first = 0
    case .bottom: first = .max / 2
    default: return nil
    }
    clampSelection(facts, body: body, screen: screen)
    return []
  }

  @MainActor package mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] { [] }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) {
    switch page {
    case .overview: first += lines
    case .log: logCursor.scroll(by: lines, in: GatewayLogView(facts).list(in: body))
    case .tools: tools.scroll(by: lines, on: facts, body: body)
    }
    clampSelection(facts, body: body, screen: screen)
  }

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] { [] }

  @MainActor package mutating func clampSelection(
    _ facts: ViewContext, body: Rect, screen: Size
  ) {
    switch page {
    case .overview: break
    case .log: return logCursor.clamp(to: GatewayLogView(facts).list(in: body))
    case .tools: return tools.clamp(facts, body: body)
    }
    let count = lines(facts, width: body.width).count
    first = max(0, min(first, count - max(1, body.height)))
  }

  // MARK: Drawing

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    frame.mark(body, Frame.Target(Target.line(0)))
    guard page == .overview else {
      if page == .log {
        GatewayLogView(facts).render(logCursor, in: body, into: &frame)
      } else {
        tools.render(facts, in: body, into: &frame)
      }
      if facts.status.overall != .live { frame.canvas.fade(body) }
      return
    }
    let lines = lines(facts, width: max(1, body.width - 2))
    let start = max(0, min(first, lines.count - body.height))
    frame.canvas.inside(body) { canvas in
      for (y, line) in lines.dropFirst(start).prefix(body.height).enumerated() {
        if line.isHeading {
          canvas.rule(line.text, trailing: line.trailing, y: y)
        } else {
          canvas.write(line.text.cut(to: body.width - 2), x: 1, y: y, role: line.role)
        }
      }
    }
    if facts.status.overall != .live, facts.replay == nil, tab == .cmd { frame.canvas.fade(body) }
  }

  @MainActor package func plainText(_ facts: ViewContext) -> String? {
    switch page {
    case .overview: break
    case .log: return GatewayLogView(facts).plainText
    case .tools: return tools.plainText(facts)
    }
    return lines(facts, width: 10_000).map { $0.text.description }.joined(separator: "\n")
  }

  @MainActor private func lines(_ facts: ViewContext, width: Int) -> [GatewayLines.Line] {
    let lines = GatewayLines(facts)
    switch tab {
    case .cmd: return lines.overview(width: width)
    default:
      return lines.sentence(
        "An OpenClaw gateway tells nothing of voice. What its agents hear and say as text is in PULSE.",
        width: width)
    }
  }
}
