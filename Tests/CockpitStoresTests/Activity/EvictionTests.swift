import ClankyWire
import Testing

@testable import CockpitStores

@Suite struct EvictionTests {
  @Test func twoHundredThousandRowsStayWithinTheirMemory() throws {
    let log = ActionLog(memory: 4 << 20)
    var random = SeededRandom(3)
    let padding = String(repeating: "p", count: 40)
    var bytes: [UInt8] = []
    let total = 200_000
    for id in 1...total {
      // Mostly in order, some late by up to a minute; new people and kinds without end.
      let late =
        Int.random(in: 0...9, using: &random) == 0
        ? Int64.random(in: 0...60_000, using: &random) : 0
      bytes.removeAll(keepingCapacity: true)
      bytes +=
        "{\"kind\":\"kind_\(id / 500)\",\"userId\":\"\(id / 7)\",\"content\":\"\(padding)\(id)\""
        .utf8
      bytes +=
        ",\"usdCost\":0.001,\"createdAt\":\"\(WireTime(milliseconds: startMs + Int64(id) * 10 - late).iso)\"}"
        .utf8
      try bytes.withUnsafeBytes { _ = try log.ingestLive($0, from: .activity, nowMs: startMs) }
      if id % 50_000 == 0 { log.checkInvariants("after \(id)") }
    }
    #expect(log.totals.seen.actions == total)
    #expect(log.totals.evicted == total - log.count && log.count > 5_000)
    let memory = log.memory
    #expect(memory.slabBytes + log.count * 64 <= memory.limit)
    #expect(memory.indexBytes <= log.count * 64 + 400_000)
    #expect(abs(log.totals.retained.costUSD - Double(log.count) * 0.001) < 1e-6)
    #expect(log.labels().count < total / 500)
    // The newest are there, word for word.
    #expect(log.row(log.endRow - 1)?.content() == padding + "\(total)")
    #expect(log.row(log.firstRow - 1) == nil && log.index(of: 0) == nil)
  }

  @Test func largeRowsGetTheirOwnBlock() throws {
    let log = ActionLog(memory: 4 << 20)
    func fact(_ id: Int, _ bytes: Int) -> Fact {
      Fact(
        id: id, timeMs: startMs + Int64(id), kind: "sent_reply",
        content: String(repeating: "y", count: bytes), user: nil, channel: nil)
    }
    for id in 1...20 {
      try log.live(fact(id, id % 5 == 0 ? 3 << 20 : 1000).live)
      log.checkInvariants("\(id)")
      #expect(log.memory.slabBytes <= 4 << 20)
    }
    // Larger than the whole limit: it is kept alone.
    try log.live(fact(21, 9 << 20).live)
    #expect(log.count == 1 && log.row(at: 0).content()?.utf8.count == 9 << 20)
    try log.live(fact(22, 10).live)
    #expect(log.row(at: 0).content()?.utf8.count == 10)
    log.checkInvariants()
  }

  @Test("a list brings nothing new of live rows that had to make room (promise P4)")
  func givenUpRowsAreKnown() throws {
    let log = ActionLog(memory: 4 << 20)
    func fact(_ id: Int, _ bytes: Int, kind: String = "sent_reply") -> Fact {
      Fact(
        id: id, timeMs: startMs + Int64(id), kind: kind,
        content: String(repeating: "y", count: bytes), user: "\(id)", channel: "\(id)")
    }
    var facts = (1...40).map { fact($0, $0 % 4 == 0 ? 1 << 20 : 300, kind: "kind_\($0)") }
    // Equal ones, which only their number tells apart.
    for id in 41...44 {
      var equal = fact(1, 20)
      equal.id = id
      facts.insert(equal, at: 2)
    }
    for fact in facts { try log.live(fact.live) }
    log.checkInvariants("live")
    let gone = facts.count - log.count
    #expect(gone > 30)
    let report = log.rows(facts.sorted { $0.id > $1.id })
    #expect(report.added == 0 && log.totals.seen.actions == facts.count)
    log.checkInvariants("listed")
    // One more of the equal rows is a row of its own.
    var fifth = facts[2]
    fifth.id = 60
    #expect(log.rows([fifth]).added == 1)
    #expect(log.rows(facts).added == 0)
    log.reset(keepingRows: false)
    log.checkInvariants("empty")
    #expect(log.labels().isEmpty)
  }

  @Test("of rows that had to make room only so many are remembered")
  func givenUpRowsAreBounded() throws {
    let log = ActionLog(memory: 4 << 20)
    var facts: [Fact] = []
    for id in 1...60_000 {
      let fact = Fact(
        id: id, timeMs: startMs + Int64(id), kind: "kind_\(id % 700)",
        content: String(repeating: "y", count: 60), user: "\(id)", channel: nil)
      try log.live(fact.live)
      facts.append(fact)
    }
    log.checkInvariants()
    let first = log.firstRow
    #expect(first > 2 * EvictedRows.limit)
    // Those that went last.
    #expect(log.rows(Array(facts[(first - 1000)..<first])).added == 0)
    #expect(log.rows(Array(facts[..<500])).added == 500)
    log.checkInvariants()
  }

  @Test(arguments: 0..<4) func mergingSurvivesEviction(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let log = ActionLog(memory: 6 << 20)
    let long = String(repeating: "long text ", count: 900)
    let facts = (1...3000).map { id in
      Fact(
        id: id, timeMs: startMs + Int64(id / 3), kind: id % 2 == 0 ? "voice_runtime" : "llm_call",
        content: id % 4 == 0 ? long : "c\(id % 5)", user: "\(id % 50)", channel: "\(id % 9)")
    }
    for start in stride(from: 0, to: facts.count, by: 20) {
      let page = Array(facts[start..<start + 20])
      if Bool.random(using: &random) { log.rows(page) }
      for fact in page { try log.live(fact.live) }
      if Bool.random(using: &random) { log.rows(page) }
      if start % 500 == 0 { log.checkInvariants("\(start)") }
      let newest = page.map { log.rowID(actionID: $0.id).flatMap(log.row) }
      for (row, fact) in zip(newest, page) { if let row { #expect(row.content() == fact.content) } }
    }
    log.checkInvariants()
    let ids = log.all.compactMap(\.actionID)
    #expect(Set(ids).count == ids.count)
    #expect(log.totals.evicted > 0)
  }

  @Test func indexStructuresAreSmall() {
    #expect(MemoryLayout<ActionRecord>.size == 48 && MemoryLayout<ActionRecord>.stride == 48)
  }

  @Test func packedCostsAreExactWhereItMatters() {
    for nanos in [0, 1, 280, 8_400_000, 105_956_000, 2_147_483_647] as [Int64] {
      #expect(PackedCost(nanos: nanos).nanos == nanos)
    }
    #expect(PackedCost(nanos: 5_123_456_789).nanos == 5_123_450_000)
    #expect(PackedCost(nanos: -5).nanos == 0)
    // Above $10,737 seven digits are left of it (promise P11): $21,474 was the most before.
    for dollars in [10_737.41, 10_737.43, 21_475, 50_000.5, 1e6, 123_456_789, 9.2e9] {
      let nanos = Int64(dollars * 1e9)
      let kept = PackedCost(nanos: nanos).nanos
      #expect(kept <= nanos && Double(nanos - kept) <= Double(nanos) / 8e6, "\(dollars)")
    }
    #expect(Double(PackedCost(nanos: .max).nanos) > 9.22e18)
  }

  @Test func browserTotalsDoNotCountTwice() throws {
    let log = ActionLog()
    for (id, kind, cost) in [
      (1, "llm_tool_call", "0.01"), (2, "llm_tool_call", "0.02"),
      (3, "browser_browse_call", "0.03"),
      (4, "llm_call", "0.5"),
    ] {
      try log.live(
        Fact(
          id: id, timeMs: startMs + Int64(id), kind: kind, content: "x", user: nil, channel: nil,
          cost: cost
        ).live)
    }
    #expect(abs(log.totals.retained.costUSD - 0.53) < 1e-9)
  }

  @Test func ratesCountMinutesAndIgnoreWrongDates() throws {
    let log = ActionLog()
    for (minutes, kind) in [
      (0, "llm_call"), (0, "llm_error"), (5, "llm_call"), (59, "x"), (90, "x"),
    ] {
      try log.live(
        Fact(
          id: 0, timeMs: startMs - Int64(minutes) * 60_000, kind: kind, content: "\(minutes)",
          user: nil,
          channel: nil
        ).live)
    }
    try log.live(#"{"kind":"x","createdAt":"9999-01-01T00:00:00.000Z"}"#)
    let rates = log.rate.perMinute(last: 60, nowMs: startMs)
    #expect(rates.count == 60)
    #expect(rates[59] == MinuteRates.Rate(actions: 2, failures: 1))
    #expect(rates[54] == MinuteRates.Rate(actions: 1) && rates[0] == MinuteRates.Rate(actions: 1))
    #expect(rates.reduce(0) { $0 + $1.actions } == 4)
  }

  @Test(arguments: 0..<4) func rangesOfIDsBehaveLikeASet(seed: UInt64) {
    var random = SeededRandom(seed)
    var ranges = IDRanges()
    var set: Set<Int> = []
    for _ in 0..<2000 {
      let id = Int.random(in: 0...600, using: &random)
      ranges.insert(id)
      set.insert(id)
      let other = Int.random(in: 0...620, using: &random)
      #expect(ranges.contains(other) == set.contains(other))
    }
    ranges.insert(.max)
    #expect(ranges.contains(.max) && ranges.newest == .max)
  }

  @Test(arguments: 0..<4) func internTablesForgetWhatNobodyHas(seed: UInt64) {
    var random = SeededRandom(seed)
    var table = InternTable<String>(none: "")
    let hash = SeededHash()
    var uses: [String: Int] = [:]
    for _ in 0..<5000 {
      let key = "key\(Int.random(in: 0...150, using: &random))"
      let bytes = Array(key.utf8)
      let number = bytes.withUnsafeBytes { table.number(of: $0, hash: hash($0)) { key } }
      #expect(table.payloads[Int(number)] == key)
      if uses[key, default: 0] > 0, Bool.random(using: &random) {
        table.release(number)
        uses[key, default: 0] -= 1
      } else {
        table.retain(number)
        uses[key, default: 0] += 1
      }
      #expect(table.uses(of: number) == uses[key])
    }
    #expect(table.count == uses.values.filter { $0 > 0 }.count)
  }
}
