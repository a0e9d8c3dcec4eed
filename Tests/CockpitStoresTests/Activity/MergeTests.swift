import CockpitDomain
import ClankyWire
import LenientJSON
import Testing

@testable import CockpitStores

@Suite struct MergeTests {
  private static let kinds = ["llm_call", "voice_runtime", "voice_error", "sent_reply", "x_new"]

  /// A log of a made-up bot: bursts within a millisecond, equal rows, long texts, hostile texts.
  private func facts(_ random: inout SeededRandom, _ count: Int) -> [Fact] {
    let contents = [
      "", "claude:opus", "voice_turn_addressing", "event: message", "日本語 👍 text",
      String(repeating: "x", count: 1999) + "👍 tail", String(repeating: "é\n", count: 1500),
      "a \u{1b}[31m \u{202e} b",
    ]
    var time = startMs
    return (1...count).map { id in
      if Int.random(in: 0...2, using: &random) == 0 {
        time += Int64.random(in: 1...2000, using: &random)
      }
      return Fact(
        id: id, timeMs: time, kind: Self.kinds.randomElement(using: &random)!,
        content: contents.randomElement(using: &random)!,
        user: ["7", "8", nil].randomElement(using: &random)!,
        channel: ["20", nil].randomElement(using: &random)!,
        cost: ["0.0084", nil].randomElement(using: &random)!)
    }
  }

  @Test(
    "a row that a list tells without its id is the one that the next list tells with it (promise P4)"
  )
  func idThatComesLater() {
    let log = ActionLog()
    let facts = (1...5).map {
      Fact(
        id: $0, timeMs: startMs + Int64($0), kind: "sent_reply", content: "row", user: nil,
        channel: nil)
    }
    let list = "[" + facts.map(\.stored).joined(separator: ",") + "]"
    log.rows(list.replacing("\"id\":3", with: "\"id\":null"))
    #expect(log.rows(list).added == 0)
    #expect(log.all.map(\.actionID) == [5, 4, 3, 2, 1])
    log.checkInvariants()
  }

  @Test("every order of arrival gives each row once (promise P4)", arguments: 0..<30)
  func everyOrderOfArrivalGivesEachRowOnce(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let facts = facts(&random, 120)
    // Every fact comes live or not, on one stream or both, and is stored in overlapping pages.
    var arrivals: [(ActionLog) throws -> Void] = []
    for fact in facts where Int.random(in: 0...4, using: &random) > 0 {
      arrivals.append { try $0.live(fact.live) }
      if fact.isVoice, Bool.random(using: &random) {
        arrivals.append { try $0.live(fact.live, .voice) }
      }
    }
    for start in stride(from: 0, to: facts.count, by: 15) {
      let page = Array(facts[start..<min(start + 25, facts.count)].reversed())
      for _ in 0..<Int.random(in: 1...3, using: &random) { arrivals.append { $0.rows(page) } }
    }
    arrivals.shuffle(using: &random)
    let log = ActionLog()
    for arrival in arrivals { try arrival(log) }
    log.checkInvariants()
    #expect(log.count == facts.count)
    let expected = facts.sorted { ($0.timeMs, $0.id) > ($1.timeMs, $1.id) }.map(\.id)
    #expect(log.all.map(\.actionID) == expected)
    #expect(log.totals.seen.actions == facts.count)
    for fact in facts {
      let row = try #require(log.rowID(actionID: fact.id).flatMap(log.row))
      #expect(row.kind == fact.kind && row.timeMs == fact.timeMs && row.userID == fact.user)
      #expect(row.messageID == nil && row.guildID == "1" && row.channelID == fact.channel)
    }
  }

  @Test(arguments: 0..<10) func aCutStreamNeedsOnlyTheStoredRows(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let facts = facts(&random, 200)
    let log = ActionLog()
    for fact in facts.prefix(60) { try log.live(fact.live) }
    log.rows(Array(facts.suffix(50).reversed()))  // the snapshot of a new connection
    for fact in facts.suffix(20) { try log.live(fact.live) }  // late, or once more
    #expect(log.count == 110)
    let report = log.rows(Array(facts.reversed()))
    #expect(report.count == 200 && report.added == 90 && report.rejected == 0)
    #expect(Set(report.ids) == Set(1...200))
    #expect(log.count == 200)
    log.checkInvariants()
    #expect(log.rows(Array(facts.reversed())).added == 0)
  }

  @Test("equal actions stay two rows (promise P4)") func equalActionsStayTwoRows() throws {
    let first = Fact(
      id: 1, timeMs: startMs, kind: "voice_runtime", content: "same", user: "7", channel: "1")
    var second = first
    second.id = 2
    let log = ActionLog()
    try log.live(first.live)
    try log.live(first.live, .voice)
    #expect(log.count == 1)
    try log.live(second.live)
    #expect(log.count == 2)
    try log.live(second.live, .voice)
    log.rows([second, first])
    #expect(log.count == 2 && Set(log.all.map(\.actionID)) == [1, 2])
    #expect(log.all.allSatisfy { $0.sources == [.activity, .voice, .stored] })
  }

  @Test func theUncutTextIsKeptWhateverComesFirst() throws {
    let text = String(repeating: "long ", count: 2000)
    let fact = Fact(
      id: 9, timeMs: startMs, kind: "sent_reply", content: text, user: "7", channel: "1")
    for storedFirst in [true, false] {
      let log = ActionLog()
      if storedFirst { log.rows([fact]) }
      try log.live(fact.live)
      if !storedFirst { log.rows([fact]) }
      #expect(log.count == 1)
      let row = log.row(at: 0)
      #expect(row.content() == text && row.actionID == 9)
      #expect(row.content(limit: 10)?.utf8.count == 10)
      let line = try JSONValue.parse(try #require(row.jsonLine()))
      #expect(line["id"]?.int == 9 && line["content"]?.string == text)
    }
  }

  @Test func aFloodOfEqualRowsIsNotQuadratic() throws {
    let fact = Fact(
      id: 0, timeMs: startMs, kind: "voice_runtime", content: "same", user: "7", channel: "1")
    let log = ActionLog()
    for _ in 0..<800 { try log.live(fact.live) }
    for _ in 0..<800 { try log.live(fact.live, .voice) }
    #expect(log.count == 800)
    let stored = (1...800).map { id -> Fact in
      var fact = fact
      fact.id = id
      return fact
    }
    #expect(log.rows(stored).added == 0)
    #expect(log.all.map(\.actionID) == (1...800).reversed().map { $0 })
    log.checkInvariants()
  }

  @Test func aReplacedLogStartsAnew() throws {
    let log = ActionLog()
    let old = Fact(
      id: 5, timeMs: startMs, kind: "llm_call", content: "old", user: nil, channel: nil)
    log.rows([old])
    #expect(log.knows(actionID: 5))
    log.reset()
    #expect(!log.knows(actionID: 5) && log.count == 1)
    let new = Fact(
      id: 5, timeMs: startMs + 1, kind: "llm_call", content: "new", user: nil, channel: nil)
    #expect(log.rows([new]).added == 1 && log.count == 2)
    log.reset(keepingRows: false)
    #expect(log.isEmpty && log.totals.retained.actions == 0 && log.totals.seen.actions == 2)
    log.checkInvariants()
  }

  @Test("what a later connection repeats is no new row (promise P4)")
  func aRepeatedEventOfALaterConnection() throws {
    let fact = Fact(
      id: 1, timeMs: startMs, kind: "voice_error", content: "x", user: "7", channel: "1")
    let log = ActionLog()
    for source in [ActionSource.activity, .voice] {
      try log.live(fact.live, source)
      log.endConnection(source)
      try log.live(fact.live, source)
    }
    log.rows([fact])
    #expect(log.count == 1)
    // On one connection it is an action that happened twice.
    try log.live(fact.live)
    #expect(log.count == 2)
    log.checkInvariants()
  }

  @Test("stored rows without an id do not come again with every list (promises P3, P4)")
  func rowsWithoutAnID() throws {
    let fact = Fact(
      id: 1, timeMs: startMs, kind: "sent_reply", content: "x", user: "7", channel: "1")
    let nameless = fact.stored.replacing("\"id\":1", with: "\"id\":{}")
    let log = ActionLog()
    for _ in 0..<3 { log.rows("[\(nameless),\(nameless)]") }
    #expect(log.count == 2)
    log.checkInvariants()
  }

  @Test("rows of a new log that reuse ids are taken in, rows of a restored one once (promise P4)")
  func aLogThatReusesIDs() throws {
    func fact(_ id: Int, _ text: String) -> Fact {
      Fact(
        id: id, timeMs: startMs + Int64(id), kind: "sent_reply", content: text, user: nil,
        channel: nil)
    }
    let log = ActionLog()
    let old = (1...6).map { fact($0, "old") }
    log.rows(old)
    let new = Array(old.prefix(3)) + (4...5).map { fact($0, "new") }
    #expect(log.rows(new).contradictions == 2)
    log.reset()
    #expect(log.rows(new).added == 2)
    #expect(log.count == 8)
    #expect(log.rows(new).contradictions == 0)
    log.checkInvariants()
  }

  @Test func gapsHaveTheirPlace() throws {
    let log = ActionLog()
    let facts = (1...3).map {
      Fact(
        id: $0, timeMs: startMs + Int64($0) * 1000, kind: "llm_call", content: "\($0)", user: nil,
        channel: nil)
    }
    log.rows(facts)
    let gap = IDGapRow(from: 10, to: 19, atMs: startMs + 2500, kind: .lost)
    let row = log.insertGap(gap)
    #expect(log.index(of: row) == 1 && log.row(row)?.gap == gap)
    #expect(log.row(row)?.jsonLine() == nil && log.row(row)?.content() == nil)
    #expect(log.totals.retained.actions == 3)
    log.checkInvariants()
  }

  @Test func aBadRowCostsItself() throws {
    let fact = Fact(id: 1, timeMs: startMs, kind: "llm_call", content: "x", user: nil, channel: nil)
    let log = ActionLog()
    let report = log.rows(
      "{\"stats\":{\"a\":1},\"actions\":[\(fact.stored),{\"kind\":1},{bad},null]}")
    #expect(report.added == 1 && report.rejected == 3 && report.stats != nil)
    #expect(report.firstRejection != nil && log.totals.rejected == 3)
    #expect(throws: ActionRejection.self) { try log.live("{\"kind\":\"x\"}") }
    #expect(log.totals.rejected == 4)
  }

  @Test(.enabled(if: Shared.exists)) func recordedTrafficComesOutOnce() throws {
    let log = ActionLog()
    var live = 0
    for (name, data) in try Shared.events(
      ["action_event", "activity_snapshot"], in: "wire/captures/activity.sse")
    {
      if name == "action_event" {
        live += 1
        let row = try log.live(String(decoding: data, as: UTF8.self))
        #expect(row != nil)
      } else {
        let report = log.rows(String(decoding: data, as: UTF8.self))
        #expect(report.stats != nil && report.isComplete)
      }
    }
    #expect(live == 295)
    let before = log.count
    // A later connection repeats 220 of them with ids: twins, and rows written in between.
    for (_, data) in try Shared.events(
      ["activity_snapshot"], in: "wire/captures/activity-reconnect.sse")
    {
      let report = data.withUnsafeBytes { log.ingestRows($0, nowMs: startMs) }
      #expect(report.count == 220 && report.rejected == 0)
    }
    log.checkInvariants()
    let seen = log.count
    #expect(seen >= before)
    for (_, data) in try Shared.events(
      ["activity_snapshot"], in: "wire/captures/activity-reconnect.sse")
    {
      #expect(data.withUnsafeBytes { log.ingestRows($0, nowMs: startMs) }.added == 0)
    }
    #expect(log.count == seen)
    for row in log.all {
      let line = try JSONValue.parse(try #require(row.jsonLine()))
      #expect(line["kind"]?.string == row.kind && line["type"]?.string == "action")
    }
  }
}
