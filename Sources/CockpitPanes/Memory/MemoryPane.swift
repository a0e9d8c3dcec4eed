import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

/// MEMORY: the bot's facts, and their correction.
///
/// Data is in the stores; the pane holds only the user's selection and input.
package struct MemoryPane: TabPane {
  package typealias View = MemoryView
  package typealias Panel = MemoryPanel
  package typealias Target = MemoryTarget
  package typealias Bar = MemoryInput
  typealias Layout = MemoryLayout

  /// Filter and order of the list; the program keeps `ViewContext.factView` in sync.
  package var query = FactViewQuery()
  package internal(set) var message: PlainText?
  /// The fact requested by another tab, until it is loaded.
  package var wantedFact: FactReference?

  package internal(set) var view = View.facts
  package var panelFocus = PanelFocus(Panel.facts)
  package internal(set) var isRaw = false
  package internal(set) var cursor = ListCursor<Int>()
  /// Facts that `v` has selected, by id.
  package internal(set) var selection: Set<Int> = []
  /// Whether the owner's private facts may be read on the screen; false again when the tab is left.
  package internal(set) var isOwnerShown = false
  package internal(set) var subjectScroll = 0
  /// Whether the list is that of the selected answer.
  package internal(set) var isOfAnswer = false
  /// Cursor and scroll position of each text.
  package internal(set) var scrollPositions: [Panel: TextCursor] = [:]
  /// Runs of reflections that are unfolded, by their place in the list's name.
  package internal(set) var openRuns: Set<String> = []
  /// The last question to RECALL.
  package internal(set) var recalled: SnapshotRequest?

  package internal(set) var bar: Bar?
  package internal(set) var field = TextField()
  /// The filter before the bar was opened, and the one that `\` has switched off.
  package internal(set) var filterBefore = ""
  package internal(set) var filterOff: String?
  /// The last search text.
  package internal(set) var searchText = ""
  /// The guild that was searched.
  package internal(set) var searchedGuild: String?

  var caches = MemoryCaches()

  /// - Parameter guild: the guild to begin with; nil shows all.
  package init(guild: String? = nil) { query.guild = guild }

  package var isTyping: Bool { bar != nil }

  package var hints: [KeyAction] {
    switch (view, focus) {
    case (.facts, .subjects): return [.help, .open, .find, .search, .nextPanel, .nextView, .quit]
    case (.facts, .facts):
      return [
        .help, .search, .find, .filter, .edit, .delete, .undo, .select, .uses, .sort, .nextPanel,
        .nextView, .zoom, .quit,
      ]
    case (.facts, _):
      return [.help, .open, .edit, .delete, .uses, .rawJSON, .nextPanel, .zoom, .quit]
    case (.recall, _): return [.help, .open, .pager, .nextView, .quit]
    case (.reflections, _): return [.help, .open, .delete, .pager, .nextView, .quit]
    default: return [.help, .pager, .nextView, .refresh, .quit]
    }
  }

  package func routes(of command: KeyAction) -> [BackendRoute] {
    switch command {
    case .search: [.search]
    case .edit, .editExternally: [.editFact]
    case .delete: view == .reflections ? [.deleteRun] : [.deleteFact]
    default: command.routes
    }
  }

  package func typingHint(_ keys: KeyTable) -> PlainText? {
    switch bar {
    case nil: nil
    case .find:
      "Enter finds  Esc clears  then " + keys.text(.findNext) + " " + keys.text(.findPrevious)
        + " walk the hits, " + keys.text(.onlyMatches) + " keeps only them"
    case .filter: "Enter keeps it  Esc takes the one before  C-u clears"
    case .search: "Enter searches on the backend  Esc leaves"
    }
  }

  /// Shows a fact as soon as it is loaded.
  package mutating func reveal(_ fact: FactReference) {
    wantedFact = fact
    bar = nil
    view = .facts
  }

  var mask: OwnerMask { OwnerMask(isLifted: isOwnerShown) }

  /// Whether a fact is private to the owner and hidden from view.
  func isMasked(_ fact: Fact) -> Bool { mask.hides(fact) }

  /// Masks private facts again when another tab is shown.
  package mutating func leave() { isOwnerShown = false }

  /// A request for all selected facts was sent: they are not selected any more.
  package mutating func sent(_ request: MemoryRequest) {
    switch request {
    case .delete, .retype: selection = []
    case .recall(let question):
      recalled = question
      scrollPositions[.document] = nil
    default: break
    }
  }

  // MARK: Typing

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    typeInBar(press, facts, body: body, screen: screen)
  }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) -> [Effect] {
    pasteIntoBar(text, facts)
    return []
  }
}
