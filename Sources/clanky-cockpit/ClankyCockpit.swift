import ArgumentParser
import CTermSupport
import CockpitDemo
import Foundation
import MainLoop

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The program: without a verb it opens the cockpit.
struct ClankyCockpit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clanky-cockpit",
    abstract: "A terminal cockpit for people who run a Clanky bot.",
    discussion: """
      Without a verb the full-screen cockpit opens. Try it without a backend: \
      clanky-cockpit --demo

      Options of the cockpit, such as --url and --tab: clanky-cockpit open --help

      Exit codes: 0 fine, 1 failed, 2 usage or configuration, 3 no connection, 4 authentication.
      """,
    version: programVersion,
    subcommands: [
      OpenCommand.self, TailCommand.self, SnapshotCommand.self, StatusCommand.self,
      WidgetCommand.self, FactsCommand.self, ActionsCommand.self, SessionsCommand.self,
      SessionCommand.self, VoiceCommand.self, SetupCommand.self, DoctorCommand.self,
      ConfigCommand.self, ThemesCommand.self, KeysCommand.self, DemoCommand.self,
      ResetTerminalCommand.self, ManualCommand.self,
    ],
    defaultSubcommand: OpenCommand.self)
}

/// A command that waits for things, on the main actor and the main thread: an `async` main would
/// let the main actor wander between threads on Linux, and signal stacks, ncurses and debuggers
/// all think in threads.
protocol MainThreadCommand: ParsableCommand, Sendable {
  @MainActor func main() async throws
}

/// A command that stays for hours, and so has the main thread's events from the loop that runs it.
protocol LoopCommand: MainThreadCommand {
  @MainActor func main(on loop: any EventLoop) async throws
}

extension LoopCommand {
  @MainActor func main() async throws { try await main(on: DispatchLoop()) }
}

@main
enum Main {
  static func main() {
    cterm_settle_process()
    do {
      let given = try Arguments.given(CommandLine.arguments)
      if let script = CompletedProgram.script(given) {
        Output.write(Array((script + "\n").utf8))
        exit(0)
      }
      var command = try parsed(given)
      switch command {
      case let command as any LoopCommand:
        try OpenFiles.permit()
        MainActor.assumeIsolated { stay(command) }
      case let command as any MainThreadCommand:
        try OpenFiles.permit()
        MainActor.assumeIsolated { run(command) }
      default:
        try command.run()
        exit(0)
      }
    } catch {
      end(with: error)
    }
  }

  private static func parsed(_ given: [String]) throws -> any ParsableCommand {
    if let problem = UsageMistake(given).helpless { throw Failure(.usage, problem) }
    let verbs = VerbNames.program
    let arguments = Arguments.rewritten(
      given, verbs: Set(verbs.top), nested: verbs.nested.mapValues(Set.init),
      scenarios: Set(DemoScenario.allCases.map(\.rawValue)))
    return try ClankyCockpit.parseAsRoot(arguments)
  }

  /// A command that still runs after so many ms stays: what only its start needed can go.
  private static let startMs: UInt64 = 1_500

  /// What the heap grows by until the first frame, in bytes.
  private static let startHeap = 1 << 20

  /// Runs a command that stays on the main thread, which from here on belongs to a loop.
  @MainActor private static func stay(_ command: any LoopCommand) {
    #if os(Linux)
      cterm_make_room(startHeap)
      let loop = PollLoop()
      start { try await command.main(on: loop) }
      let startEnder = loop.makeTimer { cterm_give_back_start() }
      let nowNs = DispatchTime.now().uptimeNanoseconds
      startEnder.set(dueNs: nowNs + startMs * 1_000_000, leewayNs: 500_000_000)
      withExtendedLifetime(startEnder) { loop.run() }
    #else
      run(command)
    #endif
  }

  /// Runs a command on the main thread, which from here on belongs to Dispatch.
  @MainActor private static func run(_ command: any MainThreadCommand) {
    start { try await command.main() }
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(Int(startMs))) {
      cterm_give_back_start()
    }
    RunLoop.main.run()
  }

  @MainActor private static func start(_ body: @escaping @MainActor () async throws -> Void) {
    Task { @MainActor in
      do {
        try await body()
        exit(0)
      } catch {
        end(with: error)
      }
    }
  }

  /// Ends the process: help and version on stdout with 0, everything else one sentence on stderr.
  private static func end(with error: any Error) -> Never {
    if let failure = error as? Failure {
      Output.complain(failure.description)
      exit(failure.code)
    }
    if ClankyCockpit.exitCode(for: error) == .success {
      Output.write(Array((ClankyCockpit.fullMessage(for: error) + "\n").utf8))
      exit(0)
    }
    if ClankyCockpit.exitCode(for: error) == .validationFailure {
      let given = Array(CommandLine.arguments.dropFirst())
      Output.complain(UsageMistake(given).sentence(ClankyCockpit.message(for: error)))
      exit(Failure.Code.usage.rawValue)
    }
    Output.complain("\(error)")
    exit(Failure.Code.failed.rawValue)
  }
}
