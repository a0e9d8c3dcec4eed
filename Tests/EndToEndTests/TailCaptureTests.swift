import Foundation
import Testing

extension EndToEnd {
  /// `tail` against the recorded backend: what came out is what went in, exactly once.
  @Suite("tail of the recordings", .enabled(if: Captures.areThere, "\(Captures.absence)"))
  struct TailCaptureTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func tail(_ server: CaptureServer, _ arguments: [String]) throws -> PipedProcess {
      try PipedProcess(
        Tool.path, ["tail", "--url", server.url] + arguments,
        environment: Tool.environment(home: home, token: Captures.token))
    }

    /// The actions of a recorded stream, snapshot and live ones.
    private func recorded(_ stream: String) throws -> ActionCounts {
      var counts = ActionCounts()
      for event in RecordedEvent.all(in: try Captures.bytes("\(stream).sse")) {
        guard let object = try PlainAction.objects(event.data).first else { continue }
        switch event.name {
        case "activity_snapshot":
          for row in object["actions"] as? [[String: Any]] ?? [] { counts.add(try .init(row)) }
        case "action_event", "voice_event": counts.add(try .init(object))
        default: break
        }
      }
      return counts
    }

    @Test("every action of both streams comes exactly once", arguments: ["activity", "voice"])
    func everyAction(stream: String) throws {
      let server = try CaptureServer(
        activity: try CaptureServer.ending("activity"), voice: try CaptureServer.ending("voice"))
      let process = try tail(server, ["--json", "--once", "--stream", stream])
      #expect(process.wait() == .exited(0), "\(process.errorText)")
      let lines = TailLines(process.lines)
      let expected = try recorded(stream)
      #expect(expected.total > 100)
      #expect(lines.actions.difference(from: expected).prefix(5) == [])
      #expect(lines.count("gap") == 0)
      #expect(lines.count("error") == 0)
      #expect(lines.count(stream == "voice" ? "voice_state" : "stats") > 0)
      #expect(ForbiddenBytes.found(in: process.output).prefix(3) == [])
      #expect(process.output.allSatisfy { $0 < 0x80 })
      let paths = Set(server.server.requests.map(\.path)).filter { $0.hasSuffix("/events") }
      #expect(paths == ["/api/\(stream)/events"], "only the wanted stream is opened")
    }

    @Test(
      "--raw gives every event with exactly its bytes, and the end",
      arguments: ["activity", "voice"])
    func rawEvents(stream: String) throws {
      let server = try CaptureServer(
        activity: try CaptureServer.ending("activity"), voice: try CaptureServer.ending("voice"))
      let process = try tail(server, ["--raw", "--once", "--stream", stream])
      #expect(process.wait() == .exited(0), "\(process.errorText)")
      let events = RecordedEvent.all(in: try Captures.bytes("\(stream).sse"))
      let objects = TailLines(process.lines).objects
      let lines = objects.dropLast()
      let end = try #require(objects.last)
      #expect(end["type"] as? String == "end")
      #expect(end["lastEventId"] as? String == "")
      #expect(end["retry"] is NSNull)
      #expect(lines.count == events.count)
      for (line, event) in zip(lines, events) {
        let isSame =
          line["type"] as? String == "sse" && line["event"] as? String == event.name
          && line["data"] as? String == event.data && line["lastEventId"] as? String == ""
        guard !isSame else { continue }
        Issue.record("event \(event.name) that ends at byte \(event.end) came out differently")
        return
      }
    }

    /// The connection is lost after some events. The next one starts with a snapshot that does not
    /// reach back, so `/api/actions` has to be asked.
    @Test("a cut in the stream loses nothing and repeats nothing", arguments: [0, 700])
    func reconnect(bytesIntoNextEvent: Int) throws {
      let log = try ReplayedLog()
      let server = try log.server(cutAfter: 100, plus: bytesIntoNextEvent, resumeAt: 250)
      let process = try tail(server.capture, ["--json"])
      let lines = try log.read(process, server)
      #expect(lines.actions.difference(from: try log.expected()).prefix(5) == [])
      #expect(lines.count("gap") == 0)
      #expect(lines.count("reset") == 0)
      #expect(server.capture.server.requests(for: "/api/activity/events").count == 2)
      #expect(!server.capture.server.requests(for: "/api/actions").isEmpty)
    }

    @Test("rows that cannot be had are one gap line")
    func gap() throws {
      let log = try ReplayedLog()
      let lost = log.id(ofLive: 120)...log.id(ofLive: 150)
      let server = try log.server(cutAfter: 100, plus: 0, resumeAt: 250, withheld: lost)
      let process = try tail(server.capture, ["--json"])
      let lines = try log.read(process, server)
      #expect(lines.actions.difference(from: try log.expected(without: lost)).prefix(5) == [])
      let gaps = lines.objects.filter { $0["type"] as? String == "gap" }
      #expect(gaps.count == 1)
      #expect(gaps.first?["from"] as? Int == lost.lowerBound)
      #expect(gaps.first?["to"] as? Int == lost.upperBound)
    }
  }
}
