import CockpitStores
import TerminalCore

/// The views of MEMORY that `]]` and `[[` walk through.
package enum MemoryView: Int, CaseIterable, Hashable, Sendable {
  case facts, reflections, markdown, profile, recall, journal

  var title: PlainText {
    switch self {
    case .facts: "FACTS"
    case .reflections: "REFLECTIONS"
    case .markdown: "MARKDOWN"
    case .profile: "PROFILE"
    case .recall: "RECALL"
    case .journal: "JOURNAL"
    }
  }
}

/// The parts of MEMORY that can have the focus, in the order of Tab.
package enum MemoryPanel: Int, CaseIterable, Hashable, Sendable {
  case subjects, facts, detail, provenance, reflections
  /// The text of every view but FACTS.
  case document
}

/// Mouse targets of MEMORY.
package enum MemoryTarget: Hashable, Sendable {
  case view(MemoryView)
  case panel(MemoryPanel)
  /// The displayed guild; pressing it selects the next one.
  case guild
  case subject(String?)
  case fact(Int)
  /// The heading of a column, or the order in the panel's heading.
  case order(FactViewQuery.Order?)
  /// A line of a panel, counted from the top of its content.
  case line(MemoryPanel, Int)
}

/// The kinds of input at the top of MEMORY.
package enum MemoryInput: Hashable, Sendable {
  case find, filter, search
}
