import Foundation
import Testing

/// A demo gateway, and a home whose configuration has a profile for it.
final class GatewayHome {
  struct Outcome {
    var status: PipedProcess.Status?
    var text: String
    var errors: String

    var lines: [String] { text.split(separator: "\n").map(String.init) }
    /// Every line of stdout as JSON.
    var objects: [[String: Any]] { lines.flatMap { (try? PlainAction.objects($0)) ?? [] } }
  }

  let home: TemporaryFolder
  let demo: DemoBackend

  init(
    _ arguments: [String] = [], scenario: String = "quiet", profile: String = "scopes = \"operate\""
  ) throws {
    home = try TemporaryFolder()
    demo = try DemoBackend(
      ["--kind", "openclaw", "--scenario", scenario, "--fault-control"] + arguments, home: home)
    try configure(profile)
  }

  /// - Parameters:
  ///   - profile: more lines of the profile.
  ///   - hasToken: whether the profile names the file with the gateway's token.
  func configure(_ profile: String, url: String? = nil, hasToken: Bool = true) throws {
    let token = hasToken ? "token_file = \"\(demo.tokenFile)\"\n" : ""
    try write(
      "[profiles.claw]\nkind = \"openclaw\"\nurl = \"\(url ?? demo.url)\"\n\(token)\(profile)\n")
  }

  func write(_ text: String) throws {
    let folder = home.path + "/.config/clanky-cockpit"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder + "/config.toml"))
  }

  /// Runs the program.
  func run(_ arguments: [String], _ variables: [String: String] = [:]) throws -> Outcome {
    let process = try PipedProcess(
      Tool.path, arguments, environment: Tool.environment(home: home, variables))
    process.wait()
    return Outcome(status: process.status, text: process.text, errors: process.errorText)
  }

  func approvals(_ arguments: String...) throws -> Outcome { try run(["approvals"] + arguments) }

  /// What happens at the gateway.
  func fault(_ name: String, _ more: [String: Any] = [:]) throws {
    let reply = try demo.request("POST", "/__demo/fault", more.merging(["fault": name]) { $1 })
    #expect(reply.status == 200)
  }

  /// The gateway's own list: `approvals` or `pairings`.
  func truth(_ list: String) throws -> [[String: Any]] {
    try demo.request("GET", "/__demo/truth").object[list] as? [[String: Any]] ?? []
  }

  /// The gateway's own record of an approval, as soon as it has a status.
  func truth(of id: String, status: String) throws -> [String: Any] {
    let end = ContinuousClock.now + Tool.patience
    while true {
      let found = try #require(try truth("approvals").first { $0["id"] as? String == id })
      if found["status"] as? String == status || ContinuousClock.now > end { return found }
      usleep(20_000)
    }
  }

  /// Denies everything that waits.
  func denyAll() throws {
    for entry in try approvals("list", "--json").objects {
      let id = try #require(entry["id"] as? String)
      let fingerprint = try #require(entry["fingerprint"] as? String)
      #expect(try approvals("deny", id, fingerprint).status == .exited(0))
    }
  }

  /// What the program says of the one command that waits like this.
  func listed(_ command: String) throws -> (id: String, fingerprint: String) {
    let list = try approvals("list", "--json").objects
    let entry = try #require(list.first { $0["subject"] as? String == command }, "\(list)")
    return (
      try #require(entry["id"] as? String), try #require(entry["fingerprint"] as? String)
    )
  }
}
