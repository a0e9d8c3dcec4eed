import CockpitAnswers
import Foundation
import Testing

@testable import CockpitDemo

/// Nearly every answer and silence has a verdict with a row to it.
@MainActor @Suite struct WhyCoverageTests {
  private struct Count {
    var verdicts = 0
    var all = 0
    var without: [String: Int] = [:]

    mutating func take(_ why: Why) {
      guard !why.exchange.isOpen else { return }
      all += 1
      let hasID = why.answer.evidence.contains { $0.actionID != nil }
      if hasID, why.answer.state != .unknown {
        verdicts += 1
      } else {
        without["\(why.rule)", default: 0] += 1
      }
    }
  }

  private func count(_ rows: [String], nowMs: Int64) -> Count {
    let log = WhyLog(rows)
    let source = log.rows(nowMs: nowMs, hasNewest: true).indexed()
    var count = Count()
    for entry in source.entries() {
      guard let exchange = source.exchange(entry.key) else { continue }
      count.take(Why(exchange))
    }
    return count
  }

  @Test(
    "at least 95 % of answers and silences of a demo scenario have a verdict with a cited row",
    arguments: DemoScenario.allCases)
  func scenario(_ scenario: DemoScenario) throws {
    let clock = ManualDemoClock()
    let world = World(
      options: DemoOptions(seed: 3, scenario: scenario, token: "t", clock: clock, history: 0),
      token: "t")
    Director.begin(world)
    for _ in 0..<8 {
      clock.advance(byMs: 60_000)
      world.run(until: clock.nowMs)
    }
    let query = ActionQuery(limit: 2500, oldestFirst: false)
    let rows = world.store.actions(query).reversed().map { $0.json.text }
    let count = count(Array(rows), nowMs: clock.nowMs)
    let quiet: Set<DemoScenario> = [.quiet, .parked, .empty, .failing]
    if !quiet.contains(scenario) { #expect(count.all > 10, "\(count)") }
    #expect(Double(count.verdicts) >= 0.95 * Double(count.all), "\(scenario): \(count)")
    let known: [DemoScenario: Set<String>] = [
      .hostile: ["voice.unknown"], .evening: ["voice.unknown"],
    ]
    #expect(Set(count.without.keys).isSubset(of: known[scenario] ?? []), "\(scenario): \(count)")
  }

  @Test("the same of the recorded captures, where they are")
  func captures() throws {
    let path = "/work/shared/wire/captures/activity.sse"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      print("No captures at \(path): left out.")
      return
    }
    var rows: [String] = []
    var nowMs: Int64 = 0
    for line in text.split(separator: "\n") where line.hasPrefix("data: ") {
      let object = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8))
      guard var row = object as? [String: Any], row["kind"] != nil, let time = row["createdAt"]
      else { continue }
      // As the backend stores what it sends live.
      row["id"] = rows.count + 1
      row["created_at"] = time
      for (live, stored) in [
        ("guildId", "guild_id"), ("channelId", "channel_id"), ("messageId", "message_id"),
        ("userId", "user_id"), ("usdCost", "usd_cost"),
      ] { row[stored] = row[live] }
      rows.append(String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self))
      let date = try Date(
        time as? String ?? "",
        strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
      nowMs = max(nowMs, Int64(date.timeIntervalSince1970 * 1000))
    }
    let count = count(rows, nowMs: nowMs + 600_000)
    #expect(count.all > 15)
    #expect(Double(count.verdicts) >= 0.95 * Double(count.all), "\(count)")
  }
}
