import Foundation
import TerminalTestKit

/// All tests that touch a terminal, one at a time: curses has one screen, a pty one reader.
enum Probe {
  /// The program, beside the test bundle.
  static let path: String = {
    let beside = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let folder =
      (beside ?? URL(filePath: CommandLine.arguments.first ?? "")).deletingLastPathComponent()
    return folder.appending(path: "terminal-probe").path
  }()

  static func environment(
    _ more: [String: String] = [:], term: String = "xterm-256color"
  ) -> [String: String] {
    var environment = ["TERM": term, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    if let home = ProcessInfo.processInfo.environment["HOME"] { environment["HOME"] = home }
    for (name, value) in more { environment[name] = value }
    return environment
  }

  static func start(
    _ arguments: [String] = [], environment: [String: String] = environment(), rows: Int = 24,
    columns: Int = 80, ignoresHangUp: Bool = false
  ) throws -> PTYProcess {
    let process = try PTYProcess(
      path, arguments, environment: environment, rows: rows, columns: columns,
      ignoresHangUp: ignoresHangUp)
    try process.expect("ready")
    return process
  }
}
