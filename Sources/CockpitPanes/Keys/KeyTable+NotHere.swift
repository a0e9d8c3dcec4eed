import TerminalCore

extension KeyTable {
  /// What to say of a key that means nothing on a tab; nil for keys that only move. The same key means
  /// the same everywhere (ux.md D), so one that seems to do nothing has to say so.
  package func notHere(_ command: KeyAction, on tab: Tab) -> PlainText? {
    let here = " on " + tab.title
    switch command {
    case .find, .findNext, .findPrevious, .onlyMatches: return "no find" + here
    case .filter, .filterToggle: return "no filter" + here
    case .search: return "no search" + here
    case .sort: return "no other order" + here
    case .pager: return "nothing for the pager here"
    case .detailPage: return "no detail with pages here"
    default:
      guard let binding = binding(for: command), let key = binding.keys.first else { return nil }
      switch binding.group {
      case .feed, .voice, .memory, .command:
        return PlainText(key.description) + " does nothing here"
      case .tabs, .moving, .program: return nil
      }
    }
  }
}
