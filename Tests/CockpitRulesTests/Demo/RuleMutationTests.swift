import CockpitRules
import Foundation
import Testing

@testable import CockpitDemo

/// What repairs can do to the order of arrival changes no result.
@Suite struct RuleMutationTests {
  private static func judged(
    _ example: RuleCase, _ feed: (inout RuleEngine) -> Void
  ) -> [Incident] {
    var engine = RuleEngine(example.settings)
    feed(&engine)
    engine.advance(to: (example.tape.events.map(\.timeMs).max() ?? 0) + 3_600_000)
    return engine.incidents
  }

  /// Feeds rows in an order of arrival: in pieces, some late, some twice, the clock going on between them.
  private static func feed(
    _ events: [RuleEvent], _ random: inout DemoRandom, to engine: inout RuleEngine
  ) {
    var late: [RuleEvent] = []
    var at = 0
    while at < events.count || !late.isEmpty {
      let end = min(events.count, at + random.int(1...7))
      var batch: [RuleEvent] = []
      for event in events[at..<end] {
        if random.chance(0.2) { late.append(event) } else { batch.append(event) }
        // The stored twin of a live row.
        if random.chance(0.2), event.row != nil { late.append(event) }
      }
      at = end
      if at == events.count || random.chance(0.3) {
        // A gap is repaired.
        batch += late
        late = []
      }
      batch.shuffle(using: &random)
      engine.take(batch)
      if random.chance(0.5), let last = batch.map(\.timeMs).max() {
        engine.advance(to: last + Int64(random.int(0...90_000)))
      }
    }
  }

  @Test("late rows, twins, gaps and other orders: the same after settling, 400 seeds")
  func mutated() {
    let cases = RuleCaseTests.all
    for seed in 0..<400 as Range<UInt64> {
      var random = DemoRandom(seed: seed)
      // Two recordings one after the other, so that their states meet.
      let example = cases[random.int(0...(cases.count - 1))]
      let events = example.tape.events
      guard events.count < 700 else { continue }
      let whole = Self.judged(example) { $0.take(events) }
      let mutated = Self.judged(example) { Self.feed(events, &random, to: &$0) }
      #expect(mutated == whole, "seed \(seed), \(example)")
    }
  }

  @Test(
    "a night of the demo, arriving in disorder",
    arguments: [(1, .may), (2, .march), (3, .may)] as [(UInt64, DemoDialect)])
  func night(seed: UInt64, dialect: DemoDialect) {
    let tape = DemoTape(.night, seed: seed, dialect: dialect)
    tape.takePast()
    var random = DemoRandom(seed: seed)
    var whole = RuleEngine()
    whole.take(tape.events)
    var mutated = RuleEngine()
    // In pieces of a few minutes, each in disorder, the next one begun before it is whole.
    var held: [RuleEvent] = []
    for start in stride(from: 0, to: tape.events.count, by: 200) {
      let piece = tape.events[start..<min(start + 200, tape.events.count)]
      let late = piece.filter { _ in random.chance(0.05) }
      let known = Set(late.compactMap { $0.row?.cite })
      mutated.take(
        (held
          + piece.filter {
            !known.contains($0.row?.cite ?? Citation(timeMs: 0, name: "", fingerprint: 0))
          })
          .shuffled(using: &random))
      held = late + piece.filter { _ in random.chance(0.02) }
    }
    mutated.take(held)
    let last = tape.events.last?.timeMs ?? 0
    whole.advance(to: last + 600_000)
    mutated.advance(to: last + 600_000)
    #expect(whole.incidents == mutated.incidents)
    #expect(whole.incidents.count > 5)
  }
}
