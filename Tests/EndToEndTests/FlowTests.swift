import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `tail` beside a backend that tells 2,000 actions a second.
  @Suite("tail: two thousand rows a second") struct FlowTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// Megabytes through a debug build on a machine that does other things.
    private static let patience = Duration.seconds(120)
    private static let stats =
      #"{"stats":{"last24h":{},"dailyCost":[],"performance":{}},"runtime":{}}"#

    /// - Parameters:
    ///   - padding: bytes of each row besides its number.
    ///   - end: opened once everything has been written.
    private static func server(rows: Int, padding: Int, start: Gate, end: Gate) throws -> StubServer
    {
      let filler = String(repeating: "x", count: padding)
      let first =
        "event: activity_snapshot\ndata: {\"actions\":[\(RowServer.stored(7, "sent_reply", content: "seven"))],"
        + "\"stats\":\(stats)}\n\n"
      var steps: [StreamStep] = [.chunk(Array(first.utf8)), .gate(start)]
      for batch in stride(from: 0, to: rows, by: 20) {
        let text = (batch..<batch + 20).map {
          "event: action_event\ndata: \(RowServer.live("bot_runtime", content: "row \($0) \(filler)"))\n\n"
            + "event: stats_update\ndata: \(stats)\n\n"
        }
        steps += [.chunk(Array(text.joined().utf8)), .pause(milliseconds: 10)]
      }
      steps += [.open(end), .stayAlive]
      return try StubServer { [steps] request in
        switch request.path {
        case "/api/activity/events": return .stream(steps)
        case "/api/stats": return .json(stats)
        default: return .json("[]")
        }
      }
    }

    private func run(_ arguments: [String], _ server: StubServer) throws -> PipedProcess {
      try Tool.start(["tail"] + arguments, on: server, home: home)
    }

    /// The numbers of the rows as they came out.
    private static func numbers(_ process: PipedProcess) -> [Int] {
      process.text.matches(of: /\brow (\d+) x/).compactMap { Int($0.1) }
    }

    @Test("every row once and in order, in little memory (promises P4, P5b)")
    func flow() throws {
      let count = 6000
      let gates = (start: Gate(), end: Gate())
      let server = try Self.server(
        rows: count, padding: 100, start: gates.start, end: gates.end)
      defer {
        gates.start.open()
        server.stop()
      }
      let processes = try [run(["--json"], server), run(["-n", "1"], server)]
      for process in processes {
        #expect(process.pump { process.text.contains("seven") }, "\(process.errorText)")
      }
      gates.start.open()
      for process in processes {
        let end = Array("row \(count - 1) x".utf8)
        let isThere = process.pump(Self.patience) {
          process.output.suffix(2000).firstRange(of: end) != nil
        }
        #expect(isThere, "\(process.errorText)")
        #expect(Self.numbers(process) == Array(0..<count))
        #expect(process.errors.isEmpty, "\(process.errorText)")
        if let peak = ProcessMemory.peakMB(process.processID) {
          #expect(peak < 120, "\(peak) MB")
        }
        process.signal(SIGTERM)
        process.wait()
      }
      let lines = TailLines(processes[0].lines)
      #expect(lines.count("action") == count + 1)
      #expect(lines.count("gap") == 0 && lines.count("error") == 0)
    }

    @Test("a reader that stops holds nothing up for good, and gets every row (promises P4, P5b)")
    func slowReader() throws {
      let count = 2000
      let gates = (start: Gate(), end: Gate())
      // 16 MB: more than pipe and sockets hold.
      let server = try Self.server(
        rows: count, padding: 8000, start: gates.start, end: gates.end)
      defer {
        gates.start.open()
        server.stop()
      }
      let process = try run(["--json"], server)
      #expect(process.pump { process.text.contains("seven") }, "\(process.errorText)")
      gates.start.open()
      // Longer than a silence that ends a connection: it was our side that was silent.
      let isDone = gates.end.wait(milliseconds: 22_000)
      #expect(!isDone, "the backend could write everything, so the reader was not slow enough")
      let peak = ProcessMemory.peakMB(process.processID)
      let end = Array("row \(count - 1) x".utf8)
      let isThere = process.pump(Self.patience) {
        process.output.suffix(20_000).firstRange(of: end) != nil
      }
      #expect(isThere, "\(process.errorText)")
      #expect(Self.numbers(process) == Array(0..<count))
      #expect(server.requests(for: "/api/activity/events").count == 1)
      if let peak { #expect(peak < 120, "\(peak) MB") }
      process.signal(SIGTERM)
      process.wait()
    }

    @Test("a reader that closes in the middle ends it at once (promise P5b)")
    func closingReader() throws {
      let gates = (start: Gate(), end: Gate())
      gates.start.open()
      let server = try Self.server(rows: 20_000, padding: 100, start: gates.start, end: gates.end)
      defer { server.stop() }
      for option in ["--json", "--plain"] {
        let script = #""$0" tail "$1" --url "$2" | head -n 500 | wc -l"#
        let process = try PipedProcess(
          "/bin/sh", ["-c", script, Tool.path, option, server.url],
          environment: Tool.environment(home: home, token: "some-token-1"))
        #expect(process.wait() == .exited(0))
        #expect(process.text.trimmingCharacters(in: .whitespacesAndNewlines) == "500")
        #expect(process.errors.isEmpty, "\(process.errorText)")
      }
    }
  }
}
