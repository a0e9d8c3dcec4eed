import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Answers of status 200 that are no list, or lists with elements that are no rows: what can be
  /// read is shown, and what is lost is said.
  @Suite("rows that cannot be read") struct LostRowsTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func start(_ arguments: [String], on server: StubServer) throws -> PipedProcess {
      try PipedProcess(
        Tool.path, arguments + ["--url", server.url], environment: Tool.environment(home: home))
    }

    private func run(_ arguments: [String], on server: StubServer) throws -> PipedProcess {
      let process = try start(arguments, on: server)
      process.wait()
      return process
    }

    private static func server(_ body: String, at path: String) throws -> StubServer {
      try StubServer { request in
        switch request.path {
        case path: .json(body)
        case "/api/activity/events": FactRoutes.activity
        case "/api/voice/events": FactRoutes.voice
        case "/api/guilds": .json(#"[{"id":"1","name":"One"}]"#)
        case "/api/memory/subjects": .json("{}")
        case "/api/voice/state": .json(#"{"activeCount":0,"sessions":[]}"#)
        default: .json("[]")
        }
      }
    }

    private static let row = RowServer.stored(7, "sent_reply", content: "words of the row")

    struct Answer: CustomTestStringConvertible, Sendable {
      var body: String
      var rows: Int
      var actions: String
      var tail: String

      var testDescription: String { String(body.prefix(12)) + "…\(body.count)" }
    }

    /// Whether a sentence was said; nothing at all for none.
    private static func says(_ errors: String, _ words: String) -> Bool {
      words.isEmpty ? errors.isEmpty : errors.contains(words)
    }

    private static let unread = "1 row could not be read: "

    @Test(
      "past actions: actions and tail --since say what they lack",
      arguments: [
        Answer(
          body: "[\(row),5]", rows: 1, actions: "Not all actions: " + unread, tail: unread),
        Answer(
          body: #"[{"id":1},\#(row)]"#, rows: 1, actions: "Not all actions: " + unread,
          tail: unread),
        Answer(
          body: "[\(row),{", rows: 1, actions: "Not all actions: The list of rows breaks off",
          tail: "The list of rows breaks off"),
        Answer(
          body: "{}", rows: 0, actions: "not a Clanky backend",
          tail: "older history could not be fetched"),
        Answer(
          body: #"{"error":"no"}"#, rows: 0, actions: "not a Clanky backend",
          tail: "older history could not be fetched"),
        Answer(
          body: "null", rows: 0, actions: "not a Clanky backend",
          tail: "older history could not be fetched"),
        Answer(body: " \n[\(row)]", rows: 1, actions: "", tail: ""),
      ])
    func pastActions(_ answer: Answer) throws {
      let server = try Self.server(answer.body, at: "/api/actions")
      defer { server.stop() }
      let actions = try run(["actions"], on: server)
      #expect(actions.status == .exited(answer.rows > 0 ? 0 : 3), "\(actions.errorText)")
      #expect(actions.lines.count == answer.rows)
      #expect(Self.says(actions.errorText, answer.actions), "\(actions.errorText)")

      let json = try start(["tail", "--since", "1h", "--json"], on: server)
      #expect(
        json.pump {
          json.text.contains(answer.tail.isEmpty ? "words of the row" : answer.tail)
            && (answer.rows == 0 || json.text.contains("words of the row"))
        }, "\(json.text) \(json.errorText)")
      let plain = try start(["tail", "--since", "1h", "--plain"], on: server)
      #expect(
        plain.pump {
          Self.says(plain.errorText, answer.tail)
            && (answer.rows == 0 || plain.text.contains("words of the row"))
        }, "\(plain.text) \(plain.errorText)")
      for process in [json, plain] {
        process.signal(SIGTERM)
        #expect(process.wait() == .signaled(SIGTERM))
      }
      let errors = TailLines(json.lines).count("error")
      #expect(errors == (answer.tail.isEmpty ? 0 : 1), "\(json.text)")
    }

    @Test("facts: what cannot be read is counted, in the terminal as well")
    func facts() throws {
      let fact = #"{"id":3,"guild_id":"1","subject":"77","fact":"likes tea","confidence":0.5}"#
      let body = #"{"guildId":"1","facts":[\#(fact),5,{"fact":"no id"}]}"#
      let server = try Self.server(body, at: "/api/memory/facts")
      defer { server.stop() }
      for verb in ["list", "export"] {
        let process = try run(["facts", verb], on: server)
        #expect(process.status == .exited(0), "\(process.errorText)")
        #expect(process.lines.count == 1 && process.text.contains("likes tea"))
        #expect(
          process.errorText
            == "clanky-cockpit: 2 of the facts could not be read and are left out.\n")
      }
      let other = try run(["facts", "show", "4"], on: server)
      #expect(other.errorText.contains("not among the facts that could be listed"))
      let screen = try run(["snapshot", "--view", "memory"], on: server)
      #expect(screen.text.contains("2 could not be read"), "\(screen.text)")
    }

    @Test("voice sessions and their events")
    func sessions() throws {
      let list = #"[{"sessionId":"s1","startedAt":"2026-01-01T10:00:00.000Z"},5]"#
      let sessions = try Self.server(list, at: "/api/voice/history/sessions")
      defer { sessions.stop() }
      let listed = try run(["sessions"], on: sessions)
      #expect(listed.status == .exited(0) && listed.lines.count == 1)
      #expect(listed.errorText.contains("1 of the sessions could not be read"))
      for view in ["voice", "cmd"] {
        let screen = try run(
          ["snapshot", "--view", view, "--width", "120", "--height", "40"], on: sessions)
        #expect(screen.text.contains("1 could not be read"), "\(screen.text)")
      }

      let row = RowServer.stored(9, "voice_turn_in", content: "hello")
        .replacing(#""metadata":null"#, with: #""metadata":{"sessionId":"s1"}"#)
      let events = try Self.server("[\(row),5]", at: "/api/voice/history/sessions/s1/events")
      defer { events.stop() }
      let told = try run(["session", "s1", "--json"], on: events)
      #expect(told.status == .exited(0), "\(told.errorText)")
      #expect(told.errorText.contains("1 of its events could not be read"), "\(told.errorText)")
      #expect(told.text.contains(#""complete":false"#), "\(told.text)")
    }
  }
}
