import TerminalCore

/// Our own terminfo entries for 24-bit colour, in the form ncurses accepts in `TERMINFO`
/// (terminfo(5): "b64:").
///
/// The entries a system may have (`xterm-direct`) are often not installed, and use a colon form that
/// some terminals misread. These write `38;2;r;g;b`, which all of them understand. The sources are
/// in `Terminfo/`; scripts/dev/terminfo compiles them.
enum DirectTerminfo {
  struct Entry {
    var name: String
    var compiled: String
  }

  /// The entry for a terminal; nil if there is none.
  static func entry(for term: String) -> Entry? {
    if term.hasPrefix("tmux") || term.hasPrefix("screen") {
      return Entry(name: "cockpit-tmux-direct", compiled: CompiledTerminfo.tmux)
    }
    guard TerminalIdentity.isLikeXterm(term) else { return nil }
    return Entry(name: "cockpit-direct", compiled: CompiledTerminfo.xterm)
  }
}
