import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `tail` where the backend is late, is replaced, or says things twice.
  @Suite("tail tells the truth") struct TailFaultTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: [String]) throws -> PipedProcess {
      try PipedProcess(
        Tool.path, arguments, environment: Tool.environment(home: home, token: "token-4711-lantern")
      )
    }

    private static func event(_ name: String, _ data: String) -> StreamStep {
      .chunk(Array("event: \(name)\ndata: \(data)\n\n".utf8))
    }

    private static func snapshot(_ rows: [String]) -> StreamStep {
      event("activity_snapshot", #"{"actions":[\#(rows.joined(separator: ","))],"stats":{}}"#)
    }

    @Test("H1: an event that comes again with its id is one line")
    func repeatedIDs() throws {
      @Sendable func live(_ id: Int) -> String {
        #"{"id":\#(id),"createdAt":"2026-03-01T14:30:0\#(id).000Z","kind":"voice_turn_in"}"#
      }
      let server = try StubServer { request in
        switch request.path {
        case "/api/activity/events":
          .stream(
            [Self.snapshot([])] + [1, 2, 2, 3].map { Self.event("action_event", live($0)) })
        case "/api/voice/events":
          .stream([1, 2, 2, 3].map { Self.event("voice_event", live($0)) })
        default: .json("[]")
        }
      }
      defer { server.stop() }
      for stream in ["activity", "voice"] {
        let process = try run(
          ["tail", "--json", "--once", "--stream", stream, "--url", server.url])
        process.wait()
        let ids = TailLines(process.lines).objects.filter { $0["type"] as? String == "action" }
          .compactMap { $0["id"] as? Int }
        #expect(ids == [1, 2, 3], "\(process.text)")
      }
    }

    @Test("H3: --json --raw is --raw")
    func jsonAndRaw() throws {
      let server = try StubServer { request in
        request.path == "/api/activity/events"
          ? .stream([Self.event("stats_update", "{}")]) : .json("[]")
      }
      defer { server.stop() }
      let both = try run(["tail", "--json", "--raw", "--once", "--url", server.url])
      #expect(both.wait() == .exited(0), "\(both.errorText)")
      let raw = try run(["tail", "--raw", "--once", "--url", server.url])
      raw.wait()
      #expect(both.text == raw.text && both.text.contains(#""type":"sse""#), "\(both.text)")
      let odd = try run(["tail", "--plain", "--raw", "--url", server.url])
      #expect(odd.wait() == .exited(2))
    }

    @Test("D10: reset comes before the first row of the new log, whose rows keep their order")
    func resetFirst() throws {
      func stored(_ id: Int, _ content: String, ago: Double) -> String {
        RowServer.stored(id, "sent_reply", content: content, secondsAgo: ago)
      }
      let old = (1...9).reversed().map { stored($0, "old \($0)", ago: 90 - Double($0)) }
      let time = RowServer.time(-1)
      let new = (1...4).reversed().map {
        #"{"id":\#($0),"created_at":"\#(time)","kind":"sent_reply","content":"new \#($0)","usd_cost":0}"#
      }
      let first = Gate()
      let server = try StubServer { request in
        switch request.path {
        case "/api/activity/events":
          if !first.wait(milliseconds: 0) {
            first.open()
            return .stream([Self.snapshot(old), .cut])
          }
          return .stream([Self.snapshot(new), .stayAlive])
        case "/api/actions": return .json("[" + new.joined(separator: ",") + "]")
        default: return .json("[]")
        }
      }
      defer { server.stop() }
      let process = try run(["tail", "--json", "--url", server.url])
      #expect(process.pump { process.text.contains(#""content":"new 4""#) }, "\(process.text)")
      process.signal(SIGTERM)
      process.wait()
      let lines = TailLines(process.lines).objects.compactMap { line -> String? in
        line["type"] as? String == "reset" ? "reset" : line["content"] as? String
      }
      #expect(lines == (1...9).map { "old \($0)" } + ["reset"] + (1...4).map { "new \($0)" })
    }

    /// The states of the status lines.
    private func states(_ process: PipedProcess) -> [String] {
      TailLines(process.lines).objects.filter { $0["type"] as? String == "status" }
        .compactMap { $0["state"] as? String }
    }

    @Test("H4: a first connection that fails ends with stopped, then exit code 3")
    func firstFailure() throws {
      let closed = try StubServer { _ in StubReply() }
      closed.stop()
      let failing = try StubServer { _ in .json(#"{"error":"locked"}"#, status: "500 Oops") }
      defer { failing.stop() }
      for url in [closed.url, failing.url] {
        for more in [[], ["--once"], ["--wait", "1s"]] {
          let process = try run(["tail", "--json", "--url", url] + more)
          #expect(process.wait() == .exited(3), "\(process.errorText)")
          #expect(states(process).last == "stopped", "\(more) \(process.text)")
          #expect(states(process).count { $0 == "stopped" } == 1, "\(process.text)")
        }
      }
      #expect(failing.requests.count == 3, "--wait 1s is over before the second try")
    }

    @Test("H4: with --wait what passes is tried again, with --once too, and a refusal is not")
    func waiting() throws {
      for (status, headers) in [
        ("500 Oops", []), ("429 Too Many Requests", [("Retry-After", "1")]),
        ("503 Service Unavailable", [("Retry-After", "1")]),
      ] as [(String, [(String, String)])] {
        let first = Gate()
        let server = try StubServer { request in
          guard request.path == "/api/activity/events" else { return .json("[]") }
          if !first.wait(milliseconds: 0) {
            first.open()
            return StubReply(status: status, headers: headers.map { (name: $0.0, value: $0.1) })
          }
          return .stream([Self.snapshot([RowServer.stored(7, "sent_reply", content: "seven")])])
        }
        defer { server.stop() }
        let process = try run(["tail", "--json", "--once", "--wait", "20s", "--url", server.url])
        #expect(process.wait() == .exited(0), "\(status) \(process.errorText)")
        #expect(TailLines(process.lines).count("action") == 1, "\(process.text)")
        #expect(states(process).contains("live") && states(process).last == "stopped")
      }
      let refusing = try StubServer { _ in
        .json(RefusalTests.unauthorized, status: "401 Unauthorized")
      }
      defer { refusing.stop() }
      let refused = try run(["tail", "--json", "--wait", "20s", "--url", refusing.url])
      let start = ContinuousClock.now
      #expect(refused.wait() == .exited(4))
      #expect(ContinuousClock.now - start < .seconds(5))
      #expect(refusing.requests.count == 1 && states(refused).last == "stopped")
    }

    @Test(
      "H8: voice rows of an outage are told by a bot whose clock is behind and that sends no Date header"
    )
    func lateClock() throws {
      let behind = -120.0
      func row(_ id: Int, _ ago: Double) -> String {
        RowServer.stored(id, "voice_turn_in", content: "row \(id)", secondsAgo: ago - behind)
      }
      let end = Gate()
      let rows = Locked<[String]>([])
      let first = Gate()
      let server = try StubServer { request in
        switch request.path {
        case "/api/voice/events":
          let state = Self.event("voice_state", #"{"activeCount":0,"sessions":[]}"#)
          guard !first.wait(milliseconds: 0) else { return .stream([state, .stayAlive]) }
          first.open()
          let live =
            #"{"createdAt":"\#(RowServer.time(behind))","kind":"voice_turn_in","content":"live"}"#
          return .stream([state, Self.event("voice_event", live), .gate(end)])
        case "/api/actions": return .json("[" + rows.value.joined(separator: ",") + "]")
        default: return .json("[]")
        }
      }
      defer { server.stop() }
      let process = try run(["tail", "--json", "--stream", "voice", "--url", server.url])
      #expect(process.pump { process.text.contains(#""content":"live""#) }, "\(process.errorText)")
      // Twelve rows of the outage, and three that were there long before.
      rows.value =
        (4...15).reversed().map { row($0, Double(15 - $0) / 100) }
        + (1...3).reversed().map { row($0, 600) }
      end.open()
      #expect(process.pump { process.text.contains(#""content":"row 15""#) }, "\(process.text)")
      process.signal(SIGTERM)
      process.wait()
      let told = TailLines(process.lines).objects.filter { $0["type"] as? String == "action" }
        .compactMap { $0["content"] as? String }
      #expect(told == ["live"] + (4...15).map { "row \($0)" }, "\(process.text)")
    }
  }
}

/// A value that a test writes and a server's thread reads.
final class Locked<Value: Sendable>: @unchecked Sendable {  // `stored` is used inside `lock`
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}
