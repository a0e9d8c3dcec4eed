import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A recording that was sent to the database of a team, read back where nothing is recorded.
  @Suite("the past of a team") struct SharedPastTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: [String], _ demo: DemoBackend) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, arguments + ["--url", demo.url],
        environment: Tool.environment(
          home: home, token: demo.token, ["COLUMNS": "120", "LINES": "40"]))
      process.wait()
      return process
    }

    /// Without how long ago it is.
    private func screen(_ process: PipedProcess) -> String {
      #expect(process.status == .exited(0), "\(process.errorText)")
      return process.text.replacing(/PAUSED ([0-9:]+) -[0-9hmsd]+ */) { "PAUSED \($0.1) " }
    }

    private func folder() throws -> URL {
      let histories = URL(filePath: home.path + "/.local/state/clanky-cockpit/history")
      let names = try FileManager.default.contentsOfDirectory(
        at: histories, includingPropertiesForKeys: nil)
      return try #require(names.first { $0.lastPathComponent.hasPrefix("127") })
    }

    @Test(
      "screens of three moments, searches and answers are those of the recording; a database that is down is said",
      .enabled(if: TeamDatabase.hasPostgres && TeamDatabase.hasClickHouse))
    func same() throws {
      let demo = try DemoBackend(["--scenario", "night", "--fault-control"], home: home)
      let rows = try demo.record(home: home)
      demo.stop()
      let databases = [try TeamDatabase.postgres(), try TeamDatabase.clickHouse()]
      defer { for database in databases { database.stop() } }
      let names = ["team", "events"]
      let tables = zip(names, databases).map { "\($0) = \($1.sink)" }.joined(separator: "\n")
      try FileManager.default.createDirectory(
        atPath: home.path + "/.config/clanky-cockpit", withIntermediateDirectories: true)
      _ = try home.file(".config/clanky-cockpit/config.toml", "[sinks]\n\(tables)\n")
      for name in names {
        let made = try run(["sinks", "init", name], demo)
        #expect(made.status == .exited(0), "\(made.errorText)")
      }
      let sent = try run(["sinks", "run"] + names + ["--from", "30d", "--once"], demo)
      #expect(sent.status == .exited(0), "\(sent.text) \(sent.errorText)")

      let last = try #require(rows.last?["created_at"] as? String)
      let times =
        [rows.count / 2, rows.count * 3 / 4].compactMap {
          rows[$0]["created_at"] as? String
        }.map { String($0.prefix(19)) + "Z" } + [String(last.prefix(19)) + "Z"]
      let questions =
        times.flatMap { time in
          ["pulse", "voice", "brain", "memory", "cmd"].map {
            ["snapshot", "--view", $0, "--at", time]
          }
        } + [
          ["history", "search", "the", "-n", "20000"],
          ["history", "search", "a*", "-n", "20000"],
          ["why", "silent", "--at", times[1]], ["digest", "--at", times[2]],
          [
            "actions", "--at", times[2], "--since", "24h", "--filter",
            "kind:llm_call | count by model",
          ],
        ]
      var answers: [[String]: String] = [:]
      for question in questions {
        let process = try run(question, demo)
        answers[question] = question[0] == "snapshot" ? screen(process) : process.text
      }
      #expect(answers.values.contains { $0.contains("│") })
      for question in questions where question[0] != "why" {
        #expect(!(answers[question] ?? "").isEmpty, "\(question)")
      }

      let here = try folder()
      let away = here.appendingPathExtension("away")
      // While the recording is here too, nothing is asked.
      let both = try run(questions[0] + ["--history", "team"], demo)
      #expect(screen(both) == answers[questions[0]])
      try FileManager.default.moveItem(at: here, to: away)
      for name in names {
        for question in questions {
          let process = try run(question + ["--history", name], demo)
          let text = question[0] == "snapshot" ? screen(process) : process.text
          #expect(text == answers[question], "\(name) \(question)")
        }
      }
      let unknown = try run(["tail", "--history", "team", "--bot", "nobody"], demo)
      #expect(unknown.status == .exited(2))
      #expect(unknown.errorText.contains("team history has no bot 'nobody'; it has: "))

      databases[0].stop()
      let gone = try run(["tail", "--history", "team"], demo)
      #expect(gone.status == .exited(3))
      #expect(gone.errorText.contains("team history does not answer"))
      try FileManager.default.moveItem(at: away, to: here)
      let alone = try run(questions[0] + ["--history", "team"], demo)
      #expect(screen(alone) == answers[questions[0]])
      #expect(alone.errorText.contains("team history down"), "\(alone.errorText)")
    }
  }
}
