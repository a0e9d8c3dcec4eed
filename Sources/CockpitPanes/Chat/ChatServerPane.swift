import CockpitAnswers
import CockpitStores
import TerminalCore
import TerminalUI

/// A tab of a server that can only be talked to: one sentence that says why it is empty.
package struct ChatServerPane: GatewayTab {
  package enum Panel: Hashable, Sendable { case text }
  package enum Target: Hashable, Sendable { case text }

  package var panelFocus = PanelFocus(Panel.text)
  package var message: PlainText? { nil }
  let tab: Tab

  package init(_ tab: Tab) { self.tab = tab }

  package var isTyping: Bool { false }
  package var isDeep: Bool { false }
  package var hints: [KeyAction] { [.help, .profiles, .palette, .quit] }
  package var chosen: AnyHashable? { nil }

  @MainActor package func needs(_ facts: ViewContext) -> [Need] { [] }

  @MainActor package mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]? { nil }

  @MainActor package mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] { [] }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) {}

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] { [] }

  @MainActor package mutating func clampSelection(
    _ facts: ViewContext, body: Rect, screen: Size
  ) {}

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    frame.canvas.inside(body) { canvas in
      let width = max(1, min(body.width - 2, 100))
      for (y, line) in words(facts).wrapped(to: width, limit: body.height).enumerated() {
        canvas.write(line, x: 1, y: y, role: .muted)
      }
    }
  }

  @MainActor package func plainText(_ facts: ViewContext) -> String? { words(facts).description }

  @MainActor private func words(_ facts: ViewContext) -> PlainText {
    let talk = " " + facts.keys.text(.chat) + " opens the conversation."
    return switch tab {
    case .pulse: "This source has no feed: it is a server that can only be talked to." + talk
    case .voice: "This source says nothing of voice." + talk
    case .brain: "This source has no runs; what it answers is in the conversation." + talk
    case .memory: "This source has no memory API." + talk
    case .cmd:
      "This source has no sessions, jobs or tools to show." + talk + " "
        + facts.keys.text(.profiles) + " lists the profiles."
    }
  }
}
