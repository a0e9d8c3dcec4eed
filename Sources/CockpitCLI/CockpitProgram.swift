import ArgumentParser
import CTermSupport
import CockpitSession
import Foundation
import MainLoop

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The program from its arguments to its exit code.
package enum CockpitProgram {
  package static func main() {
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
        MainActor.assumeIsolated { run { try await command.main() } }
      case let command as any DescribingCommand:
        try command.run(describing: ClankyCockpit.tree())
        exit(0)
      default:
        try command.run()
        exit(0)
      }
    } catch {
      end(with: error)
    }
  }

  private static func parsed(_ given: [String]) throws -> any ParsableCommand {
    let vocabulary = ClankyCockpit.vocabulary
    if let problem = UsageMistake(given, vocabulary).helpless { throw Failure(.usage, problem) }
    return try ClankyCockpit.parseAsRoot(vocabulary.rewritten(given))
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
      start { try await command.main(on: loop, verbs: { ClankyCockpit.verbTable }) }
      let startEnder = loop.makeTimer { cterm_give_back_start() }
      let nowNs = DispatchTime.now().uptimeNanoseconds
      startEnder.set(dueNs: nowNs + startMs * 1_000_000, leewayNs: 500_000_000)
      withExtendedLifetime(startEnder) { loop.run() }
    #else
      run { try await command.main(on: DispatchLoop(), verbs: { ClankyCockpit.verbTable }) }
    #endif
  }

  /// Runs a command on the main thread, which from here on belongs to Dispatch.
  @MainActor private static func run(_ body: @escaping @MainActor () async throws -> Void) {
    start(body)
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
      Output.complain(
        UsageMistake(given, ClankyCockpit.vocabulary).sentence(ClankyCockpit.message(for: error)))
      exit(Failure.Code.usage.rawValue)
    }
    Output.complain("\(error)")
    exit(Failure.Code.failed.rawValue)
  }
}
