import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `tail` in a pipe: how much, what, and how it ends.
  @Suite("tail") struct TailTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(
      _ arguments: [String], token: String? = nil
    ) throws -> PipedProcess {
      try PipedProcess(
        Tool.path, arguments, environment: Tool.environment(home: home, token: token))
    }

    @Test("-n takes so many rows of history, with the option before and after the verb")
    func history() throws {
      for arguments in [
        ["--demo", "quiet", "tail", "-n", "5", "--json"],
        ["tail", "-n", "5", "--json", "--demo", "quiet"],
      ] {
        let process = try run(arguments)
        // A quiet demo sends no row after its history, and statistics every 3 s.
        let hasTicked = process.pump {
          process.text.components(separatedBy: #"{"type":"stats""#).count > 2
        }
        #expect(hasTicked, "\(process.errorText)")
        process.signal(SIGINT)
        process.wait()
        #expect(process.status == .signaled(SIGINT) || process.status == .exited(130))
        let lines = TailLines(process.lines)
        #expect(lines.count("action") == 5)
        let times = lines.objects.compactMap { $0["created_at"] as? String }
        #expect(times == times.sorted(), "oldest first")
        #expect(process.errors.isEmpty, "\(process.errorText)")
      }
    }

    @Test("--filter lets through what it says")
    func filter() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let process = try run(
        [
          "tail", "--json", "--filter", "kind:llm_call", "--url", demo.url, "--token-file",
          demo.tokenFile,
        ])
      #expect(process.pump { process.text.contains(#"{"type":"action""#) }, "\(process.errorText)")
      process.pump { process.text.components(separatedBy: #"{"type":"stats""#).count > 2 }
      let kinds = Set(TailLines(process.lines).objects.compactMap { $0["kind"] as? String })
      #expect(kinds == ["llm_call"])
    }

    @Test("--guild keeps to the actions of that guild, in history and live")
    func guild() throws {
      func event(_ name: String, _ data: String) -> String { "event: \(name)\ndata: \(data)\n\n" }
      func row(_ id: Int, _ text: String, _ guild: String) -> String {
        #"{"id":\#(id),"created_at":"2026-05-09T14:0\#(id):00.000Z","guild_id":\#(guild),"kind":"sent_reply","content":"\#(text)"}"#
      }
      let rows = [row(3, "none", "null"), row(2, "b", "\"2\""), row(1, "a", "\"1\"")]
      let live = ["a", "b"].enumerated().map { index, name in
        event(
          "action_event",
          #"{"createdAt":"2026-05-09T14:1\#(index):00.000Z","guildId":"\#(index + 1)","kind":"sent_reply","content":"live \#(name)"}"#
        )
      }
      let stream =
        event("activity_snapshot", #"{"actions":[\#(rows.joined(separator: ","))],"stats":null}"#)
        + live.joined()
      let server = try StubServer { request in
        request.path == "/api/activity/events"
          ? .stream([.chunk(Array(stream.utf8))]) : .json("[]")
      }
      defer { server.stop() }
      for (arguments, texts) in [
        ([], ["a", "b", "none", "live a", "live b"]), (["--guild", "1"], ["a", "live a"]),
      ] as [([String], [String])] {
        let process = try run(["tail", "--json", "--once", "--url", server.url] + arguments)
        process.wait()
        let actions = TailLines(process.lines).objects.filter { $0["type"] as? String == "action" }
        #expect(actions.compactMap { $0["content"] as? String } == texts, "\(process.errorText)")
      }
      let raw = try run(["tail", "--raw", "--once", "--guild", "1", "--url", server.url])
      raw.wait()
      #expect(raw.errorText.contains("--raw gives the stream as it comes"), "\(raw.errorText)")
    }

    @Test("it ends when nobody can read it any more, also while no row comes (promise P9)")
    func withoutReader() throws {
      let row = RowServer.stored(7, "sent_reply", content: "seven", secondsAgo: 60)
      let server = try StubServer { request in
        guard request.path == "/api/activity/events" else { return .json("[]") }
        let text =
          "event: activity_snapshot\ndata: {\"actions\":[\(row)],\"stats\":{\"stats\":{}}}\n\n"
        return .stream([.chunk(Array(text.utf8)), .stayAlive])
      }
      defer { server.stop() }
      let environment = Tool.environment(home: home, token: "Sesame-0815-open")
      let terminal = try PTYProcess(
        Tool.path, ["tail", "--url", server.url], environment: environment, ignoresHangUp: true)
      try terminal.expect("seven", timeout: Tool.patience)
      terminal.closeMaster()
      #expect(terminal.wait(timeout: .seconds(4)) == .exited(129))
      let pipe = try PipedProcess(
        "/bin/sh",
        [
          "-c", #"{ "$0" tail --url "$1"; echo "ended $?" >&2; } | head -n 1"#, Tool.path,
          server.url,
        ],
        environment: environment)
      // The two streams are read in either order.
      #expect(
        pipe.pump { pipe.errorText.contains("ended 141") && pipe.text.contains("seven") },
        "\(pipe.errorText) \(pipe.text)")
    }

    @Test(
      "a payload that is no JSON is told as an error, and names come back exactly (promise P1b)")
    func oddEvents() throws {
      let events =
        #"event: stats_update|data: {"a":"\q"}||event: voice_state|data: not json||"#
        + "event: \u{10F000}|id: \u{10F7FF}|data: \u{10F000}||"
      let server = try StubServer { request in
        request.path == "/api/activity/events"
          ? .stream([.chunk(Array(events.replacing("|", with: "\n").utf8)), .cut]) : .json("[]")
      }
      defer { server.stop() }
      func run(_ option: String) throws -> TailLines {
        let process = try PipedProcess(
          Tool.path, ["tail", option, "--once", "--url", server.url],
          environment: Tool.environment(home: home))
        process.wait()
        return TailLines(process.lines)
      }
      let json = try run("--json").objects
      #expect(json.allSatisfy { $0["payload"] == nil })
      let errors = json.filter { $0["type"] as? String == "error" }
      #expect(errors.compactMap { $0["event"] as? String } == ["stats_update", "voice_state"])
      let raw = try #require(
        try run("--raw").objects.first { $0["data"] as? String == "\u{10F000}" })
      #expect(raw["event"] as? String == "\u{10F000}")
      #expect(raw["lastEventId"] as? String == "\u{10F7FF}")
    }

    @Test("--plain writes lines for people and nothing else")
    func plain() throws {
      let process = try run(["tail", "--demo", "quiet", "-n", "20"])
      #expect(process.pump { process.lines.count >= 20 }, "\(process.errorText)")
      for line in process.lines {
        #expect(line.firstMatch(of: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  \S/) != nil, "\(line)")
      }
      #expect(ForbiddenBytes.found(in: process.output) == [])
    }

    @Test("a reader that has gone ends it, as `| head` does")
    func readerGone() throws {
      let script = #""$0" tail --demo --json | head -n 1; echo "ended""#
      let process = try PipedProcess(
        "/bin/sh", ["-c", script, Tool.path], environment: Tool.environment(home: home))
      #expect(process.wait() == .exited(0))
      #expect(process.text.hasSuffix("ended\n"))
      #expect(process.errors.isEmpty, "\(process.errorText)")
    }

    @Test("a server that closes every stream is not asked in a hot loop (promise P5)")
    func closingServer() throws {
      let first = Array("event: activity_snapshot\ndata: {\"actions\":[]}\n\n".utf8)
      let server = try StubServer { request in
        request.path.hasSuffix("/events")
          ? .stream([.chunk(first)]) : .json("[]")
      }
      defer { server.stop() }
      let process = try run(["tail", "--json", "--url", server.url], token: "some-token-1")
      process.wait(.seconds(10))
      #expect(process.status == nil, "it goes on: \(process.errorText)")
      let attempts = server.requests(for: "/api/activity/events").count
      #expect((2...8).contains(attempts), "\(attempts) attempts in 10 s")
      #expect(process.text.contains(#""state":"reconnecting""#))
    }
  }
}
