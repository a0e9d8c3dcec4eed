import ArgumentParser
import CTermSupport
import CockpitSession
import Foundation
import MainLoop

/// The program from its arguments to its exit code.
package enum CockpitProgram {
  /// Runs the command on the main thread.
  ///
  /// - Parameters:
  ///   - arguments: with the program name.
  ///   - end: ends the process.
  package static func main(
    _ arguments: [String], end: @escaping @Sendable (ProcessEnd) -> Never
  ) -> Never {
    cterm_settle_process()
    let environment = Environment.ofProcess(arguments: Array(arguments.dropFirst()), end: end)
    do {
      let given = try Arguments.given(arguments)
      if let script = CompletedProgram.script(given) {
        environment.output.line(Array(script.utf8))
        end(.exit(0))
      }
      if try writeSpec(given, in: environment) { end(.exit(0)) }
      let command = try parsed(given)
      switch command {
      case let verb as any LoopVerb:
        try OpenFiles.permit()
        MainActor.assumeIsolated {
          stay(in: environment) { try await verb.run(in: $0, on: $1, verbs: verbs) }
        }
      case let demo as DemoCommand where demo.bundle:
        try OpenFiles.permit()
        MainActor.assumeIsolated {
          stay(in: environment) { try await demo.show(in: $0, on: $1, verbs: verbs) }
        }
      case let verb as any Verb:
        try OpenFiles.permit()
        MainActor.assumeIsolated {
          run(in: environment) { try await verb.run(in: $0) }
        }
      default:
        try runAtOnce(command, in: environment)
        end(.exit(0))
      }
    } catch {
      end(.exit(exitCode(of: error, in: environment)))
    }
    // Both loops run until something ends the process.
    end(.exit(0))
  }

  /// The verbs available after `:`, and their runner.
  private static let verbs = ProgramVerbs(table: { ClankyCockpit.verbTable }, run: run(in:))

  /// The result of parsing the arguments of a run inside a cockpit.
  private enum Start: Sendable {
    case verb(any Verb)
    case ended(Int32)
  }

  /// Runs the named verb inside a continuing process, and returns its exit code.
  ///
  /// - Parameter environment: with a scope, and an output usable on any thread.
  @MainActor package static func run(in environment: Environment) async -> Int32 {
    // The parser takes longer than a frame.
    switch await OwnThread.run({ start(in: environment) }) {
    case .ended(let code): return code
    case .verb(let verb):
      do {
        try await verb.run(in: environment)
        return 0
      } catch {
        return exitCode(of: error, in: environment)
      }
    }
  }

  /// Parses the arguments, and runs verbs that need no backend.
  private static func start(in environment: Environment) -> Start {
    do {
      if try writeSpec(environment.arguments, in: environment) { return .ended(0) }
      let command = try parsed(environment.arguments)
      switch command {
      case is any LoopVerb, is DemoCommand, is ResetTerminalCommand:
        throw Failure(.usage, "this needs a terminal of its own; run it in a shell")
      case let verb as any Verb: return .verb(verb)
      default: try runAtOnce(command, in: environment)
      }
      return .ended(0)
    } catch {
      return .ended(exitCode(of: error, in: environment))
    }
  }

  /// Prints the description of the verbs for programs if the arguments ask for it.
  private static func writeSpec(
    _ given: [String], in environment: Environment
  ) throws -> Bool {
    guard let path = try SpecDocument.path(given, ClankyCockpit.tree) else { return false }
    environment.output.line(SpecDocument(tree: try ClankyCockpit.tree()).line(path))
    return true
  }

  private static func parsed(_ given: [String]) throws -> any ParsableCommand {
    let vocabulary = ClankyCockpit.vocabulary
    if let problem = UsageMistake(given, vocabulary).helpless { throw Failure(.usage, problem) }
    let words = vocabulary.rewritten(given)
    return try parsedByVerb(words) ?? ClankyCockpit.parseAsRoot(words)
  }

  /// Lets the verb parse its own arguments. From the root, the parser reflects on the options of every
  /// command on the way and of the default one: a quarter of the CPU time of `status`.
  ///
  /// - Returns: nil if the verb rejects the arguments or they ask for help: only the root's parser prints
  ///   the full command in its messages.
  static func parsedByVerb(_ words: [String]) -> (any ParsableCommand)? {
    let named = ClankyCockpit.configuration.subcommands.first {
      $0.configuration.commandName == words.first
    }
    let own = named == nil ? words : Array(words.dropFirst())
    let command = try? (named ?? OpenCommand.self).parseAsRoot(own)
    // The parser's own commands, such as help, are children of the root.
    switch command {
    case is any LoopVerb, is any Verb, is any PlainVerb, is any DescribingVerb: return command
    default: return nil
    }
  }

  /// Runs a command that waits for nothing.
  private static func runAtOnce(
    _ command: any ParsableCommand, in environment: Environment
  ) throws {
    switch command {
    case let verb as any PlainVerb: try verb.run(in: environment)
    case let verb as any DescribingVerb:
      try verb.run(in: environment, describing: ClankyCockpit.tree())
    default:
      var command = command
      try command.run()
    }
  }

  /// After this time a running command is long-lived: memory used only at start is released.
  private static let startMs: UInt64 = 1_500

  /// Heap growth until the first frame, in bytes.
  private static let startHeap = 1 << 20

  /// Runs a verb that stays on the main thread, which from here on belongs to a loop.
  @MainActor private static func stay(
    in environment: Environment,
    _ body: @escaping @MainActor (Environment, any EventLoop) async throws -> Void
  ) {
    #if os(Linux)
      cterm_make_room(startHeap)
      let loop = PollLoop()
      start(in: environment) { try await body(environment, loop) }
      let startEnder = loop.makeTimer { cterm_give_back_start() }
      let nowNs = DispatchTime.now().uptimeNanoseconds
      startEnder.set(dueNs: nowNs + startMs * 1_000_000, leewayNs: 500_000_000)
      withExtendedLifetime(startEnder) { loop.run() }
    #else
      run(in: environment) { try await body($0, DispatchLoop()) }
    #endif
  }

  /// Runs a verb on the main thread, which from here on belongs to a loop. Dispatch would wake its manager
  /// thread for each event, which is a tenth of the CPU of `status`.
  @MainActor private static func run(
    in environment: Environment, _ body: @escaping @MainActor (Environment) async throws -> Void
  ) {
    #if os(Linux)
      let loop = PollLoop()
      var environment = environment
      environment.loop = loop
      start(in: environment) { [environment] in try await body(environment) }
      let startEnder = loop.makeTimer { cterm_give_back_start() }
      let nowNs = DispatchTime.now().uptimeNanoseconds
      startEnder.set(dueNs: nowNs + startMs * 1_000_000, leewayNs: 500_000_000)
      withExtendedLifetime(startEnder) { loop.run() }
    #else
      start(in: environment) { try await body(environment) }
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(Int(startMs))) {
        cterm_give_back_start()
      }
      RunLoop.main.run()
    #endif
  }

  @MainActor private static func start(
    in environment: Environment, _ body: @escaping @MainActor () async throws -> Void
  ) {
    let run: @MainActor @Sendable () async -> Void = {
      do {
        try await body()
        environment.end(.exit(0))
      } catch {
        environment.end(.exit(exitCode(of: error, in: environment)))
      }
    }
    #if os(Linux)
      Task(executorPreference: MainQueueExecutor(), operation: run)
    #else
      Task(operation: run)
    #endif
  }

  /// As wide as help is where there is no terminal.
  private static let helpColumns = 80

  /// The exit code of a run that was ended by an error, which is said: help and version on stdout,
  /// everything else as one sentence on stderr.
  private static func exitCode(of error: any Error, in environment: Environment) -> Int32 {
    let output = environment.output
    if let code = error as? ExitCode { return code.rawValue }
    if let failure = error as? Failure {
      output.complain(failure.words(namesAddress: environment.namesAddress))
      return failure.code
    }
    switch ClankyCockpit.exitCode(for: error) {
    case .success:
      // Inside a cockpit the parser would measure the terminal below it.
      let columns = environment.scope == nil ? nil : helpColumns
      output.line(Array(ClankyCockpit.fullMessage(for: error, columns: columns).utf8))
      return 0
    case .validationFailure:
      let mistake = UsageMistake(environment.arguments, ClankyCockpit.vocabulary)
      output.complain(mistake.sentence(ClankyCockpit.message(for: error)))
      return Failure.Code.usage.rawValue
    default:
      output.complain("\(error)")
      return Failure.Code.failed.rawValue
    }
  }
}
