import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `clanky-cockpit facts …` from a shell: data on stdout, words on stderr, exit codes, and what
  /// the backend was asked for.
  @Suite("MEMORY: the facts commands") struct MemoryCommandTests {
    let home: TemporaryFolder
    let server: FactServer

    init() throws {
      home = try TemporaryFolder()
      server = try FactServer()
    }

    static let mine = "Mira prefers short answers."

    private func run(
      _ arguments: [String], url: String? = nil, token: String? = FactServer.token
    ) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, ["facts"] + arguments + ["--url", url ?? server.url],
        environment: Tool.environment(home: home, token: token))
      process.wait()
      return process
    }

    /// Runs a command, checks its exit code and its manners.
    @discardableResult
    private func expect(
      _ code: Int32, _ arguments: [String], says words: [Regex<Substring>] = [], url: String? = nil,
      token: String? = FactServer.token, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> PipedProcess {
      let process = try run(arguments, url: url, token: token)
      let what: Comment = "\(arguments.joined(separator: " ")): \(process.errorText)"
      #expect(process.status == .exited(code), what, sourceLocation: sourceLocation)
      #expect(
        ForbiddenBytes.found(in: process.output) == [], what, sourceLocation: sourceLocation)
      #expect(
        ForbiddenBytes.found(in: process.errors) == [], what, sourceLocation: sourceLocation)
      for word in words {
        #expect(
          process.errorText.firstMatch(of: word.ignoresCase()) != nil, what,
          sourceLocation: sourceLocation)
      }
      #expect(!process.text.contains(FactServer.token), sourceLocation: sourceLocation)
      #expect(!process.errorText.contains(FactServer.token), sourceLocation: sourceLocation)
      return process
    }

    private func objects(_ process: PipedProcess) throws -> [[String: Any]] {
      try process.lines.map { try #require(try PlainAction.objects(String($0)).first) }
    }

    // MARK: Reading

    @Test("list: one object for each fact, owner facts only when they are asked for")
    func list() throws {
      let facts = try objects(try expect(0, ["list", "--json", "--guild", FactServer.guild]))
      #expect(Set(facts.compactMap { $0["id"] as? Int }) == [41, 42, 43, 44, 45, 46])
      let first = try #require(facts.first { $0["id"] as? Int == 42 })
      #expect(first["fact"] as? String == "Mira soldered the first lantern.")
      #expect(first["fact_type"] as? String == "project")
      #expect(first["confidence"] as? Double == 0.825)
      #expect(first["evidence_text"] as? String == "i soldered number one")
      let own = try objects(
        try expect(0, ["list", "--json", "--guild", FactServer.guild, "--owner-private"]))
      #expect(own.contains { $0["id"] as? Int == 47 })
      let all = try objects(try expect(0, ["list", "--json"]))
      #expect(Set(all.compactMap { $0["id"] as? Int }) == [41, 42, 43, 44, 45, 46, 48])
      let lore = try objects(
        try expect(0, ["list", "--json", "--guild", FactServer.guild, "--subject", "__lore__"]))
      #expect(lore.compactMap { $0["id"] as? Int } == [44])
      let sure = try objects(
        try expect(
          0, ["list", "--json", "--guild", FactServer.guild, "--filter", "conf>0.8 type:project"]))
      #expect(sure.compactMap { $0["id"] as? Int } == [42])
      let plain = try expect(0, ["list", "--guild", FactServer.guild])
      #expect(plain.text.contains("Mira prefers concise answers."))
      #expect(!plain.text.contains("Order more bulbs"))
      #expect(server.writes.isEmpty)
    }

    @Test("search and show find, or end with 1")
    func searchAndShow() throws {
      let hits = try objects(
        try expect(0, ["search", "canal bridge", "--json", "--guild", FactServer.guild]))
      #expect(hits.compactMap { $0["id"] as? Int } == [44])
      try expect(1, ["search", "submarine", "--guild", FactServer.guild])
      let shown = try expect(0, ["show", "42"])
      #expect(shown.text.contains("Mira soldered the first lantern."))
      try expect(1, ["show", "4711"], says: [/4711|no fact|not found/])
      #expect(server.writes.isEmpty)
    }

    @Test("export: JSON lines, CSV and Markdown")
    func export() throws {
      server.meanwhile {
        $0.add(
          .init(
            id: 60, guild: FactServer.guild, subject: "__lore__",
            fact: "=1+1, \"quoted\" \u{1B}[31mred\u{202E}", evidence: "line\nbreak"))
      }
      let guild = ["--guild", FactServer.guild]
      let lines = try objects(try expect(0, ["export"] + guild))
      #expect(lines.count == 7)
      #expect(
        lines.contains { $0["fact"] as? String == "=1+1, \"quoted\" \u{1B}[31mred\u{202E}" })
      let csv = try run(["export", "--format", "csv"] + guild)
      #expect(csv.status == .exited(0))
      #expect(csv.text.contains("\"\"quoted\"\""))
      #expect(!csv.output.contains(0x1B))
      let markdown = try expect(0, ["export", "--format", "markdown"] + guild)
      #expect(markdown.text.contains("Mira prefers concise answers."))
      let file = "\(home.path)/facts.jsonl"
      let quiet = try expect(0, ["export", "--output", file] + guild)
      #expect(quiet.output.isEmpty)
      #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 7)
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(server.writes.isEmpty)
    }

    // MARK: Writing

    @Test("edit: read again, one PUT, journal, 0 only when the backend has exactly the new text")
    func edit() throws {
      try expect(0, ["edit", "41", "--fact", Self.mine])
      #expect(server.count(.put) == 1)
      let put = try #require(server.requests(.put).first)
      #expect(put.text("fact") == Self.mine)
      #expect(put.text("evidenceText") == "keep it short please")
      #expect(put.text("factType") == "preference")
      #expect(put.object["confidence"] as? Double == 0.92)
      #expect(server.fact(41)?.fact == Self.mine)
      let state = FactState(home)
      #expect(state.outcomes == ["sending", "stored"])
      state.expectPrivate()
      // What is so already needs no PUT.
      try expect(0, ["edit", "41", "--fact", Self.mine])
      #expect(server.count(.put) == 1)
      try expect(0, ["edit", "43", "--type", "profile", "--confidence", "0.5"])
      #expect(server.fact(43)?.type == "profile")
      #expect(server.fact(43)?.confidence == 0.5)
      #expect(server.writes.count == 2)
    }

    @Test("edit: what cannot be stored whole is refused before any request")
    func invalid() throws {
      let long = String(repeating: "x", count: 430)
      try expect(2, ["edit", "41", "--fact", long], says: [/30 characters too long/])
      try expect(2, ["edit", "41", "--confidence", "1.5"])
      try expect(2, ["edit", "41", "--fact", ""])
      try expect(2, ["edit", "41"], says: [/terminal/])
      try expect(2, ["edit", "41", "--fact", "x", "--read-only"], says: [/read-only/])
      try expect(2, ["delete", "41", "--guild", FactServer.guild, "--yes", "--read-only"])
      #expect(server.requests.isEmpty)
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
      var name: String
      var route: FactRoute
      var fault: FactFault
      /// 0 when the outcome turns out to be a success.
      var code: Int32
      var puts: Int
      var testDescription: String { name }
    }

    static let refusals: [Refusal] = [
      Refusal(
        name: "reading fails", route: .facts, fault: .status(500, #"{"error":"locked"}"#), code: 1,
        puts: 0),
      Refusal(
        name: "writing fails", route: .put, fault: .status(500, #"{"error":"locked"}"#), code: 1,
        puts: 1),
      Refusal(
        name: "duplicate", route: .put, fault: .status(409, #"{"ok":false,"error":"duplicate"}"#),
        code: 1, puts: 1),
      Refusal(
        name: "gone", route: .put, fault: .status(404, #"{"ok":false,"error":"not_found"}"#),
        code: 1, puts: 1),
      Refusal(
        name: "invalid", route: .put,
        fault: .status(400, #"{"ok":false,"error":"subject required"}"#), code: 1, puts: 1),
      Refusal(name: "a page", route: .put, fault: .html(502), code: 1, puts: 1),
      Refusal(name: "cut off before", route: .put, fault: .close, code: 1, puts: 1),
      Refusal(name: "cut off after", route: .put, fault: .closeAfter, code: 0, puts: 1),
      Refusal(name: "half an answer", route: .put, fault: .half, code: 0, puts: 1),
      Refusal(
        name: "stored, then a redirect", route: .put, fault: .redirectAfter("/api/elsewhere"),
        code: 0, puts: 1),
      Refusal(
        name: "stored, then a redirect to others", route: .put,
        fault: .redirectAfter("http://127.0.0.1:9/"), code: 0, puts: 1),
      Refusal(name: "stored, then given up", route: .put, fault: .timeoutAfter, code: 0, puts: 1),
    ]

    @Test("edit: whatever goes wrong, at most one PUT and no 0", arguments: refusals)
    func refused(refusal: Refusal) throws {
      server.script(refusal.route, refusal.fault, times: refusal.route == .facts ? 50 : 1)
      let process = try run(["edit", "41", "--guild", FactServer.guild, "--fact", Self.mine])
      // Exit 3 is for "no connection, or not a Clanky server", which the brief allows for reading.
      let codes: Set<Int32> = refusal.code == 0 ? [0] : [1, 3]
      guard case .exited(let code) = process.status else {
        Issue.record("did not end")
        return
      }
      #expect(codes.contains(code), "exit \(code): \(process.errorText)")
      #expect(code != 0 || server.fact(41)?.fact == Self.mine)
      #expect(code == 0 || !process.errorText.isEmpty)
      #expect(server.count(.put) == refusal.puts, "\(process.errorText)")
      #expect(!process.errorText.contains("PORTAL PAGE"))
      #expect(ForbiddenBytes.found(in: process.errors) == [])
    }

    @Test("edit: somebody else between reading and checking: both texts, no PUT")
    func conflict() throws {
      server.script(
        .facts, .changeAfter { $0.change(41) { $0.fact = "Mira sings." } }, times: 1)
      let process = try run(["edit", "41", "--guild", FactServer.guild, "--fact", Self.mine])
      // Whether there are two readings between which the change falls is the program's business.
      if server.count(.put) == 0 {
        #expect(process.status == .exited(1))
        #expect(process.errorText.contains("Mira sings."))
        #expect(process.errorText.contains(Self.mine))
      } else {
        Issue.record("sent over a change that it could have seen: \(server.requests)")
      }
    }

    @Test("an unknown outcome is said and is no success")
    func unknown() throws {
      server.script(.put, .closeAfter)
      server.script(.facts, .status(500, #"{"error":"locked"}"#), times: 50, skip: 2)
      let process = try run(["edit", "41", "--guild", FactServer.guild, "--fact", Self.mine])
      #expect(server.count(.put) <= 1)
      #expect(process.status == .exited(1), "\(process.errorText)")
    }

    @Test("delete: asks or is told, sends one DELETE")
    func delete() throws {
      try expect(2, ["delete", "41", "--guild", FactServer.guild], says: [/--yes/])
      #expect(server.writes.isEmpty)
      try expect(0, ["delete", "41", "--guild", FactServer.guild, "--yes"])
      #expect(server.requests(.delete).map { $0.text("guildId") } == [FactServer.guild])
      #expect(server.fact(41) == nil)
      #expect(FactState(home).outcomes == ["sending", "deleted"])
      try expect(
        1, ["delete", "41", "--guild", FactServer.guild, "--yes"], says: [/gone|no fact|not found/])
      #expect(server.writes.count <= 2)
      let journal = try expect(0, ["journal", "--json"])
      #expect(journal.text.contains("Mira prefers concise answers."))
    }

    // MARK: On a terminal

    private func terminal(
      _ arguments: [String], environment: [String: String] = [:]
    ) throws -> PTYProcess {
      try PTYProcess(
        Tool.path, ["facts"] + arguments + ["--url", server.url],
        environment: Tool.environment(home: home, token: FactServer.token, environment))
    }

    @Test("delete on a terminal asks, and only a yes deletes", arguments: ["", "yy"])
    func refusedDeletion(answer: String) throws {
      let pty = try terminal(["delete", "41", "--guild", FactServer.guild])
      try pty.expect("[y/N]", timeout: Tool.patience)
      #expect(pty.terminal.text.contains("41"))
      pty.send(answer + "\n")
      #expect(pty.wait(timeout: Tool.patience) == .exited(1))
      #expect(server.writes.isEmpty)
    }

    @Test("delete on a terminal, confirmed")
    func confirmedDeletion() throws {
      let pty = try terminal(["delete", "41", "--guild", FactServer.guild])
      try pty.expect("[y/N]", timeout: Tool.patience)
      pty.send("y\n")
      #expect(pty.wait(timeout: Tool.patience) == .exited(0))
      #expect(server.writes.map(\.path) == ["/api/memory/facts/41"])
    }

    @Test("edit in $EDITOR asks before it sends, and keeps what was not sent")
    func editor() throws {
      let editor = try home.file(
        "editor",
        """
        #!/bin/sh
        cat "$1" >> "\(home.path)/seen"
        sed 's/concise answers/short answers/' "$1" > "$1.new" && cat "$1.new" > "$1"
        rm "$1.new"
        """, mode: 0o700)
      let first = try terminal(["edit", "41"], environment: ["EDITOR": editor])
      try first.expect("Send this change? [y/N]", timeout: Tool.patience)
      first.send("n\n")
      #expect(first.wait(timeout: Tool.patience) == .exited(1))
      #expect(server.writes.isEmpty)
      #expect(FactState(home).draftText.contains(Self.mine))

      let second = try terminal(["edit", "41"], environment: ["EDITOR": editor])
      try second.expect("Send this change? [y/N]", timeout: Tool.patience)
      second.send("y\n")
      #expect(second.wait(timeout: Tool.patience) == .exited(0))
      #expect(server.count(.put) == 1)
      #expect(server.fact(41)?.fact == Self.mine)
      #expect(FactState(home).drafts.isEmpty)
      // The second time the editor got the draft.
      let seen = try String(contentsOfFile: "\(home.path)/seen", encoding: .utf8)
      #expect(seen.contains("Mira prefers concise answers.") && seen.contains(Self.mine))
    }

    @Test("interrupted while the request is out: the outcome is called unknown")
    func interrupted() throws {
      let gate = Gate()
      server.script(.put, .held(gate))
      let process = try PipedProcess(
        Tool.path, ["facts", "edit", "41", "--fact", Self.mine, "--url", server.url],
        environment: Tool.environment(home: home, token: FactServer.token))
      let isOut = process.pump { server.count(.put) == 1 }
      #expect(isOut)
      process.signal(SIGINT)
      #expect(process.wait() == .exited(130))
      #expect(process.errorText.contains("unknown"))
      #expect(process.output.isEmpty)
      gate.open()
      let state = FactState(home)
      #expect(state.outcomes == ["sending"])
      #expect(state.draftText.contains(Self.mine))
      #expect(server.count(.put) == 1)
    }

    @Test("no backend is 3, a wrong token is 4")
    func connection() throws {
      let closed = try StubServer { _ in StubReply(isClosed: true) }
      closed.stop()
      try expect(3, ["list"], url: closed.url)
      try expect(4, ["list"], token: "wrong-token")
      try expect(3, ["edit", "41", "--fact", "x"], url: closed.url)
      try expect(4, ["edit", "41", "--fact", "x"], token: "wrong-token")
      #expect(server.writes.isEmpty)
    }
  }
}
