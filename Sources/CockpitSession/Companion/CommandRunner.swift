import Children
import CompanionSource
import CompanionWire
import Foundation

/// Runs the user's commands for granted capabilities, each on a thread of its own.
@MainActor
final class CommandRunner: CapabilityRunner {
  /// An agent that asks for a photo waits for it; after this time the command is killed.
  nonisolated private static let patience = Duration.seconds(30)

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
      let result = await OwnThread.run {
        Self.result(of: command, input, environment: variables, flag)
      }
      guard !run.isOver else { return }
      run.isOver = true
      done(result)
    }
    return run
  }

  nonisolated private static func result(
    of command: String, _ input: [UInt8], environment: [String: String], _ flag: CancelFlag
  ) -> Result<CapabilityOutput, CapabilityFailure> {
    let program = HelperProgram(
      path: "/bin/sh", arguments: ["-c", command], environment: environment)
    do throws(HelperProgram.Problem) {
      let answer = try program.run(
        input: .bytes(input), patience: patience, limit: CapabilityOutput.maximum + 1,
        unless: { flag.isSet })
      guard answer.status == 0 else {
        return .failure(CapabilityFailure("its command failed with status \(answer.status)"))
      }
      guard answer.output.count <= CapabilityOutput.maximum else {
        return .failure(CapabilityFailure("its command printed more than 2 MiB; nothing was sent"))
      }
      return .success(CapabilityOutput(answer.output))
    } catch {
      switch error {
      case .timedOut: return .failure(CapabilityFailure("its command did not end within 30 s"))
      case .notStarted: return .failure(CapabilityFailure("its command could not be started"))
      }
    }
  }
}

/// A cancellation flag that one thread sets and another polls.
///
/// Unchecked, because the lock guards the only state.
final class CancelFlag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
