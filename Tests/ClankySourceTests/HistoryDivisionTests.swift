import CockpitDomain
import Testing

@testable import ClankySource

/// How far back large rows reach: an answer that is full, or as large as may be, is divided by kind and by guild.
@Suite struct HistoryDivisionTests {
  private static let kinds: Set<String> = ["sent_reply", "sent_message", "reply_skipped"]

  /// A backend with so many rows of each kind in each guild, all of one size.
  private struct Log {
    /// Newest first: kind, guild, time.
    var rows: [(kind: String, guild: String, ms: Int64)]
    var size: Int

    init(perKindAndGuild count: Int, guilds: [String], size: Int) {
      self.size = size
      rows = (0..<count).flatMap { place in
        HistoryDivisionTests.kinds.sorted().flatMap { kind in
          guilds.map { (kind, $0, Int64(1_000_000 - place)) }
        }
      }
    }

    func answer(_ step: HistoryStep) -> [(kind: String, guild: String, ms: Int64)] {
      Array(
        rows.lazy.filter { row in
          step.part.kinds.contains(row.kind)
            && (step.part.guild.map { $0 == row.guild } ?? true)
        }.prefix(step.limit))
    }
  }

  /// Asks for everything; the rows that came, by kind and guild, and how many requests that took.
  private func fetched(_ log: Log, guild: String? = nil) -> (counts: [String: Int], requests: Int) {
    var plan = HistoryPlan(
      HistoryRequest(kinds: Self.kinds, guild: guild, sinceMs: .min), last24h: [:])
    var seen = SeenParts()
    seen.guilds = Set(log.rows.map(\.guild))
    var found: [String: Set<Int64>] = [:]
    var requests = 0
    while let step = plan.next(seen, beginMs: { _, _ in nil }) {
      requests += 1
      let rows = log.answer(step)
      for row in rows { found["\(row.kind) \(row.guild)", default: []].insert(row.ms) }
      plan.answered(
        step, rows: rows.count, bytes: rows.count * log.size, oldestMs: rows.last?.ms, seen: seen)
    }
    return (found.mapValues(\.count), requests)
  }

  @Test("replies with prompts: each kind of each guild reaches as far as its own answer")
  func large() {
    let log = Log(perKindAndGuild: 400, guilds: ["1", "2"], size: 32_000)
    let (counts, requests) = fetched(log)
    #expect(counts.count == 6 && counts.values.allSatisfy { $0 == 400 }, "\(counts)")
    #expect(requests <= HistoryPlan.maximumRequests)
  }

  @Test("small rows: the newest 1,000 of each kind of each guild")
  func small() {
    let log = Log(perKindAndGuild: 1200, guilds: ["1", "2"], size: 500)
    let (counts, requests) = fetched(log)
    #expect(counts.count == 6 && counts.values.allSatisfy { $0 >= 1000 }, "\(counts)")
    #expect(requests <= HistoryPlan.maximumRequests)
  }

  @Test("of one guild the parts are its kinds, and what cannot be had is said")
  func oneGuild() {
    let log = Log(perKindAndGuild: 700, guilds: ["1", "2"], size: 32_000)
    var plan = HistoryPlan(
      HistoryRequest(kinds: Self.kinds, guild: "1", sinceMs: .min), last24h: [:])
    var seen = SeenParts()
    seen.guilds = ["1", "2"]
    while let step = plan.next(seen, beginMs: { _, _ in nil }) {
      #expect(step.part.guild == "1")
      let rows = log.answer(step)
      plan.answered(
        step, rows: rows.count, bytes: rows.count * log.size, oldestMs: rows.last?.ms, seen: seen)
    }
    #expect(plan.limits.contains { $0.part.kinds == ["sent_reply"] && $0.isTooLarge })
    #expect(fetched(log, guild: "1").counts.values.allSatisfy { $0 >= 500 })
  }
}
