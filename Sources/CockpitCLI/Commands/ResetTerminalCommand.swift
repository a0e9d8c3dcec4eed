import CockpitSession
import ArgumentParser
import Foundation
import TerminalCurses

/// `reset-terminal`: repairs the terminal after the cockpit was killed with SIGKILL.
struct ResetTerminalCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "reset-terminal",
    abstract: "Give the terminal back after the cockpit was killed with SIGKILL.",
    usage: "clanky-cockpit reset-terminal")

  func run(in environment: Environment) throws {
    guard environment.terminals.output else {
      throw Failure(
        .usage, "stdout is no terminal; run reset-terminal in the terminal that is broken")
    }
    environment.output.write(Array(TerminalReset.sequence.utf8))
    guard TerminalReset.makeSane(STDIN_FILENO) else {
      throw Failure(.failed, "this is no terminal; run reset-terminal in the one that is broken")
    }
  }
}
