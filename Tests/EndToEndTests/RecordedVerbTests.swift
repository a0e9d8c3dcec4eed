import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The verbs about what was recorded, with the backend stopped: compared with the backend's own log.
  @Suite("verbs about the past") struct RecordedVerbTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: [String], _ demo: DemoBackend) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, arguments + ["--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      process.wait()
      return process
    }

    private func objects(_ process: PipedProcess) throws -> [[String: Any]] {
      try process.lines.flatMap { try PlainAction.objects(String($0)) }
    }

    /// A backend of which everything was recorded; it is stopped.
    private func recorded() throws -> (DemoBackend, [[String: Any]]) {
      let demo = try DemoBackend(["--scenario", "night", "--fault-control"], home: home)
      let rows = try demo.record(home: home)
      demo.stop()
      return (demo, rows)
    }

    @Test("rows, answers, sessions and tables come from the recording, and say what it lacks")
    func verbs() throws {
      let (demo, rows) = try recorded()
      let actions = try run(["actions", "--from-history", "--since", "30d", "--json"], demo)
      let ids = Set(try objects(actions).compactMap { $0["id"] as? Int })
      #expect(Set(rows.compactMap { $0["id"] as? Int }).isSubset(of: ids))
      #expect(actions.errorText.contains("is not recorded: the recording begins later"))

      let skips = rows.count { $0["kind"] as? String == "reply_skipped" }
      let table = try run(
        [
          "actions", "--from-history", "--since", "23h", "--json", "--filter",
          "kind:reply_skipped | count by kind",
        ], demo)
      #expect(table.text.contains("\"count\":\(skips)") || skips == 0, "\(table.text)")

      // Nothing that came later, in ids nor times.
      let cut = try #require(rows.last { $0["kind"] as? String == "sent_reply" })
      let at = try #require(cut["created_at"] as? String)
      let second = String(at.prefix(19)) + "Z"
      let then = try run(["tail", "--at", second, "--json", "-n", "50"], demo)
      let times = try objects(then).compactMap { $0["created_at"] as? String }
      #expect(times.count == 50 && times == times.sorted(), "\(then.errorText)")
      #expect(times.allSatisfy { $0 <= String(at.prefix(19)) + ".000Z" })

      let why = try run(["why", "last", "--from-history", "--json"], demo)
      #expect(why.status == .exited(0), "\(why.errorText)")
      let answer = try #require(try objects(why).first)
      let exchange = try #require(answer["exchange"] as? [String: Any])
      #expect(exchange["outcome"] as? String == "queue_rejected", "\(answer)")

      let ended = rows.count { $0["kind"] as? String == "voice_session_end" }
      let sessions = try objects(run(["sessions", "--from-history", "--json"], demo))
      #expect(sessions.count { $0["ended_at"] is String } == ended)
      let id = try #require(sessions.first?["session_id"] as? String)
      let session = try run(["session", id, "--from-history"], demo)
      #expect(session.status == .exited(0) && session.text.contains(id), "\(session.errorText)")

      // Without the backend a verb that was not told to look there says so.
      #expect(try run(["actions"], demo).status == .exited(3))
    }

    @Test("actions --since takes from the recording what the backend no longer has, and says so")
    func both() throws {
      let (demo, rows) = try recorded()
      // Another backend at this address that has lost its rows: its log begins anew.
      let port = try #require(demo.url.split(separator: ":").last.map(String.init))
      let fresh = try DemoBackend(["--scenario", "quiet", "--port", port], home: home)
      defer { fresh.stop() }
      let actions = try PipedProcess(
        Tool.path, ["actions", "--since", "24h", "--json", "--url", fresh.url],
        environment: Tool.environment(home: home, token: fresh.token))
      actions.wait()
      let found = try objects(actions)
      let replies = rows.filter { $0["kind"] as? String == "sent_reply" }
        .compactMap { $0["content"] as? String }
      let own = found.filter { $0["kind"] as? String == "sent_reply" }
        .compactMap { $0["content"] as? String }
      #expect(Set(replies).isSubset(of: own))
      #expect(actions.errorText.contains("from the recording"), "\(actions.errorText)")
    }
  }
}
