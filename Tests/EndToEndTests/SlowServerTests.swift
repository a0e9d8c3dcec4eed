import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Servers and tunnels that take their time. What has to be waited for is waited for at once.
  @Suite("slow servers") struct SlowServerTests {
    static let token = "Sesame-0815-open"
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ verb: [String], _ server: StubServer) throws -> PipedProcess {
      try PipedProcess(
        Tool.path, verb + ["--url", server.url],
        environment: Tool.environment(home: home, token: Self.token))
    }

    private func cockpit(_ server: StubServer) throws -> Cockpit {
      try Cockpit(["--url", server.url], home: home, token: Self.token, columns: 160)
    }

    private static let snapshot = Array(
      ("event: activity_snapshot\ndata: {\"actions\":[\(RowServer.stored(7, "sent_reply", content: "seven"))],"
        + "\"stats\":\(stats)}\n\n").utf8)
    private static let stats =
      #"{"stats":{"last24h":{},"dailyCost":[],"performance":{}},"runtime":{}}"#

    /// REST that works, beside streams of the test's own.
    private static func server(
      _ stream: @escaping @Sendable (StubRequest) -> StubReply
    ) throws -> StubServer {
      try StubServer { request in
        switch request.path {
        case "/api/activity/events", "/api/voice/events": return stream(request)
        case "/api/stats": return .json(stats)
        case "/api/voice/state": return .json(#"{"activeCount":0,"sessions":[]}"#)
        case "/api/actions":
          return .json("[\(RowServer.stored(7, "sent_reply", content: "seven"))]")
        default: return .json("[]")
        }
      }
    }

    /// The time limits of the promises: header 10 s, first byte of a stream 8 s and then polling,
    /// 10 s of silence are stale, 20 s a new connection.
    @Test(
      "silence is seen, bounded and named; a stream that is held back is polled (promises P4b, P5)")
    func silence() throws {
      let start = ContinuousClock.now
      let silent = try Self.server { _ in StubReply(wire: [.stayMute]) }
      let mute = try StubServer { _ in StubReply(wire: [.stayMute]) }
      let drip = try StubServer { _ in
        StubReply(wire: [
          .chunk(Array("HTTP/1.1 200 OK\r\nX: ".utf8)), .endless([0x79], everyMs: 200),
        ])
      }
      let held = try Self.server { _ in .stream([.stayMute]) }
      let empty = try Self.server { _ in .stream([.stayAlive]) }
      let falling = try Self.server {
        .stream([.chunk($0.path.contains("voice") ? Array(":\n".utf8) : Self.snapshot), .stayMute])
      }
      let servers = [silent, mute, drip, held, empty, falling]
      defer { for server in servers { server.stop() } }

      let stale = try cockpit(falling)
      try stale.see("seven")
      let polling = try cockpit(held)
      let tails = try (mute: run(["tail"], mute), drip: run(["tail"], drip))
      let heldTail = try run(["tail", "--json"], held)
      let plainTail = try run(["tail"], held)
      let silentTail = try run(["tail", "--json"], silent)
      let status = try run(["status"], drip)
      let snapshots = try (
        mute: run(["snapshot", "--view", "pulse"], mute),
        held: run(["snapshot", "--view", "pulse"], held),
        empty: run(["snapshot", "--view", "pulse"], empty)
      )
      let patience = Duration.seconds(40)

      #expect(status.wait(patience) == .exited(3), "\(status.errorText)")
      try polling.see("POLLING", patience)
      try polling.see("holds the stream back", patience)
      try polling.see("seven", patience)
      polling.type("q")
      polling.expectEnd(.exited(0))
      for tail in [heldTail, silentTail] {
        let isPolled = tail.pump(patience) {
          tail.text.contains(#""state":"polling""#) && tail.text.contains(#""id":7,"#)
        }
        #expect(isPolled, "\(tail.text) \(tail.errorText)")
        tail.signal(SIGTERM)
        tail.wait()
        #expect(TailLines(tail.lines).count("action") == 1)
      }
      #expect(plainTail.pump(patience) { plainTail.text.contains("seven") })
      plainTail.signal(SIGTERM)
      plainTail.wait()
      #expect(
        plainTail.errorText
          == "clanky-cockpit: The tunnel holds the stream back: connected, but no byte arrives. "
          + "Polling instead. A named tunnel passes streams at once; quick tunnels may not.\n")
      #expect(snapshots.held.wait(patience) == .exited(0), "\(snapshots.held.errorText)")
      #expect(snapshots.held.text.contains("seven"), "\(snapshots.held.text)")
      for process in [tails.mute, tails.drip, snapshots.mute] {
        #expect(process.wait(patience) == .exited(3), "\(process.errorText)")
        #expect(process.errorText.contains("did not answer in time"), "\(process.errorText)")
        #expect(process.errorText.contains("overloaded"), "\(process.errorText)")
        #expect(process.output.isEmpty)
      }
      try stale.see("STALE", patience)
      #expect(stale.screen.contains("seven"))
      // The stream is replaced by itself, and its snapshot is no news.
      let isReplaced = stale.pty.pump(timeout: patience) {
        falling.requests(for: "/api/activity/events").count > 1
      }
      #expect(isReplaced)
      try stale.see("LIVE", patience)
      stale.type("q")
      stale.expectEnd(.exited(0))
      #expect(snapshots.empty.wait(patience) == .exited(3), "\(snapshots.empty.errorText)")
      #expect(snapshots.empty.errorText.contains("did not come in time"))
      #expect(ContinuousClock.now - start < .seconds(75))
    }

    @Test(
      "nothing that a server asks for makes a hot loop, the cockpit's requests included (promise P5)"
    )
    func attempts() throws {
      let first = "event: activity_snapshot\ndata: {\"actions\":[],\"stats\":\(Self.stats)}\n\n"
      let closing: [(name: String, reply: StubReply)] = [
        ("closed at once", StubReply(isClosed: true)),
        ("retry: 0", .stream([.chunk(Array(("retry: 0\n\n" + first).utf8))])),
        ("retry: 1 and a cut", .stream([.chunk(Array(("retry: 1\n" + first).utf8)), .cut])),
        (
          "Retry-After: 0",
          StubReply(status: "503 Service Unavailable", headers: [("Retry-After", "0")])
        ),
        (
          "Retry-After: soon",
          StubReply(status: "429 Too Many Requests", headers: [("Retry-After", "-1, soon")])
        ),
      ]
      let runs = try closing.map { name, reply in
        let server = try StubServer { $0.path.hasSuffix("/events") ? reply : .json("[]") }
        return (name: name, server: server, cockpit: try cockpit(server))
      }
      for run in runs { #expect(run.cockpit.pty.pump { run.server.connections > 0 }) }
      let end = ContinuousClock.now + .seconds(10)
      while ContinuousClock.now < end {
        for run in runs { run.cockpit.pty.pump(timeout: .milliseconds(20)) { false } }
      }
      for (name, server, cockpit) in runs {
        defer { server.stop() }
        let attempts = server.requests.count { $0.path.hasSuffix("/events") }
        #expect((2...8).contains(attempts), "\(name): \(attempts) attempts of both streams in 10 s")
        cockpit.type("q")
        cockpit.expectEnd(.exited(0), what: name)
      }
    }
  }
}
