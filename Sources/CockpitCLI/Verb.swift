import ArgumentParser
import CockpitSession
import MainLoop

/// A verb that waits for things, on the main actor and the main thread: an `async` main would let the
/// main actor wander between threads on Linux, and signal stacks, ncurses and debuggers all think in
/// threads.
protocol Verb: ParsableCommand, Sendable {
  /// It blocks the main actor no longer than a frame, and ends soon after its task was cancelled:
  /// in a cockpit the screen keeps running.
  ///
  /// - Throws: `Failure` with a sentence, or an `ExitCode` if everything has been reported.
  @MainActor func run(in environment: Environment) async throws
}

/// A verb that asks no backend. Inside a cockpit it runs on a thread of its own, so that it may read the
/// disk and wait for other programs.
protocol PlainVerb: ParsableCommand {
  func run(in environment: Environment) throws
}

/// A verb that prints the parser's description.
protocol DescribingVerb: ParsableCommand {
  func run(in environment: Environment, describing tree: CommandTree) throws
}

/// A verb that stays for hours, and so has the main thread's events from the loop that runs it.
protocol LoopVerb: ParsableCommand, Sendable {
  /// - Parameter verbs: the verbs available on the `:` line, and their runner.
  @MainActor func run(
    in environment: Environment, on loop: any EventLoop, verbs: ProgramVerbs
  ) async throws
}
