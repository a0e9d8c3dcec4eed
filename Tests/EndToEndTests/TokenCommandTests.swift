import Foundation
import Testing

extension EndToEnd {
  /// A `token_command` belongs to the address of its table.
  @Suite("token_command (promise P6)") struct TokenCommandTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private var hasRun: Bool { FileManager.default.fileExists(atPath: "\(home.path)/ran") }

    private func run(
      _ text: String, _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> PipedProcess {
      try? FileManager.default.removeItem(atPath: "\(home.path)/ran")
      let command = "touch '\(home.path)/ran'; echo tok-4711-own"
      let file = try home.file(
        "config.toml", text.replacing("COMMAND", with: "token_command = \"\(command)\""))
      let process = try PipedProcess(
        Tool.path, ["sessions", "--config", file] + arguments,
        environment: Tool.environment(home: home, environment))
      process.wait()
      return process
    }

    @Test("it is not run for another address, which is said")
    func elsewhere() throws {
      let own = try StubServer { _ in .json("[]") }
      let other = try StubServer { _ in .json("[]") }
      defer {
        own.stop()
        other.stop()
      }
      let profile = "[profiles.p]\nurl = \"\(own.url)\"\nCOMMAND\n"
      let top = "url = \"\(own.url)\"\nCOMMAND\n"
      for (text, arguments, environment) in [
        (profile, ["--profile", "p", "--url", other.url], [:]),
        (top, ["--url", other.url], [:]),
        (top, [], ["CLANKY_URL": other.url]),
        (top + "[profiles.q]\nurl = \"\(other.url)\"\n", ["--profile", "q"], [:]),
      ] {
        let process = try run(text, arguments, environment)
        #expect(!hasRun, "\(arguments)")
        #expect(
          process.errorText.contains(
            "token_command was not used: it belongs to \(own.url), and this is \(other.url);"),
          "\(arguments): \(process.errorText)")
      }
      #expect(own.requests.isEmpty)
      #expect(!other.requests.isEmpty)
      #expect(other.requests.allSatisfy { $0.headers["x-dashboard-token"] == nil })
    }

    @Test("it is run for its own address, and for any where its table names none")
    func own() throws {
      let server = try StubServer { _ in .json("[]") }
      defer { server.stop() }
      for (text, arguments) in [
        ("[profiles.p]\nurl = \"\(server.url)\"\nCOMMAND\n", ["--profile", "p"]),
        (
          "[profiles.p]\nurl = \"\(server.url)/\"\nCOMMAND\n",
          ["--profile", "p", "--url", server.url]
        ),
        ("COMMAND\n", ["--url", server.url]),
        ("COMMAND\n[profiles.p]\nurl = \"\(server.url)\"\n", ["--profile", "p"]),
      ] {
        let process = try run(text, arguments)
        #expect(hasRun, "\(arguments): \(process.errorText)")
        #expect(!process.errorText.contains("token_command"), "\(process.errorText)")
      }
      #expect(server.requests.allSatisfy { $0.headers["x-dashboard-token"] == "tok-4711-own" })
    }
  }
}
