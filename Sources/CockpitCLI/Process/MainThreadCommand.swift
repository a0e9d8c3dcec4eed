import ArgumentParser
import CockpitPanes
import MainLoop

/// A command that waits for things, on the main actor and the main thread: an `async` main would
/// let the main actor wander between threads on Linux, and signal stacks, ncurses and debuggers
/// all think in threads.
protocol MainThreadCommand: ParsableCommand, Sendable {
  @MainActor func main() async throws
}

/// A command that stays for hours, and so has the main thread's events from the loop that runs it.
protocol LoopCommand: ParsableCommand, Sendable {
  /// - Parameter verbs: what may be typed on the `:` line; it takes longer than a frame.
  @MainActor func main(
    on loop: any EventLoop, verbs: @escaping @Sendable () -> VerbTable) async throws
}

/// A command that prints what the parser knows.
protocol DescribingCommand: ParsableCommand {
  func run(describing tree: CommandTree) throws
}
