import CockpitRules
import Testing

/// Absences that were put into nights of the demo are found in time, with their cause.
@Suite struct AbsencePlantTests {
  private static func planted() -> [AbsencePlants] {
    ([3, 5, 8, 13] as [UInt64]).map { seed in
      var night = AbsencePlants(seed: seed)
      for _ in 0..<2 { night.unsent() }
      night.unsent(error: "discord_send_failed: Missing Permissions")
      for _ in 0..<2 { night.dropped() }
      night.dropped(modelFails: true)
      night.thread(refusedWithoutReason: seed % 2 == 0)
      night.automation(40 + Int(seed), isRestarted: seed % 2 == 0)
      night.deaf(isRecognised: false, at: 31)
      night.deaf(isRecognised: true, at: 153)
      return night
    }
  }

  @Test("forty absences are found within a minute of their deadline, 36 with the right cause")
  func plants() {
    var (found, caused, all) = (0, 0, 0)
    for night in Self.planted() {
      all += night.plants.count
      for (plant, seen) in Self.watch(night) {
        guard let seen else {
          Issue.record("not found in time: \(plant)")
          continue
        }
        found += 1
        if seen.cause?.contains(plant.cause) ?? false {
          caused += 1
        } else {
          print("\(plant): \(seen.cause ?? "no cause")")
        }
      }
    }
    print("planted \(all), found within 60 s \(found), right cause \(caused)")
    #expect(all == 40)
    #expect(found == all)
    #expect(caused >= 36)
  }

  /// Each plant with its incident, if it was there a minute after the deadline.
  private static func watch(
    _ night: AbsencePlants
  ) -> [(AbsencePlants.Plant, Incident?)] {
    var engine = RuleEngine()
    var rest = night.events[...]
    var result: [(AbsencePlants.Plant, Incident?)] = []
    for plant in night.plants.sorted(by: { $0.deadlineMs < $1.deadlineMs }) {
      let now = plant.deadlineMs + 60_000
      let due = rest.prefix { $0.timeMs <= now }
      engine.take(Array(due))
      rest.removeFirst(due.count)
      engine.advance(to: now)
      let incident = engine.incidents.first {
        isOf($0.rule, plant.rule)
          && [$0.missing ?? "", $0.sessionID ?? "", $0.sentence + " "]
            .contains { $0.contains(plant.name) }
      }
      result.append((plant, incident))
    }
    return result
  }

  /// A direct address whose answer was not sent is one fault: `reply_missing` tells of it first, and takes over the cause.
  private static func isOf(_ rule: RuleID, _ planted: RuleID) -> Bool {
    rule == planted || planted == .generatedNotSent && rule == .replyMissing
  }

  @Test("nothing else is missing in these nights, but for what the night itself lost")
  func others() {
    for night in Self.planted() {
      var engine = RuleEngine()
      engine.take(night.events)
      let absent = engine.incidents.filter { incident in
        RuleTable.absence.contains { $0.id == incident.rule }
          && !night.plants.contains { plant in
            [incident.missing ?? "", incident.sessionID ?? "", incident.sentence + " "]
              .contains { $0.contains(plant.name) }
          }
      }
      for incident in absent {
        print("\(incident.rule.rawValue) \(incident.level): \(incident.sentence)")
      }
      // The night has two answers of its own that were never sent, and four messages whose model calls fail.
      let allowed: [RuleID: Int] = [.generatedNotSent: 2, .ignoredThread: 4]
      for (rule, incidents) in Dictionary(grouping: absent, by: \.rule) {
        #expect(incidents.count <= allowed[rule] ?? 0, "\(rule.rawValue)")
      }
    }
  }
}
