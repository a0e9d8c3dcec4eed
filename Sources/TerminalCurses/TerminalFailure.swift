import TerminalCore

/// Why the full screen cannot be shown; each says what to do instead.
package enum TerminalFailure: Error, Hashable, CustomStringConvertible {
  case notATerminal
  case noTerm
  case unknownTerm(String)
  case incapable(String)
  case noModes(errno: Int32)
  case noScratch(errno: Int32)

  package var description: String {
    switch self {
    case .notATerminal:
      "The screen needs a terminal for input and output; "
        + "use the tail or snapshot command to write to a file or a pipe."
    case .noTerm:
      "TERM is not set, so the terminal is unknown; set it, for example TERM=xterm-256color."
    case .unknownTerm(let name):
      "There is no terminfo entry for TERM=\(PlainText(name, limit: 40)); "
        + "install it, or try TERM=xterm-256color."
    case .incapable(let name):
      "TERM=\(PlainText(name, limit: 40)) cannot move its cursor; "
        + "use the tail command, or set TERM to what the terminal really is."
    case .noModes(let number):
      "The terminal does not let its input mode be changed (error \(number)); "
        + "start the program in the foreground."
    case .noScratch(let number):
      "The screen needs a temporary file and cannot have one (error \(number)); "
        + "close some programs or free some space."
    }
  }
}

/// Why the terminal session should end.
package enum TerminalEnd: Hashable, Sendable {
  /// SIGHUP, SIGINT, SIGQUIT or SIGTERM. The process is ended two seconds after the first of them.
  case signal(Int32)
  /// The terminal is gone, whether or not a signal said so.
  case hangUp

  /// What a shell expects: 128 and the number of the signal.
  package var exitCode: Int32 {
    switch self {
    case .signal(let number): 128 + number
    case .hangUp: 129
    }
  }
}
