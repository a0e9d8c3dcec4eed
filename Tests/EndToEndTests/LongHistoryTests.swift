import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `actions --since` and `tail --since` where the time holds more rows than one answer.
  @Suite("more history than one answer holds (promise P4)") struct LongHistoryTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private static let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
    private static let unknown = "kinds that this program does not know may be missing before"

    /// Rows of the last half an hour, oldest first, and one from long before them with the id `first`.
    private static func rows(
      _ kinds: [String], first: Int = 5000, guild: (Int) -> String = { _ in "1" }
    ) -> [ScriptedLog.Row] {
      kinds.enumerated().map { index, kind in
        ScriptedLog.Row(
          id: first + index, kind: kind,
          timeMs: nowMs - (index == 0 ? 3_900_000 : 1_800_000 - Int64(index) * 1000),
          guild: guild(index))
      }
    }

    /// More rows than one answer has, of kinds that fit into one, after some of `kinds`.
    private static func busy(after kinds: [String]) -> [String] {
      ["sent_reply"] + kinds + (0..<1200).map { $0 % 2 == 0 ? "llm_call" : "sent_reply" }
    }

    private struct Told {
      var status: PipedProcess.Status?
      var kinds: [String]
      var words: String

      func count(_ kind: String) -> Int { kinds.count { $0 == kind } }
    }

    private func actions(_ server: StubServer, _ options: String...) throws -> Told {
      let process = try PipedProcess(
        Tool.path, ["actions", "--json", "--since", "1h", "--url", server.url] + options,
        environment: Tool.environment(home: home))
      process.wait()
      let kinds = TailLines(process.lines).objects.compactMap { $0["kind"] as? String }
      return Told(status: process.status, kinds: kinds, words: process.errorText)
    }

    @Test("every kind of a release comes; of kinds that nobody knows it is said")
    func kinds() throws {
      let old = ["swarm_task_cancel_error", "minecraft_runtime_call", "initiative_source_add"]
      let seven = (old + ["lantern"]).flatMap { Array(repeating: $0, count: 7) }
      let server = try ScriptedLog(states: [.init(rows: Self.rows(Self.busy(after: seven)))])
        .server()
      defer { server.stop() }
      let all = try actions(server)
      #expect(all.kinds.count == 1221 && old.allSatisfy { all.count($0) == 7 })
      #expect(all.words.contains(Self.unknown), "\(all.words)")
      let errors = try actions(server, "--filter", "is:error")
      #expect(errors.kinds.count == 7 && errors.words.contains(Self.unknown), "\(errors.words)")
      // A named kind is found, without notes that do not concern it.
      for (filter, count) in [("kind:lantern", 7), ("kind:swarm_task_cancel_error", 7)] {
        let named = try actions(server, "--filter", filter)
        #expect(named.kinds.count == count && named.words.isEmpty, "\(named.words)")
      }
      let newest = try actions(server, "-n", "5")
      #expect(newest.kinds.count == 5 && newest.words.isEmpty, "\(newest.words)")
      let newestOfKind = try actions(server, "-n", "5", "--filter", "content:row")
      #expect(newestOfKind.words.isEmpty, "\(newestOfKind.words)")

      let tail = try PipedProcess(
        Tool.path, ["tail", "--json", "--since", "1h", "--url", server.url],
        environment: Tool.environment(home: home))
      #expect(tail.pump { tail.text.contains("\"row 6221\"") || tail.text.contains("row 6228") })
      tail.signal(SIGTERM)
      tail.wait()
      let lines = TailLines(tail.lines)
      #expect(lines.count("action") == 1221)
      #expect(lines.count("error") == 1 && tail.text.contains(Self.unknown), "\(tail.text)")
    }

    @Test("a kind goes by guilds, and where no id is missing nothing is said to be")
    func guilds() throws {
      let kinds = ["sent_reply"] + Array(repeating: "llm_call", count: 1400)
      for isWhole in [true, false] {
        var rows = Self.rows(kinds) { "\($0 % 2 + 1)" }
        // A row without a guild, or of a third one, would not have come.
        if !isWhole { rows.remove(at: 3) }
        let server = try ScriptedLog(states: [.init(rows: rows)]).server()
        defer { server.stop() }
        let told = try actions(server)
        #expect(told.kinds.count == (isWhole ? 1400 : 1399))
        #expect(told.words.isEmpty == isWhole, "\(told.words)")
        #expect(isWhole || told.words.contains("llm_call of no or another guild before"))
      }
    }

    @Test("what may be missing is not said to be, and only where it can matter")
    func limits() throws {
      let kinds = Array(repeating: "llm_call", count: 1000)
      // All rows that there ever were, and as many of which the beginning is not known.
      for (first, words) in [(1, ""), (5000, "Actions may be missing")] {
        let rows = Self.rows(["x"] + kinds, first: first - 1).dropFirst()
        let server = try ScriptedLog(states: [.init(rows: Array(rows))]).server()
        defer { server.stop() }
        let told = try actions(server)
        #expect(told.kinds.count == 1000)
        #expect(words.isEmpty ? told.words.isEmpty : told.words.contains(words), "\(told.words)")
        #expect(!told.words.contains("are missing"))
        let other = try actions(server, "--filter", "kind:sent_reply")
        #expect(other.status == .exited(1) && other.words.contains("No action matches"))
      }
    }

    @Test("an answer for a guild shows a kind that was out of sight")
    func kindOfAGuild() throws {
      var rows = Self.rows(Self.busy(after: ["lantern", "lantern"]))
      for index in [1, 2, rows.count - 1] { rows[index].guild = "2" }
      let server = try ScriptedLog(states: [.init(rows: rows)]).server()
      defer { server.stop() }
      let told = try actions(server)
      #expect(told.count("lantern") == 2 && told.kinds.count == 1202 && told.words.isEmpty)
    }
  }
}
