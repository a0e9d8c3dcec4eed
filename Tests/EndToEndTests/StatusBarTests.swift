import Foundation
import Synchronization
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `status` and `widget` against backends that are well, slow, gone and hostile.
  @Suite("status bars") struct StatusBarTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// Runs a command to its end.
    private func run(
      _ arguments: [String], _ more: [String: String] = [:]
    ) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, arguments, environment: Tool.environment(home: home, more))
      process.wait()
      return process
    }

    /// Runs a command and says how long it took, in seconds.
    private func timed(
      _ arguments: [String], _ more: [String: String] = [:]
    ) throws -> (PipedProcess, Double) {
      let start = ContinuousClock.now
      let process = try run(arguments, more)
      return (process, (ContinuousClock.now - start) / .seconds(1))
    }

    private var cacheFolder: String { "\(home.path)/.cache/clanky-cockpit" }

    private func cacheFile() throws -> String {
      let names = try FileManager.default.contentsOfDirectory(atPath: cacheFolder)
      return "\(cacheFolder)/\(try #require(names.first { $0.hasSuffix(".json") }))"
    }

    /// Makes the cache look older than it is, so that it is not fresh.
    private func age(_ file: String) throws {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let old = text.replacing(/"at":"[^"]*"/, with: #""at":"2026-01-01T00:00:00.000Z""#)
      #expect(old != text)
      try Data(old.utf8).write(to: URL(filePath: file))
    }

    static let row =
      #"{"id":7,"created_at":"2026-05-09T14:32:00.000Z","kind":"sent_reply","content":"hello there"}"#
    static let stats =
      #"{"stats":{"last24h":{},"totalCostUsd":1,"dailyCost":[]},"runtime":{"isReady":true,"guildCount":1,"voice":{"activeCount":0,"sessions":[]}}}"#

    /// A backend that is well, until a test says otherwise.
    static func answer(_ request: StubRequest) -> StubReply {
      switch request.path {
      case "/api/health": .json(#"{"ok":true}"#)
      case "/api/stats": .json(stats)
      case "/api/actions": .json("[\(row)]")
      default: .json("[]")
      }
    }

    // MARK: status

    @Test(
      "a healthy bot that breaks a promise: exit code 5, the word, the sentence; kept ones have 0")
    func promises() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      defer { demo.stop() }
      let file = "\(home.path)/slo.toml"
      let access = ["--config", file, "--url", demo.url, "--token-file", demo.tokenFile]
      try Data("[slo]\ntext_p95 = \"1ms\"\ncost_per_day_usd = 1000\n".utf8)
        .write(to: URL(filePath: file))
      let broken = try run(["status"] + access)
      #expect(broken.status == .exited(5), "\(broken.errorText)")
      #expect(
        broken.text.hasPrefix("healthy  slo  ") && broken.text.contains("promises 1 of 2 kept"))
      #expect(broken.errorText.contains("took longer than the promised 1ms"))
      let widget = try run(["widget", "small"] + access)
      #expect(widget.status == .exited(5) && widget.text.hasPrefix("~ slo"), "\(widget.text)")
      let json = try run(["status", "--json"] + access)
      let object = try #require(PlainAction.objects(json.text).first)
      let promises = try #require(object["promises"] as? [[String: Any]])
      #expect(promises.map { $0["verdict"] as? String } == ["broken", "kept"])
      #expect((promises[0]["evidence"] as? [Int])?.isEmpty == false)
      try Data("[slo]\ncost_per_day_usd = 1000\n".utf8).write(to: URL(filePath: file))
      #expect(try run(["status"] + access).status == .exited(0))
    }

    @Test("a healthy backend: one line, one object, no stream opened")
    func healthy() throws {
      let demo = try DemoBackend(["--scenario", "voice"], home: home)
      defer { demo.stop() }
      let access = ["--url", demo.url, "--token-file", demo.tokenFile]
      let status = try run(["status"] + access)
      #expect(status.status == .exited(0), "\(status.errorText)")
      #expect(status.lines.count == 1 && status.errors.isEmpty)
      #expect(status.text.hasPrefix("healthy  actions "))
      let json = try run(["status", "--json"] + access)
      let object = try #require(try PlainAction.objects(String(json.lines[0])).first)
      #expect(object["state"] as? String == "healthy")
      #expect((object["actions"] as? Int ?? 0) > 0)
      #expect(object["cost_today_usd"] is Double)
      #expect(object["voice"] is [Any])
      #expect(try run(["widget", "large"] + access).lines.count <= 5)
      #expect(try run(["status", "--demo"]).status == .exited(0))
    }

    @Test("figures that could not be had are dashes, and the state is degraded")
    func degraded() throws {
      let server = try StubServer { request in
        request.path == "/api/actions"
          ? .json(#"{"error":"database is locked"}"#, status: "500 Oops") : Self.answer(request)
      }
      defer { server.stop() }
      let status = try run(["status", "--url", server.url])
      #expect(status.status == .exited(1))
      #expect(status.text.hasPrefix("degraded  actions - (1h)  errors - (1h)  cost $0"))
      #expect(status.errorText.contains("actions could not be had"), "\(status.errorText)")
    }

    @Test("a dead backend, a wrong token, something else: the codes of the contract")
    func codes() throws {
      let gone = try StubServer { _ in .json("{}") }
      gone.stop()
      for verb in [["status"], ["widget", "small"]] {
        let dead = try run(verb + ["--url", gone.url])
        #expect(dead.status == .exited(3))
        #expect(dead.text.contains("unreachable"))
        #expect(dead.errorText.contains("refused"))
      }
      let closed = try StubServer { _ in
        .json(#"{"error":"Unauthorized. Provide x-dashboard-token."}"#, status: "401 No")
      }
      defer { closed.stop() }
      let refused = try run(
        ["status", "--json", "--url", closed.url], ["CLANKY_TOKEN": "wrong-one"])
      #expect(refused.status == .exited(4))
      #expect(refused.text.contains(#""state":"unauthorized""#))
      #expect(refused.text.contains(#""actions":null"#))
      #expect(!(refused.text + refused.errorText).contains("wrong-one"))
      let page = try StubServer { _ in
        StubReply(headers: [("Content-Type", "text/html")], body: Array("<html>hi".utf8))
      }
      defer { page.stop() }
      let other = try run(["status", "--url", page.url])
      #expect(other.status == .exited(3))
      #expect(!other.text.contains("<html>"))
    }

    @Test(
      "a cost that is missing is degraded, and stderr says so",
      arguments: ["null", "{\"x\":1}", "[{\"day\":\"DAY\",\"usd\":null}]"])
    func missingCost(list: String) throws {
      let day = ISO8601DateFormatter().string(from: Date()).prefix(10)
      let stats = Self.stats.replacing(
        "\"dailyCost\":[]", with: "\"dailyCost\":" + list.replacing("DAY", with: day))
      let server = try StubServer { request in
        request.path == "/api/stats" ? .json(stats) : Self.answer(request)
      }
      defer { server.stop() }
      for verb in [["status"], ["widget", "small"]] {
        let process = try run(verb + ["--url", server.url])
        #expect(process.status == .exited(1), "\(process.text)")
        #expect(process.errorText.contains("Today's cost is missing"), "\(process.errorText)")
      }
    }

    @Test("a refused widget has the mark of that beside the figures of before")
    func refusedMark() throws {
      let isOpen = Mutex(true)
      let server = try StubServer { request in
        isOpen.withLock { $0 } ? Self.answer(request) : .json("{}", status: "401 No")
      }
      defer { server.stop() }
      #expect(try run(["widget", "small", "--url", server.url]).text == "● 1 $0\n")
      isOpen.withLock { $0 = false }
      // A refusal is not kept, so that it stays old.
      try age(try cacheFile())
      for format in ["plain", "tmux"] {
        let bar = try run(["widget", "small", "--format", format, "--url", server.url])
        #expect(bar.status == .exited(4), "\(bar.errorText)")
        #expect(bar.text.contains("✗") && bar.text.contains("$0"), "\(bar.text)")
      }
    }

    @Test(
      "a backend that takes the connection and says nothing, or too little, keeps nobody waiting",
      arguments: [
        [StreamStep.stayMute],
        Array(repeating: [.chunk([0x20]), .pause(milliseconds: 100)], count: 400).flatMap(\.self),
      ])
    func slow(steps: [StreamStep]) throws {
      let server = try StubServer { _ in
        StubReply(headers: [("Content-Type", "application/json")], steps: steps)
      }
      defer { server.stop() }
      for verb in [["status"], ["widget", "medium"]] {
        let (process, seconds) = try timed(verb + ["--url", server.url])
        #expect(process.status == .exited(3), "\(process.text) \(process.errorText)")
        #expect(process.lines.count == 1)
        // 2 s by contract; a loaded machine may take its time to start the program.
        #expect(seconds < 4, "\(verb) took \(seconds) s")
      }
      let (process, seconds) = try timed(["status", "--timeout", "0.5", "--url", server.url])
      #expect(process.status == .exited(3))
      #expect(seconds < 2.5)
    }

    @Test("what a token command says while nobody can be asked is not passed on (promise P6)")
    func tokenCommandErrors() throws {
      let config = try home.file(
        "config.toml", "token_command = \"echo Sesame-0815 >&2; echo Sesame-0815; exit 3\"\n")
      for verb in [["status"], ["widget", "small"]] {
        let process = try run(verb + ["--url", "http://127.0.0.1:1", "--config", config])
        #expect(process.status == .exited(2))
        #expect(process.errorText.contains("token_command failed with status 3"))
        #expect(!(process.text + process.errorText).contains("Sesame"), "\(process.errorText)")
      }
    }

    @Test("a token command that hangs does not keep the bar waiting either")
    func tokenCommand() throws {
      let server = try StubServer(handler: Self.answer)
      defer { server.stop() }
      let config = try home.file("config.toml", "token_command = \"exec sleep 20\"\n")
      for verb in [["status"], ["widget", "small"]] {
        let (process, seconds) = try timed(verb + ["--url", server.url, "--config", config])
        #expect(process.status == .exited(2), "\(process.text)")
        #expect(process.errorText.contains("token_command"), "\(process.errorText)")
        #expect(seconds < 4)
      }
      #expect(try run(["widget", "small", "--url", server.url]).status == .exited(0))
      try age(try cacheFile())
      let (process, seconds) = try timed([
        "widget", "small", "--url", server.url, "--config", config,
      ])
      #expect(process.text.hasPrefix("○ 1 $0 "), "\(process.text)")
      #expect(process.status == .exited(2))
      #expect(seconds < 4)
    }

    // MARK: widget

    @Test("bars that ask at once and again make one round of requests")
    func fresh() throws {
      let server = try StubServer(handler: Self.answer)
      defer { server.stop() }
      let first = try run(["widget", "small", "--url", server.url])
      #expect(first.status == .exited(0), "\(first.errorText)")
      #expect(first.text == "● 1 $0\n")
      let file = try cacheFile()
      let mode =
        try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      // The clock of the cache, not the pace of this machine, decides what is fresh.
      let now = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: -0.1))
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let asked = server.requests.count
      for size in ["small", "medium", "large"] {
        try Data(text.replacing(/"at":"[^"]*"/, with: #""at":"\#(now)""#).utf8)
          .write(to: URL(filePath: file))
        #expect(try run(["widget", size, "--url", server.url]).status == .exited(0))
      }
      #expect(server.requests.count == asked)
      // Another guild is another figure.
      #expect(
        try run(["widget", "small", "--guild", "9", "--url", server.url]).status == .exited(0))
      #expect(server.requests.count > asked)
      #expect(server.requests.contains { $0.query["guildId"] == "9" })
    }

    @Test("when the backend goes, what was known stays, with its age")
    func stale() throws {
      let server = try StubServer(handler: Self.answer)
      let port = server.port
      let url = server.url
      #expect(try run(["widget", "small", "--url", url]).status == .exited(0))
      server.stop()
      let file = try cacheFile()
      try age(file)
      let dead = try run(["widget", "small", "--url", url])
      #expect(dead.status == .exited(3))
      #expect(dead.text.hasPrefix("○ 1 $0 "), "\(dead.text)")
      let json = try run(["widget", "medium", "--format", "json", "--url", url])
      let object = try #require(try PlainAction.objects(String(json.lines[0])).first)
      #expect(object["stale"] as? Bool == true)
      #expect(object["state"] as? String == "unreachable")
      #expect((object["age_ms"] as? Int ?? 0) > 3000)
      // Taking the connection and saying nothing is no better than being gone.
      let mute = try StubServer(port: port) { _ in .stream([.stayMute]) }
      let (slow, seconds) = try timed(["widget", "small", "--url", url])
      mute.stop()
      #expect(slow.status == .exited(3))
      #expect(slow.text.hasPrefix("○ 1 $0 "), "\(slow.text) \(slow.errorText)")
      #expect(seconds < 4)
    }

    @Test("a cache that cannot be read is set aside; a missing HOME is no trouble")
    func corrupt() throws {
      let server = try StubServer(handler: Self.answer)
      defer { server.stop() }
      #expect(try run(["widget", "small", "--url", server.url]).status == .exited(0))
      let file = try cacheFile()
      try Data("{half".utf8).write(to: URL(filePath: file))
      let process = try run(["widget", "small", "--url", server.url])
      #expect(process.status == .exited(0))
      #expect(process.text == "● 1 $0\n")
      #expect(try String(contentsOfFile: file + ".unreadable", encoding: .utf8) == "{half")
      #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("{\"state\""))
      let homeless = try PipedProcess(
        Tool.path, ["widget", "small", "--url", server.url],
        environment: ["LANG": "C.UTF-8", "HOME": "/nonexistent/home"])
      #expect(homeless.wait() == .exited(0), "\(homeless.errorText)")
      #expect(homeless.text == "● 1 $0\n")
    }

    @Test("what strangers write is text in every format")
    func hostile() throws {
      let words = #"#[fg=red]#(touch /tmp/x)#{pid} <b>&\u001b]0;x\u0007\u202e"#
      let row =
        #"{"id":7,"created_at":"2026-05-09T14:32:00.000Z","kind":"sent_reply","content":"\#(words)"}"#
      let server = try StubServer { request in
        request.path == "/api/actions" ? .json("[\(row)]") : Self.answer(request)
      }
      defer { server.stop() }
      for format in ["plain", "json", "tmux", "waybar"] {
        let process = try run(
          ["widget", "large", "--width", "200", "--format", format, "--url", server.url])
        #expect(process.status == .exited(0))
        #expect(ForbiddenBytes.found(in: process.output) == [], "\(format)")
        if format == "tmux" {
          #expect(process.text.contains("##[fg=red]##(touch"), "\(process.text)")
          #expect(!process.text.replacing("##", with: "").contains("#("))
        }
        if format == "waybar" {
          #expect(process.text.contains("&lt;b&gt;&amp;"), "\(process.text)")
        }
      }
    }

    @Test(
      "what does not fit is refused before anything is asked",
      arguments: [
        ["widget"], ["widget", "huge"], ["widget", "small", "--format", "xml"],
        ["widget", "small", "--width", "0"], ["status", "--timeout", "0"],
        ["status", "--timeout", "soon"], ["status", "extra"],
      ])
    func usage(arguments: [String]) throws {
      let process = try run(arguments)
      #expect(process.status == .exited(2), "\(process.text)")
      #expect(process.output.isEmpty && !process.errors.isEmpty)
    }
  }
}
