import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// How the cockpit ends, stops, goes on, and what it does when the backend goes.
  @Suite("cockpit: life and death") struct CockpitLifeTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func quietDemo() throws -> DemoBackend {
      try DemoBackend(["--scenario", "quiet"], home: home)
    }

    #if os(Linux)
      /// Resident pages of files, kB; they are readable of any process.
      private func fileMemory(_ cockpit: Cockpit) throws -> Int {
        let status = try String(
          contentsOfFile: "/proc/\(cockpit.pty.processID)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
      }

      @Test("what only the start needed is given back, and nothing is missing afterwards")
      func startIsGivenBack() throws {
        let cockpit = try Cockpit(on: try quietDemo(), home: home)
        let before = try fileMemory(cockpit)
        var now = before
        cockpit.pty.pump(timeout: Tool.patience) {
          now = (try? fileMemory(cockpit)) ?? now
          return now < before * 3 / 4
        }
        #expect(now < before * 3 / 4, "\(before) kB, then \(now) kB")
        try cockpit.type("?", see: "find text, keeping")
        cockpit.type("\u{3}")
        cockpit.type("q")
        cockpit.expectEnd(.exited(0))
      }
    #endif

    // MARK: Ending

    @Test("q and Ctrl-C quit and give the terminal back (promise P9)", arguments: ["q", "\u{3}"])
    func quit(key: String) throws {
      let cockpit = try Cockpit(on: try quietDemo(), home: home)
      #expect(cockpit.modesBefore.isCooked)
      #expect(cockpit.pty.isRaw)
      cockpit.type(key)
      cockpit.expectEnd(.exited(0), what: key.debugDescription)
    }

    @Test("Ctrl-C closes what is open before it quits")
    func interruptClosesLevels() throws {
      let cockpit = try Cockpit(on: try quietDemo(), home: home, rows: 40, columns: 120)
      cockpit.type("f")
      try cockpit.see("f>")
      cockpit.type("\u{3}")
      try cockpit.see("f filter")
      cockpit.type("\r")
      try cockpit.see(" 1/")
      cockpit.type("\u{3}")
      try cockpit.see("no detail") { !$0.contains(" 1/") }
      cockpit.type("\u{3}")
      cockpit.expectEnd(.exited(0))
    }

    @Test(
      "signals end it with their code (promise P9)", arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func signals(number: Int32) throws {
      let cockpit = try Cockpit(on: try quietDemo(), home: home)
      cockpit.pty.signal(number)
      cockpit.expectEnd(.exited(128 + number), what: "signal \(number)")
    }

    @Test("a terminal that goes away ends it within 2 s (promise P9)")
    func hangUp() throws {
      let cockpit = try Cockpit(on: try quietDemo(), home: home)
      let start = ContinuousClock.now
      cockpit.pty.closeMaster()
      let status = cockpit.pty.wait(timeout: Tool.patience)
      #expect(ContinuousClock.now - start < .seconds(2.5))
      #expect(
        status == .exited(129) || status == .signaled(SIGHUP), "\(String(describing: status))")
    }

    @Test("a terminal that reads nothing does not keep it from ending (promises P5b, P9)")
    func stoppedTerminal() throws {
      let demo = try DemoBackend(["--flood", "400"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 60, columns: 200)
      // Nobody reads: frames fill what the line holds. Its fill cannot be seen from here, so the
      // time of some frames passes.
      usleep(1_500_000)
      let start = ContinuousClock.now
      cockpit.pty.signal(SIGTERM)
      var raw: Int32 = 0
      while waitpid(cockpit.pty.processID, &raw, WNOHANG) == 0 {
        guard ContinuousClock.now - start < Tool.patience else { break }
        usleep(5000)
      }
      #expect(ContinuousClock.now - start < .seconds(2.5))
      #expect(raw >> 8 & 0xFF == 143)
      cockpit.pty.pump(timeout: .seconds(1), until: { false })
      cockpit.expectRestored("stopped terminal")
    }

    @Test("quit is quick under 2,000 actions a second (promise P5b)")
    func quitUnderFlood() throws {
      let demo = try DemoBackend(["--flood", "2000"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
      // Also `fetching the newest 1,000 rows` may stand there.
      try cockpit.see("many rows", .seconds(60)) { screen in
        screen.matches(of: /([\d,]+) rows/).contains {
          (Int($0.1.replacing(",", with: "")) ?? 0) > 2000
        }
      }
      let start = ContinuousClock.now
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      // 0.2 s is promised; a test machine that does other things gets a second.
      #expect(ContinuousClock.now - start < .seconds(1.5))
    }

    // MARK: Stopping

    @Test("F01: where no shell waits Ctrl-Z and SIGTSTP stop nothing, and the screen says so")
    func orphan() throws {
      let cockpit = try Cockpit(on: try quietDemo(), home: home, rows: 40, columns: 120)
      try cockpit.see("LIVE FEED")
      for stop in [{ cockpit.type("\u{1A}") }, { cockpit.pty.signal(SIGTSTP) }] {
        stop()
        try cockpit.see("there is no shell to come back to; q quits")
        // The next key takes the line away, and works.
        cockpit.type("?")
        try cockpit.see("another page") { !$0.contains("no shell") }
        cockpit.type("\u{1B}")
        try cockpit.see("LIVE FEED")
      }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      expectEntered(cockpit, 1)
    }

    @Test(":plain leaves the stack of window titles as it was (promise P9)")
    func plain() throws {
      let cockpit = try Cockpit(on: try quietDemo(), home: home, rows: 40, columns: 120)
      try cockpit.pty.expectBytes("\u{1B}]2;clanky: ", timeout: Tool.patience)
      for _ in 1...2 {
        cockpit.type(":plain\r")
        try cockpit.see("any key goes back")
        cockpit.type("x")
        try cockpit.see("LIVE FEED")
      }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      expectEntered(cockpit, 3)
    }

    /// The screen was entered as often as it had to be, and as many titles were taken back as were put
    /// on the terminal's stack.
    private func expectEntered(_ cockpit: Cockpit, _ count: Int) {
      let text = String(decoding: cockpit.pty.output, as: UTF8.self)
      #expect(text.ranges(of: "\u{1B}[?1049h").count == count)
      let pushes = text.ranges(of: "\u{1B}[22;2t").count
      #expect(pushes > 0 && text.ranges(of: "\u{1B}[23;2t").count == pushes)
    }

    // MARK: Nothing to do

    @Test("between ticks of an idle screen not one byte is written")
    func idle() throws {
      let cockpit = try Cockpit(on: try quietDemo(), home: home, rows: 40, columns: 120)
      try cockpit.see("LIVE FEED")
      // The screen grows older every 3 s. In 7 s there are bytes at two or three moments, and
      // seconds without any between them.
      var moments: [ContinuousClock.Instant] = []
      var count = cockpit.pty.output.count
      let start = ContinuousClock.now
      cockpit.pty.pump(timeout: .seconds(10)) {
        let now = ContinuousClock.now
        if cockpit.pty.output.count != count {
          count = cockpit.pty.output.count
          moments.append(now)
        }
        return now - start > .seconds(9)
      }
      let settled = moments.filter { $0 - start > .seconds(2) }
      let edges = [start + .seconds(2)] + settled + [ContinuousClock.now]
      let pauses = zip(edges, edges.dropFirst()).map { $1 - $0 }
      #expect(pauses.contains { $0 > .seconds(1) }, "\(pauses)")
      #expect(settled.count <= 16, "bytes at \(settled.count) moments")
    }

    // MARK: The backend goes

    @Test("a backend that is killed is missed in words, and found again on the same port")
    func backendRestarts() throws {
      let first = try DemoBackend(["--scenario", "quiet"], home: home)
      let port = first.port
      let cockpit = try Cockpit(on: first, home: home, rows: 40, columns: 120)
      try cockpit.see("LIVE FEED")
      let rows = try #require(cockpit.screen.firstMatch(of: /([\d,]+) rows/)).1
      first.process.signal(SIGKILL)
      first.process.wait()
      try cockpit.see("what is wrong") {
        ($0.contains("RETRY in") || $0.contains("RECONNECTING"))
          && ($0.contains("connection was refused") || $0.contains("closed the stream")
            || $0.contains("connection was lost"))
      }
      try cockpit.see("the rows are still there") { $0.contains("\(rows) rows") }
      // r tries at once and fails at once.
      cockpit.type("r")
      try cockpit.see("connection was refused")

      let server = try StubServer(port: port) { _ in
        StubReply(
          headers: [("Content-Type", "text/event-stream")],
          steps: [
            .chunk(Array("event: voice_state\ndata: {\"activeCount\":0,\"sessions\":[]}\n\n".utf8)),
            .stayAlive,
          ])
      }
      defer { server.stop() }
      cockpit.type("r")
      try cockpit.see("live again") { _ in cockpit.isLive }
      try cockpit.see("no row is lost") { $0.contains("\(rows) rows") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test(
      "rows of an outage are fetched after it, and the screen says so",
      .enabled(if: Captures.areThere, "\(Captures.absence)"))
    func outage() throws {
      let log = try ReplayedLog()
      let replay = try log.server(cutAfter: 100, plus: 300, resumeAt: 250)
      let cockpit = try Cockpit(
        ["--url", replay.capture.url], home: home, token: Captures.token, rows: 40, columns: 140)
      // 28 stored and 295 live rows, 200 of the voice stream, and the row about the outage; then
      // the one that marks the end.
      try cockpit.see("524 rows")
      replay.gate.open()
      try cockpit.see("525 rows")
      #expect(cockpit.isLive)
      cockpit.type("]g")
      try cockpit.see("rows backfilled")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a wrong token stops the cockpit's attempts and says what to do")
    func wrongToken() throws {
      let demo = try quietDemo()
      let cockpit = try Cockpit(
        ["--url", demo.url], home: home, token: "wrong-token-4711", rows: 24, columns: 100)
      try cockpit.see("STOPPED")
      try cockpit.see("did not accept the token")
      #expect(!String(decoding: cockpit.pty.output, as: UTF8.self).contains("wrong-token-4711"))
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}
