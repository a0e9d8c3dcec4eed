import Foundation
import Testing

extension EndToEnd {
  /// A backend whose every text ends in half a surrogate pair, which no `String` can hold.
  @Suite("half a pair in every text (promise P1b)") struct ExactTextTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// A text with its quotes that ends in half a pair, as it is on the wire and in a line of JSON.
    private static func half(_ text: String) -> String { #""\#(text) \ud83d""# }

    private static let time = RowServer.time(-30)
    private static let guild = half("guild")
    private static let session = half("session")

    private static let fact =
      #"{"id":312,"created_at":"\#(time)","updated_at":"\#(time)","scope":\#(half("scope")),"#
      + #""guild_id":\#(guild),"channel_id":\#(half("channel")),"user_id":\#(half("user")),"#
      + #""subject":\#(half("user")),"fact":\#(half("fact")),"fact_type":\#(half("type")),"#
      + #""evidence_text":\#(half("evidence")),"source_message_id":\#(half("message")),"#
      + #""confidence":0.5,"metadata":{"isLegacy":false}}"#

    private static let row =
      #"{"id":7,"created_at":"\#(time)","guild_id":\#(guild),"channel_id":\#(half("channel")),"#
      + #""message_id":\#(half("message")),"user_id":\#(half("user")),"kind":\#(half("kind")),"#
      + #""content":\#(half("content")),"metadata":{\#(half("key")):[\#(half("leaf"))]},"usd_cost":0}"#

    private static let voice =
      #"{"activeCount":1,"sessions":[{"sessionId":\#(session),"guildId":\#(guild),"#
      + #""voiceChannelId":\#(half("channel")),"mode":\#(half("mode")),"startedAt":"\#(time)","#
      + #""participants":[{"userId":\#(half("user")),"displayName":\#(half("name"))}],"#
      + #""conversation":{"wake":{"attentionMode":\#(half("attention"))}},"recentTurns":["#
      + #"{"role":"assistant","kind":"speech","text":\#(half("reply"))}]}]}"#

    private static let stats =
      #"{"stats":{"last24h":{\#(half("kind")):1},"dailyCost":[]},"runtime":{"isReady":true}}"#

    private static let past =
      #"{"sessionId":\#(session),"guildId":\#(guild),"mode":\#(half("mode")),"startedAt":"\#(time)","#
      + #""endedAt":"\#(time)","durationSeconds":3,"endReason":\#(half("reason"))}"#

    private static let automation =
      #"{"id":3,"guild_id":\#(guild),"title":\#(half("title")),"status":\#(half("status")),"#
      + #""last_error":\#(half("error"))}"#

    private static let browser =
      #"{"sessionId":\#(session),"instruction":\#(half("task")),"errorMessage":\#(half("error"))}"#

    /// - Parameter put: what the backend answers to a `PUT`.
    private func server(put: String = #"{"ok":true,"fact":\#(fact)}"#) throws -> StubServer {
      try StubServer { request in
        switch (request.method, request.path) {
        case ("PUT", _): return .json(put)
        case (_, "/api/activity/events"):
          let snapshot = "{\"actions\":[\(Self.row)],\"stats\":\(Self.stats)}"
          return .stream([
            .chunk(Array("event: activity_snapshot\ndata: \(snapshot)\n\n".utf8)), .stayAlive,
          ])
        case (_, "/api/voice/events"):
          return .stream([
            .chunk(Array("event: voice_state\ndata: \(Self.voice)\n\n".utf8)), .stayAlive,
          ])
        case (_, "/api/health"): return .json(#"{"ok":true}"#)
        case (_, "/api/voice/state"): return .json(Self.voice)
        case (_, "/api/stats"): return .json(Self.stats)
        case (_, "/api/actions"): return .json("[\(Self.row)]")
        case (_, "/api/guilds"):
          return .json(#"[{"id":\#(Self.guild),"name":\#(Self.half("home"))}]"#)
        case (_, "/api/memory/subjects"):
          return .json(
            #"{"guildId":\#(Self.guild),"limit":200,"subjects":[{"scope":\#(Self.half("scope")),"#
              + #""guild_id":\#(Self.guild),"user_id":\#(Self.half("user")),"#
              + #""subject":\#(Self.half("user")),"last_seen_at":"\#(Self.time)","fact_count":1}]}"#
          )
        case (_, "/api/memory/facts"):
          return .json(#"{"guildId":\#(Self.guild),"limit":120,"facts":[\#(Self.fact)]}"#)
        case (_, "/api/memory/search"):
          let hit = Self.fact.dropLast() + #","score":1,"semanticScore":0,"lexicalScore":1}"#
          return .json(
            #"{"queryText":"x","guildId":\#(Self.guild),"limit":10,"results":[\#(hit)]}"#)
        case (_, "/api/memory/owner-private/facts"): return .json(#"{"limit":120,"facts":[]}"#)
        case (_, "/api/voice/history/sessions"): return .json("[\(Self.past)]")
        case (_, "/api/automations"): return .json(#"{"rows":[\#(Self.automation)]}"#)
        case (_, "/api/agents/browser-sessions"): return .json(#"{"sessions":[\#(Self.browser)]}"#)
        case (_, let path) where path.hasSuffix("/channels"):
          return .json(#"[{"id":\#(Self.half("channel")),"name":\#(Self.half("room"))}]"#)
        default: return .json("[]")
        }
      }
    }

    private func run(_ arguments: [String], _ server: StubServer) throws -> PipedProcess {
      let process = try Tool.start(arguments, on: server, home: home)
      process.wait()
      return process
    }

    /// Verbs, and the texts that must be in what they say.
    static let cases: [(arguments: [String], texts: [String])] =
      [
        "facts list", "facts list --guild 1", "facts show 312", "facts search x", "facts export",
      ].map { verb in
        let words = verb.split(separator: " ").map(String.init)
        return (
          words + (verb.hasSuffix("export") ? ["--format", "jsonl"] : ["--json"]),
          ["scope", "guild", "channel", "user", "fact", "type", "evidence", "message"]
        )
      } + [
        (["facts", "show", "312", "--json"], ["home", "name"]),
        (["tail", "--json"], ["kind", "content", "key", "leaf", "guild", "channel"]),
        (["tail", "--json"], ["message", "user"]),
        (
          ["actions", "--json"], ["kind", "content", "key", "leaf", "guild", "channel", "message"]
        ),
        (["sessions", "--json"], ["session", "guild", "mode", "reason"]),
        (["status", "--json"], ["session", "guild", "channel", "room", "attention", "reply"]),
        (["status", "--json"], ["kind"]),
        (["snapshot", "--view", "pulse", "--json"], ["kind", "content", "key", "leaf"]),
        (["snapshot", "--view", "voice", "--json"], ["session", "reply", "name"]),
        (["snapshot", "--view", "brain", "--json"], ["session", "reply", "name"]),
        (
          ["snapshot", "--view", "memory", "--json"],
          ["fact", "evidence", "user", "type", "message"]
        ),
        (
          ["snapshot", "--view", "cmd", "--json"],
          ["guild", "home", "title", "status", "error", "session", "task", "reason"]
        ),
        (["snapshot", "--view", "stats", "--json"], ["kind"]),
      ]

    @Test("every verb gives every text back", arguments: cases)
    func verbs(arguments: [String], texts: [String]) throws {
      let server = try server()
      defer { server.stop() }
      let process: PipedProcess
      if arguments[0] == "tail" {
        process = try PipedProcess(
          Tool.path, arguments + ["--url", server.url],
          environment: Tool.environment(home: home, token: "token-4711-lantern"))
        #expect(
          process.pump {
            process.text.contains(#""type":"voice_state""#) || process.lines.count > 3
          })
        process.signal(SIGTERM)
        process.wait()
      } else {
        process = try run(arguments, server)
        #expect(process.status == .exited(0), "\(process.errorText)")
      }
      #expect(process.output.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
      for text in texts {
        #expect(process.text.contains(Self.half(text)), "\(arguments) \(text): \(process.text)")
      }
      // Only text that is cut and sanitised for display is lost.
      let summary = /"(label|text)":"[^"]*"/
      #expect(!process.text.replacing(summary, with: "").contains("ufffd"), "\(process.text)")
    }

    // MARK: Changing

    private func put(_ server: StubServer) throws -> String {
      let puts = server.requests.filter { $0.method == "PUT" }
      #expect(puts.count == 1)
      return String(decoding: try #require(puts.first).body, as: UTF8.self)
    }

    @Test("an edit sends back what it does not change as it was (promise P8)")
    func edit() throws {
      let stored = Self.fact.replacing(#""confidence":0.5"#, with: #""confidence":0.75"#)
      let server = try server(put: #"{"ok":true,"fact":\#(stored)}"#)
      defer { server.stop() }
      let process = try run(["facts", "edit", "312", "--confidence", "0.75", "--json"], server)
      #expect(process.status == .exited(0), "\(process.errorText)")
      let body = try put(server)
      for (key, text) in [
        ("guildId", "guild"), ("subject", "user"), ("fact", "fact"), ("factType", "type"),
        ("evidenceText", "evidence"),
      ] {
        #expect(body.contains(#""\#(key)":\#(Self.half(text))"#), "\(body)")
      }
      #expect(process.text.contains(#""fact":\#(Self.half("fact"))"#), "\(process.text)")
      let journal = try PipedProcess(
        Tool.path, ["facts", "journal", "--json"], environment: Tool.environment(home: home))
      journal.wait()
      #expect(journal.text.contains(#""fact":\#(Self.half("fact"))"#), "\(journal.text)")
      #expect(!journal.text.contains("ufffd"))
    }

    @Test("a backend that stores something else in place of the half is told (promise P8)")
    func replaced() throws {
      let stored = Self.fact.replacing(#""confidence":0.5"#, with: #""confidence":0.75"#)
        .replacing(#""fact":\#(Self.half("fact"))"#, with: "\"fact\":\"fact \u{FFFD}\"")
      let server = try server(put: #"{"ok":true,"fact":\#(stored)}"#)
      defer { server.stop() }
      let process = try run(["facts", "edit", "312", "--confidence", "0.75"], server)
      #expect(process.status == .exited(1), "\(process.errorText)")
      #expect(try put(server).contains(Self.half("fact")))
    }
  }
}
