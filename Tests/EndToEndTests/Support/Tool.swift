import Foundation
import Testing

/// Everything that starts the real program. One test at a time: the machine may have two cores,
/// and a program that waits for a processor looks like one that hangs.
@Suite(.serialized) enum EndToEnd {}

/// The program under test: what `CLANKY_COCKPIT_BINARY` names (a release build, an installed copy),
/// else what was built beside the test bundle.
enum Tool {
  /// Long enough for a loaded machine; a test that waits this long has failed.
  static let patience = Duration.seconds(30)

  static let path: String = {
    if let path = ProcessInfo.processInfo.environment["CLANKY_COCKPIT_BINARY"] { return path }
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let folder =
      (bundle ?? URL(filePath: CommandLine.arguments.first ?? "")).deletingLastPathComponent()
    return folder.appending(path: "clanky-cockpit").path(percentEncoded: false)
  }()

  /// An environment without anything of the person who runs the tests: neither configuration nor
  /// token, a home of its own, a locale and a time zone that are the same everywhere.
  static func environment(
    home: TemporaryFolder, token: String? = nil, term: String? = "xterm-256color",
    _ more: [String: String] = [:]
  ) -> [String: String] {
    var environment = [
      "HOME": home.path, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TZ": "UTC",
      "TMPDIR": home.path,
    ]
    environment["TERM"] = term
    environment["CLANKY_TOKEN"] = token
    return environment.merging(more) { $1 }
  }

  /// A command that speaks to a stub, with a token.
  static func start(
    _ arguments: [String], on server: StubServer, home: TemporaryFolder
  ) throws -> PipedProcess {
    try PipedProcess(
      path, arguments + ["--url", server.url],
      environment: environment(home: home, token: "token-4711-lantern"))
  }
}

/// A folder that goes with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "cockpit-\(UUID())")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = url.resolvingSymlinksInPath().path(percentEncoded: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file with a mode and gives its path.
  func file(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    return file
  }
}
