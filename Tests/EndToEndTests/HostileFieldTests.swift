import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Numbers and texts that no honest backend sends, in the answers of a stub.
  @Suite("hostile fields") struct HostileFieldTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: [String], _ server: StubServer) throws -> PipedProcess {
      let process = try Tool.start(arguments, on: server, home: home)
      process.wait()
      return process
    }

    private func server(rows: [String], stats: String, voice: String) throws -> StubServer {
      try StubServer { request in
        switch request.path {
        case "/api/activity/events":
          let snapshot = "{\"actions\":[\(rows.joined(separator: ","))],\"stats\":\(stats)}"
          return .stream([
            .chunk(Array("event: activity_snapshot\ndata: \(snapshot)\n\n".utf8)), .stayAlive,
          ])
        case "/api/voice/events":
          return .stream([
            .chunk(Array("event: voice_state\ndata: \(voice)\n\n".utf8)), .stayAlive,
          ])
        case "/api/voice/state": return .json(voice)
        case "/api/stats": return .json(stats)
        case "/api/actions": return .json("[\(rows.joined(separator: ","))]")
        default: return .json("[]")
        }
      }
    }

    @Test(
      "no number ends a verb or leaves its column (promise P11)",
      arguments: ["-9223372036854775808", "9223372036854775807", "-1e308"])
    func numbers(number: String) throws {
      let time = RowServer.time(-30)
      let row =
        #"{"id":5,"created_at":"\#(time)","kind":"llm_call","content":"x:model","usd_cost":\#(number),"#
        + #""metadata":{"toolCallCount":\#(number),"toolNames":"a, b, c","durationMs":\#(number),"#
        + #""usage":{"inputTokens":\#(number),"outputTokens":\#(number)},"#
        + #""performance":{"totalMs":\#(number),"queueMs":\#(number)}}}"#
      let stats =
        #"{"stats":{"last24h":{"llm_call":\#(number)},"totalCostUsd":\#(number),"dailyCost":"#
        + #"[{"day":"\#(time.prefix(10))","usd":\#(number)}],"performance":{"totalMs":"#
        + #"{"count":\#(number),"p50Ms":\#(number),"p95Ms":\#(number)}}},"#
        + #""runtime":{"isReady":true,"guildCount":\#(number),"#
        + #""replyQueue":{"channels":\#(number),"pending":\#(number)}}}"#
      let voice =
        #"{"activeCount":\#(number),"sessions":[{"sessionId":"s-1","startedAt":"\#(time)","#
        + #""participantCount":\#(number),"pendingDeferredTurns":\#(number),"#
        + #""conversation":{"lastAssistantReplyAt":"\#(time)","wake":{"windowMs":\#(number)},"#
        + #""thoughtEngine":{"nextAttemptInMs":\#(number)}},"#
        + #""latency":{"recentTurns":[{"totalMs":\#(number),"finalizedToAsrStartMs":\#(number),"#
        + #""asrToGenerationStartMs":\#(number)}],"averages":{"totalMs":\#(number)},"#
        + #""turnCount":\#(number)}}]}"#
      let server = try server(rows: [row], stats: stats, voice: voice)
      defer { server.stop() }
      let verbs = [["status"], ["actions"], ["widget", "large"]]
      let views = ["pulse", "voice", "brain", "cmd", "stats"].map {
        ["snapshot", "--view", $0, "--width", "120", "--height", "40"]
      }
      for arguments in verbs + views {
        let process = try run(arguments, server)
        // 1 is that of a degraded bot.
        let isFine = process.status == .exited(0) || process.status == .exited(1)
        #expect(isFine, "\(arguments): \(process.errorText.suffix(300))")
        #expect(!process.lines.isEmpty, "\(arguments)")
        for line in process.lines where arguments[0] == "snapshot" {
          #expect(CellWidth.columns(of: line) <= 120, "\(arguments): \(line)")
        }
      }
    }

    /// What is between the quotes on the wire, and what a line of JSON has for it.
    private static let texts: [(wire: String, line: String)] = [
      (#"\u001b[31mred\u001b]0;t\u0007"#, #"\u001b[31mred\u001b]0;t\u0007"#),
      (#"\u0000\u0007\u007f\u0085\u009b2J"#, #"\u0000\u0007\u007f\u0085\u009b2J"#),
      (#"half \ud83d"#, #"half \ud83d"#), (#"\ude00\ud83d"#, #"\ude00\ud83d"#),
      (#"\ud83d\ude00"#, #"\ud83d\ude00"#), ("😀 作者", #"\ud83d\ude00 \u4f5c\u8005"#),
      ("\u{202E}evil\u{2066}", #"\u202eevil\u2066"#), ("\u{7F}\u{85}", #"\u007f\u0085"#),
      ("\u{2028}\u{2029}\u{FEFF}", #"\u2028\u2029\ufeff"#),
      ("\u{E0041}\u{FE0F}\u{200D}", #"\udb40\udc41\ufe0f\u200d"#),
      (#"\" \\ \/ \b\f\n\r\t"#, #"\" \\ \/ \b\f\n\r\t"#),
      ("#(touch x) $(id) `id` %n <b>", "#(touch x) $(id) `id` %n <b>"),
    ]

    @Test("JSON gives every text back exactly, in ASCII (promise P1b)")
    func exact() throws {
      let time = RowServer.time(-30)
      let rows = Self.texts.enumerated().map { index, text in
        #"{"id":\#(index + 1),"created_at":"\#(time)","kind":"sent_reply","content":"\#(text.wire)","#
          + #""metadata":{"\#(text.wire)":["\#(text.wire)",9007199254740993,1e308,-0]},"usd_cost":0}"#
      }
      let stats = #"{"stats":{},"runtime":{}}"#
      let voice = #"{"activeCount":0,"sessions":[]}"#
      let server = try server(rows: rows, stats: stats, voice: voice)
      defer { server.stop() }
      let actions = try run(["actions", "--json"], server)
      let snapshot = try run(["snapshot", "--view", "pulse", "--json"], server)
      #expect(actions.status == .exited(0) && snapshot.status == .exited(0))
      #expect(actions.lines.count == rows.count)
      for process in [actions, snapshot] {
        #expect(process.output.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        for text in Self.texts {
          #expect(process.text.contains(#""content":"\#(text.line)""#), "\(text.line)")
          let metadata = #"{"\#(text.line)":["\#(text.line)",9007199254740993,1e308,-0]}"#
          #expect(process.text.contains(#""metadata":\#(metadata)"#), "\(text.line)")
        }
      }
    }

    @Test("verbs give a terminal that does not read UTF-8 ASCII alone (promises P1, P2)")
    func ascii() throws {
      let time = RowServer.time(-30)
      let row =
        #"{"id":5,"created_at":"\#(time)","kind":"sent_reply","content":"é e\u0301 作者 ”ۛ 😀","usd_cost":0}"#
      let server = try server(
        rows: [row], stats: #"{"stats":{},"runtime":{}}"#, voice: #"{"sessions":[]}"#)
      defer { server.stop() }
      let terminal = try Cockpit(
        ["actions", "--url", server.url], home: home, token: "token-4711-lantern", term: "vt100",
        environment: ["LANG": "C"])
      #expect(terminal.pty.wait(timeout: Tool.patience) == .exited(0))
      #expect(terminal.pty.output.allSatisfy { $0 < 0x80 }, "\(terminal.screen)")
    }
  }
}
