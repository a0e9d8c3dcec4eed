import Children
import Foundation

/// The user's own command that prints request headers, such as a password manager's.
package enum HeadersCommand {
  /// Runs the command with `/bin/sh -c` and returns the lines `Name: value` up to the first that is none. Its standard
  /// error is dropped: it might contain a secret.
  ///
  /// - Parameter name: what failures call it.
  package static func run(
    _ command: String, named name: String = "headers_command",
    patience: Duration = TokenCommand.limit
  ) throws(FileError) -> [(name: String, value: String)] {
    let shell = HelperProgram(
      path: "/bin/sh", arguments: ["-c", command],
      environment: ProcessInfo.processInfo.environment)
    let answer: HelperProgram.Answer
    do throws(HelperProgram.Problem) {
      answer = try shell.run(patience: patience)
    } catch {
      switch error {
      case .notStarted(let why): throw FileError("\(name) could not be started: \(why)")
      case .timedOut:
        throw FileError(
          "\(name) did not end within \(patience.inSeconds); run it by hand to see why")
      }
    }
    guard answer.status == 0 else {
      throw FileError("\(name) failed with status \(answer.status); run it by hand to see why")
    }
    var headers: [(String, String)] = []
    for line in String(decoding: answer.output, as: UTF8.self).split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { break }
      let header = line[..<colon]
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      let isToken = header.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
      guard !header.isEmpty, isToken, !value.isEmpty, headers.count < 20 else { break }
      headers.append((String(header), value))
    }
    guard !headers.isEmpty else {
      throw FileError("\(name) printed no header; its first line must be 'Name: value'")
    }
    return headers
  }
}
