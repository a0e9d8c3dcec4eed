import ClankyWire
import Foundation
import Testing

@testable import CockpitStores

/// Tables of random rows by random queries, compared with `PlainEvaluation`.
@Suite struct QueryTableTests {
  private static let names = NameTable(
    users: ["71": "Ann", "72": "ann", "73": "#odd | name", "74": "Bo \"b\" *"],
    channels: ["20": "general", "21": "voice chat"])

  private static func rows(_ count: Int, _ random: inout SeededRandom) -> [Fact] {
    let kinds = ["llm_call", "sent_reply", "voice_turn_in", "tool_call", "LLM_call", "memory_fact"]
    let models = [
      "opus-4", "Opus-4", "haiku \"x\"", "a|b*c", ">=odd", "ä", "\u{201C}q",
    ]
    return (1...count).map { id in
      var meta: [String] = []
      func maybe(_ chance: Int, _ text: () -> String) {
        if Int.random(in: 0..<10, using: &random) < chance { meta.append(text()) }
      }
      func quoted(_ text: String) -> String {
        let data = try? JSONSerialization.data(withJSONObject: [text])
        return String(decoding: (data ?? Data()).dropFirst().dropLast(), as: UTF8.self)
      }
      var chosen = SeededRandom(UInt64.random(in: 0...(.max / 2), using: &random))
      maybe(6) { "\"model\":" + quoted(models.randomElement(using: &chosen)!) }
      maybe(1) { "\"responseModel\":" + quoted(models.randomElement(using: &chosen)!) }
      maybe(6) {
        "\"durationMs\":\(["12", "1250.5", "0", "0.25", "98765", "12"].randomElement(using: &chosen)!)"
      }
      maybe(2) { "\"latencyMs\":\(Int.random(in: 0...500, using: &chosen))" }
      maybe(5) {
        "\"usage\":{\"inputTokens\":\(Int.random(in: 0...9000, using: &chosen)),\"outputTokens\":\(Int.random(in: 0...900, using: &chosen))}"
      }
      maybe(3) { "\"toolNames\":\"web_search, memory\"" }
      maybe(3) { "\"toolName\":\"Web_Search\"" }
      maybe(4) {
        "\"stage\":\(["\"a b\"", "[\"x\",\"y\"]", "{\"n\":1}", "\"\"", "null"].randomElement(using: &chosen)!)"
      }
      maybe(4) {
        "\"score\":\(["-3", "0.125", "7e3", "\"text\"", "-3"].randomElement(using: &chosen)!)"
      }
      return Fact(
        id: id, timeMs: startMs - Int64.random(in: 0...3_600_000 * 30, using: &random),
        kind: kinds.randomElement(using: &random)!, content: "row \(id)",
        user: ["71", "72", "73", "74", nil].randomElement(using: &random)!,
        channel: ["20", "21", nil].randomElement(using: &random)!,
        metadata: "{\(meta.joined(separator: ","))}",
        cost: ["0", "0.000000001", "0.1", "0.2", "1.25", "0.0084"].randomElement(using: &random)!)
    }
  }

  private static func decoded(_ facts: [Fact]) throws -> [[String: Any]] {
    try facts.map { fact in
      var row =
        try JSONSerialization.jsonObject(with: Data(fact.stored.utf8)) as? [String: Any] ?? [:]
      row["ms"] = PlainEvaluation.ms(row)
      return row
    }
  }

  private static func filter(_ random: inout SeededRandom) -> PlainEvaluation.Condition {
    typealias Condition = PlainEvaluation.Condition
    let all: [Condition] = [
      Condition(text: "") { _ in true },
      Condition(text: "kind:llm_call") {
        ($0["kind"] as? String)?.lowercased() == "llm_call"
      },
      Condition(text: "-kind:sent_reply|tool_call") {
        !["sent_reply", "tool_call"].contains($0["kind"] as? String ?? "")
      },
      Condition(text: "cost>0.15") { ($0["usd_cost"] as? Double ?? 0) > 0.15 },
      Condition(text: "user:71|74") { ["71", "74"].contains($0["user_id"] as? String ?? "") },
      Condition(text: "tool:web_search") {
        PlainEvaluation.texts("tool", $0).contains { $0.lowercased() == "web_search" }
      },
      Condition(text: "ms>=12") { (PlainEvaluation.amount("ms", $0) ?? -1) >= 12_000_000 },
      Condition(text: "since:5h") { ($0["ms"] as! Int64) >= startMs - 5 * 3_600_000 },
      Condition(text: "kind:nothing") { _ in false },
    ]
    return all.randomElement(using: &random)!
  }

  /// A query and what it means.
  private static func query(_ random: inout SeededRandom) -> (String, PlainEvaluation) {
    let fields = ["kind", "user", "channel", "model", "tool", "meta.stage", "id"]
    let buckets = ["minute", "hour", "day", "10m"]
    let figure = ["count", "sum", "avg", "min", "max", "p50", "p95", "p99", "p7", "distinct"]
      .randomElement(using: &random)!
    let numbers = ["cost", "ms", "tokens", "meta.score"]
    let number =
      figure == "distinct"
      ? fields.randomElement(using: &random)! : numbers.randomElement(using: &random)!
    var keys: [String] = []
    for _ in 0..<[0, 1, 1, 1, 2, 2, 3].randomElement(using: &random)! {
      let key = (Int.random(in: 0..<3, using: &random) == 0 ? buckets : fields)
        .randomElement(using: &random)!
      if !keys.contains(key), !buckets.contains(key) || !keys.contains(where: buckets.contains) {
        keys.append(key)
      }
    }
    let alias = ["ms": "duration"][number].flatMap { Bool.random(using: &random) ? $0 : nil }
    var text = "| " + figure + (figure == "count" ? "" : " " + (alias ?? number))
    if !keys.isEmpty {
      text += " by " + keys.joined(separator: [",", ", ", " , "].randomElement(using: &random)!)
    }
    var orders: [PlainEvaluation.Order] = []
    for _ in 0..<[0, 0, 1, 2].randomElement(using: &random)! {
      let count = Int.random(in: 1...6, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        orders.append(.top(count))
        text += " | top \(count)"
      case 1:
        orders.append(.bottom(count))
        text += " |bottom \(count)"
      case 2:
        orders.append(.head(count))
        text += " |  head \(count)"
      default:
        let column = keys.indices.randomElement(using: &random)
        let direction = ["", " asc", " desc"].randomElement(using: &random)!
        text += " | sort " + (column.map { keys[$0] } ?? figure) + direction
        orders.append(
          .sort(column, isDescending: direction.isEmpty ? column == nil : direction == " desc"))
      }
    }
    return (text, PlainEvaluation(figure: figure, number: number, keys: keys, orders: orders))
  }

  private static func plain(_ table: QueryTable) -> PlainEvaluation.Table {
    PlainEvaluation.Table(
      lines: table.lines.map { line in
        PlainEvaluation.Line(
          keys: line.keys.map { key in
            switch key {
            case .text(let text, _): text.lowercased()
            case .time(let range): "\(range.lowerBound)"
            }
          }, figure: line.figure, rows: line.rows)
      }, rows: table.rows, lacking: table.missing.reduce(0) { $0 + $1.rows },
      inSeveral: table.inSeveral)
  }

  @Test("1,000 random queries give the tables of an evaluation that shares no code with them")
  func equality() throws {
    var random = SeededRandom(6)
    for round in 0..<20 {
      let facts = Self.rows([1, 30, 120, 400][round % 4], &random)
      let decoded = try Self.decoded(facts)
      let log = ActionLog()
      log.rows(facts)
      for _ in 0..<50 {
        let filter = Self.filter(&random)
        let (stages, plain) = Self.query(&random)
        let text = filter.text + " " + stages
        var followed = FilteredLog(query: try Query.parse(piped: text))
        while followed.table == nil || !followed.isComplete {
          followed.sync(with: log, names: Self.names, nowMs: startMs, rowBudget: 70)
        }
        let table = try #require(followed.table)
        let expected = plain.table(decoded.filter(filter.holds))
        #expect(Self.plain(table) == expected, "\(text)")
        if Self.plain(table) != expected { return }
      }
    }
  }

  @Test("a line opens exactly the rows that its figure is made of")
  func lines() throws {
    var random = SeededRandom(24)
    let facts = Self.rows(300, &random)
    let log = ActionLog()
    log.rows(facts)
    var opened = 0
    for _ in 0..<200 {
      let (stages, _) = Self.query(&random)
      let query = try Query.parse(piped: Self.filter(&random).text + " " + stages)
      var followed = FilteredLog(query: query)
      followed.sync(with: log, names: Self.names, nowMs: startMs)
      let table = try #require(followed.table)
      for line in table.lines.prefix(8) where line.rows > 0 {
        let text = try #require(table.query(behind: line, of: query), "\(line.keys)")
        let behind = try Query.parse(piped: text)
        #expect(behind.pipeline == nil)
        var rows = FilteredLog(query: behind)
        rows.sync(with: log, names: Self.names, nowMs: startMs)
        #expect(rows.count == line.rows, "\(query.text) → \(text)")
        opened += 1
      }
    }
    #expect(opened > 300)
  }

  @Test(
    "rows that come one by one, change, and leave the ring give the table of those that are left")
  func live() throws {
    var random = SeededRandom(4)
    let facts = Self.rows(700, &random).sorted { $0.timeMs < $1.timeMs }.map { fact in
      var fact = fact
      fact.content = String(repeating: "x", count: 12_000)
      return fact
    }
    for stages in [
      "| p95 ms by model", "| min cost by hour", "| sum cost by kind | top 3", "| count",
      "| distinct user by channel", "since:3h | max meta.score by user",
    ] {
      let log = ActionLog(memory: 4 << 20)
      var followed = FilteredLog(query: try Query.parse(piped: stages))
      for fact in facts {
        try log.live(fact.live)
        if fact.id % 7 == 0 {
          followed.sync(with: log, names: Self.names, nowMs: fact.timeMs, rowBudget: 40)
        }
        // A stored row takes the place of its live twin.
        if fact.id % 5 == 0 { log.rows([fact]) }
      }
      let nowMs = facts.last?.timeMs ?? 0
      repeat {
        followed.sync(with: log, names: Self.names, nowMs: nowMs)
      } while !followed.isComplete
      var fresh = FilteredLog(query: try Query.parse(piped: stages))
      fresh.sync(with: log, names: Self.names, nowMs: nowMs)
      #expect(followed.table?.rows == fresh.table?.rows, "\(stages)")
      #expect(followed.table?.lines == fresh.table?.lines, "\(stages)")
      #expect(log.count < facts.count)
    }
  }

  @Test("stretches of time are those that clocks show, also when they are set back and forward")
  func clocks() throws {
    // Set back at 1970-01-02 03:00 from +2h to +1h, as the rows see it.
    let turn: Int64 = 86_400 + 3600
    let zone = QueryZone(name: "test") { $0 < turn ? 7200 : 3600 }
    for name in ["10m", "hour", "6h", "day"] {
      let bucket = try #require(QueryBucket(name: name))
      var last: Int64?
      for minute in 0..<(3 * 24 * 60) {
        let ms = Int64(minute) * 60_000
        let start = bucket.start(of: ms, in: zone)
        #expect(start <= ms && ms < bucket.next(after: start, in: zone), "\(name) \(minute)")
        if let last, last != start { #expect(bucket.next(after: last, in: zone) == start) }
        last = start
        let pipeline = try #require(
          try Query.parse(piped: "| count by \(name)").pipeline)
        let terms = LineTerms(
          pipeline, zone: zone, hasNegative: false, hasTooLarge: false, lines: [])
        guard minute.isMultiple(of: 47) else { continue }
        let range = start..<bucket.next(after: start, in: zone)
        let text = try #require(terms.terms([.time(range)]))
        let query = try Query.parse(text, in: zone)
        #expect(query.lowerBound(nowMs: ms) == range.lowerBound, "\(text)")
      }
    }
  }
}
