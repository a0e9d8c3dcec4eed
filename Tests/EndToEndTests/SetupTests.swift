import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// First run: on the command line, at prompts, and in the cockpit.
  @Suite("setup") struct SetupTests {
    static let token = "sesame-0815-open"
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private var config: String {
      (try? String(
        contentsOfFile: "\(home.path)/.config/clanky-cockpit/config.toml", encoding: .utf8))
        ?? ""
    }

    private func tokenFile(_ url: String) -> String {
      let port = URL(string: url)?.port ?? 0
      return
        "\(home.path)/.local/state/clanky-cockpit/credentials/http_\(port)_127.0.0.1.token"
    }

    /// A backend that knows one token.
    private func backend() throws -> StubServer {
      try StubServer { request in
        guard request.headers["x-dashboard-token"] == Self.token else {
          return .json(#"{"error":"Unauthorized."}"#, status: "401 Unauthorized")
        }
        switch request.path {
        case "/api/health": return .json(#"{"ok":true}"#)
        case "/api/stats": return .json(#"{"stats":{},"runtime":{}}"#)
        default: return .json("[]")
        }
      }
    }

    private func setup(
      _ arguments: [String] = [], environment: [String: String] = [:], columns: Int = 110
    ) throws -> PTYProcess {
      try PTYProcess(
        Tool.path, ["setup"] + arguments,
        environment: Tool.environment(home: home, environment), rows: 40, columns: columns)
    }

    private func expect(_ text: String, on pty: PTYProcess) throws {
      try pty.expect(text, timeout: Tool.patience)
    }

    private func expectSecondToken(on pty: PTYProcess) throws {
      let isThere = pty.pump(timeout: Tool.patience) {
        String(decoding: pty.output, as: UTF8.self).components(separatedBy: "Token: ").count > 2
      }
      try #require(isThere, "\(pty.terminal.text)")
    }

    private func expectTokenUnseen(_ pty: PTYProcess) {
      #expect(!String(decoding: pty.output, as: UTF8.self).contains(Self.token))
    }

    // MARK: Prompts

    @Test("a good run: a wrong token is explained, tried again, and saved where it says")
    func prompts() throws {
      let server = try backend()
      defer { server.stop() }
      let pty = try setup()
      try expect("Address [http://127.0.0.1:8787]:", on: pty)
      pty.send("\(server.url)\n")
      try expect("Token:", on: pty)
      pty.send("wrong-token\n")
      try expect("did not accept the token", on: pty)
      #expect(config.isEmpty)
      try expectSecondToken(on: pty)
      pty.send("\(Self.token)\n")
      try expect("It works", on: pty)
      try expect("Profile name:", on: pty)
      pty.send("home\n")
      try expect("Save [y]:", on: pty)
      #expect(config.isEmpty)
      pty.send("\n")
      #expect(pty.wait(timeout: Tool.patience) == .exited(0))
      expectTokenUnseen(pty)
      #expect(TerminalModes(of: pty.master).isCooked)
      #expect(config == "profile = \"home\"\n\n[profiles.home]\nurl = \"\(server.url)\"\n")
      let file = tokenFile(server.url)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.token + "\n")
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      // What was saved is found again, and another origin does not get it.
      let status = try PipedProcess(
        Tool.path, ["doctor", "--json"], environment: Tool.environment(home: home))
      #expect(status.wait() == .exited(0))
      let other = try backend()
      defer { other.stop() }
      let stranger = try PipedProcess(
        Tool.path, ["doctor", "--json", "--url", other.url],
        environment: Tool.environment(home: home))
      #expect(stranger.wait() == .exited(4))
      #expect(!other.requests.contains { $0.headers["x-dashboard-token"] != nil })
    }

    @Test("bots that announce themselves are listed with address and name; a number takes one")
    func discovery() throws {
      let server = try backend()
      defer { server.stop() }
      let port = URL(string: server.url)?.port ?? 0
      // Whatever else an announcement says is left alone: a name with controls, a text with a token.
      _ = try home.file(
        "avahi-browse",
        """
        #!/bin/sh
        printf '%s\n' "$*" > "$HOME/asked"
        printf '%s\n' '=;eth0;IPv4;Den\\032\\027[31mBot;_clanky._tcp;local;den.local;127.0.0.1;\(port);"token=x"'
        printf '%s\n' '=;eth0;IPv4;Evil;_clanky._tcp;local;x;10.0.0.1/../;8787;'
        exec sleep 60
        """, mode: 0o755)
      let path = "\(home.path):/usr/bin:/bin"
      let pty = try setup(environment: ["PATH": path])
      try expect("  1  http://127.0.0.1:\(port)  Den", on: pty)
      try expect("Address [http://127.0.0.1:8787]:", on: pty)
      let shown = String(decoding: pty.output, as: UTF8.self)
      #expect(!shown.contains("\u{1B}[31m") && !shown.contains("Evil"))
      pty.send("1\n")
      try expect("Token:", on: pty)
      pty.send("\(Self.token)\n")
      try expect("It works", on: pty)
      try expect("Profile name:", on: pty)
      pty.send("\n")
      try expect("Save [y]:", on: pty)
      pty.send("\n")
      #expect(pty.wait(timeout: Tool.patience) == .exited(0))
      #expect(config.contains("url = \"\(server.url)\""))
      #expect(
        try String(contentsOfFile: "\(home.path)/asked", encoding: .utf8) == "-rtp _clanky._tcp\n")
      // Nothing but the saved address was asked, and only with the token that was typed.
      #expect(!server.requests.isEmpty)
    }

    @Test("the form in the cockpit looks too: an address is taken, nothing else of an announcement")
    func discoveryOnScreen() throws {
      let server = try backend()
      defer { server.stop() }
      let port = URL(string: server.url)?.port ?? 0
      _ = try home.file(
        "avahi-browse",
        """
        #!/bin/sh
        printf '%s\n' "$*" >> "$HOME/asked"
        printf '%s\n' '=;eth0;IPv4;Den\\032\\027[31mBot;_clanky._tcp;local;den.local;127.0.0.1;\(port);"token=x"'
        exec sleep 60
        """, mode: 0o755)
      let cockpit = try Cockpit(
        ["--url", "http://127.0.0.1:9"], home: home,
        environment: ["PATH": "\(home.path):/usr/bin:/bin"])
      try cockpit.see("that nothing answers") { $0.contains("Nothing answers at") }
      cockpit.type(":setup\r")
      try cockpit.see("the bot") { $0.contains("1  http://127.0.0.1:\(port)  Den") }
      #expect(server.requests.isEmpty, "nothing is asked before the user says so")
      cockpit.type("\t\t\t\r")
      try cockpit.see("its address") {
        $0.contains("ADDRESS    http://127.0.0.1:\(port)") && $0.contains("Compare this address")
      }
      cockpit.type(Self.token + "\u{13}")
      try cockpit.see("the bot is used") { _ in !config.isEmpty }
      #expect(config.contains("url = \"\(server.url)\""))
      #expect(
        try String(contentsOfFile: "\(home.path)/asked", encoding: .utf8) == "-rtp _clanky._tcp\n")
    }

    @Test("without a tool, and with --no-discovery, nothing is looked for")
    func noDiscovery() throws {
      _ = try home.file(
        "avahi-browse", "#!/bin/sh\ntouch \"$HOME/asked\"\n", mode: 0o755)
      let path = "\(home.path):/usr/bin:/bin"
      let pty = try setup(["--no-discovery"], environment: ["PATH": path])
      try expect("Address", on: pty)
      pty.send("\u{3}")
      #expect(pty.wait(timeout: Tool.patience) == .exited(130))
      #expect(!FileManager.default.fileExists(atPath: "\(home.path)/asked"))
    }

    @Test("a token that is typed in answer to the wrong question chooses nothing (promise P6)")
    func tokenAtTheWrongQuestion() throws {
      let server = try backend()
      defer { server.stop() }
      let pty = try setup(["--url", server.url])
      try expect("Address", on: pty)
      pty.send("\n")
      try expect("Token:", on: pty)
      pty.send("wrong-token\n")
      // Where one is asked to enter it again, it is asked for, unseen.
      try expectSecondToken(on: pty)
      #expect(!TerminalModes(of: pty.master).isCooked)
      pty.send("\n")
      try expect("[q]uit [t]:", on: pty)
      pty.send("save-me-not\n")
      try expect("Answer with one letter: a, t, r, s, q.", on: pty)
      pty.send("quit\n")
      #expect(pty.wait(timeout: Tool.patience) == .exited(4))
      #expect(config.isEmpty)
    }

    @Test("what is said is broken between words where the terminal ends")
    func wrapping() throws {
      for columns in [80, 40] {
        let pty = try setup(columns: columns)
        try expect("Address", on: pty)
        let text = String(decoding: pty.output, as: UTF8.self).replacing("\r\n", with: "\n")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= columns }, "\(text)")
        #expect(
          text.replacing("\n", with: " ").contains("Ctrl-C leaves, and nothing is written"),
          "\(text)")
        pty.send("\u{3}")
        #expect(pty.wait(timeout: Tool.patience) == .exited(130))
      }
    }

    @Test("where nobody has named an address, setup is one way to have one")
    func withoutAddress() throws {
      let process = try PipedProcess(
        Tool.path, ["sessions"],
        environment: Tool.environment(home: home, ["CLANKY_URL": "http://127.0.0.1:9"]))
      process.wait()
      #expect(process.status == .exited(3))
      #expect(
        process.errorText.contains(
          "Start the bot, correct --url, or run 'clanky-cockpit setup'."), "\(process.errorText)")
    }

    @Test("Ctrl-C at any prompt gives the echo back, exits 130 and writes nothing")
    func interrupted() throws {
      // At once and often: between the question and the handler there must be no gap.
      for answers in Array(repeating: [], count: 25) + [["http://127.0.0.1:9\n"]] as [[String]] {
        let pty = try setup()
        try expect("Address", on: pty)
        for answer in answers {
          pty.send(answer)
          try expect("Token:", on: pty)
        }
        pty.send("\u{3}")
        #expect(pty.wait(timeout: Tool.patience) == .exited(130))
        #expect(TerminalModes(of: pty.master).isCooked)
      }
      #expect(config.isEmpty)
    }

    @Test("a dead address and a stranger are explained; quitting exits with the reason's code")
    func explained() throws {
      let web = try StubServer { _ in
        StubReply(
          headers: [("Content-Type", "text/html")], body: Array("<html>\(Self.token)</html>".utf8))
      }
      defer { web.stop() }
      let pty = try setup(["--url", "http://127.0.0.1:9"])
      try expect("Address [http://127.0.0.1:9]:", on: pty)
      pty.send("\n")
      try expect("Token:", on: pty)
      pty.send("\(Self.token)\n")
      try expect("refused", on: pty)
      try expect("[q]uit [a]:", on: pty)
      pty.send("a\n\(web.url)\n")
      try expect("not a Clanky backend", on: pty)
      pty.send("q\n")
      #expect(pty.wait(timeout: Tool.patience) == .exited(3))
      expectTokenUnseen(pty)
      #expect(config.isEmpty)
    }

    // MARK: Scripts

    /// Runs without a terminal, with a text on standard input.
    private func script(_ arguments: [String], input: String = "") throws -> PipedProcess {
      let file = try home.file("input", input)
      let words = (["setup"] + arguments).map { "'\($0)'" }.joined(separator: " ")
      return try PipedProcess(
        "/bin/sh", ["-c", "exec '\(Tool.path)' \(words) <'\(file)'"],
        environment: Tool.environment(home: home))
    }

    @Test("without a terminal it names the options; with them it tests and saves")
    func scripts() throws {
      let server = try backend()
      defer { server.stop() }
      let bare = try script([])
      #expect(bare.wait() == .exited(2))
      #expect(bare.errorText.contains("--token-stdin"))

      let wrong = try script(["--url", server.url, "--token-stdin"], input: "nope\n")
      #expect(wrong.wait() == .exited(4))
      #expect(config.isEmpty)

      let dead = try script(["--url", "http://127.0.0.1:9", "--no-token"])
      #expect(dead.wait() == .exited(3))

      let good = try script(
        ["--url", server.url, "--profile", "bot", "--token-stdin", "--store", "file"],
        input: "\(Self.token)\n")
      #expect(good.wait() == .exited(0), "\(good.errorText)")
      #expect(good.output.isEmpty)
      #expect(!good.errorText.contains(Self.token))
      #expect(config.contains("[profiles.bot]"))

      let taken = try script(
        ["--url", "http://127.0.0.1:9", "--profile", "bot", "--no-token", "--no-test"])
      #expect(taken.wait() == .exited(2))
      #expect(taken.errorText.contains("--replace"))
      let keyring = try script(
        ["--url", server.url, "--token-stdin", "--store", "keyring"], input: "\(Self.token)\n")
      #expect(keyring.wait() == .exited(1))
      #expect(keyring.errorText.contains("--store file"))
    }

    @Test(
      "a link in the place of the state folder: no token is written where it leads (promise P7)")
    func linkedState() throws {
      let server = try backend()
      defer { server.stop() }
      let elsewhere = "\(home.path)/elsewhere"
      for folder in ["\(home.path)/.local/state", elsewhere] {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
      }
      try FileManager.default.createSymbolicLink(
        atPath: "\(home.path)/.local/state/clanky-cockpit", withDestinationPath: elsewhere)
      let token = try home.file("token", Self.token)
      let process = try PipedProcess(
        Tool.path, ["setup", "--url", server.url, "--token-file", token, "--store", "file"],
        environment: Tool.environment(home: home))
      process.wait()
      #expect(process.status == .exited(1), "\(process.errorText)")
      #expect(process.errorText.contains("is a symbolic link, which is not followed"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
      #expect(config.isEmpty)
    }

    @Test("comments of the configuration stay; a link in its place is not replaced")
    func keepsComments() throws {
      let folder = "\(home.path)/.config/clanky-cockpit"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let before = "# my colours\ntheme = \"okabe\" # easy on the eyes\n"
      try Data(before.utf8).write(to: URL(filePath: "\(folder)/config.toml"))
      let process = try script(
        ["--url", "http://127.0.0.1:9", "--profile", "lab", "--no-token", "--no-test"])
      #expect(process.wait() == .exited(0), "\(process.errorText)")
      #expect(config.hasPrefix("# my colours\ntheme = \"okabe\" # easy on the eyes\n"))
      #expect(config.contains("[profiles.lab]\nurl = \"http://127.0.0.1:9\""))
    }

    // MARK: Doctor

    @Test("doctor in a pipe: no escape, one object a line, the reason's exit code")
    func doctor() throws {
      let process = try PipedProcess(
        Tool.path, ["doctor", "--json", "--url", "http://127.0.0.1:9"],
        environment: Tool.environment(home: home, token: Self.token))
      #expect(process.wait(.seconds(10)) == .exited(3))
      #expect(ForbiddenBytes.found(in: process.output) == [])
      #expect(!process.text.contains(Self.token) && !process.errorText.contains(Self.token))
      let checks = try process.lines.flatMap { try PlainAction.objects(String($0)) }
      let verdicts = Dictionary(
        checks.map { ($0["name"] as? String ?? "", $0["verdict"] as? String ?? "") }
      ) { $1 }
      #expect(verdicts["connection"] == "fail")
      #expect(verdicts["config"] == "ok")
      #expect(verdicts["token"] == "ok")
      #expect(checks.allSatisfy { $0["verdict"] as? String != "fail" || $0["advice"] is String })
    }

    @Test("doctor says what is wrong with configuration and token file")
    func doctorFindsFaults() throws {
      let config = try home.file("bad.toml", "mouse = true\nurll = \"x\"\n")
      let bad = try PipedProcess(
        Tool.path, ["doctor", "--config", config], environment: Tool.environment(home: home))
      #expect(bad.wait() == .exited(1))
      #expect(bad.text.contains("bad.toml:2") && bad.text.contains("'url'"))
      let token = try home.file("token", "abc", mode: 0o644)
      let open = try PipedProcess(
        Tool.path, ["doctor", "--token-file", token, "--url", "http://127.0.0.1:9"],
        environment: Tool.environment(home: home))
      #expect(open.wait() == .exited(1))
      #expect(open.text.contains("chmod 600"))
    }

    @Test("doctor asks the terminal, and leaves it as it was")
    func doctorOnATerminal() throws {
      let pty = try PTYProcess(
        Tool.path, ["doctor", "--demo"], environment: Tool.environment(home: home), rows: 40,
        columns: 110)
      // The terminal of the test is mute: it is given up after a moment.
      #expect(pty.wait(timeout: Tool.patience) == .exited(0))
      #expect(pty.terminal.text.contains("connection"))
      #expect(TerminalModes(of: pty.master).isCooked)
    }
  }
}
