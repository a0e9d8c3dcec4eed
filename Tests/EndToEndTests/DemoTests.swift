import Foundation
import Testing

extension EndToEnd {
  @Suite("demo") struct DemoTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test(
      "a line that cannot be written leaves no token file",
      arguments: [(">/dev/full", 1), (">&-", 1), ("| true", 0)])
    func unwritten(redirection: String, code: Int32) throws {
      let process = try PipedProcess(
        "/bin/sh", ["-c", "\"$0\" demo --scenario quiet \(redirection)", Tool.path],
        environment: Tool.environment(home: home, ["TMPDIR": home.path]))
      #expect(process.wait() == .exited(code), "\(process.errorText)")
      // Behind a pipe the program may outlive the shell for a moment.
      _ = process.pump { tokenFiles.isEmpty }
      #expect(tokenFiles.isEmpty)
    }

    @Test("a port that is taken is said in one sentence, with what to do")
    func portInUse() throws {
      let first = try DemoBackend(home: home)
      let port = try #require(URL(string: first.url)?.port)
      let second = try PipedProcess(
        Tool.path, ["demo", "--port", "\(port)"], environment: Tool.environment(home: home))
      #expect(second.wait() == .exited(1))
      #expect(
        second.errorText.contains(
          "cannot listen on 127.0.0.1 port \(port): another program has that port. Choose another"),
        "\(second.errorText)")
      #expect(!second.errorText.contains("errno"))
      first.stop()
    }

    private var tokenFiles: [String] {
      let names = try? FileManager.default.contentsOfDirectory(atPath: home.path)
      return (names ?? []).filter { $0.hasSuffix(".token") }
    }

    @Test(
      "one JSON line, a token file for us alone, an answer, and nothing left behind",
      arguments: [SIGINT, SIGTERM, SIGHUP])
    func lifeOfADemo(number: Int32) throws {
      let demo = try DemoBackend(home: home)
      #expect(demo.process.lines.count == 1)
      #expect(demo.url.hasPrefix("http://127.0.0.1:"))
      let attributes = try FileManager.default.attributesOfItem(atPath: demo.tokenFile)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(attributes[.type] as? FileAttributeType == .typeRegular)
      #expect(!demo.process.text.contains(demo.token))

      let tail = try PipedProcess(
        Tool.path,
        ["tail", "--json", "-n", "3", "--url", demo.url, "--token-file", demo.tokenFile],
        environment: Tool.environment(home: home))
      #expect(tail.pump { tail.text.contains(#""type":"action""#) }, "\(tail.errorText)")

      #expect(demo.stop(number) == .exited(128 + number))
      #expect(!FileManager.default.fileExists(atPath: demo.tokenFile))
      #expect(demo.process.lines.count == 1)
      #expect(demo.process.errors.isEmpty, "\(demo.process.errorText)")
    }

    @Test("the truth is there whole when the line is, for us alone, and is the night's own")
    func truth() throws {
      let file = home.path + "/night.json"
      let demo = try DemoBackend(
        ["--scenario", "night", "--seed", "5", "--fault-control", "--truth", file], home: home)
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(attributes[.type] as? FileAttributeType == .typeRegular)
      let data = try Data(contentsOf: URL(filePath: file))
      let truth = try #require(
        try JSONSerialization.jsonObject(with: data) as? [String: Any])
      #expect(truth["scenario"] as? String == "night" && truth["seed"] as? Int == 5)
      let counts = try #require(truth["counts"] as? [String: Int])
      let exchanges = try #require(truth["exchanges"] as? [[String: Any]])
      #expect(counts.values.reduce(0, +) == exchanges.count && exchanges.count > 150)
      let rows = try demo.request("GET", "/__demo/rows?kinds=reacted")
      let reactions = try #require(
        try JSONSerialization.jsonObject(with: Data(rows.body)) as? [[String: Any]])
      #expect(reactions.count == counts["text.reacted"])
      #expect(demo.stop() == .exited(128 + SIGTERM))
      let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
      #expect(!names.contains { $0.hasPrefix(".clanky-tmp-") }, "\(names)")
    }

    @Test("a truth that cannot be written is said in a sentence, and no token file stays")
    func truthWithoutFolder() throws {
      let process = try PipedProcess(
        Tool.path, ["demo", "--scenario", "night", "--truth", home.path + "/no/such/file"],
        environment: Tool.environment(home: home, ["TMPDIR": home.path]))
      #expect(process.wait() == .exited(1))
      #expect(process.errorText.contains("there is no folder"), "\(process.errorText)")
      #expect(process.lines.isEmpty && tokenFiles.isEmpty)
    }

    @Test("three bots: a line each, with ports, tokens, seeds and tags of their own")
    func bots() throws {
      let process = try PipedProcess(
        Tool.path, ["demo", "--bots", "3", "--scenario", "quiet"],
        environment: Tool.environment(home: home, ["TMPDIR": home.path]))
      #expect(process.pump { process.lines.count == 3 }, "\(process.errorText)")
      let lines = try process.lines.flatMap { try PlainAction.objects(String($0)) }
      func values(_ key: String) -> Set<String> {
        Set(lines.compactMap { $0[key] as? String })
      }
      #expect(values("url").count == 3 && values("token_file").count == 3)
      #expect(values("bot") == ["clanky#4417", "clanky-2#4418", "clanky-3#4419"])
      #expect(tokenFiles.count == 3)
      let tokens = try values("token_file").map { try String(contentsOfFile: $0, encoding: .utf8) }
      #expect(Set(tokens).count == 3)
      process.signal(SIGTERM)
      #expect(process.wait() == .exited(128 + SIGTERM))
      #expect(tokenFiles.isEmpty)
    }

    @Test("the log of requests has what was asked, with the bodies of what changes something")
    func requests() throws {
      let demo = try DemoBackend(["--scenario", "quiet", "--fault-control"], home: home)
      _ = try demo.request("GET", "/api/actions?limit=1")
      _ = try demo.request("PUT", "/api/memory/facts/999999", ["guildId": "1", "fact": "x"])
      let reply = try demo.request("GET", "/__demo/log")
      let log = try #require(
        try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any])
      let requests = try #require(log["requests"] as? [[String: Any]])
      #expect(requests.map { $0["method"] as? String } == ["GET", "PUT"])
      #expect(
        requests.map { $0["path"] as? String } == ["/api/actions", "/api/memory/facts/999999"])
      #expect(requests[0]["query"] as? String == "limit=1")
      #expect(requests[0]["status"] as? Int == 200 && requests[0]["body"] is NSNull)
      #expect((requests[1]["body"] as? String ?? "").contains(#""guildId":"1""#))
      #expect(log["dropped"] as? Int == 0)
      demo.stop()
    }
  }
}
