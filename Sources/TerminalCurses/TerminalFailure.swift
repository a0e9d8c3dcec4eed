import TerminalCore

/// Why the full screen cannot be shown; descriptions say what to do instead.
package enum TerminalFailure: Error, Hashable, CustomStringConvertible {
  case notATerminal
  case noTerm
  /// Terminfo has no entry of this name. `hasOthers`: it has one for xterm-256color.
  case unknownTerm(String, hasOthers: Bool)
  case incapable(String)
  case noModes(errno: Int32)
  case noScratch(errno: Int32)

  package var description: String {
    switch self {
    case .notATerminal:
      "The screen needs a terminal for input and output; "
        + "use the tail or snapshot command to write to a file or a pipe."
    case .noTerm:
      "TERM is not set, so the terminal is unknown; set it, for example TERM=xterm-256color, "
        + "or use --linear, which needs none."
    case .unknownTerm(let name, let hasOthers):
      "There is no terminfo entry for TERM=\(PlainText(name, limit: 40)); "
        + "\(Self.advice(term: name, hasOthers: hasOthers))."
    case .incapable(let name):
      "TERM=\(PlainText(name, limit: 40)) cannot move its cursor; "
        + "use --linear or the tail command, or set TERM to what the terminal really is."
    case .noModes(let number):
      "The terminal does not let its input mode be changed (error \(number)); "
        + "start the program in the foreground."
    case .noScratch(let number):
      "The screen needs a temporary file and cannot have one (error \(number)); "
        + "close some programs or free some space."
    }
  }

  /// Advice for a missing terminfo entry for `term`, as a clause. Package names are Debian's and
  /// Ubuntu's.
  ///
  /// - Parameter hasOthers: whether terminfo has an entry for xterm-256color.
  package static func advice(term: String, hasOthers: Bool) -> String {
    let linear = "--linear needs none"
    if inBasePackage.contains(term) {
      return "install the package that has it (ncurses-base on Debian and Ubuntu); \(linear)"
    }
    if hasOthers {
      return "install more of them (ncurses-term on Debian and Ubuntu), or set "
        + "TERM=xterm-256color where the terminal is like xterm; \(linear)"
    }
    return
      "there is none for xterm-256color either: install them (ncurses-base and ncurses-term on "
      + "Debian and Ubuntu); \(linear)"
  }

  /// The entries of Debian's ncurses-base that terminals and multiplexers use as TERM.
  private static let inBasePackage: Set<String> = [
    "Eterm", "ansi", "cons25", "cygwin", "dumb", "hurd", "linux", "mach", "pcansi", "rxvt",
    "rxvt-basic", "rxvt-unicode", "rxvt-unicode-256color", "screen", "screen-256color",
    "screen-256color-bce", "screen-bce", "screen.xterm-256color", "sun", "tmux", "tmux-256color",
    "vt100", "vt102", "vt220", "vt52", "wsvt25", "xterm", "xterm-256color", "xterm-color",
    "xterm-mono", "xterm-vt220",
  ]
}

/// Why the terminal session should end.
package enum TerminalEnd: Hashable, Sendable {
  /// SIGHUP, SIGINT, SIGQUIT or SIGTERM. The process is ended two seconds after the first of them.
  case signal(Int32)
  /// The terminal is gone, with or without SIGHUP.
  case hangUp

  /// By shell convention 128 + signal number.
  package var exitCode: Int32 {
    switch self {
    case .signal(let number): 128 + number
    case .hangUp: 129
    }
  }
}
