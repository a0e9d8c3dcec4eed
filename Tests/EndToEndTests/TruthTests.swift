import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The screen compared with the backend's log: the demo's own log is the truth, evaluated by
  /// rules written for this test alone.
  @Suite("truth: counts of filters") struct TruthTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// A row as the demo's log has it.
    private struct Row {
      var timeMs: Int64
      var kind: String
      var guild: String?
      var user: String?
      var content: String
      var cost: Double
    }

    /// A filter, and which rows it means.
    private struct Filter {
      var text: String
      var sinceMs: Int64
      var holds: (Row) -> Bool
    }

    private func log(_ demo: DemoBackend) throws -> [Row] {
      let reply = try demo.request("GET", "/__demo/rows")
      let list = try #require(
        try JSONSerialization.jsonObject(with: Data(reply.body)) as? [[String: Any]])
      let format = ISO8601DateFormatter()
      format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
      return try list.map { row in
        let time = try #require((row["created_at"] as? String).flatMap(format.date))
        return Row(
          timeMs: Int64((time.timeIntervalSince1970 * 1000).rounded()),
          kind: row["kind"] as? String ?? "", guild: row["guild_id"] as? String,
          user: row["user_id"] as? String, content: row["content"] as? String ?? "",
          cost: row["usd_cost"] as? Double ?? 0)
      }
    }

    /// A hundred filters with `since:`, the same for the same seed.
    private func filters(_ dice: inout TruthDice) -> [Filter] {
      (0..<100).map { _ in
        let minutes = dice.pick([2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 360, 720, 1380])
        let since = minutes % 60 == 0 && dice.int(2) == 0 ? "\(minutes / 60)h" : "\(minutes)m"
        var parts = ["since:\(since)"]
        var tests: [(Row) -> Bool] = []
        switch dice.int(7) {
        case 0: break
        case 1:
          let kind = dice.pick([
            "llm_call", "voice_runtime", "sent_reply", "voice_error", "reply_skipped", "bot_error",
            "voice_session_end", "memory_fact", "search_call", "text_runtime",
          ])
          parts.append("kind:\(kind)")
          tests.append { $0.kind == kind }
        case 2:
          let head = dice.pick(["llm_", "voice_", "memory_", "voice_turn_", "re"])
          parts.append("kind:\(head)*")
          tests.append { $0.kind.hasPrefix(head) }
        case 3:
          let (one, other) = ("llm_error", dice.pick(["bot_error", "image_error", "llm_call"]))
          parts.append("kind:\(one)|\(other)")
          tests.append { $0.kind == one || $0.kind == other }
        case 4:
          parts.append("-kind:voice_runtime")
          tests.append { $0.kind != "voice_runtime" }
        case 5:
          let content = dice.pick(["rate_limit", "hut opening", "llm_skip"])
          parts.append("text:\"\(content)\"")
          tests.append { $0.content.contains(content) }
        default:
          parts.append("is:error")
          tests.append { $0.kind.hasSuffix("_error") }
        }
        switch dice.int(4) {
        case 0:
          let cents = dice.pick([0.001, 0.01, 0.03])
          parts.append("cost>\(cents)")
          tests.append { $0.cost > cents }
        case 1:
          let guild = dice.pick([
            ("Ridge Runners", "771043920118841344"), ("パン屋 Slow Oven", "822190335507759104"),
          ])
          parts.append("guild:\"\(guild.0)\"")
          tests.append { $0.guild == guild.1 }
        default: break
        }
        if dice.int(2) == 0 { parts.reverse() }
        return Filter(
          text: parts.joined(separator: " "), sinceMs: Int64(minutes) * 60_000,
          holds: { row in tests.allSatisfy { $0(row) } })
      }
    }

    @Test(
      "for 100 random filters with since: the number on the screen is the log's, or says where rows begin",
      arguments: ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] == nil
        ? [(24, 80)] : [(24, 80), (40, 120)])
    func counts(rows: Int, columns: Int) throws {
      let demo = try DemoBackend(["--scenario", "evening", "--fault-control"], home: home)
      let log = try log(demo)
      let cockpit = try Cockpit(on: demo, home: home, rows: rows, columns: columns)
      try cockpit.see("names") { $0.contains("[1 PULSE]") && $0.contains("FOLLOW") }
      var dice = TruthDice(state: UInt64(columns))
      var (exact, partial) = (0, 0)
      for filter in filters(&dice) {
        // Clear what stands there, and type.
        cockpit.type("f\u{15}\(filter.text)\r")
        var said: (count: Int, isPartial: Bool)?
        try cockpit.see("the count of \(filter.text)") { screen in
          said = Self.count(in: screen, of: filter.text)
          return said.map { $0.isPartial || Self.isTrue($0.count, filter, log) } ?? false
        }
        if said?.isPartial == true { partial += 1 } else { exact += 1 }
      }
      print("\(columns)x\(rows): \(exact) exact, \(partial) partial, of 100")
      // A mark on everything would be no answer either.
      #expect(exact >= 30, "\(exact)")
      // The filter is a level of its own.
      cockpit.type("q")
      try cockpit.see("no filter") { !$0.contains("FILTER") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0), what: "q")
    }

    /// The number beside the filter, and whether it is marked as that of a part: `rows here begin 14:32`.
    private static func count(
      in screen: String, of filter: String
    ) -> (count: Int, isPartial: Bool)? {
      // The bar shows as much of a filter as there is room for.
      guard let bar = screen.split(separator: "\n").first(where: { $0.contains("f> ") }),
        bar.contains("f> " + filter.prefix(12)),
        let match = bar.firstMatch(of: /FILTER ([\d,]+)\/[\d,]+/),
        let count = Int(match.1.replacing(",", with: ""))
      else { return nil }
      return (count, bar.contains(/begin \d\d[:-]\d\d/))
    }

    /// Whether so many rows match, at some moment of the last seconds.
    private static func isTrue(_ count: Int, _ filter: Filter, _ log: [Row]) -> Bool {
      let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
      let matching = log.filter(filter.holds).map(\.timeMs)
      func number(_ fromMs: Int64) -> Int { matching.reduce(0) { $0 + ($1 >= fromMs ? 1 : 0) } }
      let latest = number(nowMs - filter.sinceMs)
      return (latest...number(nowMs - filter.sinceMs - 5000)).contains(count)
    }
  }
}

/// The same draws for the same seed (SplitMix64).
private struct TruthDice {
  var state: UInt64

  mutating func int(_ below: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ value >> 31) % UInt64(below))
  }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[int(list.count)] }
}
