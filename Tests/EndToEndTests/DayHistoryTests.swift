import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The rows of a day in the cockpit, against what the backend has.
  @Suite("history at the start") struct DayHistoryTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// Rows of the last 20 hours, the oldest first; the first kind is the most frequent one.
    private static func rows(_ count: Int, _ kinds: [String]) -> [ScriptedLog.Row] {
      let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
      let stepMs: Int64 = 20 * 3_600_000 / Int64(count)
      return (0..<count).map { index in
        let kind = index % 3 < 2 ? kinds[0] : kinds[(index / 3) % kinds.count]
        return ScriptedLog.Row(
          id: index + 1, kind: kind, timeMs: nowMs - Int64(count - index) * stepMs - 1000)
      }
    }

    private static let kinds = [
      "voice_runtime", "voice_error", "memory_fact", "voice_turn_in", "sent_reply",
    ]

    private func count(_ rows: [ScriptedLog.Row], _ kind: String, hours: Double) -> Int {
      let since = Int64((Date().timeIntervalSince1970 - hours * 3600) * 1000)
      return rows.count { $0.kind == kind && $0.timeMs >= since }
    }

    private func filter(_ text: String, _ cockpit: Cockpit) {
      // Ctrl-U empties the field.
      cockpit.type("f\u{15}\(text)\r")
    }

    @Test("D1: of fewer than 1,000 rows a day all are counted, with their window")
    func aQuietBot() throws {
      let rows = Self.rows(900, Self.kinds)
      let server = try ScriptedLog(states: [.init(rows: rows)]).server()
      defer { server.stop() }
      let cockpit = try Cockpit(["--url", server.url], home: home)
      try cockpit.see("ACT 900/24h")
      let errors = count(rows, "voice_error", hours: 24)
      try cockpit.see("ERR \(errors)!")
      filter("since:12h is:error", cockpit)
      try cockpit.see("FILTER \(count(rows, "voice_error", hours: 12))/900")
      #expect(!cockpit.screen.contains("rows here begin"))
      filter("since:5h kind:memory_fact", cockpit)
      try cockpit.see("FILTER \(count(rows, "memory_fact", hours: 5))/900")
      #expect(!cockpit.screen.contains("rows here begin"))
    }

    @Test("D1: of more rows what could be had is counted, and the rest says where it begins")
    func aBusyBot() throws {
      let rows = Self.rows(6_000, Self.kinds)
      let server = try ScriptedLog(states: [.init(rows: rows)]).server()
      defer { server.stop() }
      let cockpit = try Cockpit(["--url", server.url], home: home, columns: 120)
      // Two thirds and more of the rows are of one kind: the newest 1,000 of these are some four hours.
      try cockpit.see("MEM \(count(rows, "memory_fact", hours: 24))/24h")
      filter("since:12h kind:voice_error", cockpit)
      try cockpit.see("FILTER \(count(rows, "voice_error", hours: 12))/")
      #expect(!cockpit.line(3).contains("rows here begin"), "\(cockpit.screen)")
      filter("since:12h kind:voice_runtime", cockpit)
      try cockpit.see("rows here begin")
      // The events of containers may be errors.
      filter("since:12h is:error", cockpit)
      try cockpit.see("FILTER \(count(rows, "voice_error", hours: 12))/")
      #expect(cockpit.screen.contains("rows here begin"))
      cockpit.type("\u{1B}")
      try cockpit.see("all rows") { !$0.contains("FILTER") }
      cockpit.type("]d]d]d")
      try cockpit.see("no older day")
      #expect(cockpit.screen.contains("rows begin"))
    }
  }
}
