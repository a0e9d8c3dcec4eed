import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `actions` and `snapshot` on a backend whose newest 1,000 rows are all partial transcripts: the demo's
  /// own log says what there is.
  @Suite("reach of actions") struct ActionsReachTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func evening() throws -> DemoBackend {
      try DemoBackend(["--scenario", "evening", "--fault-control"], home: home)
    }

    private func run(_ demo: DemoBackend, _ arguments: [String]) -> PipedProcess? {
      let process = try? PipedProcess(
        Tool.path, arguments + ["--url", demo.url, "--token-file", demo.tokenFile],
        environment: Tool.environment(home: home))
      process?.wait()
      return process
    }

    private func log(_ demo: DemoBackend, _ query: String = "") throws -> [[String: Any]] {
      let reply = try demo.request("GET", "/__demo/rows" + query)
      let list = try JSONSerialization.jsonObject(with: Data(reply.body))
      return try #require(list as? [[String: Any]])
    }

    @Test(
      "D11: kinds and a guild of the filter are asked for by name, so that what exists is found")
    func whatExistsIsFound() throws {
      let demo = try evening()
      let all = try log(demo)
      #expect(all.count > 5000)
      func count(_ holds: ([String: Any]) -> Bool) -> Int {
        all.reduce(0) { $0 + (holds($1) ? 1 : 0) }
      }
      let ridge = "771043920118841344"
      for (filter, expected) in [
        ("kind:voice_session_end", count { $0["kind"] as? String == "voice_session_end" }),
        (
          "kind:voice_session_*",
          count { ($0["kind"] as? String)?.hasPrefix("voice_session_") == true }
        ),
        ("is:error", count { ($0["kind"] as? String)?.hasSuffix("_error") == true }),
        (
          #"kind:reply_skipped guild:"Ridge Runners""#,
          count { $0["kind"] as? String == "reply_skipped" && $0["guild_id"] as? String == ridge }
        ),
        (
          "kind:reply_skipped guild:“Ridge Runners”",
          count { $0["kind"] as? String == "reply_skipped" && $0["guild_id"] as? String == ridge }
        ),
      ] {
        let process = try #require(run(demo, ["actions", "--json", "--filter", filter]))
        #expect(process.status == .exited(0), "\(filter): \(process.errorText)")
        #expect(expected > 0 && process.lines.count == expected, "\(filter)")
      }
    }

    @Test(
      "D11: where nothing matches among the newest 1,000 it says so, since when, and what to do")
    func amongTheNewest() throws {
      let demo = try evening()
      for (filter, words) in [
        ("cost>5", "No action matches among the newest 1,000, since "),
        ("kind:voice_runtime text:nowhere", "among the newest 1,000 of this kind, since "),
        ("saddlebag", "not in prompts"),
      ] {
        let process = try #require(run(demo, ["actions", "--filter", filter]))
        #expect(process.status == .exited(1) && process.output.isEmpty)
        #expect(process.errorText.contains(words), "\(process.errorText)")
        #expect(process.errorText.contains("use --since to look further back"))
      }
      // What was looked through whole needs no such word.
      let none = try #require(run(demo, ["actions", "--filter", "kind:no_such_kind"]))
      #expect(none.status == .exited(1) && none.errorText.contains("No action matches."))
      #expect(!none.errorText.contains("--since"))
      // And since: in the filter is --since.
      let some = try #require(
        run(demo, ["actions", "--json", "--filter", "since:20h kind:search_call"]))
      let dayMs = Date().timeIntervalSince1970 * 1000 - 20 * 3_600_000
      let expected = try log(demo, "?kinds=search_call&sinceMs=\(Int(dayMs))").count
      #expect(expected > 0 && abs(some.lines.count - expected) <= 1)
    }

    @Test("D16: snapshot --guild says in its own output which guild it is about")
    func snapshotScope() throws {
      let demo = try evening()
      for view in ["cmd", "pulse", "brain"] {
        let text = try #require(
          run(demo, ["snapshot", "--view", view, "--guild", "Ridge Runners", "--width", "120"]))
        #expect(text.status == .exited(0), "\(text.errorText)")
        #expect(text.text.contains("guild Ridge Runners"), "\(text.text)")
      }
      let json = try #require(
        run(demo, ["snapshot", "--view", "cmd", "--guild", "Ridge Runners", "--json"]))
      let object = try #require(try PlainAction.objects(json.text).first)
      #expect(object["guild"] as? String == "Ridge Runners")
      #expect(object["guild_id"] as? String == "771043920118841344")
      let cost = try #require(object["cost"] as? [String: Any])
      #expect(cost["rows_complete"] is Bool && cost["rate_window_seconds"] != nil)
    }
  }
}
