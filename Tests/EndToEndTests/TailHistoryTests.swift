import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What a `tail` begins with, and what it leaves alone because it was there before.
  @Suite("the history of tail (promise P4)") struct TailHistoryTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func start(_ arguments: [String], on server: StubServer) throws -> PipedProcess {
      try PipedProcess(
        Tool.path, ["tail"] + arguments + ["--url", server.url],
        environment: Tool.environment(home: home))
    }

    private static func row(_ id: Int, _ kind: String = "sent_reply", secondsAgo: Double = 60)
      -> String
    {
      RowServer.stored(id, kind, content: "row \(id)", secondsAgo: secondsAgo)
    }

    private static func snapshot(_ rows: [String]) -> [UInt8] {
      Array(
        ("event: activity_snapshot\ndata: {\"actions\":[\(rows.joined(separator: ","))],"
          + "\"stats\":{}}\n\n").utf8)
    }

    /// Waits for rows, and then gives the ids of all that came.
    private static func ids(_ process: PipedProcess, after wanted: Int...) -> [Int] {
      #expect(
        process.pump { wanted.allSatisfy { process.text.contains("\"content\":\"row \($0)\"") } },
        "\(process.text)")
      process.signal(SIGTERM)
      process.wait()
      return ids(process)
    }

    private static func ids(_ process: PipedProcess) -> [Int] {
      TailLines(process.lines).objects.filter { $0["type"] as? String == "action" }
        .compactMap { $0["id"] as? Int }
    }

    @Test("rows that --since asks for are waited for when the stream has ended already")
    func endedBeforeHistory() throws {
      let rows = (1...20).map { Self.row($0) }
      for format in ["--json", "--plain"] {
        let asked = Gate()
        let server = try StubServer { request in
          switch request.path {
          case "/api/activity/events":
            return .stream([.chunk(Self.snapshot(rows.reversed())), .gate(asked)])
          case "/api/actions":
            asked.open()
            var reply = StubReply.json("")
            let body = Array("[\(rows.joined(separator: ","))]".utf8)
            reply.steps = [.pause(milliseconds: 300), .chunk(body)]
            return reply
          default: return .json("[]")
          }
        }
        defer { server.stop() }
        let process = try start(["--once", "--since", "1h", format], on: server)
        #expect(process.wait() == .exited(0), "\(process.errorText)")
        #expect(process.lines.filter { $0.contains("row ") }.count == 20, "\(process.text)")
      }
    }

    @Test("rows of the log that are older than the first batch are not told later")
    func older() throws {
      let history = (1...300).map { Self.row($0, secondsAgo: Double(400 - $0) / 20) }
      // Of one time in every answer: a row that changes its time is of another log.
      let late = (301...303).map { Self.row($0, secondsAgo: 0) }
      let again = Gate()
      let server = try StubServer { request in
        switch request.path {
        case "/api/activity/events":
          let first = Self.snapshot(history.suffix(220).reversed())
          guard again.wait(milliseconds: 0) else {
            again.open()
            return .stream([.chunk(first)])
          }
          return .stream([.chunk(Self.snapshot([late[2]])), .stayAlive])
        case "/api/actions":
          return .json("[\((history + late).reversed().joined(separator: ","))]")
        default: return .json("[]")
        }
      }
      defer { server.stop() }
      let process = try start(["--json", "-n", "3"], on: server)
      let ids = Self.ids(process, after: 301, 302, 303)
      #expect(ids.sorted() == [298, 299, 300, 301, 302, 303], "\(process.text)")
    }

    @Test("the voice stream has its own kinds only, and a history with --since")
    func voice() throws {
      let old = [Self.row(1, "voice_turn_in", secondsAgo: 7200), Self.row(2, secondsAgo: 7200)]
      let recent = [
        Self.row(3, "voice_turn_in", secondsAgo: 600), Self.row(4, secondsAgo: 600),
        Self.row(5, "voice_turn_out", secondsAgo: 500),
      ]
      let missed = [
        Self.row(6, "voice_turn_in", secondsAgo: -2), Self.row(7, "llm_call", secondsAgo: -2),
      ]
      let first = Gate()
      let server = try StubServer { request in
        switch request.path {
        case "/api/voice/events":
          let state = Array(
            "event: voice_state\ndata: {\"activeCount\":0,\"sessions\":[]}\n\n".utf8)
          // The second connection follows a loss: missed rows are requested.
          guard first.wait(milliseconds: 0) else {
            first.open()
            return .stream([.chunk(state), .pause(milliseconds: 300)])
          }
          return .stream([.chunk(state), .stayAlive])
        case "/api/actions":
          let rows =
            request.query["sinceHours"] == nil || first.wait(milliseconds: 0)
            ? old + recent + missed : []
          return .json("[\(rows.reversed().joined(separator: ","))]")
        default: return .json("[]")
        }
      }
      defer { server.stop() }
      let plain = try start(["--stream", "voice", "--json"], on: server)
      #expect(Self.ids(plain, after: 6) == [6], "\(plain.text)")
      let since = try start(["--stream", "voice", "--json", "--since", "1h"], on: server)
      #expect(Self.ids(since, after: 6) == [3, 5, 6], "\(since.text)")
    }

    @Test("a voice stream that is held back tells each row once, and history only with --since")
    func heldBack() throws {
      let rows = (1...8).map { id in
        Self.row(id, "voice_turn_in", secondsAgo: id == 1 ? 7200 : Double(100 - id))
      }
      let new = [Self.row(9, "voice_turn_in", secondsAgo: -2)]
      let late = Gate()
      let server = try StubServer { request in
        switch request.path {
        case "/api/voice/events": return .stream([.stayMute])
        case "/api/actions":
          let all = late.wait(milliseconds: 0) ? rows + new : rows
          return .json("[\(all.reversed().joined(separator: ","))]")
        case "/api/voice/state": return .json(#"{"activeCount":0,"sessions":[]}"#)
        default: return .json("[]")
        }
      }
      defer { server.stop() }
      let cases: [(options: [String], ids: [Int])] = [
        ([], []), (["-n", "2"], []), (["--since", "1h"], Array(2...8)),
        (["--since", "1h", "-n", "2"], [7, 8]),
      ]
      let tails = try cases.map { test in
        try PipedProcess(
          Tool.path, ["tail", "--json", "--stream", "voice", "--url", server.url] + test.options,
          environment: Tool.environment(home: home))
      }
      for tail in tails {
        #expect(tail.pump(.seconds(30)) { tail.text.contains(#""state":"polling""#) })
      }
      late.open()
      for (tail, test) in zip(tails, cases) {
        #expect(tail.pump(.seconds(30)) { tail.text.contains("\"row 9\"") }, "\(tail.text)")
        tail.signal(SIGTERM)
        tail.wait()
        #expect(Self.ids(tail) == test.ids + [9], "\(test.options)")
      }
    }

    @Test("more rows than one answer holds are asked for by kind, and what cannot be had is said")
    func since() throws {
      let rows = (1...1500).map { Self.row($0, $0 <= 700 ? "llm_call" : "sent_reply") }
      let many = (1...2300).map { Self.row($0) }
      for (rows, missing) in [(rows, 0), (many, 1300)] {
        let server = try StubServer { request in
          switch request.path {
          case "/api/activity/events":
            return .stream([.chunk(Self.snapshot(rows.suffix(220).reversed())), .stayAlive])
          case "/api/actions":
            let kinds = request.query["kinds"]?.split(separator: ",").map(String.init) ?? []
            let wanted = rows.reversed().filter { row in
              kinds.isEmpty || kinds.contains { row.contains("\"kind\":\"\($0)\"") }
            }
            return .json("[\(wanted.prefix(1000).joined(separator: ","))]")
          default: return .json("[]")
          }
        }
        defer { server.stop() }
        let process = try start(["--json", "--since", "1h"], on: server)
        let ids = Self.ids(process, after: missing + 1, rows.count)
        #expect(ids.count == rows.count - missing)
        #expect(TailLines(process.lines).count("error") == (missing > 0 ? 2 : 0))
        #expect(process.text.contains("at most 1,000 of a kind") == (missing > 0))
      }
    }

    @Test("--once: a stream that never brought a byte has failed, one that broke off is said")
    func once() throws {
      let event = Array("event: x\ndata: 1\n\n".utf8)
      let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
      for (reply, status, words) in [
        (StubReply.stream([.chunk(event)]), 0, ""),
        (.stream([.chunk(event), .cut]), 0, "The connection was lost"),
        (.wire(head + "zz\r\n"), 3, "The connection was lost"),
      ] {
        let server = try StubServer { _ in reply }
        defer { server.stop() }
        for format in ["--plain", "--raw"] {
          let process = try start(["--once", format], on: server)
          #expect(process.wait() == .exited(Int32(status)), "\(process.errorText)")
          #expect(
            words.isEmpty ? process.errorText.isEmpty : process.errorText.contains(words),
            "\(process.errorText)")
        }
      }
    }
  }
}
