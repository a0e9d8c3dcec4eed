import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `actions`, `sessions`, `session` and `voice`, on the demo backend and on scripted ones.
  @Suite("history and voice commands") struct HistoryCommandTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: [String]) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, arguments, environment: Tool.environment(home: home))
      process.wait()
      return process
    }

    private func objects(_ process: PipedProcess) throws -> [[String: Any]] {
      try process.lines.flatMap { try PlainAction.objects(String($0)) }
    }

    // MARK: actions

    @Test("actions: the newest of the log, oldest first, in the lines of tail")
    func actions() throws {
      let json = try run(["actions", "--demo", "--json", "-n", "40"])
      #expect(json.status == .exited(0), "\(json.errorText)")
      let rows = try objects(json)
      #expect(rows.count == 40)
      #expect(rows.allSatisfy { $0["type"] as? String == "action" && $0["id"] is Int })
      let times = rows.compactMap { $0["created_at"] as? String }
      #expect(times == times.sorted())
      #expect(ForbiddenBytes.found(in: json.output).isEmpty)

      let kinds = try run(["actions", "--demo", "--kinds", "llm_call,sent_reply", "--json"])
      let seen = Set(try objects(kinds).compactMap { $0["kind"] as? String })
      #expect(seen == ["llm_call", "sent_reply"])

      let plain = try run(["actions", "--demo", "hostile", "--since", "1h"])
      #expect(plain.status == .exited(0), "\(plain.errorText)")
      #expect(ForbiddenBytes.found(in: plain.output).isEmpty)

      let nothing = try run(["actions", "--demo", "--filter", "kind:no_such_kind"])
      #expect(nothing.status == .exited(1) && nothing.output.isEmpty)
      #expect(nothing.errorText.contains("No action matches"))
    }

    @Test(
      "times are those of TZ, summer time included, and of UTC where that is asked for",
      arguments: [
        ("EST5EDT,M3.2.0,M11.1.0", [], "07:00:00", "08:00:00"),
        ("IST-5:30", [], "17:30:00", "17:30:00"),
        ("IST-5:30", ["--utc"], "12:00:00", "12:00:00"),
        ("nowhere", [], "12:00:00", "12:00:00"),
      ])
    func zones(zone: String, options: [String], winter: String, summer: String) throws {
      let server = try StubServer { _ in
        .json(
          """
          [{"id":2,"created_at":"2026-07-15T12:00:00.000Z","kind":"sent_reply","content":"summer"},
           {"id":1,"created_at":"2026-01-15T12:00:00.000Z","kind":"sent_reply","content":"winter"}]
          """)
      }
      defer { server.stop() }
      let process = try PipedProcess(
        Tool.path, ["actions", "--url", server.url] + options,
        environment: Tool.environment(home: home, ["TZ": zone]))
      process.wait()
      #expect(process.status == .exited(0), "\(process.errorText)")
      let lines = process.lines.map { String($0) }
      #expect(lines.contains { $0.contains(winter) && $0.contains("winter") }, "\(lines)")
      #expect(lines.contains { $0.contains(summer) && $0.contains("summer") }, "\(lines)")
    }

    @Test("the times of a filter are those that are shown")
    func filterTimes() throws {
      let server = try StubServer { _ in
        .json(
          """
          [{"id":2,"created_at":"2026-07-15T22:30:00.000Z","kind":"sent_reply","content":"summer"},
           {"id":1,"created_at":"2026-01-15T12:00:00.000Z","kind":"sent_reply","content":"winter"}]
          """)
      }
      defer { server.stop() }
      for (filter, options, found) in [
        ("at:2026-07-16", [], "summer"), ("at:2026-07-15", [], nil),
        ("at:2026-07-15", ["--utc"], "summer"), ("at:2026-07-16T07:30", [], "summer"),
        ("at:2026-07-15T22:30", ["--utc"], "summer"), ("at:2026-07-15T22:30Z", [], nil),
        ("at:2026-07-15T22:30:00Z", [], "summer"), ("before:2026-01-15T21:01", [], "winter"),
        ("before:2026-01-15T21:00", [], nil),
      ] as [(String, [String], String?)] {
        let process = try PipedProcess(
          Tool.path, ["actions", "--url", server.url, "--filter", filter] + options,
          environment: Tool.environment(home: home, ["TZ": "JST-9"]))
        process.wait()
        guard let found else {
          #expect(process.status != .exited(0), "\(filter) \(options): \(process.text)")
          continue
        }
        #expect(
          process.lines.count == 1 && process.text.contains(found),
          "\(filter) \(options): \(process.text) \(process.errorText)")
      }
    }

    @Test("actions --since asks kind by kind when one answer is full, and says what is cut")
    func manyActions() throws {
      let now = Date().timeIntervalSince1970 * 1000
      func row(_ id: Int, _ kind: String) -> String {
        let time = ISO8601DateFormatter().string(
          from: Date(timeIntervalSince1970: now / 1000 - 7200 + Double(id) / 1000))
        return #"{"id":\#(id),"created_at":"\#(time)","kind":"\#(kind)","content":"\#(id)"}"#
      }
      let many = (1...1400).map { row($0, "voice_runtime") }
      let few = (1401...1900).map { row($0, $0 % 2 == 0 ? "llm_call" : "sent_reply") }
      let server = try StubServer { request in
        let kinds = request.query["kinds"].map { $0.split(separator: ",").map(String.init) }
        let all = (many + few).filter { row in
          kinds?.contains { row.contains("\"kind\":\"\($0)\"") } ?? true
        }
        return .json("[" + all.suffix(1000).reversed().joined(separator: ",") + "]")
      }
      defer { server.stop() }
      let process = try run(["actions", "--since", "3h", "--json", "--url", server.url])
      #expect(process.status == .exited(0), "\(process.errorText)")
      let ids = try objects(process).compactMap { $0["id"] as? Int }
      #expect(ids.count == 1500 && Set(ids).count == 1500)
      #expect(Set(ids).isSuperset(of: 1401...1900))
      #expect(process.errorText.contains("at most 1,000 of a kind"), "\(process.errorText)")
      #expect(process.errorText.contains("voice_runtime before"))
      #expect(!process.errorText.contains("llm_call"))
    }

    @Test("what cannot be had has the exit code of its reason")
    func failures() throws {
      let refused = try run(["actions", "--url", "http://127.0.0.1:9"])
      #expect(refused.status == .exited(3), "\(refused.errorText)")
      let server = try StubServer { request in
        switch request.path {
        case "/api/actions": .json(#"{"error":"Unauthorized."}"#, status: "401 Unauthorized")
        case "/api/voice/history/sessions": .json(#"{"rows":[]}"#)
        default: .json(#"{"error":"boom"}"#, status: "500 Oops")
        }
      }
      defer { server.stop() }
      #expect(try run(["actions", "--url", server.url]).status == .exited(4))
      let odd = try run(["sessions", "--url", server.url])
      #expect(odd.status == .exited(3) && odd.errorText.contains("not a Clanky backend"))
      let failed = try run(["session", "x", "--url", server.url])
      #expect(failed.status == .exited(3) && failed.errorText.contains("boom"))
      #expect(try run(["actions", "--since", "soon"]).status == .exited(2))
      #expect(try run(["actions", "--kinds", ","]).status == .exited(2))
    }

    // MARK: sessions

    @Test("sessions lists, session tells who said what and why the bot was silent")
    func sessions() throws {
      let demo = try DemoBackend(home: home)
      defer { demo.stop() }
      let backend = ["--url", demo.url, "--token-file", demo.tokenFile]
      let list = try run(["sessions", "--json"] + backend)
      #expect(list.status == .exited(0), "\(list.errorText)")
      let rows = try objects(list)
      let past = rows.filter { $0["live"] as? Bool == false }
      let id = try #require(past.first?["session_id"] as? String)
      #expect(past.allSatisfy { $0["end_reason"] is String && $0["duration_seconds"] is Int })
      let plain = try run(["sessions", "-n", "200"] + backend)
      #expect(plain.text.contains(id), "\(plain.text)")

      let json = try run(["session", id, "--json"] + backend)
      #expect(json.status == .exited(0), "\(json.errorText)")
      let lines = try objects(json)
      #expect(lines.first?["type"] as? String == "session")
      #expect(lines.first?["session_id"] as? String == id)
      let turns = lines.dropFirst()
      #expect(!turns.isEmpty && turns.count == lines.first?["turns"] as? Int)
      #expect(turns.allSatisfy { $0["type"] as? String == "turn" && $0["verdict"] is String })
      let text = try run(["session", id] + backend)
      #expect(text.text.contains("people") && text.text.contains("skipped"), "\(text.text)")
      #expect(ForbiddenBytes.found(in: text.output + json.output).isEmpty)

      let unknown = try run(["session", "no-such-session"] + backend)
      #expect(unknown.status == .exited(1) && unknown.output.isEmpty)
      #expect(unknown.errorText.contains("Nothing is on record"))
      // The backend finds the events of a session by their text.
      for part in ["e", "sessionId", String(id.dropLast())] {
        let other = try run(["session", part, "--json"] + backend)
        #expect(other.status == .exited(1) && other.output.isEmpty, "\(part): \(other.text)")
      }
    }

    // MARK: The client's log

    @Test("what the cockpit meets is in its log file, without the token")
    func clientLog() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let cockpit = try Cockpit(on: demo, home: home)
      demo.stop(SIGKILL)
      try cockpit.see("the connection to be lost") { !$0.contains("LIVE") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      let log = try String(
        contentsOfFile: "\(home.path)/.local/state/clanky-cockpit/cockpit.log", encoding: .utf8)
      #expect(log.contains(" info The activity stream is live."), "\(log)")
      #expect(log.contains(" warning The activity stream is lost."), "\(log)")
      #expect(!log.contains(demo.token))
    }

    // MARK: voice

    @Test("join: the demo's bot follows, by id and by name; leave says that there is no route")
    func join() throws {
      let demo = try DemoBackend(home: home)
      defer { demo.stop() }
      let backend = ["--url", demo.url, "--token-file", demo.tokenFile]
      let joined = try run(["voice", "join", "--json"] + backend)
      #expect(joined.status == .exited(0), "\(joined.errorText)")
      #expect(try objects(joined).first?["ok"] as? Bool == true)
      #expect(joined.errorText.contains("voice channel") && joined.errorText.contains("#"))
      let wrong = try run(["voice", "join", "--guild", "No Such Place"] + backend)
      #expect(wrong.status == .exited(1), "\(wrong.errorText)")
      #expect(wrong.errorText.contains("in no guild called"))
      let nobody = try run(["voice", "join", "--user", "nobody at all"] + backend)
      #expect(nobody.status == .exited(1) && nobody.errorText.contains("Discord id"))
      let leave = try run(["voice", "leave"] + backend)
      #expect(leave.status == .exited(1), "\(leave.errorText)")
      #expect(leave.errorText.contains("no route to leave voice"), "\(leave.errorText)")
      let readOnly = try run(["voice", "join", "--read-only"] + backend)
      #expect(readOnly.status == .exited(2))
    }

    private static let refusals: [(reason: String, word: String)] = [
      ("no_guild_available", "in no guild"), ("guild_not_found", "not in that guild"),
      ("requester_not_in_voice", "in no voice channel"), ("requester_is_bot", "is a bot"),
      ("no_voice_members_found", "Nobody is in a voice channel"),
      ("text_channel_unavailable", "no text channel"), ("join_not_handled", "did not act"),
      ("voice_join_unconfirmed", "not in the channel"), ("voice_join_unknown", "no usable answer"),
      ("voice_join_unavailable", "cannot join voice"), ("brand_new", "brand_new"),
    ]

    @Test("join: each of the backend's refusals is a sentence and exit code 1")
    func refusals() throws {
      let answers = AnswerQueue(Self.refusals.map(\.reason))
      let server = try StubServer { request in
        guard request.path == "/api/voice/join", let reason = answers.next() else {
          return .json("[]")
        }
        return .json(
          #"{"ok":false,"reason":"\#(reason)","guildId":null}"#,
          status: reason == "voice_join_unavailable" ? "503 Unavailable" : "200 OK")
      }
      defer { server.stop() }
      for (reason, word) in Self.refusals {
        let process = try run(["voice", "join", "--url", server.url, "--json"])
        #expect(process.status == .exited(1), "\(reason): \(process.errorText)")
        #expect(process.errorText.contains(word), "\(reason): \(process.errorText)")
        #expect(try objects(process).first?["reason"] as? String == reason)
      }
    }

    @Test("join: names are resolved, ambiguous ones list the candidates, nothing is sent then")
    func names() throws {
      let posts = JoinRecorder()
      let server = try StubServer { request in
        switch request.path {
        case "/api/guilds":
          .json(
            #"[{"id":"100000000000000001","name":"Den"},{"id":"100000000000000002","name":"den"},{"id":"100000000000000003","name":"Yard"}]"#
          )
        case "/api/guilds/100000000000000003/channels":
          .json(
            #"[{"id":"300000000000000001","name":"general","type":"text"},{"id":"300000000000000002","name":"general","type":"voice"}]"#
          )
        case "/api/voice/state":
          .json(
            #"{"activeCount":1,"sessions":[{"sessionId":"s","participants":[{"userId":"400000000000000001","displayName":"Mira"}]}]}"#
          )
        default: .json(posts.answer(request))
        }
      }
      defer { server.stop() }
      let twice = try run(["voice", "join", "--guild", "DEN", "--url", server.url])
      #expect(twice.status == .exited(2), "\(twice.errorText)")
      #expect(twice.errorText.contains("100000000000000001"))
      #expect(twice.errorText.contains("100000000000000002"))
      #expect(posts.bodies.isEmpty)
      let process = try run([
        "voice", "join", "--guild", "yard", "--user", "@mira", "--text-channel", "#general",
        "--url", server.url,
      ])
      #expect(process.status == .exited(0), "\(process.errorText)")
      let body = try #require(posts.bodies.first)
      #expect(body["guildId"] == "100000000000000003")
      #expect(body["requesterUserId"] == "400000000000000001")
      #expect(body["textChannelId"] == "300000000000000001")
      #expect(body["source"] == "clanky-cockpit")
    }

    @Test("join: an answer that is lost is an unknown outcome; leave works where it is served")
    func outcomes() throws {
      let server = try StubServer { request in
        switch request.path {
        case "/api/guilds": .json(#"[{"id":"100000000000000001","name":"Den"}]"#)
        case "/api/voice/leave": .json(#"{"ok":true,"reason":"left"}"#)
        default: StubReply(isClosed: true)
        }
      }
      defer { server.stop() }
      let lost = try run(["voice", "join", "--url", server.url])
      #expect(lost.status == .exited(1), "\(lost.errorText)")
      #expect(lost.errorText.contains("unknown; look at VOICE"), "\(lost.errorText)")
      let left = try run(["voice", "leave", "--json", "--url", server.url])
      #expect(left.status == .exited(0), "\(left.errorText)")
      #expect(try objects(left).first?["ok"] as? Bool == true)
      let unreachable = try run(["voice", "join", "--url", "http://127.0.0.1:9"])
      #expect(unreachable.status == .exited(3), "\(unreachable.errorText)")
    }
  }
}

/// `@unchecked Sendable`: `lock` guards `answers`.
private final class AnswerQueue: @unchecked Sendable {
  private let lock = NSLock()
  private var answers: ArraySlice<String>

  init(_ answers: [String]) { self.answers = answers[...] }

  func next() -> String? { lock.withLock { answers.popFirst() } }
}

/// Remembers the bodies of POST requests and answers that the bot has joined.
/// `@unchecked Sendable`: `lock` guards `seen`.
private final class JoinRecorder: @unchecked Sendable {
  private let lock = NSLock()
  private var seen: [[String: String]] = []

  var bodies: [[String: String]] { lock.withLock { seen } }

  func answer(_ request: StubRequest) -> String {
    guard request.method == "POST" else { return "[]" }
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: String]
    lock.withLock { seen.append(body ?? [:]) }
    return #"{"ok":true,"reason":"joined","guildId":"100000000000000003"}"#
  }
}
