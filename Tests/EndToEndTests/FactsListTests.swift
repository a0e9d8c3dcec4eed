import Foundation
import Testing

extension EndToEnd {
  /// `facts list` and `facts export` beside what MEMORY's own tests try: lists that are not whole,
  /// and files.
  @Suite("facts lists and files") struct FactsListTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: [String]) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, ["facts"] + arguments, environment: Tool.environment(home: home))
      process.wait()
      return process
    }

    private func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a list that the backend does not give whole says so, with both numbers")
    func incomplete() throws {
      let facts = (1...500).map {
        #"{"id":\#($0),"guild_id":"1","subject":"77","fact":"fact \#($0)","confidence":0.5}"#
      }
      let page = #"{"guildId":"1","limit":500,"facts":[\#(facts.joined(separator: ","))]}"#
      let server = try StubServer { request in
        switch request.path {
        case "/api/guilds": .json(#"[{"id":"1","name":"One"}]"#)
        case "/api/memory/subjects":
          .json(#"{"guildId":"1","limit":500,"subjects":[{"subject":"77","fact_count":1240}]}"#)
        case "/api/memory/facts": .json(page)
        default: .json("{}")
        }
      }
      defer { server.stop() }
      for verb in ["list", "export"] {
        let process = try run([verb, "--url", server.url])
        #expect(process.status == .exited(0), "\(process.errorText)")
        #expect(process.lines.count == 500)
        #expect(process.errorText.contains("500 of about 1,240"), "\(process.errorText)")
        #expect(process.errorText.contains("500 of 1,240 about 77"), "\(process.errorText)")
        #expect(process.errorText.contains("nothing finds more about users"))
      }
      let missing = try run(["show", "501", "--url", server.url])
      #expect(missing.status == .exited(1))
      #expect(missing.errorText.contains("not among the facts that could be listed"))
    }

    /// Two guilds, whose lists both have a fact about a user.
    private func guilds() throws -> StubServer {
      try StubServer { request in
        switch request.path {
        case "/api/guilds": .json(#"[{"id":"1","name":"One"},{"id":"2","name":"Two"}]"#)
        case "/api/memory/facts":
          .json(#"{"facts":[{"id":3,"scope":"user","subject":"77","fact":"Mira likes tea"}]}"#)
        default: .json("{}")
        }
      }
    }

    @Test("a fact that belongs to no guild is shown with those in which it is found")
    func places() throws {
      let server = try guilds()
      defer { server.stop() }
      let shown = try run(["show", "3", "--url", server.url])
      #expect(shown.status == .exited(0), "\(shown.errorText)")
      #expect(shown.text.contains("found in    One (1), Two (2)\n"), "\(shown.text)")
      #expect(server.requests.allSatisfy { $0.method == "GET" })
    }

    @Test("D15: a fact about a user is deleted without a guild, and goes from all of them")
    func deletionEverywhere() throws {
      let server = try StubServer { request in
        switch (request.method, request.path) {
        case ("DELETE", _): .json(#"{"ok":true,"deleted":1}"#)
        case (_, "/api/guilds"): .json(#"[{"id":"1","name":"One"},{"id":"2","name":"Two"}]"#)
        case (_, "/api/memory/facts"):
          .json(#"{"facts":[{"id":3,"scope":"user","subject":"77","fact":"Mira likes tea"}]}"#)
        default: .json("{}")
        }
      }
      defer { server.stop() }
      let process = try run(["delete", "3", "--yes", "--url", server.url])
      #expect(process.status == .exited(0), "\(process.errorText)")
      #expect(
        process.errorText.contains(
          "It belongs to no guild and disappears from all of them (found in One (1), Two (2))."),
        "\(process.errorText)")
      let sent = server.requests.filter { $0.method != "GET" }
      #expect(sent.map(\.method) == ["DELETE"] && sent.map(\.path) == ["/api/memory/facts/3"])
      #expect(String(decoding: sent.first?.body ?? [], as: UTF8.self) == #"{"guildId":"1"}"#)
      // The old form goes on working.
      let other = try run(["delete", "3", "--guild", "2", "--yes", "--url", server.url])
      #expect(other.status == .exited(0), "\(other.errorText)")
    }

    @Test("D15: a fact of a guild is deleted there, whether one or several are known")
    func deletionInItsGuild() throws {
      let server = try StubServer { request in
        switch (request.method, request.path) {
        case ("DELETE", _): .json(#"{"ok":true,"deleted":1}"#)
        case (_, "/api/guilds"): .json(#"[{"id":"1","name":"One"},{"id":"2","name":"Two"}]"#)
        case (_, "/api/memory/facts") where request.query["guildId"] == "2":
          .json(
            #"{"facts":[{"id":4,"scope":"guild","guild_id":"2","subject":"__lore__","fact":"old"}]}"#
          )
        case (_, "/api/memory/facts"): .json(#"{"facts":[]}"#)
        default: .json("{}")
        }
      }
      defer { server.stop() }
      let process = try run(["delete", "4", "--yes", "--url", server.url])
      #expect(process.status == .exited(0), "\(process.errorText)")
      #expect(process.errorText.contains("It is in Two (2)."), "\(process.errorText)")
      let sent = server.requests.filter { $0.method != "GET" }
      #expect(String(decoding: sent.first?.body ?? [], as: UTF8.self) == #"{"guildId":"2"}"#)
    }

    @Test("a guild that the backend does not name is said; what it lists all the same is shown")
    func unknownGuild() throws {
      let server = try guilds()
      defer { server.stop() }
      let process = try run(["list", "--guild", "9", "--url", server.url])
      #expect(process.status == .exited(0), "\(process.errorText)")
      #expect(process.errorText.contains("The backend names no guild 9; it has 1 (One), 2 (Two)."))
    }

    @Test("a backend that names no guilds is one whose bot is not logged in, not a stranger")
    func noGuilds() throws {
      let server = try StubServer { request in
        switch request.path {
        case "/api/guilds": .json("[]")
        case "/api/memory/owner-private/facts":
          .json(
            #"{"limit":500,"facts":[{"id":7,"scope":"owner","subject":"__owner__","fact":"has a key"}]}"#
          )
        case "/api/memory/facts":
          .json(#"{"facts":[{"id":3,"scope":"user","subject":"77","fact":"Mira likes tea"}]}"#)
        default: .json("{}")
        }
      }
      defer { server.stop() }
      let words = "The backend names no guilds; check that the bot is logged in"
      for verb in [
        ["list"], ["export"], ["show", "3"], ["search", "x"], ["edit", "3", "--fact", "z"],
        ["show", "3", "--owner-private"], ["delete", "3", "--yes"],
      ] {
        let process = try run(verb + ["--url", server.url])
        #expect(process.status == .exited(1), "\(verb)")
        #expect(process.errorText.contains(words), "\(verb) \(process.errorText)")
      }
      let guild = try run(["list", "--guild", "1", "--url", server.url])
      #expect(guild.status == .exited(0) && guild.lines.count == 1, "\(guild.errorText)")
      let owner = try run(["list", "--owner-private", "--url", server.url])
      #expect(owner.status == .exited(0) && owner.text.contains("has a key"), "\(owner.text)")
      #expect(owner.errorText.contains("Only the owner's private facts. \(words)"))
      let shown = try run(["show", "7", "--owner-private", "--url", server.url])
      #expect(shown.status == .exited(0) && shown.errors.isEmpty, "\(shown.errorText)")
    }

    @Test("an empty list is fine, and every format writes what it writes for nothing")
    func empty() throws {
      let server = try StubServer { request in
        switch request.path {
        case "/api/guilds": .json(#"[{"id":"1","name":"One"}]"#)
        case "/api/memory/facts": .json(#"{"guildId":"1","facts":[]}"#)
        default: .json("{}")
        }
      }
      defer { server.stop() }
      let list = try run(["list", "--url", server.url])
      #expect(list.status == .exited(0), "\(list.errorText)")
      #expect(list.output.isEmpty)
      let markdown = try run(["export", "--format", "markdown", "--url", server.url])
      #expect(markdown.text == "# Facts\n")
    }

    @Test(
      "an answer without the list is not an empty list: nothing is written over (promise P7)",
      arguments: ["{}", #"{"error":"x"}"#, #"{"facts":null}"#, #"{"facts":{}}"#])
    func noList(_ body: String) throws {
      let server = try StubServer { request in
        request.path == "/api/guilds" ? .json(#"[{"id":"1","name":"One"}]"#) : .json(body)
      }
      defer { server.stop() }
      let file = "\(home.path)/facts.jsonl"
      try Data("before".utf8).write(to: URL(filePath: file))
      for verb in [
        ["list"], ["show", "7"], ["export"], ["export", "--output", file], ["search", "x"],
      ] {
        let process = try run(verb + ["--guild", "1", "--url", server.url])
        #expect(process.status == .exited(3), "\(verb) \(process.text)")
        #expect(process.errorText.contains("not a Clanky backend"), "\(process.errorText)")
        #expect(process.output.isEmpty)
      }
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
    }

    @Test("--output: only its owner reads the file, the folder stays as it is, no link is followed")
    func output() throws {
      let folder = "\(home.path)/shared"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
      let file = "\(folder)/facts.csv"
      try Data("before".utf8).write(to: URL(filePath: file))
      let export = ["export", "--demo", "quiet", "--format", "csv", "--output"]
      let written = try run(export + [file])
      #expect(written.status == .exited(0), "\(written.errorText)")
      #expect(written.output.isEmpty)
      #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("id,created_at,"))
      #expect(try mode(file) == 0o600)
      #expect(try mode(folder) == 0o755)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["facts.csv"])

      let link = "\(folder)/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "facts.csv")
      for path in [link, folder, "\(folder)/none/facts.csv", "\(folder)/"] {
        let refused = try run(export + [path])
        #expect(refused.status == .exited(1), "\(path): \(refused.errorText)")
        #expect(!refused.errorText.isEmpty)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }

    @Test("a read-only profile refuses to change anything, and reads")
    func readOnly() throws {
      let config = try home.file(
        "config.toml", "profile = \"safe\"\n[profiles.safe]\nread_only = true\n")
      let common = ["--demo", "quiet", "--config", config]
      for arguments in [
        ["edit", "3", "--fact", "x"], ["delete", "3", "--guild", "771043920118841344", "--yes"],
      ] {
        let process = try run(arguments + common)
        #expect(process.status == .exited(2))
        #expect(process.errorText.contains("read-only"), "\(process.errorText)")
      }
      #expect(try run(["show", "3"] + common).status == .exited(0))
    }
  }
}
