import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Every socket that the program and its children open, as the kernel saw it.
  @Suite(
    "connections (promise P12)",
    .enabled(if: SystemCalls.canBeTraced, "strace is not there, or may not trace"))
  struct OriginTests {
    static let token = "Sesame-0815-open"
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// A backend whose texts are full of addresses.
    private static func server() throws -> StubServer {
      let links =
        "see https://elsewhere.example/x http://10.9.8.7:81/ ws://192.0.2.1/ //198.51.100.7/"
      let row = RowServer.stored(7, "bot_runtime", content: "seven \(links)")
      let stats =
        #"{"stats":{"last24h":{},"dailyCost":[],"performance":{}},"runtime":{"publicHttps":{"publicUrl":"https://203.0.113.9"}}}"#
      return try StubServer { request in
        switch request.path {
        case "/api/activity/events":
          let text =
            "event: activity_snapshot\ndata: {\"actions\":[\(row)],\"stats\":\(stats)}\n\n"
            + "event: action_event\ndata: \(RowServer.live("bot_runtime", content: "live \(links)"))\n\n"
          return .stream([.chunk(Array(text.utf8)), .stayAlive])
        case "/api/voice/events": return FactRoutes.voice
        case "/api/health": return .json(#"{"ok":true}"#)
        case "/api/stats": return .json(stats)
        case "/api/actions": return .json("[\(row)]")
        case "/api/public-https": return .json(#"{"publicUrl":"https://203.0.113.9"}"#)
        default: return .json("[]")
        }
      }
    }

    @Test("the commands connect to the given origin and to nothing else")
    func commands() throws {
      let server = try Self.server()
      defer { server.stop() }
      for verb in [
        ["tail", "--json"], ["tail", "--once"], ["snapshot", "--view", "cmd"], ["status"],
        ["doctor"], ["actions"],
      ] {
        let trace = "\(home.path)/trace"
        let process = try PipedProcess(
          SystemCalls.tool,
          SystemCalls.arguments(to: trace) + [Tool.path] + verb + ["--url", server.url],
          environment: Tool.environment(home: home, token: Self.token))
        if verb == ["tail", "--json"] {
          #expect(process.pump { process.text.contains("live see") }, "\(process.errorText)")
          // strace passes it on to nobody, so its child is told; it ends with it.
          SystemCalls.endChild(of: process.processID)
        }
        process.wait()
        try expectOneOrigin(trace, server, verb.joined(separator: " "))
      }
    }

    @Test("the cockpit does so too, on every tab and with the details of a row full of links")
    func cockpit() throws {
      let server = try Self.server()
      defer { server.stop() }
      let trace = "\(home.path)/trace"
      let pty = try PTYProcess(
        SystemCalls.tool,
        SystemCalls.arguments(to: trace) + [Tool.path, "--url", server.url],
        environment: Tool.environment(home: home, token: Self.token), rows: 40, columns: 140)
      try pty.expect("live see", timeout: Tool.patience)
      for (keys, text) in [
        ("\r", "elsewhere.example"), ("2", "[2 VOICE]"), ("3", "[3 BRAIN]"), ("4", "[4 MEMORY]"),
        ("5", "[5 CMD]"), ("1", "[1 PULSE]"),
      ] {
        pty.send(keys)
        try pty.expect(text, timeout: Tool.patience)
      }
      pty.send("\u{3}")
      pty.send("\u{3}")
      #expect(pty.wait(timeout: Tool.patience) != nil)
      try expectOneOrigin(trace, server, "cockpit")
    }

    private func expectOneOrigin(_ trace: String, _ server: StubServer, _ what: String) throws {
      let calls = try SystemCalls(trace)
      #expect(calls.connected.contains("127.0.0.1:\(server.port)"), "\(what): \(calls.connected)")
      #expect(calls.connected.subtracting(["127.0.0.1:\(server.port)"]) == [], "\(what)")
      #expect(calls.sentElsewhere == [], "\(what)")
      #expect(calls.bound == [], "\(what) listens")
    }
  }
}
