import Testing

@testable import CockpitDemo

/// The stories of a bot that is well have nothing in them for half an hour that an owner must act on: what fails
/// once works the next time, and what goes away is back before anybody would call it lost.
@Suite struct WellTests {
  /// A kind of work: its failures, and what tells that it works.
  private static let works: [(failure: String, success: String)] = [
    ("llm_error", "llm_call"), ("search_error", "search_call"),
    ("memory_embedding_error", "memory_embedding_call"),
    ("browser_browse_failed", "browser_browse_call"), ("asr_error", "asr_call"),
    ("tts_error", "tts_call"), ("automation_error", "automation_run"),
  ]

  @Test(
    "30 minutes without trouble",
    arguments: [DemoScenario.story, .quiet, .parked, .voice], [1, 2] as [UInt64])
  func well(scenario: DemoScenario, seed: UInt64) {
    let clock = ManualDemoClock()
    var options = DemoOptions(seed: seed, scenario: scenario, token: "secret")
    options.clock = clock
    let world = World(options: options, token: "secret")
    Director.begin(world)
    let start = clock.nowMs
    // Seconds in which something has been so without a pause.
    var (lost, waiting, unheard, toolless) = (0, 0, 0, 0)
    func count(_ seconds: inout Int, _ isSo: Bool) { seconds = isSo ? seconds + 1 : 0 }
    for second in 0..<1800 {
      clock.advance(byMs: 1000)
      world.run(until: clock.nowMs)
      count(&lost, world.gateway.reconnecting)
      count(&waiting, world.pendingReplies >= 3)
      count(&unheard, world.sessions.contains { !$0.realtimeConnected })
      count(
        &toolless,
        world.sessions.contains { $0.servers.count > 1 && $0.servers.allSatisfy { !$0.connected } })
      #expect(lost < 5 && waiting < 30 && unheard < 5 && toolless < 5, "\(scenario) at \(second) s")
      #expect(world.tunnel.status == "ready", "\(scenario) at \(second) s")
    }
    let rows = world.store.actions(ActionQuery(limit: .max, since: start, oldestFirst: true))
    for (failure, success) in Self.works {
      var inARow = 0
      for row in rows where row.kind == failure || row.kind == success {
        inARow = row.kind == failure ? inARow + 1 : 0
        #expect(inARow < 3, "\(scenario): \(failure) at \(DemoTime.iso(row.createdMs))")
      }
    }
    #expect(world.truth.troubles.isEmpty)
  }
}
