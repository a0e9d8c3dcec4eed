import CockpitAnswers
import CockpitPanes
import CockpitStores
import TerminalCore
import TerminalUI

/// The conversation with an agent beside the tab.
extension CockpitShell {
  /// Whether the conversation is on the screen.
  package var isChatShown: Bool { layers.first(ChatDrawer.self) != nil }

  /// Opens the conversation, or shows and hides it.
  @MainActor mutating func chat(_ command: KeyAction, _ facts: ViewContext) -> [Effect] {
    guard facts.chat != nil else {
      note(
        facts.replay == nil
          ? "there is nobody to talk to at this source" : "this is the past: nobody answers there")
      return []
    }
    if isChatShown {
      if command == .chatToggle {
        layers.remove(ChatDrawer.self)
      } else {
        layers.change(ChatDrawer.self) { $0.focus = .input }
      }
      return []
    }
    var drawer = ChatDrawer(size: size, isAlone: facts.isChatServer && facts.sources == nil)
    if command == .chatToggle { drawer.focus = drawer.isWhole ? .transcript : .tab }
    layers.insertLowest(drawer)
    return [.chat(.open)]
  }

  /// Opens the drawer once after the start for a chat server, which has no tabs to show.
  @MainActor mutating func beginChat(_ facts: ViewContext) -> [Effect] {
    guard facts.isChatServer, facts.sources == nil, facts.chat != nil, !hasBegunChat else {
      return []
    }
    hasBegunChat = true
    return isChatShown ? [] : chat(.chat, facts)
  }

  /// Puts a text that was not sent back into the input, unless something was typed there.
  package mutating func take(unsent text: String) {
    layers.change(ChatDrawer.self) { drawer in
      guard drawer.input.characters.isEmpty else { return }
      drawer.input = TextArea(text, isAtEnd: true)
    }
  }

  /// Replaces the text of the input with a draft that was changed elsewhere.
  package mutating func show(draft: String) {
    layers.change(ChatDrawer.self) { $0.input = TextArea(draft, isAtEnd: true) }
  }

  /// Adapts the conversation to the size of the screen, and closes it where there is none.
  @MainActor mutating func fitChat(_ facts: ViewContext) {
    guard isChatShown else { return }
    guard facts.chat != nil else { return layers.remove(ChatDrawer.self) }
    let size = size
    layers.change(ChatDrawer.self) { $0.fit(size) }
  }

  /// A run of a gateway in BRAIN: what it did is the answer to its message.
  @MainActor mutating func showRun(_ run: String, _ facts: ViewContext) {
    guard let answer = facts.answer(.message(run)) else {
      note("no row of this run is kept here")
      return
    }
    selection = Selection()
    selection.answer = answer
    showConversations(false, facts)
    tab = .brain
  }
}
