import CockpitAnswers
import CockpitStores
import Foundation
import Testing

@testable import CockpitDemo

/// What is read out of the rows of a demo night, compared with what really happened.
@MainActor @Suite struct WhyNightTests {
  /// `WHY_SEEDS=20` reads twenty nights; it takes minutes.
  nonisolated private static let seeds =
    1...(ProcessInfo.processInfo.environment["WHY_SEEDS"].flatMap(UInt64.init) ?? 2)

  private static func isMarch(_ seed: UInt64) -> Bool { seed % 5 == 0 }

  private static func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

  /// The key of what happened, found by its own ids.
  private func key(of truth: [String: Any], _ rows: ExchangeRows) -> Exchange.Key? {
    if let trigger = truth["trigger_message_id"] as? String { return rows.key(ofMessage: trigger) }
    let evidence = truth["rows"] as? [[String: Any]] ?? []
    for row in evidence.reversed() {
      guard let id = (row["id"] as? NSNumber)?.intValue, let found = rows.log.rowID(actionID: id)
      else { continue }
      if let key = rows.key(of: found) { return key }
    }
    return nil
  }

  @Test("outcome, reason, cost, slowest step and facts are what really happened", arguments: seeds)
  func truth(seed: UInt64) throws {
    let night = try Night(seed: seed, dialect: Self.isMarch(seed) ? .march : .may)
    let log = WhyLog(night.rows)
    let rows = log.rows(nowMs: night.nowMs, facts: night.facts, hasNewest: true).indexed()
    var compared = 0
    for truth in night.truth {
      let outcome = truth["outcome"] as? String ?? ""
      let name = "seed \(seed) \(truth["medium"] ?? "").\(outcome) at \(truth["at"] ?? "")"
      guard let key = key(of: truth, rows) else {
        #expect(["no_row", "missed"].contains(outcome), "\(name): nothing on record")
        continue
      }
      let why = Why(try #require(rows.exchange(key), "\(name)"))
      compared += 1
      compare(why, truth, night, isMarch: Self.isMarch(seed), name)
    }
    #expect(compared > 200)
  }

  private func compare(
    _ why: Why, _ truth: [String: Any], _ night: Night, isMarch: Bool, _ name: String
  ) {
    let said = "\(name): \(why.rule): \(why.answer.sentence)"
    #expect(why.outcome.rawValue == truth["outcome"] as? String, "\(said)")
    #expect(why.exchange.medium.rawValue == truth["medium"] as? String, "\(said)")
    let events = Set(why.exchange.sources.map(\.event))
    if let reason = truth["reason"] as? String {
      let isSame = why.reason == reason || events.contains(reason)
      #expect(
        isSame || why.reason?.contains(reason) == true,
        "\(said) reason \(why.reason ?? "") for \(reason)")
    }
    // Costs are kept to a billionth for each row.
    let cost = Self.number(truth["cost_usd"]) ?? 0
    #expect(
      abs((why.exchange.costUSD ?? 0) - cost) < 1e-7, "\(said) cost \(cost) \(why.exchange.costs)")
    // In March a model call of a session does not name it.
    if why.exchange.medium == .text || (why.exchange.medium == .voice && !isMarch) {
      let linked = Self.number(truth["linked_cost_usd"]) ?? 0
      #expect(abs((why.exchange.linkedCostUSD ?? 0) - linked) < 1e-7, "\(said) linked \(linked)")
    }
    // Where no row states a time and no two rows enclose it, the slowest step is not known.
    if let slowest = truth["slowest"] as? String, !why.exchange.steps.isEmpty,
      !["gate_closed", "model_failed"].contains(why.outcome.rawValue)
    {
      #expect(
        why.exchange.slowest?.key == slowest, "\(said) \(why.exchange.steps)")
    }
    let facts = (truth["facts"] as? [NSNumber] ?? []).map(\.intValue)
    if why.exchange.prompt != nil, !facts.isEmpty {
      // What was deleted since has no id any more.
      let wanted = Set(facts).subtracting(night.forgotten)
      let found = Set(why.exchange.facts.compactMap(\.id)).subtracting(night.forgotten)
      #expect(found == wanted, "\(said) facts")
    }
    if why.exchange.medium == .text, let author = truth["author"] as? [String: Any] {
      #expect(why.exchange.authorID == author["id"] as? String, "\(said)")
    }
    if let words = truth["words"] as? String, let found = why.exchange.words,
      why.exchange.medium == .text
    {
      #expect(found == words, "\(said)")
    }
  }
}
