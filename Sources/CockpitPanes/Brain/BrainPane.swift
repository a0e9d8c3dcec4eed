import TerminalUI
import ClankyWire
import CockpitAnswers
import CockpitStores
import TerminalCore

/// BRAIN: how an answer was made. The model's context, the prompts and their changes, the calls and
/// their cost, the tools of one answer, and how full the context is.
package struct BrainPane: TabPane {
  package typealias Target = BrainTarget
  package typealias Panel = BrainPanel
  package typealias CallID = BrainCallID
  package typealias PromptSource = BrainPromptSource
  package typealias Side = BrainSide
  typealias CallLine = BrainCallLine
  typealias Layout = BrainLayout

  package var panelFocus = PanelFocus(Panel.calls)
  package internal(set) var side = Side.prompt
  /// The displayed live session; nil means the first.
  package internal(set) var sessionID: String?

  /// The selected line of the calls; nil follows the first.
  package internal(set) var cursor: CallID?
  /// The line at the top of the calls; nil shows the first.
  package internal(set) var anchor: CallID?
  package internal(set) var order = LlmCallOrder.time
  package internal(set) var isGrouped = false
  package internal(set) var closedModels: Set<String?> = []
  package var detail = DetailView()

  /// The answer whose chain is drawn; nil means that of the selected call.
  package internal(set) var answer: AnswerID?

  /// The chosen prompt; nil means the best available.
  package internal(set) var source: PromptSource?
  /// The number of the displayed version; nil follows the newest.
  package internal(set) var version: Int?
  package internal(set) var unfolded: Set<PromptSection> = []
  /// Parts that were folded by hand: the others show their beginnings where lines would stand empty.
  package internal(set) var folded: Set<PromptSection> = []
  package internal(set) var isComparing = false
  package internal(set) var promptCursor = TextCursor()
  package internal(set) var isFinding = false
  package internal(set) var findField = TextField()
  package internal(set) var findText = ""

  package internal(set) var factCursor = TextCursor()
  package internal(set) var contextScroll = 0
  package internal(set) var chainScroll = 0

  package internal(set) var message: PlainText?
  /// The fact that MEMORY should show; the shell consumes it.
  package var wantedFact: FactReference?

  /// The answer of the newest call, while none is selected.
  var newest: Newest?
  var layouts = TextLayouts()
  var chains = TextChains()

  package init() {}

  package var isTyping: Bool { isFinding }

  package var hints: [KeyAction] {
    switch focus {
    case .prompt:
      [
        .help, .open, .compare, .nextView, .find, .pager, .rawJSON, .nextPanel, .zoom, .follow,
        .quit,
      ]
    case .calls:
      [
        .help, .open, .sort, .compare, .nextTurn, .nextView, .rawJSON, .nextPanel, .zoom, .quit,
      ]
    case .chain: [.help, .nextTurn, .why, .nextPanel, .zoom, .quit]
    case .facts: [.help, .open, .rawJSON, .nextPanel, .zoom, .quit]
    case .budget, .context: [.help, .rawJSON, .pager, .nextPanel, .zoom, .quit]
    }
  }

  // MARK: Sessions

  /// The displayed live session: that of the selected answer, the chosen one, or the first; nil if there is
  /// none.
  @MainActor func session(_ facts: ViewContext) -> VoiceSession? {
    let sessions = facts.liveSessions
    if let id = facts.selected?.exchange.sessionID,
      let own = sessions.first(where: { $0.sessionID == id })
    {
      return own
    }
    return sessions.first { $0.sessionID == sessionID } ?? sessions.first
  }

  // MARK: Calls

  @MainActor func callLines(_ facts: ViewContext) -> [CallLine] {
    _ = facts.activity.revision
    let log = facts.activity.log
    guard isGrouped else {
      return facts.calls.calls(in: log, by: order).map(CallLine.call)
    }
    return facts.calls.groups(in: log).flatMap { group in
      [.model(group)] + (closedModels.contains(group.model) ? [] : group.calls.map(CallLine.call))
    }
  }

  func index(of id: CallID?, in lines: [CallLine]) -> Int {
    guard let id else { return 0 }
    return lines.firstIndex { $0.id == id } ?? 0
  }

  /// The line that is shown as selected: the cursor's; with a selected answer a call of it. nil selects none, or
  /// while no answer is selected the first.
  @MainActor func shownCursor(_ facts: ViewContext, in lines: [CallLine]) -> CallID? {
    guard let selected = facts.selected else { return cursor }
    switch cursor {
    case .model?: return cursor
    case .row(let row)? where selected.rows.contains(row): return cursor
    default:
      return lines.first { line in
        if case .row(let row) = line.id { selected.rows.contains(row) } else { false }
      }?.id
    }
  }

  /// The selected call; on a model's heading its newest. nil if the selected answer has none.
  @MainActor func selectedCall(_ facts: ViewContext) -> LlmCall? {
    let lines = callLines(facts)
    let shown = shownCursor(facts, in: lines)
    guard !lines.isEmpty, shown != nil || facts.selected == nil else { return nil }
    switch lines[index(of: shown, in: lines)] {
    case .call(let call): return call
    case .model(let group): return group.calls.first
    }
  }

  /// The row of the selected call.
  @MainActor func selectedRow(_ facts: ViewContext) -> ActionRowView? {
    selectedCall(facts).flatMap { facts.activity.log.row($0.row) }
  }
}
