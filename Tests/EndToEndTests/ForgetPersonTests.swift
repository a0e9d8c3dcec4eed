import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `facts forget` against a demo that was recorded: what is gone is looked for in the backend's own lists and in the
  /// bytes of the recording.
  @Suite("forget a person") struct ForgetPersonTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: [String], _ demo: DemoBackend) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, arguments + ["--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      process.wait()
      return process
    }

    private func list(_ path: String, _ demo: DemoBackend) throws -> Any {
      try JSONSerialization.jsonObject(with: Data(try demo.request("GET", path).body))
    }

    /// The facts of the backend by their numbers, with their subjects.
    private func facts(_ demo: DemoBackend) throws -> [Int: String] {
      let guilds = try #require(try list("/api/guilds", demo) as? [[String: Any]])
      var found: [Int: String] = [:]
      for guild in guilds.compactMap({ $0["id"] as? String }) {
        let page = try list("/api/memory/facts?guildId=\(guild)&limit=500", demo) as? [String: Any]
        for fact in page?["facts"] as? [[String: Any]] ?? [] {
          if let id = fact["id"] as? Int { found[id] = fact["subject"] as? String }
        }
      }
      return found
    }

    @Test(
      "the typed count guards it; then no list has a fact, no file an id, and the receipt says so")
    func forget() throws {
      let demo = try DemoBackend(["--scenario", "story"], home: home)
      let recorder = try PipedProcess(
        Tool.path, ["record", "--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      let before = try facts(demo)
      // The person with the most facts among those who are in rows too.
      let rows = try #require(try list("/api/actions?limit=1000", demo) as? [[String: Any]])
      let inRows = Set(rows.compactMap { $0["user_id"] as? String })
      let subjects = Dictionary(grouping: before.filter { inRows.contains($0.value) }, by: \.value)
      let (person, own) = try #require(subjects.max { $0.value.count < $1.value.count })
      let end = Date().addingTimeInterval(60)
      while try run(["actions", "--from-history", "--filter", "user:\(person)"], demo).lines.isEmpty
      {
        try #require(Date() < end)
      }
      recorder.signal(SIGTERM)
      recorder.wait()

      let plan = try run(["facts", "forget", person, "--dry-run", "--json"], demo)
      #expect(plan.status == .exited(0), "\(plan.errorText)")
      let planned = try #require(try PlainAction.objects(plan.text).first)
      #expect(Set(planned["facts"] as? [Int] ?? []) == Set(own.map(\.key)))
      #expect(planned["in_recording"] as? Bool == true)

      let wrong = try run(["facts", "forget", person, "--count", "\(own.count + 1)"], demo)
      #expect(wrong.status == .exited(1) && wrong.errorText.contains("Nothing was changed"))
      #expect(try facts(demo).filter { $0.value == person }.count == own.count)

      let done = try run(
        ["facts", "forget", person, "--count", "\(own.count)", "--json"], demo)
      let receipt = try #require(try PlainAction.objects(done.text).first, "\(done.errorText)")
      #expect(done.status == .exited(0), "\(done.text) \(done.errorText)")
      #expect(receipt["facts_deleted"] as? [Int] == own.map(\.key).sorted())
      #expect(receipt["facts_left"] as? [Int] == [] && receipt["clean"] as? Bool == true)
      let recording = try #require((receipt["recording"] as? [[String: Any]])?.first)
      #expect((recording["own_rows"] as? Int ?? 0) > 0 && recording["clean"] as? Bool == true)

      // Nobody else lost anything.
      let after = try facts(demo)
      #expect(after == before.filter { $0.value != person })
      let folder = home.path + "/.local/state/clanky-cockpit/history"
      for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init()
      where name.contains(".db") {
        let bytes = try Data(contentsOf: URL(filePath: folder + "/" + name))
        #expect(bytes.range(of: Data(person.utf8)) == nil, "\(name)")
      }
      let rest = try run(
        ["actions", "--from-history", "--filter", "user:\(person)", "--json"], demo)
      #expect(rest.lines.isEmpty)

      // Once more there is nothing to do, and nothing is sent.
      let again = try run(["facts", "forget", person, "--count", "0"], demo)
      #expect(again.status == .exited(1) && again.errorText.contains("No fact is about"))
      demo.stop()
    }

    /// The person about whom all facts of `--facts` are.
    private static let subject = "600000000000010000"

    /// The deletions that the backend did, in their order.
    private func deletions(_ demo: DemoBackend) throws -> [String] {
      let log = try demo.request("GET", "/__demo/log").object["requests"] as? [[String: Any]]
      return (log ?? []).filter {
        $0["method"] as? String == "DELETE" && $0["status"] as? Int == 200
      }.compactMap { $0["path"] as? String }
    }

    @Test("killed in the middle, the same line goes on: every fact is deleted once")
    func killed() throws {
      let demo = try DemoBackend(
        ["--scenario", "quiet", "--facts", "300", "--fault-control"], home: home)
      let count = try facts(demo).count { $0.value == Self.subject }
      try #require(count == 300)
      let first = try PipedProcess(
        Tool.path,
        ["facts", "forget", Self.subject, "--count", "\(count)", "--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      let end = Date().addingTimeInterval(30)
      while try deletions(demo).isEmpty { try #require(Date() < end) }
      first.signal(SIGKILL)
      first.wait()
      let left = try facts(demo).count { $0.value == Self.subject }
      #expect(left > 0, "too fast to be killed")
      let second = try run(["facts", "forget", Self.subject, "--count", "\(left)"], demo)
      #expect(second.status == .exited(0), "\(second.text) \(second.errorText)")
      #expect(try facts(demo).values.contains(Self.subject) == false)
      let done = try deletions(demo)
      #expect(done.count == 300 && Set(done).count == 300)
      demo.stop()
    }

    @Test(":forget is held: u takes it back and nothing was asked of the backend; else it begins")
    func held() throws {
      let demo = try DemoBackend(
        ["--scenario", "quiet", "--facts", "20", "--fault-control"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 24, columns: 100)
      cockpit.type(":forget \(Self.subject) 20\r")
      try cockpit.see("HELD")
      cockpit.type("u")
      try cockpit.see("Taken back: nothing was changed.")
      cockpit.type("\u{1B}")
      // Closed, it is taken back as well.
      cockpit.type(":forget \(Self.subject) 20\r")
      try cockpit.see("HELD")
      cockpit.type("\u{1B}")
      try cockpit.see("LIVE FEED")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      #expect(try deletions(demo).isEmpty)
      let held = try run(
        ["facts", "forget", Self.subject, "--count", "20", "--hold", "1s"], demo)
      #expect(held.status == .exited(0), "\(held.errorText)")
      #expect(held.errorText.contains("Held for 1s"))
      #expect(try deletions(demo).count == 20)
      demo.stop()
    }
  }
}
