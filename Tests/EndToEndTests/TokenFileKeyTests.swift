import Foundation
import Testing

extension EndToEnd {
  /// S14: `token_file` in the configuration.
  @Suite("S14: token_file in the configuration (promise P6)") struct TokenFileKeyTests {
    let home: TemporaryFolder
    let server: StubServer

    init() throws {
      home = try TemporaryFolder()
      server = try StubServer { _ in .json("[]") }
    }

    private func run(
      _ verb: [String], _ text: String, _ environment: [String: String] = [:]
    ) throws -> PipedProcess {
      let file = try home.file("config.toml", text.replacing("URL", with: server.url))
      let process = try PipedProcess(
        Tool.path, verb + ["--config", file], environment: Tool.environment(home: home, environment)
      )
      process.wait()
      return process
    }

    private var tokens: Set<String?> {
      Set(server.requests.map { $0.headers["x-dashboard-token"] })
    }

    @Test(
      "in a profile and at the top level, absolute, in the home folder and beside the configuration"
    )
    func places() throws {
      defer { server.stop() }
      let token = try home.file("secret", "tok-4711-file\n", mode: 0o600)
      for name in [token, "~/secret", "secret"] {
        for text in [
          "[profiles.p]\nurl = \"URL\"\ntoken_file = \"\(name)\"\n",
          "token_file = \"\(name)\"\n[profiles.p]\nurl = \"URL\"\n",
        ] {
          let process = try run(["sessions", "--profile", "p"], text)
          #expect(!process.errorText.contains("token"), "\(process.errorText)")
        }
      }
      #expect(tokens == ["tok-4711-file"])
      let shown = try run(
        ["config", "show", "--profile", "p"],
        "[profiles.p]\nurl = \"URL\"\ntoken_file = \"secret\"\n")
      let line = try #require(shown.lines.first { $0.hasPrefix("token") })
      #expect(line.contains("config.toml:3 (profile p)"), "\(line)")
      #expect(!shown.text.contains("tok-4711"))
    }

    @Test("it is held to what --token-file is, and no other address gets it")
    func checks() throws {
      defer { server.stop() }
      _ = try home.file("open", "tok-4711-open\n", mode: 0o644)
      let open = try run(["sessions"], "url = \"URL\"\ntoken_file = \"open\"\n")
      #expect(open.status == .exited(2))
      #expect(open.errorText.contains("chmod 600 '"), "\(open.errorText)")
      let missing = try run(["sessions"], "url = \"URL\"\ntoken_file = \"none\"\n")
      #expect(missing.status == .exited(2))
      #expect(missing.errorText.contains("there is no token file at"), "\(missing.errorText)")
      #expect(server.requests.isEmpty)

      _ = try home.file("secret", "tok-4711-file\n", mode: 0o600)
      let elsewhere = try run(
        ["sessions", "--url", server.url], "url = \"http://127.0.0.1:9\"\ntoken_file = \"secret\"\n"
      )
      #expect(
        elsewhere.errorText.contains("token_file was not used: it belongs to http://127.0.0.1:9"),
        "\(elsewhere.errorText)")
      #expect(tokens == [nil])
    }

    @Test("config validate looks at it; two places in one table, and a token itself, are refused")
    func validate() throws {
      defer { server.stop() }
      _ = try home.file("open", "tok-4711-open\n", mode: 0o644)
      let text = """
        token_file = "open"
        [profiles.a]
        token_file = "secret"
        token_command = "echo x"
        [profiles.b]
        token = "tok-4711-here"
        tokenfile = "x"

        """
      let process = try run(["config", "validate"], text)
      #expect(process.status == .exited(2))
      let said = process.text + process.errorText
      for words in [
        "config.toml:1: 'token_file': the token file", "chmod 600",
        "config.toml:3: 'profiles.a.token_file' stands beside token_command; leave one of the two out",
        "'profiles.b.token' is not a known key; use token_file or token_command",
        "did you mean 'token_file'?",
      ] {
        #expect(said.contains(words), "\(words) in \(said)")
      }
      #expect(!said.contains("tok-4711-"))
    }

    @Test("a profile with a place of its own has it from there alone; CLANKY_TOKEN wins over both")
    func order() throws {
      defer { server.stop() }
      _ = try home.file("secret", "tok-4711-file\n", mode: 0o600)
      let text = """
        token_command = "echo tok-4711-command"
        [profiles.p]
        url = "URL"
        token_file = "secret"

        """
      _ = try run(["sessions", "--profile", "p"], text)
      #expect(tokens == ["tok-4711-file"])
      _ = try run(["sessions", "--profile", "p"], text, ["CLANKY_TOKEN": "tok-4711-named"])
      #expect(tokens == ["tok-4711-file", "tok-4711-named"])
    }
  }
}
