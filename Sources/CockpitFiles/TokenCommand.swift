import Children
import Foundation

/// The user's own command that prints the token, such as a password manager's.
package enum TokenCommand {
  /// Longer than unlocking a password manager takes.
  package static let limit = Duration.seconds(60)

  /// Runs the command with `/bin/sh -c` and returns the first line of its output.
  ///
  /// If it may prompt, its stderr goes to ours unbuffered: it may be a question, or `touch your
  /// key`. Otherwise its stderr is dropped: there is no user to read it, our stderr may be a log,
  /// and it might contain the token.
  ///
  /// - Parameters:
  ///   - name: what failures call it.
  ///   - patience: time limit.
  ///   - mayAsk: whether it inherits our standard input and error, to prompt at the terminal.
  package static func run(
    _ command: String, named name: String = "token_command", patience: Duration = limit,
    mayAsk: Bool = true
  ) throws(FileError) -> String {
    let shell = HelperProgram(
      path: "/bin/sh", arguments: ["-c", command],
      environment: ProcessInfo.processInfo.environment)
    let answer: HelperProgram.Answer
    do throws(HelperProgram.Problem) {
      answer = try shell.run(
        input: mayAsk ? .inherited : .nothing, hasOwnErrors: !mayAsk, patience: patience)
    } catch {
      switch error {
      case .notStarted(let why): throw FileError("\(name) could not be started: \(why)")
      case .timedOut:
        throw FileError(
          "\(name) did not end within \(patience.inSeconds); run it by hand to see why")
      }
    }
    guard answer.status == 0 else {
      throw FileError(
        "\(name) failed with status \(answer.status); run it by hand to see why")
    }
    let line = String(decoding: answer.output, as: UTF8.self).split(separator: "\n").first
    guard let line, !line.isEmpty else {
      throw FileError("\(name) printed nothing; it must print the secret on its first line")
    }
    return String(line).trimmingCharacters(in: .whitespaces)
  }
}
