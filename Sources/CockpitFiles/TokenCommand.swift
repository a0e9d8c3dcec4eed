import Foundation

/// The user's own command that prints the token, such as a password manager's.
package enum TokenCommand {
  /// Longer than anybody waits for a password manager to be unlocked.
  static let limit: TimeInterval = 60

  /// Runs the command with `/bin/sh -c` and gives the first line of its output. What it says on
  /// stderr goes to ours: it may ask for a passphrase.
  package static func run(_ command: String) throws(FileError) -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    let pipe = Pipe()
    process.standardOutput = pipe
    do {
      try process.run()
    } catch {
      throw FileError("token_command could not be started: \(error.localizedDescription)")
    }
    let deadline = DispatchTime.now() + limit
    let identifier = process.processIdentifier
    let watchdog = DispatchWorkItem { kill(identifier, SIGTERM) }
    DispatchQueue.global().asyncAfter(deadline: deadline, execute: watchdog)
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    watchdog.cancel()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw FileError(
        "token_command failed with status \(process.terminationStatus); run it by hand to see why")
    }
    let line = String(decoding: output, as: UTF8.self).split(separator: "\n").first
    guard let line, !line.isEmpty else {
      throw FileError("token_command printed nothing; it must print the token on its first line")
    }
    return String(line).trimmingCharacters(in: .whitespaces)
  }
}
