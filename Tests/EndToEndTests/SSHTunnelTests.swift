import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A profile with `ssh`, against OpenSSH's server on this machine.
  @Suite("the ssh tunnel", .enabled(if: LoopbackSSH.isThere, "sshd is not here"))
  struct SSHTunnelTests {
    let home: TemporaryFolder
    let ssh: LoopbackSSH

    init() throws {
      home = try TemporaryFolder()
      ssh = try LoopbackSSH(home)
    }

    private func configure(_ demo: DemoBackend, host: String? = "bot") throws -> String {
      let tunnel = host.map { "ssh = \"\($0)\"\nssh_config = \"\(ssh.configuration)\"\n" } ?? ""
      return try home.file(
        "config.toml",
        "[profiles.far]\nurl = \"\(demo.url)\"\ntoken_file = \"\(demo.tokenFile)\"\n\(tunnel)")
    }

    private func run(_ verb: [String], _ file: String) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, verb + ["--config", file, "--profile", "far"],
        environment: Tool.environment(home: home))
      return process
    }

    private func open(_ file: String) throws -> (Cockpit, Duration) {
      let start = ContinuousClock.now
      let cockpit = try Cockpit(["--config", file, "--profile", "far"], home: home, columns: 120)
      try cockpit.see("live rows") {
        cockpit.isLive && $0.firstMatch(of: /ACT \d/) != nil
      }
      return (cockpit, .now - start)
    }

    /// Folders of tunnels.
    private var folders: [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: home.path)) ?? []
      return names.filter { $0.hasPrefix("clanky-cockpit-") }
    }

    private func expectNothingLeft(_ what: String) {
      let end = ContinuousClock.now + Tool.patience
      while !ssh.clients.isEmpty || !folders.isEmpty, ContinuousClock.now < end { usleep(20_000) }
      #expect(ssh.clients.isEmpty, "\(what): \(ssh.clients)")
      #expect(folders.isEmpty, "\(what): \(folders)")
    }

    @Test("the first picture comes at most 2 s later than without; every way out ends ssh")
    func pictureAndWaysOut() throws {
      let demo = try DemoBackend(home: home)
      let (direct, without) = try open(try configure(demo, host: nil))
      direct.type("q")
      _ = direct.pty.wait()
      let file = try configure(demo)
      var first: Duration?
      for way in ["q", "TERM", "HUP", "KILL", "terminal"] {
        let (cockpit, with) = try open(file)
        first = first ?? with
        #expect(!ssh.clients.isEmpty && !ssh.sessions.isEmpty)
        let folder = try #require(folders.first)
        let attributes = try FileManager.default.attributesOfItem(
          atPath: "\(home.path)/\(folder)")
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        switch way {
        case "q": cockpit.type("q")
        case "TERM": cockpit.pty.signal(SIGTERM)
        case "HUP": cockpit.pty.signal(SIGHUP)
        case "KILL": cockpit.pty.signal(SIGKILL)
        default: cockpit.pty.closeMaster()
        }
        _ = cockpit.pty.wait()
        expectNothingLeft(way)
      }
      let with = try #require(first)
      #expect(with - without <= .seconds(2), "\(with) and \(without)")
    }

    @Test(
      "the line is cut at either end: live again within 5 s, and no row is lost",
      arguments: ["ssh", "sshd"])
    func cut(end: String) throws {
      let demo = try DemoBackend(["--rate", "4"], home: home)
      let tail = try run(["tail", "--json"], try configure(demo))
      defer {
        tail.signal(SIGTERM)
        _ = tail.wait()
      }
      func rows() throws -> Set<PlainAction> {
        Set(
          try tail.lines.flatMap { try PlainAction.objects(String($0)) }
            .filter { $0["kind"] != nil && $0["metadata"] != nil }.map(PlainAction.init))
      }
      try #require(tail.pump { tail.lines.count > 5 }, "\(tail.text) \(tail.errorText)")
      let before = try rows()
      let start = ContinuousClock.now
      let clients = ssh.clients.filter { $0.words.hasPrefix("/usr/bin/ssh ") }.map(\.id)
      let victims = end == "ssh" ? clients : ssh.sessions
      #expect(!victims.isEmpty)
      for id in victims { kill(id, SIGKILL) }
      var took: Duration?
      try #require(
        tail.pump {
          // The last state that was said.
          let states = tail.text.matches(of: /"state":"([a-z]+)"/).map { $0.1 }
          guard states.count > 2, states.last == "live" else { return false }
          took = took ?? (.now - start)
          return true
        }, "\(tail.text) \(tail.errorText)")
      #expect(try #require(took) < .seconds(5), "\(String(describing: took))")
      let count = tail.lines.count
      try #require(tail.pump { tail.lines.count > count + 3 }, "\(tail.errorText)")
      let reply = try demo.request("GET", "/api/actions?limit=1000")
      let stored = try PlainAction.objects(String(decoding: reply.body, as: UTF8.self))
        .map(PlainAction.init)
      let seen = try rows()
      #expect(seen.count > before.count)
      let times = seen.map(\.time)
      let (first, last) = (try #require(times.min()), try #require(times.max()))
      // Rows of the last moment may still be on their way.
      let lost = stored.filter { $0.time > first && $0.time < last && !seen.contains($0) }
      #expect(lost.isEmpty, "\(lost)")
    }

    @Test("what is wrong is one sentence with the next step")
    func sentences() throws {
      let demo = try DemoBackend(home: home)
      for (host, code, words) in [
        ("unknown", 3, "The host key of unknown is not known. Run 'ssh unknown' once"),
        ("stranger", 3, "The ssh host stranger did not let this program in"),
        ("nowhere", 3, "The ssh host nowhere cannot be reached"),
        ("no-such-host.invalid", 3, "is not known. Check ssh in the profile"),
        ("-oProxyCommand=touch /tmp/x", 2, "must be a host such as"),
        ("bot; touch x", 2, "must be a host such as"),
      ] as [(String, Int32, String)] {
        let process = try run(["status"], try configure(demo, host: host))
        #expect(process.wait() == .exited(code), "\(host): \(process.errorText)")
        #expect(process.errorText.contains(words), "\(host): \(process.errorText)")
        #expect(process.errorText.split(separator: "\n").count == 1, "\(process.errorText)")
        expectNothingLeft(host)
      }
      let good = try run(["status"], try configure(demo))
      #expect(good.wait() == .exited(0), "\(good.errorText)")
      expectNothingLeft("status")
    }

    @Test("an OpenClaw gateway behind an ssh host")
    func gateway() throws {
      let demo = try DemoBackend(["--kind", "openclaw", "--scenario", "quiet"], home: home)
      let file = try home.file(
        "claw.toml",
        """
        [profiles.far]
        kind = "openclaw"
        url = "\(demo.url)"
        token_file = "\(demo.tokenFile)"
        scopes = "operate"
        ssh = "bot"
        ssh_config = "\(ssh.configuration)"

        """)
      let list = try run(["approvals", "list"], file)
      #expect(list.wait() == .exited(0), "\(list.errorText)")
      #expect(list.text.contains("git push vault main"), "\(list.text)")
      expectNothingLeft("approvals")
    }
  }

  /// What `docs/ssh.md` says of a cockpit that others may only look at.
  @Suite("a read-only cockpit by ssh", .enabled(if: LoopbackSSH.isThere, "sshd is not here"))
  struct SSHForcedCommandTests {
    @Test("whoever logs in gets the cockpit, whatever he asks for, and can change nothing")
    func forced() throws {
      let home = try TemporaryFolder()
      let demo = try DemoBackend(home: home)
      let file = try home.file(
        "config.toml",
        "[profiles.far]\nurl = \"\(demo.url)\"\ntoken_file = \"\(demo.tokenFile)\"\n")
      let command =
        "env HOME=\(home.path) LANG=C.UTF-8 EDITOR=false VISUAL=false PAGER=cat '\(Tool.path)' --read-only --config \(file) --profile far"
      let ssh = try LoopbackSSH(home, options: "restrict,pty,command=\"\(command)\"")
      let trace = home.path + "/trace"
      let pty = try PTYProcess(
        "/usr/bin/ssh", ["-F", ssh.configuration, "-tt", "bot", "touch '\(trace)'"],
        environment: ["PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "HOME": home.path],
        rows: 30, columns: 120)
      #expect(
        pty.pump(timeout: Tool.patience) {
          pty.terminal.line(0).firstMatch(of: /LIVE <?\d/) != nil
        }, "\(pty.terminal.text)")
      pty.send(":forget Ada\r")
      #expect(
        pty.pump(timeout: Tool.patience) { pty.terminal.text.contains("read-only") },
        "\(pty.terminal.text)")
      pty.send("\u{1B}")
      #expect(
        pty.pump(timeout: Tool.patience) { !pty.terminal.text.contains("read-only") },
        "\(pty.terminal.text)")
      pty.send("q")
      #expect(pty.wait(timeout: Tool.patience) == .exited(0), "\(pty.terminal.text)")
      #expect(!FileManager.default.fileExists(atPath: trace))
      // Nothing but the command: no forwarding, no files.
      let forward = try PipedProcess(
        "/usr/bin/ssh", ["-F", ssh.configuration, "-W", "127.0.0.1:\(demo.port)", "bot"],
        environment: ["PATH": "/usr/bin:/bin", "HOME": home.path])
      #expect(forward.wait() != .exited(0))
      #expect(forward.errorText.contains("prohibited"), "\(forward.errorText)")
    }
  }
}
