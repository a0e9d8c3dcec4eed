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

  @Test(
    "a bot that is well stays below half of one threshold or the other",
    arguments: [DemoScenario.story, .quiet, .parked, .voice, .night])
  func well(scenario: DemoScenario) {
    var all: [Hour] = []
    for seed: UInt64 in 1...5 { all += hours(scenario, seed: seed, minutes: 70) }
    let most = all.map(\.failures).max() ?? 0
    let share = all.filter { $0.failures >= 10 }.map(\.share).max() ?? 0
    let shares = all.filter { $0.rows > 0 }.map(\.share).sorted()
    func quantile(_ part: Double) -> Double {
      shares.isEmpty ? 0 : shares[min(shares.count - 1, Int(part * Double(shares.count)))]
    }
    print(
      "\(scenario): at most \(most) failures an hour; share p50 \(quantile(0.5)) p95 \(quantile(0.95)) max \(shares.last ?? 0), with 10 or more \(share), rows \(all.map(\.rows).max() ?? 0)"
    )
  }

  @Test("a bot that fails is far above both")
  func failing() {
    let all = (1...5).flatMap { hours(.failing, seed: $0, minutes: 20) }
    print(
      "failing: \(all.map(\.failures).min() ?? 0) failures, share \(all.map(\.share).min() ?? 0)")
  }

  @Test("the recorded captures, where they are")
  func captures() throws {
    let path = "/work/shared/wire/captures/activity.sse"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      print("No captures at \(path): left out.")
      return
    }
    let store = ActivityStore()
    var begin: Int64 = .max
    var end: Int64 = 0
    for line in text.split(separator: "\n") where line.hasPrefix("data: ") {
      let object = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8))
      guard let row = object as? [String: Any], row["kind"] != nil,
        let time = row["createdAt"] as? String
      else { continue }
      let date = try Date(
        time, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
      let ms = Int64(date.timeIntervalSince1970 * 1000)
      (begin, end) = (min(begin, ms), max(end, ms))
      try Array(line.dropFirst(6).utf8).withUnsafeBytes {
        _ = try store.applyLive($0, from: .activity, nowMs: ms)
      }
    }
    let rates = store.log.rate.perMinute(nowMs: end)
    let failures = rates.reduce(0) { $0 + $1.failures }
    let rows = rates.reduce(0) { $0 + $1.actions }
    print("captures: \(failures) failures of \(rows) rows in \((end - begin) / 1000) s")
  }
}
