import CockpitAnswers
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// What the user chose last: the one answer that all tabs stand on.
struct Selection: Sendable {
  /// nil: the tabs follow the newest.
  var answer: SelectedAnswer?
  /// The tab whose cursor has moved since. Its answer is looked up when it is needed: that reads thousands of
  /// rows, which no single key should wait for.
  var moved: Tab?
  /// Whether the look-up waits until the rows of voice sessions are read: a key reads none, frames do, a few rows
  /// each.
  var isAwaited = false
  /// The tab that is put on the answer once that is found.
  var placedTab: Tab?
  /// Whether the tab that was opened by this event shows what was asked for already.
  var isPlaced = false
}

extension CockpitShell {
  /// The panes' choices before an event.
  struct Choices {
    fileprivate var tab: Tab
    /// Not in `AnyHashable`: the arrow keys of PULSE change it, and comparing two boxes is slow.
    fileprivate var row: RowID?
    /// Of the other tabs, in their order.
    fileprivate var chosen: [AnyHashable?]
    fileprivate var isOfAnswer: Bool
    /// Whether BRAIN shows the conversations.
    fileprivate var isConversing: Bool

    fileprivate func isChosen(_ tab: Tab) -> Bool {
      tab == .pulse ? row != nil : chosen[tab.rawValue - 1] != nil
    }

    fileprivate func isSame(_ tab: Tab, as other: Choices) -> Bool {
      tab == .pulse
        ? row == other.row : chosen[tab.rawValue - 1] == other.chosen[tab.rawValue - 1]
    }
  }

  var choices: Choices {
    // By name: `pane(_:)` copies each pane into a box, twice for every key.
    let brain = conversations.isOpen ? conversations.chosen : brain.chosen
    let command = settings.isOpen ? settings.chosen : command.chosen
    return Choices(
      tab: tab, row: pulse.cursor, chosen: [voice.chosen, brain, memory.chosen, command],
      isOfAnswer: memory.isOfAnswer, isConversing: conversations.isOpen)
  }

  /// Notes what an event chose, or that it went back to the newest.
  @MainActor mutating func noteChoice(since before: Choices, _ facts: ViewContext) {
    let now = choices
    for tab in Tab.allCases where !now.isSame(tab, as: before) {
      // Another view of the tab is no other choice.
      if tab == .brain, now.isConversing != before.isConversing { continue }
      if now.isChosen(tab) {
        if !isInAnswer(tab) { selection.moved = tab }
      } else if tab == before.tab, tab == self.tab {
        letGo(from: tab)
      }
    }
    if before.isOfAnswer, !now.isOfAnswer, tab == .memory, before.tab == .memory { letGo() }
    // These show everything of one answer at once. A row that is opened is chosen on purpose.
    if selection.moved == .brain && !conversations.isOpen || selection.moved == .voice
      || selection.moved == .pulse && pulse.isDetailOpen && !isMovingInDetail(before, now)
    {
      lookUpChoice(facts)
    }
  }

  private func isInAnswer(_ tab: Tab) -> Bool {
    guard selection.moved == nil, let answer = selection.answer else { return false }
    return pane(tab).isIn(answer)
  }

  /// Whether the cursor goes from row to row beside an open detail.
  private func isMovingInDetail(_ before: Choices, _ now: Choices) -> Bool {
    before.tab == .pulse && before.row != now.row && before.row != nil
  }

  /// Finds the answer that the cursor was moved to. Without one the tabs follow the newest.
  ///
  /// - Returns: false if it waits for rows of voice sessions.
  @MainActor @discardableResult mutating func lookUpChoice(_ facts: ViewContext) -> Bool {
    guard let moved = selection.moved else { return true }
    selection.isAwaited = mustWait(for: moved, facts)
    guard !selection.isAwaited else { return false }
    selection.moved = nil
    findAnswer(of: moved, facts)
    return true
  }

  @MainActor private mutating func findAnswer(of moved: Tab, _ facts: ViewContext) {
    var shell = self
    shell.tab = moved
    let rows = facts.exchanges
    let (body, screen) = shell.place()
    guard var key = shell.pane.exchange(facts, in: rows, body: body, screen: screen) else {
      selection.answer = nil
      return
    }
    if case .request = key {
      // The tabs show the run that asked.
      guard let run = rows.exchange(key)?.request?.runID else {
        selection.answer = nil
        return
      }
      key = .message(run)
    }
    if selection.answer?.key == key { return }
    selection.answer = rows.exchange(key).map { SelectedAnswer($0, facts) }
  }

  /// Puts the tab that was just opened on the selected answer.
  @MainActor mutating func standOnAnswer(since before: Choices, _ facts: ViewContext) -> [Effect] {
    let isAnotherView = tab == .brain && conversations.isOpen != before.isConversing
    guard tab != before.tab || isAnotherView else { return [] }
    selection.placedTab = nil
    guard lookUpChoice(facts) else {
      if !selection.isPlaced { selection.placedTab = tab }
      return []
    }
    return selection.isPlaced ? [] : standOnAnswer(facts)
  }

  /// Finds the answer that waited, once the rows are read; before every frame.
  @MainActor mutating func lookUpWhatWaits(_ facts: ViewContext) -> [Effect] {
    guard selection.isAwaited, lookUpChoice(facts) else { return [] }
    defer { selection.placedTab = nil }
    return selection.placedTab == tab ? standOnAnswer(facts) : []
  }

  @MainActor private mutating func standOnAnswer(_ facts: ViewContext) -> [Effect] {
    guard let answer = selection.answer else { return [] }
    let facts = withKeys(facts)
    let (body, screen) = place()
    return withPane { $0.stand(on: answer, facts, body: body, screen: screen) }
  }

  /// Shows or hides the conversations of BRAIN; the answer under the cursor is found before its view is gone.
  @MainActor mutating func showConversations(_ isShown: Bool, _ facts: ViewContext) {
    guard isShown != conversations.isOpen else { return }
    if selection.moved == .brain { lookUpChoice(facts) }
    if isShown { conversations.open() } else { conversations.hide() }
  }

  /// Opens the conversations of BRAIN, for one look.
  package mutating func openConversations() {
    tab = .brain
    conversations.open()
  }

  /// Lets the answer go: all tabs follow the newest again. What is being read stays where it is.
  ///
  /// - Parameter tab: it follows the newest already.
  mutating func letGo(from tab: Tab? = nil) {
    selection = Selection()
    if tab != .voice { voice.letGo() }
    if tab != .brain {
      brain.letGo()
      conversations.letGo()
    }
    memory.letGo()
    command.letGo()
  }

  /// Makes the selected answer anew where something has come that changes it.
  @MainActor mutating func refreshAnswer(_ facts: ViewContext) {
    guard var answer = selection.answer, answer.refresh(facts) else { return }
    selection.answer = answer
    if tab == .memory { memory.list(of: answer, facts) }
  }

  /// The answer that all tabs stand on, once it is looked up.
  package var selectedAnswer: SelectedAnswer? {
    selection.moved == nil ? selection.answer : nil
  }
}
