import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Everything that cannot work is one sentence on stderr, the right exit code, and no data.
  @Suite("refusals") struct RefusalTests {
    static let token = "sesame-0815-open"
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(
      _ arguments: [String], token: String? = RefusalTests.token, _ more: [String: String] = [:]
    ) throws -> PipedProcess {
      try PipedProcess(
        Tool.path, arguments, environment: Tool.environment(home: home, token: token, more))
    }

    /// Runs a command that fails and checks the manners of it.
    @discardableResult
    private func expectRefusal(
      _ arguments: [String], code: Int32, says words: [String], token: String? = token,
      environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
      let process = try run(arguments, token: token, environment)
      let what = arguments.joined(separator: " ")
      #expect(
        process.wait() == .exited(code), "\(what): \(process.errorText)",
        sourceLocation: sourceLocation)
      let text = process.errorText
      #expect(process.output.isEmpty, "\(what): \(process.text)", sourceLocation: sourceLocation)
      #expect(
        text.hasPrefix("clanky-cockpit: ") && text.hasSuffix("\n")
          && text.split(separator: "\n").count == 1, "\(what) says: \(text)",
        sourceLocation: sourceLocation)
      for word in words {
        #expect(text.contains(word), "\(what) says: \(text)", sourceLocation: sourceLocation)
      }
      #expect(
        ForbiddenBytes.found(in: process.errors) == [], "\(what)", sourceLocation: sourceLocation)
      #expect(!text.contains(Self.token), "\(what) shows the token", sourceLocation: sourceLocation)
      return text
    }

    // MARK: The token

    static let unauthorized = #"{"error":"Unauthorized. Provide x-dashboard-token."}"#

    @Test("a token is asked for where none was given")
    func missingToken() throws {
      let server = try StubServer { _ in .json(Self.unauthorized, status: "401 Unauthorized") }
      defer { server.stop() }
      try expectRefusal(
        ["tail", "--url", server.url], code: 4, says: ["wants a token", "--token-file"], token: nil)
    }

    @Test("nobody listens")
    func deadURL() throws {
      let server = try StubServer { _ in StubReply() }
      server.stop()
      for verb in [["tail"], ["snapshot", "--view", "stats"]] {
        try expectRefusal(
          verb + ["--url", server.url], code: 3, says: ["connection was refused", server.url])
      }
    }

    @Test("the token goes to nobody but the server that was named (promises P6, P12)")
    func redirect() throws {
      let other = try StubServer { _ in .stream([.stayAlive]) }
      let target = other.url + "/api/activity/events"
      let server = try StubServer { _ in
        StubReply(status: "302 Found", headers: [("Location", target)])
      }
      defer {
        other.stop()
        server.stop()
      }
      try expectRefusal(
        ["tail", "--url", server.url], code: 3, says: ["another address", other.url])
      #expect(server.requests.allSatisfy { $0.headers["x-dashboard-token"] == Self.token })
      #expect(other.requests.isEmpty)
    }

    @Test("the token is a header, and nothing else of a request has it")
    func tokenInHeaderOnly() throws {
      let server = try StubServer { _ in .json(Self.unauthorized, status: "401 Unauthorized") }
      defer { server.stop() }
      try expectRefusal(["tail", "--url", server.url], code: 4, says: [])
      #expect(!server.requests.isEmpty)
      for request in server.requests {
        #expect(!request.target.contains(Self.token))
        let named = request.headers.filter { $0.value.contains(Self.token) }.map(\.key)
        #expect(named == ["x-dashboard-token"])
      }
    }

    @Test("a file for --ca-file that holds no certificate is a mistake of the command line")
    func noCertificate() throws {
      let server = try StubServer { _ in StubReply() }
      defer { server.stop() }
      let file = try home.file("ca.pem", "junk\n")
      for verb in [["status"], ["tail"], ["facts", "list"]] {
        try expectRefusal(
          verb + ["--url", server.url, "--ca-file", file], code: 2,
          says: [file, "no PEM certificate"])
      }
      #expect(server.requests.isEmpty)
    }

    @Test("a change that something else than a Clanky server answers is exit code 3")
    func changeElsewhere() throws {
      let server = try StubServer { _ in
        StubReply(headers: [("Content-Type", "text/html")], body: Array("<html>hello</html>".utf8))
      }
      defer { server.stop() }
      try expectRefusal(
        ["voice", "join", "--url", server.url], code: 3, says: ["not a Clanky backend"])
    }

    // MARK: Token files

    @Test("a token that is no UTF-8 text is not sent, and a byte order mark is none of it")
    func tokenBytes() throws {
      let server = try StubServer { _ in .json(Self.unauthorized, status: "401 Unauthorized") }
      defer { server.stop() }
      let file = try home.file("token", "")
      try Data([0x61, 0xFF, 0x0A]).write(to: URL(filePath: file))
      let tail = ["tail", "--url", server.url]
      try expectRefusal(
        tail + ["--token-file", file], code: 2, says: ["file \(file)", "no UTF-8"], token: nil)
      let config = try home.file("c.toml", #"token_command = "printf 'a\\377\\n'""#)
      try expectRefusal(
        tail + ["--config", config], code: 2, says: ["token_command", "no UTF-8"], token: nil)
      let process = try PipedProcess(
        "/bin/sh",
        ["-c", #"CLANKY_TOKEN=$(printf 'a\377'); export CLANKY_TOKEN; exec "$0" "$@""#, Tool.path]
          + tail, environment: Tool.environment(home: home))
      #expect(process.wait() == .exited(2), "\(process.errorText)")
      #expect(process.errorText.contains("CLANKY_TOKEN"), "\(process.errorText)")
      #expect(server.requests.isEmpty)
      try Data([0xEF, 0xBB, 0xBF] + Array(Self.token.utf8) + [0x0D, 0x0A])
        .write(to: URL(filePath: file))
      try expectRefusal(tail + ["--token-file", file], code: 4, says: [], token: nil)
      #expect(server.requests.first?.headers["x-dashboard-token"] == Self.token)
    }

    @Test("token files that others can read, and what is no file")
    func tokenFiles() throws {
      let server = try StubServer { _ in StubReply() }
      defer { server.stop() }
      let open = try home.file("open", Self.token, mode: 0o644)
      let shared = try home.file("it's shared", Self.token, mode: 0o640)
      let good = try home.file("good", Self.token)
      let link = "\(home.path)/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: good)
      let pipe = "\(home.path)/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      func refuse(_ path: String, _ words: [String]) throws {
        try expectRefusal(
          ["tail", "--url", server.url, "--token-file", path], code: 2, says: words, token: nil)
      }
      try refuse(open, ["chmod 600 '\(open)'"])
      try refuse(shared, [#"chmod 600 '\#(home.path)/it'\''s shared'"#])
      try refuse(link, ["symbolic link"])
      try refuse(home.path, ["regular file"])
      try refuse(pipe, ["is a pipe", "CLANKY_TOKEN", "token_command"])
      try refuse("\(home.path)/none", ["there is no token file", "chmod 600"])
      try refuse(try home.file("empty", "\n"), ["token"])
      try refuse(try home.file("two", "one\u{1B}[0m\r\ntwo"), ["token"])
      #expect(server.requests.isEmpty)
    }

    // MARK: URLs

    @Test(
      "URLs that must not be used",
      arguments: [
        ("http://user:sesame-0815-open@127.0.0.1:1", "user name or password"),
        ("http://example.com", "--allow-plain-http"),
        ("http://10.0.0.1:8787", "--allow-plain-http"),
        ("ftp://127.0.0.1", "scheme"), ("127.0.0.1:8787", "scheme"),
        ("http://127.0.0.1:8787/?token=sesame-0815-open", "query"),
        ("http://127.0.0.1:99999", "port"), ("", "empty"),
        ("http://\u{1B}[31m.example", "host"),
      ])
    func urls(url: String, words: String) throws {
      try expectRefusal(["tail", "--url", url], code: 2, says: [words])
      // An empty variable is one that is not set.
      guard !url.isEmpty else { return }
      try expectRefusal(
        ["snapshot", "--view", "pulse"], code: 2, says: [words], environment: ["CLANKY_URL": url])
    }

    // MARK: Usage and configuration

    @Test(
      "what the command line does not know",
      arguments: [
        (["frobnicate"], ["frobnicate", "--help"]),
        (["tail", "--nope"], ["--nope"]),
        (["tail", "--plain", "--raw"], ["choose one"]),
        (["tail", "-n", "-3"], ["-n"]),
        (["tail", "--since", "yesterday"], ["--since", "15m"]),
        (["tail", "--filter", "knd:x"], ["knd", "did you mean kind"]),
        (["tail", "--filter", "cost>>x"], ["--filter"]),
        (["tail", "--memory", "3x"], ["--memory", "MiB"]),
        (["tail", "--memory", "1KiB"], ["--memory", "MiB"]),
        (["tail", "--stream", "both"], ["stream"]),
        (["snapshot"], ["--view"]),
        (["snapshot", "--view", "pulse", "--width", "0"], ["--width"]),
        (["snapshot", "--view", "pulse", "--ansi", "--json"], ["choose one"]),
        (["demo", "--rate", "nan"], ["--rate"]),
        (["demo", "--scenario", "nothing"], ["scenario"]),
        (["tail", "--theme", "/etc/passwd", "--url", "http://127.0.0.1:1"], []),
      ] as [([String], [String])])
    func usage(arguments: [String], words: [String]) throws {
      let isTheme = arguments.contains("--theme")  // tail draws nothing, so no theme can be wrong
      try expectRefusal(arguments, code: isTheme ? 3 : 2, says: words)
    }

    @Test("there is no flag that takes the token")
    func noTokenFlag() throws {
      try expectRefusal(["tail", "--token", "x"], code: 2, says: ["--token"])
    }

    @Test("themes that are not there, for a screen")
    func themes() throws {
      let snapshot = ["snapshot", "--view", "pulse", "--url", "http://127.0.0.1:1", "--theme"]
      try expectRefusal(
        snapshot + ["terminal-drak"], code: 2, says: ["did you mean 'terminal-dark'"])
      try expectRefusal(snapshot + ["../../etc/passwd"], code: 2, says: ["by its name"])
    }

    @Test("configuration that is wrong is named with file and line")
    func configuration() throws {
      func refuse(_ text: String, _ words: [String]) throws {
        let file = try home.file("config.toml", text)
        try expectRefusal(
          ["tail", "--config", file], code: 2, says: words.map { $0.replacing("FILE", with: file) })
      }
      try refuse("# words\nurll = \"x\"\n", ["FILE:2", "urll", "did you mean 'url'"])
      try refuse("url = 5\n", ["FILE:1", "must be text"])
      try refuse("utc = true\nmouse = \"yes\"\n", ["FILE:2", "true or false"])
      try refuse("[profiles.prod]\nread_only = 1\n", ["FILE:2", "profiles.prod.read_only"])
      try refuse("url = \n", ["FILE:1"])
      try refuse("memory = \"3x\"\n", ["FILE:1", "memory"])
      try refuse("glyphs = \"fancy\"\n", ["FILE:1", "unicode, safe, ascii"])
      try refuse("profile = \"prod\"\n", ["profile", "prod"])
      try refuse("url = \"http://a:b@127.0.0.1\"\n", ["user name or password"])
      try expectRefusal(
        ["tail", "--config", "\(home.path)/none.toml"], code: 2,
        says: ["there is no configuration file", "none.toml"])
      try expectRefusal(
        ["tail", "--config", home.path], code: 2, says: ["regular file"])
    }

    @Test(
      "with too few open files nothing traps and nothing is blamed on the backend (promise P4b)")
    func openFiles() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      // Servers of other tests in this process leave descriptors that a child inherits.
      let close =
        "for fd in /proc/self/fd/*; do fd=${fd##*/}; [ $fd -gt 2 ] && eval \"exec $fd>&-\"; done"
      for (limit, code) in [(8, 1), (20, 1), (47, 1), (48, 0), (64, 0)] as [(Int, Int32)] {
        let process = try PipedProcess(
          "/bin/bash", ["-c", "\(close); ulimit -n \(limit); exec \"$0\" status", Tool.path],
          environment: Tool.environment(home: home, token: demo.token, ["CLANKY_URL": demo.url]))
        #expect(process.wait() == .exited(code), "\(limit): \(process.errorText)")
        #expect(process.errorText.contains("ulimit -n 256") == (code == 1), "\(process.errorText)")
      }
    }

    // MARK: Terminals

    @Test("without a terminal the cockpit names the verbs to use instead")
    func noTerminal() throws {
      try expectRefusal(["--demo"], code: 2, says: ["terminal", "tail", "snapshot"])
      try expectRefusal([], code: 2, says: ["terminal", "tail", "snapshot"])
    }

    @Test(
      "terminals that cannot show it are left alone",
      arguments: [
        ("no-such-term", "terminfo"), (nil, "TERM is not set"),
      ])
    func terminals(term: String?, words: String) throws {
      let cockpit = try Cockpit(["--demo"], home: home, term: term)
      #expect(cockpit.pty.wait(timeout: Tool.patience) == .exited(2))
      let text = String(decoding: cockpit.pty.output, as: UTF8.self)
      #expect(text.contains(words), "\(text)")
      #expect(!text.contains("\u{1B}"), "\(text)")
      #expect(TerminalModes(of: cockpit.pty.master) == cockpit.modesBefore)
    }

    @Test("a wrong theme is said before the screen is taken")
    func themeOnTerminal() throws {
      let cockpit = try Cockpit(["--demo", "--theme", "nope"], home: home)
      #expect(cockpit.pty.wait(timeout: Tool.patience) == .exited(2))
      let text = String(decoding: cockpit.pty.output, as: UTF8.self)
      #expect(text.contains("there is no theme 'nope'") && !text.contains("\u{1B}"), "\(text)")
    }
  }
}
