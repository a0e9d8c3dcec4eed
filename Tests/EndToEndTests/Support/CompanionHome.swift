import Foundation
import TerminalTestKit
import Testing

/// A demo of a companion gateway, and a home whose profile `garden` is paired with it.
final class CompanionHome {
  struct Outcome {
    var status: PipedProcess.Status?
    var text: String
    var errors: String
  }

  let home: TemporaryFolder
  let demo: DemoBackend
  let code: String

  init() throws {
    home = try TemporaryFolder()
    demo = try DemoBackend(
      ["--kind", "companion", "--scenario", "quiet", "--fault-control"], home: home)
    let head = try #require(try PlainAction.objects(String(demo.process.lines[0])).first)
    code = try #require(head["setup_code"] as? String)
  }

  /// - Parameter capabilities: lines of the table of that name.
  convenience init(paired capabilities: String) throws {
    try self.init()
    let done = try setup(code)
    #expect(done.status == .exited(0), "\(done)")
    var text = try String(contentsOfFile: path, encoding: .utf8)
    text += "\n[profiles.garden.capabilities]\n" + capabilities + "\n"
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  var path: String { home.path + "/.config/clanky-cockpit/config.toml" }

  func setup(_ code: String) throws -> Outcome {
    try run(
      [
        "setup", "--kind", "companion", "--profile", "garden", "--setup-code-stdin", "--store",
        "file",
      ], input: code)
  }

  func run(_ arguments: [String], input: String = "") throws -> Outcome {
    let process = try PipedProcess(
      "/bin/sh", ["-c", #"printf '%s\n' "$INPUT" | exec "$0" "$@""#, Tool.path] + arguments,
      environment: Tool.environment(home: home, ["INPUT": input]))
    process.wait()
    return Outcome(status: process.status, text: process.text, errors: process.errorText)
  }

  /// What really happened, by the demo's own record.
  func truth(_ what: String) throws -> [[String: Any]] {
    let entries = try demo.request("GET", "/__demo/truth").object["entries"]
    return (entries as? [[String: Any]] ?? []).filter { $0["what"] as? String == what }
  }

  func fault(_ fault: [String: Any]) throws {
    _ = try demo.request("POST", "/__demo/fault", fault)
  }

  /// Has the agent draw.
  ///
  /// - Parameter payload: a command of the canvas; nil is the demo's own picture.
  func draw(_ payload: [String: Any]? = nil) throws {
    var body: [String: Any] = ["fault": "canvas"]
    body["payload"] = payload
    try fault(body)
  }

  /// The cockpit on the profile, live, in 120 columns and 40 rows.
  func screen(
    _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> Cockpit {
    let cockpit = try Cockpit(
      ["--profile", "garden", "--utc"] + arguments, home: home, rows: 40, columns: 120,
      environment: environment)
    try cockpit.see("live") { _ in cockpit.isLive }
    return cockpit
  }
}
