/// The control sequence that makes a terminal show a notification of the desktop.
package enum NotificationRoute: String, CaseIterable, Sendable {
  /// iTerm2's, which WezTerm, Ghostty and ConEmu have too: one text.
  case osc9
  /// kitty's: title and text.
  case osc99
  /// urxvt's, which VTE, foot and Ghostty have too: title and text.
  case osc777
  /// No more than the bell; the window is marked as urgent where the desktop does that.
  case bell

  /// What the terminal is known to take, and nil where nothing is known. In tmux the variables are
  /// those of the terminal that tmux was started in, which is the best there is.
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
