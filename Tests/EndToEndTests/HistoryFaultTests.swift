import Foundation
import Testing

extension EndToEnd {
  /// What the backend does to its own log while a reader is away for some seconds.
  @Suite("faults of the history") struct HistoryFaultTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private struct Fault {
      var name: String
      var log: ScriptedLog
      /// Ids that are to come out, each once.
      var ids: Set<Int>
      var gaps: [ClosedRange<Int>] = []
      var hasReset = false
      /// Parts of the lines of type `error`.
      var errors: [String] = []
    }

    private typealias State = ScriptedLog.State

    /// The first 300 rows. The snapshot has those from 81 on; the others are too old for a fill.
    private static let before =
      ScriptedLog.rows(1...80, minutesAgo: 120) + ScriptedLog.rows(81...300)

    private static func hole(
      _ rows: Int, kinds: [String] = ["bot_runtime"], guilds: Int = 1
    ) -> ScriptedLog {
      let after =
        before + ScriptedLog.rows(301...(300 + rows + 220), kinds: kinds, guilds: guilds)
      return ScriptedLog(states: [State(rows: before), State(rows: after)])
    }

    private static func faults() -> [Fault] {
      let after = before + ScriptedLog.rows(301...620)
      let kinds = ["llm_call", "voice_runtime", "bot_runtime"]
      let restarted = ScriptedLog.rows(1...50, minutesAgo: 1)
      let lost = after.filter { !(350...359).contains($0.id) }
      let steppedBack = before + ScriptedLog.rows(301...360, minutesAgo: 60)
      let mixed = (after + after).shuffled()
      let recent = after.suffix(220)
      return [
        Fault(name: "a hole of 1", log: hole(1), ids: Set(81...521)),
        Fault(name: "a hole of 100", log: hole(100), ids: Set(81...620)),
        Fault(
          name: "a hole of 2,400, which one answer cannot hold", log: hole(2400, kinds: kinds),
          ids: Set(81...2920)),
        Fault(
          name: "a hole of 2,400 of kinds that nobody knows",
          log: hole(2400, kinds: ["lantern_lit", "lantern_out", "lantern_lost"]),
          ids: Set(81...2920)),
        Fault(
          name: "a hole of 2,400 of one kind in three guilds", log: hole(2400, guilds: 3),
          ids: Set(81...2920)),
        Fault(
          name: "a hole of 5,000 of one kind and guild, of which 1,000 can be had", log: hole(5000),
          ids: Set(81...300).union(4521...5520), gaps: [301...4520]),
        Fault(
          name: "rows that are gone",
          log: ScriptedLog(states: [State(rows: before), State(rows: lost)]),
          ids: Set(81...620).subtracting(350...359), gaps: [350...359]),
        Fault(
          name: "a log that was replaced",
          log: ScriptedLog(states: [State(rows: before), State(rows: restarted)]),
          ids: Set(1...50).union(81...300), hasReset: true),
        Fault(
          name: "a clock that stepped back",
          log: ScriptedLog(states: [
            State(rows: before),
            State(rows: steppedBack, snapshot: steppedBack.suffix(220).reversed()),
          ]),
          ids: Set(81...360)),
        Fault(
          name: "rows out of order, and each twice",
          log: ScriptedLog(states: [
            State(rows: before, snapshot: (before.suffix(220) + before.suffix(220)).shuffled()),
            State(
              rows: after, snapshot: (recent + recent).shuffled(), page: ScriptedLog.list(mixed)),
          ]), ids: Set(81...620)),
        Fault(
          name: "a page that is the same for ever",
          log: ScriptedLog(states: [
            State(rows: before), State(rows: after, page: ScriptedLog.list(before.suffix(220))),
          ]), ids: Set(81...300).union(401...620), gaps: [301...400]),
        Fault(
          name: "a page that breaks off",
          log: ScriptedLog(states: [
            State(rows: before),
            State(
              rows: after,
              page: ScriptedLog.list(after.suffix(300).reversed()).prefix(200 * 230).description),
          ]), ids: [], errors: ["breaks off"]),
      ]
    }

    @Test("every row comes once, holes are filled or named, and a new log is noticed (promise P4)")
    func history() throws {
      let faults = Self.faults()
      // The seconds before the second connection pass for all of them at the same time.
      for batch in [faults[..<6], faults[6...]] {
        let runs = try batch.map { fault in
          let server = try fault.log.server()
          let process = try PipedProcess(
            Tool.path, ["tail", "--json", "--url", server.url],
            environment: Tool.environment(home: home, token: "some-token-1"))
          return (fault: fault, server: server, process: process)
        }
        for (fault, server, process) in runs {
          defer { server.stop() }
          let isThere = process.pump { Self.isComplete(process, fault) }
          #expect(isThere, "\(fault.name): \(process.lines.count) lines")
          process.signal(SIGTERM)
          process.wait()
          expect(fault, TailLines(process.lines))
        }
      }
    }

    @Test(
      "what was told live is in no gap (promise P4)",
      arguments: [
        // An empty list, none at all, and lists without the first rows that were told or the last.
        ("[]", "200 OK", [311...400]), ("{}", "503 Busy", [311...400]),
        (ScriptedLog.list(Array(rows[304...])), "200 OK", []),
        (ScriptedLog.list(Array(rows[..<303])), "200 OK", [311...400]),
        (ScriptedLog.list(Array(rows[360...])), "200 OK", [311...360]),
      ])
    func told(page: String, status: String, gaps: [ClosedRange<Int>]) throws {
      let before = Array(Self.rows[..<300])
      let server = try ScriptedLog(states: [
        State(rows: before, live: Array(Self.rows[300..<310])),
        State(rows: Self.rows, page: page, status: status),
      ]).server()
      defer { server.stop() }
      let process = try PipedProcess(
        Tool.path, ["tail", "--json", "--url", server.url],
        environment: Tool.environment(home: home, token: "some-token-1"))
      process.pump {
        process.text.contains(#""content":"row 620""#)
          && TailLines(process.lines).count("gap") >= gaps.count
      }
      process.signal(SIGTERM)
      process.wait()
      let lines = TailLines(process.lines).objects
      let contents = lines.compactMap { $0["content"] as? String }
      #expect(Set(contents).count == contents.count, "rows came twice")
      let found = lines.filter { $0["type"] as? String == "gap" }.map {
        "\($0["from"] ?? "")...\($0["to"] ?? "")"
      }
      #expect(found == gaps.map { "\($0.lowerBound)...\($0.upperBound)" })
    }

    private static let rows = ScriptedLog.rows(1...620)

    /// Whether the last of what is to come is there; what must not come has had its chance by then.
    private static func isComplete(_ process: PipedProcess, _ fault: Fault) -> Bool {
      let text = process.text
      let actions = text.components(separatedBy: #"{"type":"action""#).count - 1
      return actions >= fault.ids.count
        && text.components(separatedBy: #"{"type":"gap""#).count - 1 >= fault.gaps.count
        && (!fault.hasReset || text.contains(#"{"type":"reset""#))
        && (fault.errors.isEmpty || text.contains(#"{"type":"gap""#))
        && text.contains(#""state":"reconnecting""#) && text.hasSuffix("\n")
    }

    private func expect(_ fault: Fault, _ lines: TailLines) {
      let actions = lines.objects.filter { $0["type"] as? String == "action" }
      // A replaced log uses ids again: rows are told apart by their time as well.
      let keys = actions.map { "\($0["id"] ?? "-") \($0["created_at"] ?? "-")" }
      #expect(Set(keys).count == keys.count, "\(fault.name): rows came twice")
      let gaps = lines.objects.compactMap { line -> ClosedRange<Int>? in
        guard line["type"] as? String == "gap", let from = line["from"] as? Int,
          let to = line["to"] as? Int
        else { return nil }
        return from...to
      }
      if fault.errors.isEmpty {
        let ids = Set(actions.compactMap { $0["id"] as? Int })
        #expect(ids == fault.ids, "\(fault.name): \(ids.count) ids")
        #expect(gaps == fault.gaps, "\(fault.name)")
      }
      #expect(lines.count("reset") == (fault.hasReset ? 1 : 0), "\(fault.name)")
      let errors = lines.objects.filter { $0["type"] as? String == "error" }
        .map { $0["reason"] as? String ?? "" }
      #expect(errors.count == fault.errors.count, "\(fault.name): \(errors)")
      for words in fault.errors {
        #expect(errors.contains { $0.contains(words) }, "\(fault.name): \(errors)")
      }
    }
  }
}
