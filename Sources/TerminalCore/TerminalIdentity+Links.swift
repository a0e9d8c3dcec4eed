/// Which terminals take links (OSC 8).
///
/// There is no way to ask. A terminal is known by its `TERM`, or by a variable that it sets; these are inherited by every
/// child, so they count only where the innermost terminal is like xterm, of which even those without links ignore them.
extension TerminalIdentity {
  static func takesLinks(_ kind: Kind, _ environment: [String: String]) -> Bool {
    switch kind {
    case .tmux:
      // Since 3.4 tmux keeps links, and gives them to terminals with its feature "hyperlinks".
      return environment["TERM_PROGRAM"] == "tmux"
        && isAtLeast(environment["TERM_PROGRAM_VERSION"], 3, 4)
    case .xterm: break
    default: return false
    }
    let term = environment["TERM"] ?? ""
    let names = [
      "alacritty", "contour", "foot", "ghostty", "iterm", "kitty", "rio", "wezterm",
      "xterm-ghostty",
      "xterm-kitty",
    ]
    if names.contains(where: term.hasPrefix) { return true }
    let programs = ["iTerm.app", "WezTerm", "ghostty", "vscode", "rio", "Tabby"]
    if programs.contains(environment["TERM_PROGRAM"] ?? "") { return true }
    // VTE 0.50.0 crashes at some.
    if let version = environment["VTE_VERSION"].flatMap(Int.init) { return version > 5_000 }
    if let version = environment["KONSOLE_VERSION"].flatMap(Int.init) { return version >= 201_200 }
    return !(environment["WT_SESSION"] ?? "").isEmpty
  }

  /// `3.4`, `3.4a`, `3.5-rc`, `next-3.6`.
  private static func isAtLeast(_ version: String?, _ major: Int, _ minor: Int) -> Bool {
    let numbers = (version ?? "").split { !$0.isNumber }.compactMap { Int($0) }
    guard let first = numbers.first else { return false }
    return first > major || first == major && (numbers.dropFirst().first ?? 0) >= minor
  }
}

extension TerminalIdentity {
  /// Whether links are written.
  ///
  /// - Parameter wanted: what the user says; nil where nothing is said. The console of Linux and hardware would print
  ///   the addresses, so they get none in any case.
  package func writesLinks(_ wanted: Bool?) -> Bool {
    switch kind {
    case .linux, .vt, .emacs, .rxvt: false
    default: wanted ?? takesLinks
    }
  }
}
