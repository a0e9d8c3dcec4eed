import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `actions` with stages, against the demo's own log.
  @Suite("tables of actions") struct ActionTableTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ demo: DemoBackend, _ arguments: [String]) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, arguments + ["--url", demo.url, "--token-file", demo.tokenFile],
        environment: Tool.environment(home: home))
      process.wait()
      return process
    }

    private func object(_ line: some StringProtocol) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test("lines, their rows and the coverage, as JSON and as a table with bars")
    func tables() throws {
      let demo = try DemoBackend(["--scenario", "evening", "--fault-control"], home: home)
      let reply = try demo.request("GET", "/__demo/rows")
      let all = try #require(
        try JSONSerialization.jsonObject(with: Data(reply.body)) as? [[String: Any]])
      let sessions = all.filter { ($0["kind"] as? String)?.hasPrefix("voice_session_") == true }
      let counts = Dictionary(grouping: sessions) { $0["kind"] as? String ?? "" }
        .mapValues(\.count)

      let filter = "kind:voice_session_* | count by kind"
      let json = try run(demo, ["actions", "--json", "--filter", filter])
      #expect(json.status == .exited(0), "\(json.errorText)")
      let objects = try json.lines.map { try object($0) }
      #expect(objects.count == counts.count + 1)
      var found: [String: Int] = [:]
      for line in objects.dropLast() {
        let kind = try #require(line["kind"] as? String)
        found[kind] = line["count"] as? Int
        // The query of a line finds its rows.
        let query = try #require(line["query"] as? String)
        let rows = try run(demo, ["actions", "--json", "--filter", query])
        #expect(rows.lines.count == found[kind], "\(query)")
      }
      #expect(found == counts)
      let coverage = try #require(objects.last?["coverage"] as? [String: Any])
      #expect(coverage["rows"] as? Int == sessions.count)
      // An unknown kind may match the glob, and of those only the newest rows were fetched.
      #expect(coverage["complete"] as? Bool == false)
      #expect((coverage["missing"] as? [String])?.count == 1)

      let plain = try run(demo, ["actions", "--filter", filter, "--utc"])
      #expect(plain.lines.first?.hasPrefix("kind") == true)
      #expect(plain.lines.contains { $0.contains("voice_session_end") && $0.hasSuffix("█") })
      #expect(
        plain.lines.contains { $0.hasPrefix("\(sessions.count) rows ") }, "\(plain.lines)")
      #expect(plain.lines.allSatisfy { $0.count <= 80 })
    }

    @Test("a view of the configuration, and a mistake with its place")
    func viewsAndMistakes() throws {
      let demo = try DemoBackend(["--scenario", "evening"], home: home)
      let file = home.path + "/views.toml"
      try Data("[views]\nends = \"kind:voice_session_end | count\"\n".utf8)
        .write(to: URL(fileURLWithPath: file))
      let view = try run(demo, ["actions", "--config", file, "--json", "--filter", "@ends"])
      #expect(view.status == .exited(0), "\(view.errorText)")
      #expect(view.lines.count == 2)
      let whole = try object(try #require(view.lines.last))["coverage"] as? [String: Any]
      #expect(whole?["complete"] as? Bool == true)
      for (filter, words) in [
        ("kind:llm_call | cuont by kind", "did you mean count? (at character 17: cuont)"),
        ("@end", "there is no view \"end\""),
      ] {
        let wrong = try run(demo, ["actions", "--config", file, "--filter", filter])
        #expect(
          wrong.status == .exited(filter.hasPrefix("@") ? 2 : 64) || wrong.status == .exited(2))
        #expect(wrong.errorText.contains(words), "\(wrong.errorText)")
      }
    }
  }
}
