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

    private struct Exchange {
      var at: String
      /// Medium and outcome.
      var kind: String
      var guild: String
      var session: String
      var model: String
    }

    private struct Truth {
      var from: String
      var prompt: String
      var to: String
      var exchanges: [Exchange]
      var sessions: [String]

      func count(_ range: (String, String), _ kinds: Set<String>) -> Int {
        // Moments in UTC are in the order of their texts.
        exchanges.count { $0.at >= range.0 && $0.at < range.1 && kinds.contains($0.kind) }
      }
    }

    /// What the verb must say of exchanges: how many there were to decide on, and the share of silence.
    private struct Skips: Equatable {
      static let text: Set = [
        "text.replied", "text.reacted", "text.skipped", "text.not_sent", "text.superseded",
      ]
      static let voice: Set = [
        "voice.spoken", "voice.not_admitted", "voice.skipped", "voice.not_sent", "voice.superseded",
      ]
      var text = [0, 0]
      var voice = [0, 0]

      init(_ exchanges: [Exchange]) {
        text = [
          exchanges.count { Self.text.contains($0.kind) },
          exchanges.count { $0.kind == "text.skipped" },
        ]
        voice = [
          exchanges.count { Self.voice.contains($0.kind) },
          exchanges.count { ["voice.not_admitted", "voice.skipped"].contains($0.kind) },
        ]
      }

      /// One side of what `compare --json` prints.
      init(_ json: [String: Any], _ side: String) throws {
        let figures = try #require(json["figures"] as? [[String: Any]])
        func counts(_ id: String) throws -> [Int] {
          let figure = try #require(figures.first { $0["id"] as? String == id })
          let value = try #require(figure[side] as? [String: Any])
          let n = try #require(value["n"] as? Int)
          return [n, Int(((value["value"] as? Double ?? 0) * Double(n)).rounded())]
        }
        text = try counts("text_skips")
        voice = try counts("voice_skips")
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
          Exchange(
            at: $0["at"] as? String ?? "", kind: "\($0["medium"] ?? "").\($0["outcome"] ?? "")",
            guild: $0["guild_id"] as? String ?? "", session: $0["session_id"] as? String ?? "",
            model: $0["model"] as? String ?? "")
        },
        sessions: (json["sessions"] as? [[String: Any]] ?? []).compactMap {
          $0["session_id"] as? String
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

    @Test("windows of guilds, models, sessions, epochs and another bot count what really happened")
    func windows() throws {
      let files = ["\(home.path)/truth-a.json", "\(home.path)/truth-b.json"]
      let demos = try zip(files, ["3", "5"]).map { file, seed in
        try DemoBackend(["--scenario", "night", "--seed", seed, "--truth", file], home: home)
      }
      defer { demos.forEach { $0.stop() } }
      let truths = try files.map(truth)
      let night = truths[0]
      let all = "\(night.from)/\(night.to)"
      let inside = night.exchanges.filter { $0.at >= night.from && $0.at < night.to }
      func compare(_ words: String...) throws -> [String: Any] {
        let process = try run(["compare"] + words + ["--json"], demos[0])
        try #require(!process.text.isEmpty, "\(words): \(process.errorText)")
        return try #require(
          try PlainAction.objects(process.text).first, "\(process.text) \(process.errorText)")
      }
      func check(_ windows: [String], _ parts: [[Exchange]]) throws {
        let json = try compare(windows[0], windows[1])
        for (side, part) in zip(["a", "b"], parts) {
          #expect(try Skips(json, side) == Skips(part), "\(windows) \(side)")
        }
      }
      let guilds = Set(inside.filter { Skips.text.contains($0.kind) }.map(\.guild)).sorted()
      try #require(guilds.count >= 2)
      try check(
        guilds.prefix(2).map { "\(all)+guild:\($0)" },
        guilds.prefix(2).map { guild in inside.filter { $0.guild == guild } })
      // Silence that no model decided has none.
      let models = ["opus", "sonnet"]
      let json = try compare("\(all)+model:opus", "\(all)+model:sonnet")
      for (side, model) in zip(["a", "b"], models) {
        let part = inside.filter { $0.model.contains(model) }
        #expect(try Skips(json, side).text == Skips(part).text, "\(model)")
      }
      try #require(night.sessions.count >= 2)
      try check(
        night.sessions.prefix(2).map { "session:\($0)" },
        night.sessions.prefix(2).map { id in night.exchanges.filter { $0.session == id } })
      let epochs = try compare("epoch:-1", "epoch:0")
      for side in ["a", "b"] { try checkSaid(epochs, side, night) }
      let folder = "\(home.path)/.config/clanky-cockpit"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let token = "\(home.path)/other-token"
      #expect(
        FileManager.default.createFile(
          atPath: token, contents: Data(demos[1].token.utf8), attributes: [.posixPermissions: 0o600]
        ))
      try Data(
        "[profiles.other]\nurl = \"\(demos[1].url)\"\ntoken_file = \"\(token)\"\n".utf8
      ).write(to: URL(filePath: "\(folder)/config.toml"))
      // The truth begins with the night, twelve hours ago.
      let bots = try compare("11h", "bot:other", "--since", "11h")
      for (side, truth) in zip(["a", "b"], truths) { try checkSaid(bots, side, truth) }
    }

    /// Where a window begins is said; what is counted in it is checked.
    @discardableResult
    private func checkSaid(
      _ json: [String: Any], _ side: String, _ truth: Truth
    ) throws -> (from: String, to: String) {
      let window = try #require(json[side] as? [String: Any])
      let range = try #require((window["ranges"] as? [[String: Any]])?.first)
      let (from, to) = (range["from"] as? String ?? "", range["to"] as? String ?? "")
      let part = truth.exchanges.filter { $0.at >= from && $0.at < to }
      #expect(try !part.isEmpty && Skips(json, side).text == Skips(part).text, "\(window)")
      return (from, to)
    }

    @Test("bundles are windows: what they have counts as it really happened, without a bot")
    func bundles() throws {
      let file = "\(home.path)/truth.json"
      let demo = try DemoBackend(
        ["--scenario", "night", "--seed", "3", "--truth", file, "--fault-control"], home: home)
      _ = try demo.record(home: home)
      let night = try truth(file)
      let prompt = try #require(ISO8601DateFormatter().date(from: night.prompt))
      func moment(_ hours: Double) -> String {
        ISO8601DateFormatter().string(from: prompt + hours * 3600)
      }
      let files = ["before", "after"].map { "\(home.path)/\($0).flight" }
      let stretches = [(moment(-2), moment(0)), (moment(0), moment(2))]
      for (file, stretch) in zip(files, stretches) {
        let export = try run(
          ["history", "export", file, "--from", stretch.0, "--to", stretch.1], demo)
        try #require(export.status == .exited(0), "\(export.errorText)")
      }
      demo.stop()
      // On another machine: neither a recording nor a token.
      let process = try PipedProcess(
        Tool.path, ["compare"] + files + ["--json", "--utc"],
        environment: Tool.environment(home: try TemporaryFolder()))
      process.wait()
      let json = try #require(
        try PlainAction.objects(process.text).first, "\(process.text) \(process.errorText)")
      for (side, stretch) in zip(["a", "b"], stretches) {
        let said = try checkSaid(json, side, night)
        #expect(said.from <= moment(side == "a" ? -1.75 : 0.25), "\(said)")
        #expect(said.to >= String(stretch.1.prefix(15)), "\(said)")
        #expect((json[side] as? [String: Any])?["name"] as? String != nil)
      }
      #expect(process.status == .exited(json["worse"] as? Bool == true ? 1 : 0))
      // One of them beside the recording, from which it came.
      let mixed = try run(
        ["compare", files[0], "\(moment(0))/\(moment(2))", "--json", "--from-history"], demo)
      let both = try #require(
        try PlainAction.objects(mixed.text).first, "\(mixed.text) \(mixed.errorText)")
      for side in ["a", "b"] { try checkSaid(both, side, night) }
      let missing = try run(["compare", files[0] + "x.flight", files[1]], demo)
      #expect(missing.status == .exited(2) && missing.errorText.contains("x.flight"))
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
