import Foundation

/// A tmux server of the test's own with one program in it; nothing of the user's is read.
final class Tmux {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let socket: String
  private let environment: [String: String]

  init(home: TemporaryFolder, token: String, _ command: [String]) throws {
    socket = "\(home.path)/tmux"
    environment = Tool.environment(home: home, token: token)
    let line = command.map { "'\($0)'" }.joined(separator: " ")
    try run([
      "-f", "/dev/null", "set-option", "-s", "set-clipboard", "on", ";", "new-session", "-d", "-x",
      "120", "-y", "30", line,
    ])
  }

  /// Runs one command of tmux and gives what it says.
  @discardableResult
  func run(_ arguments: [String]) throws -> String {
    let process = try PipedProcess(
      "/usr/bin/tmux", ["-S", socket] + arguments, environment: environment)
    guard process.wait() == .exited(0) else {
      throw Failure(description: "tmux \(arguments): \(process.errorText)")
    }
    return process.text
  }

  /// Waits until the screen is as it should be.
  func wait(_ what: String, _ isDone: (String) -> Bool) throws {
    let deadline = ContinuousClock.now + Tool.patience
    var screen = ""
    while ContinuousClock.now < deadline {
      screen = try run(["capture-pane", "-p"])
      if isDone(screen) { return }
      usleep(50_000)  // tmux does not report screen changes
    }
    throw Failure(description: "never saw \(what):\n\(screen)")
  }

  func stop() { _ = try? run(["kill-server"]) }
}
