import TerminalCore

/// Keys for hands that know another program; the words of `preset` in the configuration file.
package enum KeyPreset: String, CaseIterable, Hashable, Sendable {
  case standard = "default"
  /// Space and `b` page, `d` and `u` half a page, as in less.
  case less
  /// `/` filters, `0` clears the filter, Space selects, as in k9s.
  case k9s
  /// Nothing needs a letter: arrows, paging keys, function keys and figures do.
  case arrows

  /// The keys that differ from the standard ones.
  package var keys: [KeyAction: [KeyChord]] {
    switch self {
    case .standard: [:]
    case .less:
      [
        .pageDown: ["Space", "PgDn", "C-f", "C-v"], .pageUp: ["b", "PgUp", "C-b"],
        .halfPageDown: ["d", "C-d"], .halfPageUp: ["u", "C-u"],
        .top: ["g g", "<", "Home"], .bottom: ["G", ">", "End"],
        .pause: ["P"], .pin: ["g P"], .undo: ["g u"], .nextSource: ["g o"],
      ]
    case .k9s:
      [
        .filter: ["/"], .filterToggle: ["0", "\\"], .find: ["f"],
        .select: ["Space", "v"], .pause: ["s"], .search: ["S"],
        .refresh: ["r", "C-r"], .settings: ["g s"],
      ]
    case .arrows: Self.withoutLetters
    }
  }

  /// Function keys for frequent commands; `6` to `9` and `0` open groups, whose keys the hint row
  /// lists. A new command gets the key that `KeymapTests` proposes, so far one after
  /// `F11`. The letters keep their meaning.
  private static let withoutLetters: [KeyAction: [KeyChord]] = [
    .help: ["F1", "?"], .mouse: ["F2", "%"], .filter: ["F3", "6 1", "f"],
    .find: ["F4", "6 3", "/"],
    .refresh: ["F5", "0 3", "r"], .pause: ["Space", "F6"], .follow: ["F7", "F"],
    .zoom: ["F8", "z"], .palette: ["F9", "0 2", "C-p"], .quit: ["F10", "0 0", "q"],
    .nextTab: ["C-PgDn", "g t"], .previousTab: ["C-PgUp", "g T"],
    .down: ["Down", "j"], .up: ["Up", "k"], .left: ["Left", "h"], .right: ["Right", "l"],
    .scrollLeft: ["C-Left", "H"], .scrollRight: ["C-Right", "L"],
    .top: ["Home", "g g"], .bottom: ["End", "G"],
    .halfPageDown: ["C-Down", "C-d"], .halfPageUp: ["C-Up", "C-u"],

    .filterToggle: ["6 2", "\\"], .findNext: ["6 4", "n"], .findPrevious: ["6 5", "N"],
    .onlyMatches: ["6 6", "&"], .timeFormat: ["6 7", "t"], .wrap: ["6 8", "w"],
    .level: ["<", "V"], .mark: ["*", "m"], .rawJSON: ["6 9", "J"], .detailPage: ["6 0", "p"],

    .nextError: ["7 1", "] e"], .previousError: ["7 2", "[ e"], .nextGap: ["7 3", "] g"],
    .previousGap: ["7 4", "[ g"], .nextDay: ["7 5", "] d"], .previousDay: ["7 6", "[ d"],
    .nextTurn: ["7 7", "}"], .previousTurn: ["7 8", "{"], .nextView: ["7 9", "] ]"],
    .previousView: ["7 0", "[ ["],

    .report: [";", "R"], .events: ["_", "g l"], .anomalies: ["^", "g a"],
    .conversations: ["$", "g d"], .timeLine: ["|", "T"],
    .incidents: ["F11 1", "g i"], .nextIncident: ["F11 2", "] a"],
    .previousIncident: ["F11 3", "[ a"], .note: ["F11 4", "M"], .pin: ["F11 5", "P"],
    .nextMark: ["F11 6", "] m"], .previousMark: ["F11 7", "[ m"],
    .chat: ["F11 8", "i"], .chatToggle: ["F11 9", "g `"], .nextSource: ["F11 0", "b"],
    .canvas: ["F11 +", "g x"],
    .digest: ["~", "A"], .bundle: ["`", "B"],
    .why: ["8 1", "W"], .pager: ["8 2", "o"], .sort: ["8 3", "O"], .uses: ["8 4", "g r"],
    .journal: ["8 5", "g j"], .joinVoice: ["8 6"], .refreshMemory: ["8 7"],
    .profiles: ["8 8", "C"], .clientLog: ["8 9"], .plain: ["8 0"], .triage: ["9 0", "!"],

    .search: ["9 1", "s"], .edit: ["9 2", "e"], .editExternally: ["9 3", "E"],
    .delete: ["9 4", "D"], .undo: ["9 5", "u"], .select: ["9 6", "v"], .sendHeld: ["9 7", "U"],
    .copy: ["9 8", "y", "c"], .copyJSON: ["9 9", "Y"],

    .commandLine: ["0 1", ":"], .repaint: ["0 4", "C-l"], .suspend: ["0 5", "C-z"],
    .explain: ["0 6", "K"], .figures: ["F12", "#"], .guild: [".", "g G"],
    .settings: [",", "S", "g s"], .runtime: ["@", "g e"],
    .theme: ["0 7"], .setup: ["0 8"], .notifyTest: ["0 9"],
  ]
}
