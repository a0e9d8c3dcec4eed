import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `compare`, `changes` and the key `=` on a demo night, compared with its truth file.
  @Suite("compare") struct CompareTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: [String], _ demo: DemoBackend) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, arguments + ["--utc", "--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      process.wait()
      return process
    }

    private struct Truth {
      var from: String
      var prompt: String
      var to: String
      /// Moment, medium and outcome.
      var exchanges: [(at: String, kind: String)]

      func count(_ range: (String, String), _ kinds: Set<String>) -> Int {
        // Moments in UTC are in the order of their texts.
        exchanges.count { $0.at >= range.0 && $0.at < range.1 && kinds.contains($0.kind) }
      }
    }

    private func truth(_ file: String) throws -> Truth {
      let data = try Data(contentsOf: URL(fileURLWithPath: file))
      let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let changes = try #require(json["changes"] as? [[String: Any]])
      // Windows are whole seconds.
      func moment(_ value: Any?) throws -> String {
        String(try #require(value as? String).prefix(19)) + "Z"
      }
      let exchanges = try #require(json["exchanges"] as? [[String: Any]])
      return Truth(
        from: try moment(json["from"]),
        prompt: try moment(changes.first { $0["kind"] as? String == "prompt" }?["at"]),
        to: try moment(json["to"]),
        exchanges: exchanges.map {
          ($0["at"] as? String ?? "", "\($0["medium"] ?? "").\($0["outcome"] ?? "")")
        })
    }

    @Test(
      "the verb counts what really happened before and after the prompt; 1 says that it is worse")
    func verb() throws {
      let file = "\(home.path)/truth.json"
      let demo = try DemoBackend(
        ["--scenario", "night", "--seed", "3", "--truth", file], home: home)
      defer { demo.stop() }
      let truth = try truth(file)
      let sides = [(truth.from, truth.prompt), (truth.prompt, truth.to)]
      let windows = sides.map { "\($0.0)/\($0.1)" }
      let process = try run(["compare"] + windows + ["--json"], demo)
      let json = try #require(
        try PlainAction.objects(process.text).first, "\(process.text) \(process.errorText)")
      let figures = try #require(json["figures"] as? [[String: Any]])
      let skips = try #require(figures.first { $0["id"] as? String == "text_skips" })
      for (side, name) in zip(sides, ["a", "b"]) {
        let value = try #require(skips[name] as? [String: Any])
        let decided = truth.count(
          side,
          ["text.replied", "text.reacted", "text.skipped", "text.not_sent", "text.superseded"])
        #expect(value["n"] as? Int == decided, "\(name)")
        let share = Double(truth.count(side, ["text.skipped"])) / Double(decided)
        #expect(abs((value["value"] as? Double ?? -1) - share) < 1e-9, "\(name)")
      }
      let isWorse = figures.contains { $0["verdict"] as? String == "worse" }
      #expect(process.status == .exited(isWorse ? 1 : 0))
      #expect(json["worse"] as? Bool == isWorse)
      let changes = try #require(json["changes"] as? [[String: Any]])
      #expect(changes.contains { $0["kind"] as? String == "prompt" })
      // The same the other way round is better and no failure.
      let back = try run(["compare"] + windows.reversed() + ["--json"], demo)
      #expect(back.text.contains("\"verdict\":\"better\"") == isWorse)
      let ledger = try run(["changes", "--since", "13h", "--json"], demo)
      #expect(ledger.status == .exited(0))
      #expect(
        ledger.text.contains("\"kind\":\"prompt\"") && ledger.text.contains("\"kind\":\"model\""))
      let stray = try run(["compare", "nonsense"], demo)
      #expect(stray.status == .exited(2))
      #expect(stray.errorText.contains("names no window"))
    }

    @Test("= opens the table, Tab swaps it, Enter shows rows")
    func screen() throws {
      let demo = try DemoBackend(["--scenario", "night"], home: home)
      defer { demo.stop() }
      let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
      try cockpit.see("live") { $0.contains("● LIVE") }
      cockpit.type("=")
      try cockpit.see("the table") { $0.contains("text skipped") && $0.contains("verdict") }
      #expect(cockpit.screen.contains("B: the last 1h"))
      cockpit.type("\t")
      try cockpit.see("the other way round") { $0.contains("A: the last 1h") }
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("verdict") }
      cockpit.type("q")
    }
  }
}
