import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What the program says of voice sessions and of people.
  @Suite("voice and people tell the truth") struct VoiceTruthTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: [String]) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, arguments, environment: Tool.environment(home: home))
      process.wait()
      return process
    }

    @Test("H7: a snapshot of the demo's VOICE shows a live session", arguments: [[], ["voice"]])
    func demo(scenario: [String]) throws {
      let process = try run(["snapshot", "--demo"] + scenario + ["--view", "voice"])
      #expect(process.status == .exited(0), "\(process.errorText)")
      #expect(process.text.contains("#Base Camp") && process.text.contains("TRANSCRIPT"))
      #expect(!process.text.contains("no voice session is live"), "\(process.text)")
    }

    private static func row(
      _ id: Int, _ time: String, _ kind: String, _ content: String, _ session: String
    ) -> String {
      #"{"id":\#(id),"created_at":"2026-01-15T\#(time)Z","guild_id":"5","channel_id":"6","#
        + #""user_id":null,"kind":"\#(kind)","content":"\#(content)","#
        + #""metadata":{"sessionId":"\#(session)","voiceChannelId":"7"}}"#
    }

    /// One session of 2:00.600 that ended, and one that has no end.
    private func server() throws -> StubServer {
      let ended = [
        Self.row(1, "10:00:00.000", "voice_session_start", "voice_joined:7", "ended"),
        Self.row(2, "10:02:00.600", "voice_session_end", "nl_leave", "ended"),
      ]
      let crashed = [
        Self.row(3, "11:00:00.000", "voice_session_start", "voice_joined:7", "crashed"),
        Self.row(4, "11:45:13.000", "voice_runtime", "voice_turn_finalized", "crashed"),
      ]
      return try StubServer { request in
        switch request.path {
        case "/api/voice/history/sessions":
          .json(
            #"[{"sessionId":"ended","guildId":"5","mode":"x","startedAt":"2026-01-15T10:00:00.000Z","#
              + #""endedAt":"2026-01-15T10:02:00.600Z","durationSeconds":120,"endReason":"nl_leave"}]"#
          )
        case "/api/voice/history/sessions/ended/events":
          .json("[" + ended.joined(separator: ",") + "]")
        case "/api/voice/history/sessions/crashed/events":
          .json("[" + crashed.joined(separator: ",") + "]")
        case "/api/voice/state": .json(#"{"activeCount":0,"sessions":[]}"#)
        case "/api/actions": .json("[" + (crashed.prefix(1) + ended).joined(separator: ",") + "]")
        default: .json("[]")
        }
      }
    }

    @Test("D13, D14: sessions lists the one that was cut off; both verbs give the same length")
    func sessions() throws {
      let server = try server()
      defer { server.stop() }
      let list = try run(["sessions", "--utc", "--url", server.url])
      #expect(list.status == .exited(0), "\(list.errorText)")
      let lines = list.lines.map { String($0) }
      #expect(lines.count == 2)
      #expect(lines[0].contains("cut off, last event 11:45:13") && lines[0].hasSuffix("crashed"))
      #expect(lines[0].contains("45m13s") && lines[1].contains("2m01s"), "\(lines)")
      let detail = try run(["session", "ended", "--utc", "--url", server.url])
      #expect(detail.text.contains("length    2m01s"), "\(detail.text)")
      let crash = try run(["session", "crashed", "--utc", "--url", server.url])
      #expect(crash.text.contains("ended     cut off, last event"), "\(crash.text)")
      #expect(crash.text.contains("11:45:13") && crash.text.contains("45m13s"))

      let json = try run(["sessions", "--json", "--url", server.url])
      let objects = try json.lines.flatMap { try PlainAction.objects(String($0)) }
      #expect(objects.map { $0["cut_off"] as? Bool } == [true, false])
      #expect(objects[0]["last_event_at"] as? String == "2026-01-15T11:45:13.000Z")
    }

    @Test("S9: actions and tail name a person whom any row names")
    func names() throws {
      let rows =
        #"[{"id":2,"created_at":"2026-01-15T10:00:02.000Z","user_id":"812345678901247616","#
        + #""kind":"llm_error","content":"429 too many","metadata":{}},"#
        + #"{"id":1,"created_at":"2026-01-15T10:00:01.000Z","user_id":"812345678901247616","#
        + #""kind":"text_runtime","content":"member_join_event","metadata":{"displayName":"Nadia Vale"}}]"#
      let server = try StubServer { request in
        switch request.path {
        case "/api/activity/events":
          .stream([
            .chunk(
              Array("event: activity_snapshot\ndata: {\"actions\":\(rows),\"stats\":{}}\n\n".utf8)),
            .stayAlive,
          ])
        case "/api/actions": .json(rows)
        case "/api/voice/state": .json(#"{"activeCount":0,"sessions":[]}"#)
        default: .json("[]")
        }
      }
      defer { server.stop() }
      for verb in [["actions"], ["actions", "--filter", "user:\"Nadia Vale\""]] {
        let process = try run(verb + ["--url", server.url])
        #expect(process.status == .exited(0), "\(process.errorText)")
        #expect(!process.text.contains("47616"), "\(process.text)")
      }
      let tail = try run(["tail", "--plain", "--once", "-n", "2", "--url", server.url])
      #expect(tail.text.contains("429"), "\(tail.errorText)")
      #expect(!tail.text.contains("47616"), "\(tail.text)")
    }

    @Test("D16: linear mode knows its channels before it tells the first rows")
    func linear() throws {
      let process = try PTYProcess(
        Tool.path, ["--demo"],
        environment: Tool.environment(home: home, term: "dumb", ["LANG": "C.UTF-8"]), rows: 500,
        columns: 300)
      defer { process.send("q\n") }
      func text() -> String {
        String(decoding: process.output.filter { $0 != 0x0D }, as: UTF8.self)
      }
      func told() -> ArraySlice<Substring> {
        text().split(separator: "\n").drop { !$0.contains("The newest:") }.dropFirst()
      }
      let isThere = process.pump(timeout: Tool.patience) { told().count >= 5 }
      #expect(isThere && !told().contains { $0.contains("#…") }, "\(text())")
    }
  }
}
