/// The control sequence that makes a terminal show a notification of the desktop.
package enum NotificationRoute: String, CaseIterable, Sendable {
  /// iTerm2's, which WezTerm, Ghostty and ConEmu have too: one text.
  case osc9
  /// kitty's: title and text.
  case osc99
  /// urxvt's, which VTE, foot and Ghostty have too: title and text.
  case osc777
  /// Only the bell; desktops may mark the window as urgent.
  case bell

  /// The route that the terminal is known to support; nil if unknown. In tmux the variables are
  /// those of the terminal in which tmux was started, which is the best available.
  package init?(environment: [String: String]) {
    func has(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    let term = environment["TERM"] ?? ""
    if has("KITTY_WINDOW_ID") || term.contains("kitty") {
      self = .osc99
      return
    }
    switch environment["TERM_PROGRAM"] ?? environment["LC_TERMINAL"] ?? "" {
    case "iTerm.app", "WezTerm", "ghostty", "vscode":
      self = .osc9
      return
    default: break
    }
    if environment["LC_TERMINAL"] == "iTerm2" || has("WEZTERM_PANE") || term.contains("ghostty")
      || has("GHOSTTY_RESOURCES_DIR") || has("ConEmuPID")
    {
      self = .osc9
    } else if has("VTE_VERSION") || term.hasPrefix("foot") || term.hasPrefix("rxvt") {
      self = .osc777
    } else {
      return nil
    }
  }
}
