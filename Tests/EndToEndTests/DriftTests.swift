import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `doctor --wire`: what a backend says that the program does not know.
  @Suite("drift") struct DriftTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func server() throws -> StubServer {
      let time = RowServer.time(-60)
      let row =
        #"{"id":7,"created_at":"\#(time)","kind":"tea_served","content":"for Nadia","user_id":"771043920118841344","shelf_life":3,"metadata":{"reason":"kettle_was_cold","durationMs":5,"model":"m","source":"s","sessionId":"nadia","nadia":1,"moodRing":{"Nadia":2}}}"#
      return try StubServer { request in
        switch request.path {
        case "/api/activity/events":
          return .stream([
            .chunk(
              Array(
                "event: activity_snapshot\ndata: {\"actions\":[\(row)],\"stats\":{}}\n\n".utf8)),
            .stayAlive,
          ])
        case "/api/voice/events": return .stream([.stayAlive])
        case "/api/actions": return .json("[\(row)]")
        case "/api/guilds": return .json("[]")
        case "/api/voice/state": return .json(#"{"activeCount":0,"sessions":[],"sessionCap":4}"#)
        case "/api/stats": return .json(#"{"stats":{"last24h":{}},"runtime":{"isReady":true}}"#)
        default:
          return StubReply(
            status: "404 Not Found", headers: [("Content-Type", "text/plain")],
            body: Array("Not found.".utf8))
        }
      }
    }

    @Test("the report names kinds, fields, reasons and routes, and nobody")
    func report() throws {
      let server = try server()
      defer { server.stop() }
      let text = try Tool.start(["doctor", "--wire", "--seconds", "0.5"], on: server, home: home)
      #expect(text.wait() == .exited(0), "\(text.errorText)")
      for name in [
        "tea_served", "shelf_life", "moodRing", "reason = kettle_was_cold", "sessionCap",
        "status 404", "1 time",
      ] {
        #expect(text.text.contains(name), "\(name): \(text.text)")
      }
      #expect(text.text.contains("/api/agents/browser-sessions"))
      for word in ["nadia", "Nadia", "771043920118841344", "token-4711-lantern"] {
        #expect(!text.text.contains(word), "\(word)")
      }
      let json = try Tool.start(
        ["doctor", "--wire", "--seconds", "0", "--json"], on: server, home: home)
      json.wait()
      let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
      let unknown = object?["unknown"] as? [[String: Any]] ?? []
      #expect(unknown.contains { $0["subject"] as? String == "kind" })
      let status = try Tool.start(["status", "--json"], on: server, home: home)
      status.wait()
      #expect(status.text.contains(#""drift":{"kind":1"#), "\(status.text)")
    }

    @Test("CMD counts it, Enter shows the rows, K says that the kind is not known")
    func screen() throws {
      let server = try server()
      defer { server.stop() }
      let cockpit = try Cockpit(
        ["--url", server.url, "--utc"], home: home, token: "token-4711-lantern", rows: 40,
        columns: 120)
      try cockpit.see("TEA_SERVED")
      cockpit.type("j")
      try cockpit.type("K", see: "This version does not know the kind")
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("This version does not know") }
      try cockpit.type("5", see: "WIRE ")
      #expect(cockpit.screen.contains("1 kind"))
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a demo bot is known, live and recorded, and a line in doctor is not there then")
    func known() throws {
      let demo = try DemoBackend(["--scenario", "voice"], home: home)
      func run(_ words: [String]) throws -> PipedProcess {
        let process = try PipedProcess(
          Tool.path, words, environment: Tool.environment(home: home, token: demo.token))
        process.wait()
        return process
      }
      let live = try run(["doctor", "--wire", "--seconds", "2", "--url", demo.url])
      #expect(live.text.contains("Everything in them is known."), "\(live.text)")
      let doctor = try run(["doctor", "--url", demo.url])
      #expect(!doctor.text.contains("wire"), "\(doctor.text)")
      let none = try run(["doctor", "--seconds", "2"])
      #expect(none.status == .exited(2))
      let missing = try run(["doctor", "--wire", "--from", "\(home.path)/none.flight"])
      #expect(missing.status == .exited(1) && !missing.errorText.isEmpty)
    }
  }
}
