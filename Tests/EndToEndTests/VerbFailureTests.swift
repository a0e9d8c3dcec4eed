import Foundation
import Testing

extension EndToEnd {
  /// Failures told apart (promise P4b), in every verb that reads.
  @Suite("failures in verbs that read (promise P4b)") struct VerbFailureTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private static let verbs: [[String]] = [
      ["actions"], ["sessions"], ["sessions", "--json"], ["session", "s1"], ["facts", "list"],
      ["facts", "search", "x"], ["facts", "show", "1"], ["facts", "export"],
      ["voice", "join", "--guild", "One"], ["voice", "join", "--user", "bob"],
      ["voice", "join", "--text-channel", "general"],
    ]

    private func expect(
      _ status: Int32, _ words: String, at url: String, _ verb: [String]
    ) throws {
      let process = try PipedProcess(
        Tool.path, verb + ["--url", url], environment: Tool.environment(home: home))
      process.wait()
      #expect(process.status == .exited(status), "\(verb): \(process.errorText)")
      #expect(process.errorText.contains(words), "\(verb): \(process.errorText)")
      #expect(process.text.isEmpty)
    }

    @Test("nobody there, a wrong token, a web page and a failure of the backend", arguments: verbs)
    func failures(verb: [String]) throws {
      let closed = try StubServer { _ in StubReply() }
      let url = closed.url
      closed.stop()
      try expect(3, "the connection was refused", at: url, verb)
      for (reply, status, words) in [
        (
          StubReply.json(#"{"error":"Unauthorized."}"#, status: "401 Unauthorized"), Int32(4),
          "(401)"
        ),
        (
          StubReply(
            headers: [("Content-Type", "text/html")], body: Array("<html><p>hello".utf8)), 3,
          "not a Clanky backend"
        ),
        (
          .json(#"{"error":"boom"}"#, status: "500 Internal Server Error"), 3,
          "The backend failed (500): boom. Look at the bot's log."
        ),
        (.json(#"{"error":"later"}"#, status: "503 Unavailable"), 3, "(503): later. Look at"),
        (.json(#"{"error":"slow"}"#, status: "429 Too Many"), 3, "(429). Wait a minute"),
        (
          .json(#"{"error":"bad"}"#, status: "400 Bad Request"), 1,
          "refused the request (400): bad. Check the arguments, --url, and the version"
        ),
        (
          .json(#"{"hello":1}"#), 3, "This is not a Clanky backend: it answers with something else."
        ),
        (.json(""), 3, "This is not a Clanky backend"),
        (StubReply(status: "204 No Content"), 3, "This is not a Clanky backend"),
      ] {
        let server = try StubServer { _ in reply }
        defer { server.stop() }
        try expect(status, words, at: server.url, verb)
      }
    }

    @Test("a change: 3 where it certainly did not happen, 1 where nobody knows")
    func changes() throws {
      for (reply, status, words) in [
        (StubReply.json(#"{"hello":1}"#), Int32(3), "backend: it answers with something else. The"),
        (.json(""), 3, "not a Clanky backend"),
        (.json(#"{"error":"later"}"#, status: "503 Unavailable"), 3, "later. Try again later."),
        (.json(#"{"error":"slow"}"#, status: "429 Too Many"), 3, "Wait a minute"),
        (.json(#"{"error":"bad"}"#, status: "400 Bad Request"), 1, "bad. Check the arguments"),
        (.json(#"{"error":"boom"}"#, status: "500 Oops"), 1, "Whether the bot joined is unknown"),
      ] {
        let server = try StubServer { _ in reply }
        defer { server.stop() }
        try expect(status, words, at: server.url, ["voice", "join"])
      }
    }

    @Test("what could not be read is not said to be absent")
    func unreadable() throws {
      let server = try StubServer { request in
        request.path.hasSuffix("/events") ? .json("[1,{}]") : .json("[1]")
      }
      defer { server.stop() }
      try expect(
        1, "2 of its events are on record and none could be read", at: server.url,
        ["session", "s1"])
      try expect(1, "so whether any matches is not known", at: server.url, ["actions"])
    }

    @Test("sessions: past ones are shown when the live ones cannot be asked for, and that is said")
    func liveSessions() throws {
      let past = #"[{"sessionId":"s1","startedAt":"2026-01-01T10:00:00.000Z"}]"#
      for (list, lines) in [(past, 1), ("[]", 0)] {
        let server = try StubServer { request in
          switch request.path {
          case "/api/voice/history/sessions": .json(list)
          case "/api/voice/state": .json(#"{"error":"no"}"#, status: "500 Internal Server Error")
          default: .json("[]")
          }
        }
        defer { server.stop() }
        let process = try PipedProcess(
          Tool.path, ["sessions", "--url", server.url], environment: Tool.environment(home: home))
        process.wait()
        #expect(process.status == .exited(3))
        #expect(process.lines.count == lines)
        #expect(
          process.errorText.contains("The live sessions are not known: The backend failed (500)"))
        #expect(!process.errorText.contains("No voice session"))
      }
    }
  }
}
