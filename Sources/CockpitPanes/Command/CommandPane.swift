import ClankyWire
import CockpitStores
import TerminalCore

/// CMD: the connection, what can be done, and what the backend says of itself.
package struct CommandPane: TabPane {
  /// The panels, in the order of Tab.
  package enum Panel: String, CaseIterable, Hashable, Sendable {
    case connection, system, cost, actions, guilds, automations, browsers, history, log
  }

  package enum Target: Hashable, Sendable {
    case panel(Panel)
    /// A row of a panel, by its number in the list.
    case row(Panel, Int)
  }

  package var isTyping: Bool { false }
  package var notice: PlainText? { nil }
  package var hints: [CockpitCommand] {
    [.open, .commandLine, .profiles, .copy, .nextPanel, .help]
  }

  package init() {}

  @MainActor package mutating func perform(
    _ command: CockpitCommand, on facts: Facts, body: Rect, screen: Size
  ) -> [Effect]? { nil }

  @MainActor package mutating func press(
    _ target: Target, on facts: Facts, body: Rect, screen: Size
  ) -> [Effect] { [] }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: Facts, body: Rect, screen: Size
  ) {}

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: Facts, body: Rect, screen: Size
  ) -> [Effect] { [] }

  @MainActor package mutating func paste(_ text: String, on facts: Facts) {}

  @MainActor package mutating func settle(_ facts: Facts, body: Rect, screen: Size) {}

  /// What CMD wants fetched by itself. Asked before each frame that shows it.
  @MainActor package mutating func wishes(_ facts: Facts, body: Rect, screen: Size) -> [Effect] {
    []
  }

  @MainActor package func render(_ facts: Facts, in body: Rect, into frame: inout Frame) {
    CommandPreview().render(facts, in: body, into: &frame)
  }
}
