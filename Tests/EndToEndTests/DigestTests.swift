import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `digest` and the key `A` on demo nights, compared with their truth files.
  @Suite("digest") struct DigestTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private static let isLong = ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil
    private static let seeds = isLong ? Array(1...20) : [7]

    private struct Truth {
      var from: String
      /// By medium and outcome, of what leaves rows.
      var counts: [String: Int]
      var sessions: Int
      var learned: Int

      func sum(_ outcomes: Set<String>) -> Int {
        counts.reduce(0) {
          $0 + (outcomes.contains(String($1.key.split(separator: ".")[1])) ? $1.value : 0)
        }
      }
    }

    private func truth(_ file: String) throws -> Truth {
      let data = try Data(contentsOf: URL(fileURLWithPath: file))
      let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let counts = try #require(json["counts"] as? [String: Int])
      return Truth(
        from: String((json["from"] as? String ?? "").prefix(19)) + "Z",
        counts: counts.filter { !$0.key.hasSuffix(".no_row") && !$0.key.hasSuffix(".missed") },
        sessions: (json["sessions"] as? [Any])?.count ?? -1,
        learned: (json["facts_learned"] as? [Any])?.count ?? -1)
    }

    private func run(_ arguments: [String], _ demo: DemoBackend) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, arguments + ["--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      process.wait()
      return process
    }

    private func check(_ process: PipedProcess, _ truth: Truth, _ name: String) throws {
      #expect(process.status == .exited(0), "\(name): \(process.errorText)")
      let json = try #require(try PlainAction.objects(process.text).first, "\(name)")
      var own: [String: Int] = [:]
      for count in json["counts"] as? [[String: Any]] ?? [] {
        let key = "\(count["medium"] ?? "").\(count["outcome"] ?? "")"
        own[key, default: 0] += count["count"] as? Int ?? 0
      }
      #expect(own == truth.counts, "\(name)")
      let coverage = try #require(json["coverage"] as? [String: Any])
      #expect(coverage["complete"] as? Bool == true, "\(name): \(coverage)")
      let lines = json["lines"] as? [[String: Any]] ?? []
      func line(_ topic: String) -> [String: Any]? {
        lines.first { $0["topic"] as? String == topic && $0["name"] is NSNull }
      }
      #expect(line("sessions")?["count"] as? Int == truth.sessions, "\(name)")
      #expect(line("facts")?["count"] as? Int == truth.learned, "\(name)")
      #expect((line("automations")?["text"] as? String)?.contains("1 failed, 1 missed") == true)
      let ids = lines.flatMap { $0["evidence"] as? [[String: Any]] ?? [] }
      #expect(ids.count { $0["id"] is Int } > 100, "\(name)")
    }

    @Test(
      "the verb counts what really happened, from the bot and from the recording", arguments: seeds)
    func verb(seed: Int) throws {
      let file = "\(home.path)/truth.json"
      let demo = try DemoBackend(
        ["--scenario", "night", "--seed", "\(seed)", "--truth", file], home: home)
      let truth = try truth(file)
      let live = try run(["digest", "--since", truth.from, "--json"], demo)
      try check(live, truth, "seed \(seed), bot")
      let recorder = try PipedProcess(
        Tool.path, ["record", "--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      // Recorded whole once it says so.
      let end = Date().addingTimeInterval(60)
      while true {
        let past = try run(["digest", "--since", truth.from, "--from-history", "--json"], demo)
        if past.text.contains("\"complete\":true") { break }
        try #require(Date() < end, "\(past.text.prefix(2000)) \(past.errorText)")
      }
      // The lists of automations come after the rows.
      while try !run(["digest", "--since", truth.from, "--from-history"], demo).text
        .contains("1 missed")
      { try #require(Date() < end) }
      recorder.signal(SIGTERM)
      recorder.wait()
      demo.stop()
      let past = try run(["digest", "--since", truth.from, "--from-history", "--json"], demo)
      try check(past, truth, "seed \(seed), recording")
    }

    @Test(
      "A shows the night on one screen of 80x24; Enter goes to rows; without the bot it is from the recording"
    )
    func screen() throws {
      let file = "\(home.path)/truth.json"
      let demo = try DemoBackend(["--scenario", "night", "--truth", file], home: home)
      defer { demo.stop() }
      let truth = try truth(file)
      let cockpit = try Cockpit(on: demo, home: home, rows: 24, columns: 80)
      try cockpit.see("live") { $0.contains("● LIVE") }
      cockpit.type(":digest \(truth.from)\r")
      let answers = truth.sum(["replied", "posted", "spoken", "reacted", "interrupted"])
      try cockpit.see("the sentence") { $0.contains("the bot answered \(answers) times") }
      for word in [
        "answers", "silent", "unanswered", "errors", "voice", "cost", "automations", "facts",
      ] {
        #expect(cockpit.screen.contains(word), "\(cockpit.screen)")
      }
      #expect(cockpit.screen.contains("all rows are here"))
      // The line of answers is the first; its newest rows are in the feed.
      cockpit.type("\r")
      try cockpit.see("the rows of it") { !$0.contains("┌ DIGEST") && $0.contains("FILTER") }
      cockpit.type("A")
      try cockpit.see("since the evening") { $0.contains("DIGEST") && $0.contains("Since ") }
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("┌ DIGEST") }
    }

    @Test("without a bot and a recording it fails; a time that is none is a usage mistake")
    func nothing() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      #expect(try run(["digest", "--since", "never"], demo).status == .exited(2))
      demo.stop()
      #expect(try run(["digest", "--since", "1h"], demo).status == .exited(3))
      #expect(try run(["digest", "--since", "1h", "--from-history"], demo).status == .exited(1))
    }
  }
}
