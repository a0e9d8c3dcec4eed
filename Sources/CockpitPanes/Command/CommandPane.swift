import ClankyWire
import CockpitStores
import TerminalCore

/// CMD: the connection, what the bot is and costs, what can be done, and what there is to look into:
/// guilds, automations, browser agents, past voice sessions, the log of this program.
///
/// What is so stands in the facts; here is only what the user looks at.
package struct CommandPane: TabPane {
  /// The panels, in the order of Tab.
  package enum Panel: String, CaseIterable, Hashable, Sendable {
    case connection, system, cost, actions, guilds, automations, browsers, history, log

    /// Whether its rows are for looking only, so that the cursor begins elsewhere.
    var isForReading: Bool {
      switch self {
      case .connection, .system, .cost: true
      case .actions, .guilds, .automations, .browsers, .history, .log: false
      }
    }
  }

  package enum Target: Hashable, Sendable {
    case panel(Panel)
    /// A row of a panel, by its number in the list.
    case row(Panel, Int)
  }

  /// The panel that has the keys.
  package internal(set) var focus = Panel.actions
  package internal(set) var isZoomed = false
  package internal(set) var notice: PlainText?
  /// Where the reader is in each panel.
  var cursors: [Panel: CommandCursor] = [:]
  /// What is unfolded: guilds, automations, runs of the browser agent, entries of the log.
  package internal(set) var unfolded: Set<Item> = []
  let caches = CommandCaches()

  package init() {}

  package var isTyping: Bool { false }

  package var hints: [CockpitCommand] {
    [.help, .open, .commandLine, .palette, .profiles, .copy, .nextPanel, .zoom, .quit]
  }

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: Facts, body: Rect, screen: Size
  ) -> [Effect] { [] }

  /// Gives a panel the whole screen, as `:log` does.
  mutating func showAlone(_ panel: Panel) {
    focus = panel
    isZoomed = true
    cursors[panel] = nil
  }
}
