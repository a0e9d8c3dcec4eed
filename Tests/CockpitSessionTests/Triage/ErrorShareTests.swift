import CockpitStores
import Foundation
import Testing

@testable import CockpitDemo

/// How many rows of an hour are failures: the thresholds of the rule `errors` lie above what a bot shows that is
/// well, and below what one shows that is not.
@MainActor @Suite struct ErrorShareTests {
  /// One look at the last 60 minutes.
  private struct Hour {
    var failures: Int
    var rows: Int
    var share: Double { Double(failures) / Double(max(1, rows)) }
  }

  /// What the rule sees every minute of a scenario, from its tenth minute on.
  private func hours(_ scenario: DemoScenario, seed: UInt64, minutes: Int) -> [Hour] {
    let clock = ManualDemoClock()
    let world = World(
      options: DemoOptions(seed: seed, scenario: scenario, token: "t", clock: clock), token: "t")
    Director.begin(world)
    let store = ActivityStore()
    var lastID: Int64 = 0
    var hours: [Hour] = []
    for minute in 1...minutes {
      clock.advance(byMs: 60_000)
      world.run(until: clock.nowMs)
      let rows = world.store.actions(ActionQuery(limit: 5000)).filter { $0.id > lastID }
      lastID = max(lastID, rows.map(\.id).max() ?? 0)
      DemoJSON.array(rows.map(\.json)).serialized().withUnsafeBytes {
        _ = store.applyRows($0, nowMs: clock.nowMs)
      }
      guard minute >= 10 else { continue }
      let rates = store.log.rate.perMinute(nowMs: clock.nowMs)
      hours.append(
        Hour(
          failures: rates.reduce(0) { $0 + $1.failures }, rows: rates.reduce(0) { $0 + $1.actions })
      )
    }
    return hours
  }

  /// The largest share of failures that was seen of a bot that is well: 17 of 295 rows of the captures.
  private static let wellShare = 0.058

  @Test(
    "no hour of a bot that is well has 45 failures among 12 times as many rows, by a wide margin",
    arguments: [DemoScenario.story, .quiet, .parked, .voice, .night])
  func well(scenario: DemoScenario) {
    for seed: UInt64 in 1...2 {
      for hour in hours(scenario, seed: seed, minutes: 70) where hour.failures >= 45 {
        #expect(hour.share <= Self.wellShare, "\(scenario) \(seed): \(hour)")
      }
    }
  }

  @Test("a bot that fails has 2.5 times that share and more, after ten minutes")
  func failing() {
    for hour in hours(.failing, seed: 1, minutes: 20) {
      #expect(hour.failures >= 45 && hour.share >= 2.5 / 12, "\(hour)")
    }
  }

  @Test("45 of 540 rows are 2.5 standard deviations above the share of a bot that is well")
  func deviation() {
    let (rows, failures) = (540.0, 45.0)
    let expected = rows * Self.wellShare
    #expect((failures - expected) / (expected * (1 - Self.wellShare)).squareRoot() >= 2.5)
  }

  @Test("the recorded captures, where they are")
  func captures() throws {
    let path = "/work/shared/wire/captures/activity.sse"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      print("No captures at \(path): left out.")
      return
    }
    let store = ActivityStore()
    var end: Int64 = 0
    for line in text.split(separator: "\n") where line.hasPrefix("data: ") {
      let object = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8))
      guard let row = object as? [String: Any], row["kind"] != nil,
        let time = row["createdAt"] as? String
      else { continue }
      let date = try Date(
        time, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
      let ms = Int64(date.timeIntervalSince1970 * 1000)
      end = max(end, ms)
      try Array(line.dropFirst(6).utf8).withUnsafeBytes {
        _ = try store.applyLive($0, from: .activity, nowMs: ms)
      }
    }
    let rates = store.log.rate.perMinute(nowMs: end)
    let failures = rates.reduce(0) { $0 + $1.failures }
    let rows = rates.reduce(0) { $0 + $1.actions }
    #expect(rows > 200 && Double(failures) / Double(rows) <= Self.wellShare)
  }
}
