import Children
import ElevenLabsSource
import ElevenLabsWire
import LenientJSON

/// Client tools of an agent of ElevenLabs as commands of the user's: only those that the profile names are run, each
/// with the parameters on its standard input.
struct ClientTools: Sendable {
  /// An agent waits for a result; after this time the command is killed.
  private static let patience = Duration.seconds(20)
  /// Bytes of a result that an agent gets.
  private static let resultLimit = 16 << 10

  let commands: [String: String]
  let environment: [String: String]

  /// Runs a command beside the main thread. `done` gets what it printed, or why it failed.
  @MainActor func run(
    _ call: ClientToolCall, _ done: @escaping @MainActor (_ result: String, _ isError: Bool) -> Void
  ) {
    guard let command = commands[call.name] else { return done("unknown tool", true) }
    let parameters = Array(call.parameters.serialized().utf8)
    guard parameters.count <= 32 << 10 else { return done("the parameters are too long", true) }
    let variables = environment.merging(["TOOL_NAME": call.name]) { $1 }
    Task {
      let (text, isError) = await OwnThread.run {
        Self.result(of: command, parameters, environment: variables)
      }
      done(text, isError)
    }
  }

  private static func result(
    of command: String, _ parameters: [UInt8], environment: [String: String]
  ) -> (String, Bool) {
    let program = HelperProgram(
      path: "/bin/sh", arguments: ["-c", command], environment: environment)
    do throws(HelperProgram.Problem) {
      let answer = try program.run(input: .bytes(parameters), patience: patience)
      guard answer.status == 0 else {
        return ("the tool failed with status \(answer.status)", true)
      }
      let text = String(decoding: answer.output.prefix(resultLimit), as: UTF8.self)
      return (text.isEmpty ? "done" : text, false)
    } catch {
      switch error {
      case .timedOut: return ("the tool did not end within 20 s", true)
      case .notStarted: return ("the tool could not be started", true)
      }
    }
  }
}
