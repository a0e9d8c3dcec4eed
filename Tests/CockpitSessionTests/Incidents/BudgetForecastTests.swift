import ClankyWire
import CockpitAnswers
import CockpitDomain
import CockpitHistory
import CockpitRules
import CockpitStatistics
import CockpitStores
import Foundation
import Testing

@testable import CockpitSession

/// Twelve days that cost about $10 each, one that costs three times as much, and one like the others.
@Suite struct BudgetForecastTests {
  private static let dayMs: Int64 = 86_400_000
  private static let firstDay: Int64 = 20_000
  private static let dear = firstDay + 12
  private static let settings = RuleSettings([.budget: .init(values: ["usd": 20])])

  private static let rows: [(ms: Int64, json: [UInt8])] = {
    var random = SplitMix64(seed: 8)
    return (0..<14 as Range<Int64>).flatMap { number in
      let level = (number == 12 ? 3 : 1) * (0.75 + random.unit() / 2)
      return (0..<48 as Range<Int64>).map { half in
        let ms = (firstDay + number) * dayMs + half * 1_800_000 + 60_000
        let usd = level * 10 / 48 * 2 * random.unit()
        return (
          ms,
          Array(
            #"{"kind":"llm_call","content":"openai:m","createdAt":"\#(WireTime(milliseconds: ms).iso)","guildId":"g","usdCost":\#(usd),"metadata":{}}"#
              .utf8)
        )
      }
    }
  }()

  private static func told(_ incidents: [Incident]) -> [String] {
    incidents.filter { $0.rule == .budget }.map { "\($0.id) \($0.level) \($0.toMs) \($0.sentence)" }
      .sorted()
  }

  @Test("the same forecast live, from the whole recording and from any part of it")
  @MainActor func sameEverywhere() throws {
    let folder =
      FileManager.default.temporaryDirectory.path + "/budget-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(DailyRecording.write(Self.rows, into: folder))
    let history = try HistoryFolder(folder)
    let scan = IncidentScan(Self.settings)
    let (fromMs, toMs) = (Self.dear * Self.dayMs, (Self.dear + 2) * Self.dayMs - 1)
    let whole = try scan.report(history, fromMs: Self.firstDay * Self.dayMs, toMs: toMs)
    let expected = Self.told(whole.incidents)
    // Only the dear day: foretold, then reached.
    #expect(whole.incidents.count { $0.rule == .budget } == 2, "\(expected)")
    let foretold = try #require(whole.incidents.first { $0.rule == .budget && $0.level == .info })
    let reached = try #require(whole.incidents.first { $0.rule == .budget && $0.level == .warning })
    #expect(foretold.fromMs / Self.dayMs == Self.dear && reached.fromMs / Self.dayMs == Self.dear)
    #expect(foretold.toMs + 3_600_000 < reached.toMs)
    // What was known when the day began; read while the days before are kept, as it sleeps between days that it judges.
    let past = try #require(
      PastIncidents.read(folder, Self.settings, nowMs: fromMs + 600_000) { false })
    #expect(past.spend.usd.days.count == 12)
    try FileManager.default.removeItem(atPath: folder + "/notes.db")
    #expect(Self.told(try scan.report(history, fromMs: fromMs, toMs: toMs).incidents) == expected)
    // Live: its rows as they come.
    var follower = RuleFollower(Self.settings)
    follower.compare(with: past.hours, spend: past.spend.usd)
    let log = ActionLog()
    for row in Self.rows where row.ms >= fromMs && row.ms < fromMs + Self.dayMs {
      row.json.withUnsafeBytes {
        _ = try? log.restore($0, actionID: nil, origins: .activity, nowMs: row.ms)
      }
      follower.follow(log, nowMs: row.ms + 2000)
    }
    follower.follow(log, nowMs: toMs)
    #expect(Self.told(follower.report(sinceMs: fromMs).incidents) == expected)
  }

  @Test("the weeks are read again in an hour, or ten minutes after a day's end")
  func waits() {
    let midnight = 20_000 * Self.dayMs
    #expect(PastIncidents.waitMs(nowMs: midnight + 7_200_000) == 3_600_000)
    #expect(PastIncidents.waitMs(nowMs: midnight - 60_000) == 660_000)
    #expect(PastIncidents.waitMs(nowMs: midnight + 540_000) == 60_000)
    #expect(PastIncidents.waitMs(nowMs: midnight + 600_000) == 3_600_000)
  }
}
