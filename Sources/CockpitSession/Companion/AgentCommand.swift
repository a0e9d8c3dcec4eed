import Children
import CompanionSource
import Foundation

/// A command line of the user's that serves an agent's request. The agent's words are in variables and on standard
/// input, never in the line.
struct AgentCommand: Sendable {
  /// Why it gave nothing, as part of a sentence.
  struct Problem: Error {
    var sentence: String
  }

  /// Run by `/bin/sh -c`.
  var line: String
  /// The whole environment.
  var variables: [String: String]

  /// An agent that asks for a photo waits for it; after this time the command is killed.
  private static let patience = Duration.seconds(30)

  /// Runs it and blocks: call it off the main thread.
  ///
  /// - Returns: what it printed, at most `CapabilityOutput.maximum` bytes.
  func run(input: [UInt8], _ flag: CancelFlag) throws(Problem) -> [UInt8] {
    let program = HelperProgram(
      path: "/bin/sh", arguments: ["-c", line], environment: variables)
    let answer: HelperProgram.Answer
    do throws(HelperProgram.Problem) {
      answer = try program.run(
        input: .bytes(input), patience: Self.patience, limit: CapabilityOutput.maximum + 1,
        unless: { flag.isSet })
    } catch {
      switch error {
      case .timedOut: throw Problem(sentence: "its command did not end within 30 s")
      case .notStarted: throw Problem(sentence: "its command could not be started")
      }
    }
    guard answer.status == 0 else {
      throw Problem(sentence: "its command failed with status \(answer.status)")
    }
    guard answer.output.count <= CapabilityOutput.maximum else {
      throw Problem(sentence: "its command printed more than 2 MiB; nothing was sent")
    }
    return answer.output
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
