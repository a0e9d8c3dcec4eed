import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

/// CMD: the connection, the bot's state and costs, actions, and lists: guilds, automations, browser
/// agents, past voice sessions, this program's log.
///
/// Data is in the view context; the pane holds only the user's selection.
package struct CommandPane: TabPane {
  package typealias Panel = CommandPanel
  package typealias Target = CommandTarget
  package typealias Item = CommandItem

  /// The panel that has the keys.
  package var panelFocus = PanelFocus(Panel.actions)
  package internal(set) var message: PlainText?
  /// Where the reader is in each panel.
  var cursors: [Panel: ListCursor<CommandItem>] = [:]
  /// Unfolded guilds, automations, browser runs and log entries.
  package internal(set) var unfolded: Set<Item> = []
  /// What was folded by hand where a tall screen unfolds everything.
  package internal(set) var folded: Set<Item> = []
  /// Whether the screen of the last frame was tall and wide.
  private(set) var isTall = false
  /// When the bot last logged in, as of the last `prepare`.
  private(set) var login = LoginTime()
  /// The messages that wait for a reply, as of the last `prepare`.
  private(set) var waiting = WaitingReplies()
  /// The people whose last model call failed, as of the last `prepare`.
  private(set) var unanswered = UnansweredPeople()

  /// What the backend says that this version does not know, as of the last `prepare`.
  private(set) var drift = WireDrift()

  package init() {}

  package var isTyping: Bool { false }

  @MainActor package mutating func prepare(_ facts: ViewContext, body: Rect, screen: Size) {
    login.follow(facts.activity.log)
    unanswered.follow(facts.activity.log)
    waiting.follow(
      facts.activity.log, pending: facts.stats?.runtime?.replyQueue.pending, nowMs: facts.nowMs)
    drift.follow(facts.activity.log)
    isTall = layout(facts, in: body, of: screen).isTall
  }

  package var hints: [KeyAction] {
    [.help, .open, .settings, .commandLine, .palette, .profiles, .copy, .nextPanel, .zoom, .quit]
  }

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] { [] }

  /// Gives a panel the whole screen, as `:log` does.
  package mutating func showAlone(_ panel: Panel) {
    focus = panel
    isZoomed = true
    cursors[panel] = nil
  }
}
