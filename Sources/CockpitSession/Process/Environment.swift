import CTermSupport
import CockpitAnswers
import Foundation
import MainLoop
import TerminalCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How to end a run before its verb has returned.
package enum ProcessEnd: Sendable {
  case exit(Int32)
  /// Without cleanup: the main thread may be interrupted anywhere.
  case immediately(Int32)
  /// By SIGPIPE, like a filter whose reader has closed the pipe.
  case withoutReader
}

/// The process environment of a verb: arguments, variables, output, input, clock. A verb gets it as an argument,
/// so that it can run with another one. Exceptions: raw reads of standard input in linear mode and in the
/// questions of `setup`, and the child environment of a token command.
package struct Environment: Sendable {
  /// The arguments after the program name.
  package var arguments: [String]
  /// The environment variables.
  package var variables: [String: String]
  package var output: Output
  /// One line of standard input; nil at end of file.
  package var readLine: @Sendable () -> String?
  /// Which of the three streams are terminals.
  package var terminals: Terminals
  /// Now, in ms since 1970.
  package var wallMs: @Sendable () -> Int64
  /// Ends the run before its verb has returned: a closed pipe, a deadline, a signal.
  package var end: @Sendable (ProcessEnd) -> Void
  /// The screen that shows the verb's output; nil in a shell.
  package var screen: RunningScreen?
  /// Where the surrounding cockpit got the token; nil in a shell.
  package var tokenPlace: String?
  /// The source on the surrounding screen, if it is no backend: a verb has no address from it.
  package var shownSource: String?
  /// Runs the main thread; nil if Dispatch does.
  package var loop: (any EventLoop)?
  /// The lifetime of a run inside another one; nil if the run owns the process.
  package var scope: RunScope?
  /// Takes an answer as lines of text beside its JSON; nil where one of the two was asked for.
  package var textBesideJSON: (@Sendable (PlainText) -> Void)?
  /// Called when an answer uses what was recorded, `true` if the bot was not asked.
  package var recordingWasUsed: (@Sendable (_ alone: Bool) -> Void)?
  /// Takes the time that an answer covers, and how many stretches of it are missing, where the JSON of
  /// the verb does not have it.
  package var takesCoverage: (@Sendable (Answer.Coverage, _ gaps: Int) -> Void)?
  /// What runs in one process share of a backend; nil if a run opens its own.
  package var keptBackends: KeptBackends?

  package struct Terminals: Sendable {
    package var input: Bool
    package var output: Bool
    package var error: Bool

    package init(input: Bool, output: Bool, error: Bool) {
      (self.input, self.output, self.error) = (input, output, error)
    }

    /// Those of the process.
    package static var ofProcess: Terminals {
      Terminals(
        input: isatty(STDIN_FILENO) == 1, output: isatty(STDOUT_FILENO) == 1,
        error: isatty(STDERR_FILENO) == 1)
    }
  }

  package init(
    arguments: [String], variables: [String: String], output: Output, terminals: Terminals,
    readLine: @escaping @Sendable () -> String?,
    wallMs: @escaping @Sendable () -> Int64 = Self.machineMs,
    end: @escaping @Sendable (ProcessEnd) -> Void
  ) {
    self.arguments = arguments
    self.variables = variables
    self.output = output
    self.terminals = terminals
    self.readLine = readLine
    self.wallMs = wallMs
    self.end = end
  }

  /// The environment of the process, which has but one.
  ///
  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - end: ends the process.
  package static func ofProcess(
    arguments: [String], end: @escaping @Sendable (ProcessEnd) -> Never
  ) -> Environment {
    let variables = ProcessEnvironment.current
    let terminals = Terminals.ofProcess
    return Environment(
      arguments: arguments, variables: variables,
      output: Output(
        .descriptors(end: end), variables: variables,
        areTerminals: (terminals.output, terminals.error)),
      terminals: terminals, readLine: { Swift.readLine() }, end: { end($0) })
  }

  /// The clock of this machine, in ms since 1970.
  package static let machineMs: @Sendable () -> Int64 = {
    Int64(Date().timeIntervalSince1970 * 1000)
  }

  /// Whether a prompt can be shown and answered: standard input and standard error are terminals.
  package var isAttended: Bool { terminals.input && terminals.error }

  /// Gives the lines of an answer that was printed as JSON to a program that wants both.
  package func also(_ lines: @autoclosure () -> [PlainText]) {
    guard let textBesideJSON else { return }
    for line in lines() { textBesideJSON(line) }
  }

  /// Whether the arguments include the backend's address.
  package var namesAddress: Bool {
    arguments.contains { $0 == "--url" || $0.hasPrefix("--url=") }
  }
}
