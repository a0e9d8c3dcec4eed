import TerminalCore

extension KeyTable {
  /// The message for a key without effect on a tab; nil for keys that only move. A key means the
  /// same on every tab, so one without effect must say so.
  package func notHere(_ command: KeyAction, on tab: Tab) -> PlainText? {
    let here = " on " + tab.title
    switch command {
    case .find, .findNext, .findPrevious, .onlyMatches: return "no find" + here
    case .filter, .filterToggle: return "no filter" + here
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
