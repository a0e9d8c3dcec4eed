import CompanionSource
import CompanionWire

/// Runs the user's commands for granted capabilities, each on a thread of its own.
@MainActor
final class CommandRunner: CapabilityRunner {
  private let environment: [String: String]

  init(environment: [String: String]) { self.environment = environment }

  /// A command that runs.
  private final class Run: CapabilityRun {
    let flag = CancelFlag()
    var isOver = false

    func cancel() {
      isOver = true
      flag.set()
    }
  }

  func run(
    _ command: String, for request: CapabilityRequest,
    done: @escaping @MainActor (Result<CapabilityOutput, CapabilityFailure>) -> Void
  ) -> any CapabilityRun {
    let run = Run()
    // What an agent says goes into variables and to standard input, and never into the command line.
    let variables = environment.merging([
      "CAPABILITY": request.capability.name, "PURPOSE": String(request.purpose.prefix(1_000)),
    ]) { $1 }
    let flag = run.flag
    let input = Array(request.purpose.utf8.prefix(4_096))
    Task {
      let result = await OwnThread.run { () -> Result<CapabilityOutput, CapabilityFailure> in
        do throws(AgentCommand.Problem) {
          return .success(
            CapabilityOutput(
              try AgentCommand(line: command, variables: variables).run(input: input, flag)))
        } catch {
          return .failure(CapabilityFailure(error.sentence))
        }
      }
      guard !run.isOver else { return }
      run.isOver = true
      done(result)
    }
    return run
  }
}
