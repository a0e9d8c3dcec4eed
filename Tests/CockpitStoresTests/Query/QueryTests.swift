import ClankyWire
import Testing

@testable import CockpitStores

@Suite struct QueryTests {
  private static let nowMs = startMs + 3_600_000

  private static let names = NameTable(
    users: ["7": "the name", "8": "Ann"], channels: ["20": "general"], guilds: ["1": "Workshop"])

  @Test("bot: takes the rows of one of several sources, gaps included, and none where there is one")
  func bots() throws {
    let log = try log()
    func count(_ text: String, in source: String?) throws -> Int {
      var names = Self.names
      names.sourceName = source
      let query = try Query.parse(text)
      return log.all.count { query.matches($0, names: names, nowMs: Self.nowMs) }
    }
    let all = log.all.count
    #expect(try count("bot:prod", in: "prod") == all && count("bot:pr*|x", in: "prod") == all)
    #expect(try count("bot:prod", in: "test") == 0 && count("-bot:prod", in: "test") == all)
    #expect(try count("-bot:prod", in: "prod") == 0 && count("bot:prod", in: nil) == 0)
    #expect(try count("bot:prod is:gap", in: "prod") == 1)
    #expect(try count("bot:prod kind:llm_call", in: "prod") == count("kind:llm_call", in: nil))
  }

  @Test("what a query says about kinds alone")
  func kinds() throws {
    func mayMatch(_ text: String, _ kind: String?) throws -> Bool {
      try Query.parse(text).mayMatch(kind: kind)
    }
    #expect(try mayMatch("", "llm_call") && mayMatch("", nil) && mayMatch("is:error", nil))
    #expect(try mayMatch("kind:llm_*", "llm_call") && !mayMatch("kind:llm_*", "sent_reply"))
    #expect(try mayMatch("kind:llm_* x", nil) && !mayMatch("kind:llm_call|sent_reply", nil))
    #expect(try !mayMatch("-kind:llm_call", "llm_call") && mayMatch("-kind:llm_call", nil))
    let query = try Query.parse("kind:lantern|llm_* -kind:other cost>1")
    #expect(query.namedKinds == ["lantern"])
  }

  @Test(
    "typographic quotes are quotes, in filters of rows and of facts",
    arguments: [
      "user:“the name”", "user:„the name“", "user:«the name»", "user:»the name«",
      "user:‘the name’", "user:“the name\"", "user:”the name”", "user:x|“the name”",
    ])
  func typographicQuotes(text: String) throws {
    let log = try log()
    let query = try Query.parse(text)
    let found = log.rows(in: 0..<log.count).filter {
      query.matches($0, names: Self.names, nowMs: Self.nowMs)
    }
    #expect(found.compactMap(\.actionID) == [1, 4])
    let facts = text.replacing("user:", with: "subject:")
    #expect(
      try FactFilter.parse(facts)
        == FactFilter.parse(text.contains("x|") ? #"subject:x|"the name""# : #"subject:"the name""#)
    )
  }

  @Test("an apostrophe ends no value, and a typographic quote in a word is one of its characters")
  func apostrophes() throws {
    #expect(try Query.parse("text:‘O’Neil is here’") != Query.parse("text:‘O’"))
    #expect(try Query.parse("text:don’t").terms.count == 1)
    #expect(throws: QueryError.self) { try Query.parse("text:“never closed") }
    #expect(
      QueryCompletion.items(for: "user:“the n", cursor: 11, log: try log(), names: Self.names)
        .items.map(\.title) == ["the name"])
  }

  @Test(
    "D16: what is wrong with a comma in a number, and with | between fields",
    arguments: [
      ("cost>0,01", "decimals follow a point", "0.01"),
      ("ms>1,5s", "decimals follow a point", "1.5s"),
      ("tokens:1,5..3", "decimals follow a point", nil),
      ("is:error|kind:llm_*", "| works inside one field; kind:llm_* is another", nil),
      ("error|cost>1", "| works inside one field", nil),
      ("kind:llm_call|is:error x", "| works inside one field", nil),
    ])
  func sentences(text: String, part: String, suggestion: String?) {
    let error = #expect(throws: QueryError.self) { try Query.parse(text) }
    #expect(error?.message.contains(part) == true)
    #expect(error?.suggestion == suggestion)
  }

  @Test func factsSayTheSame() throws {
    for text in ["conf>0,8", "type:preference|subject:x"] {
      let error = #expect(throws: QueryError.self) { try FactFilter.parse(text) }
      #expect(error?.message.contains("decimals") == true || error?.message.hasPrefix("|") == true)
    }
    #expect(throws: Never.self) { try Query.parse("text:x|\"kind:llm_call\" http|https://x") }
  }

  private func log() throws -> ActionLog {
    let log = ActionLog()
    func fact(
      _ id: Int, _ kind: String, _ content: String, user: String? = nil, _ metadata: String = "{}",
      cost: String? = nil, ago minutes: Int = 0
    ) -> Fact {
      Fact(
        id: id, timeMs: Self.nowMs - Int64(minutes) * 60_000, kind: kind, content: content,
        user: user,
        channel: user == nil ? nil : "20", metadata: metadata, cost: cost)
    }
    log.rows([
      fact(
        1, "llm_call", "claude:opus", user: "7",
        #"{"provider":"claude","model":"opus-4-6","usage":{"inputTokens":900,"outputTokens":200},"toolNames":"web_search, memory","source":"reply"}"#,
        cost: "0.02"),
      fact(2, "llm_error", "429 Too Many", user: "8", #"{"status":429}"#, ago: 10),
      fact(
        3, "voice_runtime", "voice_brain_tool_call", user: "8",
        #"{"toolName":"web_search","durationMs":1204,"isError":true,"sessionId":"s-1"}"#, ago: 30),
      fact(
        4, "sent_reply", "Rust 1.90 \"ist\" da, GRÜSSE\n", user: "7",
        #"{"performance":{"totalMs":6120},"a":{"b":[{"c":"deep"}]}}"#, ago: 50),
      fact(5, "x_new", "", ago: 90),
    ])
    try log.live(fact(6, "voice_turn_out", "bot_audio_started", ago: 5).live, .voice)
    log.insertGap(IDGapRow(from: 1, to: 2, atMs: Self.nowMs - 60_000, kind: .lost))
    return log
  }

  @Test(arguments: [
    ("", [1, 2, 3, 4, 5, 0, -1]), ("kind:llm_*", [1, 2]), ("-kind:llm_*", [3, 4, 5, 0]),
    ("kind:llm_call|sent_reply", [1, 4]), ("kind!=llm_call kind:llm_*", [2]),
    ("domain:llm", [1, 2]), ("chip:tool", [3]), ("chip:err", [2, 3]),
    ("chip:voice|text", [3, 4, 0]),
    ("event:voice_brain_*", [3]), ("-event:voice_brain_tool_call kind:voice_*", [0]),
    ("user:\"the name\"", [1, 4]), ("user:7", [1, 4]), ("user:ann", [2, 3]),
    ("user:*a*", [1, 2, 3, 4]),
    ("channel:#general user:8", [2, 3]), ("guild:workshop", [1, 2, 3, 4, 5, 0]),
    ("cost>0.01", [1]), ("cost:0.01..0.03", [1]), ("cost>=$0.02", [1]), ("cost:0 id<3", [2]),
    ("ms>500", [3, 4]), ("ms:>2s", [4]), ("ms<=1.204s", [3]), ("tokens>1k", [1]), ("tokens>2k", []),
    ("model:opus*", [1]), ("provider:claude", [1]), ("tool:web_search", [1, 3]),
    ("tool:memory", [1]),
    ("source:reply", [1]), ("session:s-1", [3]), ("meta.status>400", [2]), ("meta.status:429", [2]),
    ("meta.a.b.0.c:deep", [4]), ("meta.isError:true", [3]), ("meta.a:*", [4]),
    ("-meta.a:* user:7", [1]),
    ("is:error", [2, 3]), ("is:live", [0]), ("is:stored", [1, 2, 3, 4, 5]), ("is:gap", [-1]),
    ("is:costed", [1]), ("severity:error", [2, 3]), ("severity>=warning", [2, 3]),
    ("since:15m", [1, 2, 0, -1]), ("before:45m", [4, 5]), ("since:1h before:20m", [3, 4]),
    ("since:1h30m", [1, 2, 3, 4, 5, 0, -1]),
    ("rust", [4]), ("\"1.90 \\\"ist\"", [4]), ("grüsse", [4]), ("text:\"too many\"", [2]),
    ("opus", [1]),
    ("claude|429", [1, 2]), ("-rust chip:text", []), ("voice_turn_out", [0]), ("id:4|5", [4, 5]),
    ("LLM_call KIND:LLM_CALL", [1]),
  ])
  func findsTheRows(text: String, expected: [Int]) throws {
    let log = try log()
    let query = try Query.parse(text)
    func number(_ row: ActionRowView) -> Int { row.isGap ? -1 : row.actionID ?? 0 }
    let found = log.all.filter { query.matches($0, names: Self.names, nowMs: Self.nowMs) }
    #expect(Set(found.map(number)) == Set(expected), "\(text)")
    var filtered = FilteredLog(query: query)
    filtered.sync(with: log, names: Self.names, nowMs: Self.nowMs)
    let rows = (0..<filtered.count).compactMap { filtered.row(at: $0, in: log) }
    #expect(rows.map(\.id) == found.map(\.id), "\(text)")
  }

  @Test(arguments: [
    ("knid:x", 0, "there is no field \"knid\"; did you mean kind?"),
    ("kind:", 5, "there is no value for kind."),
    ("user:\"x", 5, "the quote at 6 is not closed; did you mean \"x\"?"),
    ("cost>much", 5, "\"much\" is no number."),
    ("chip:eror", 5, "there is no chip \"eror\"; did you mean error?"),
    ("kind>x", 5, "kind cannot be compared with >."), ("since:soon", 6, ""), ("is:blue", 3, ""),
    ("meta:x", 0, "there is no field \"meta\"; did you mean meta.PATH?"),
    ("a|", 2, "a word is missing beside |."),
    ("domain:llmm", 7, "there is no domain \"llmm\"; did you mean llm?"), ("severity:bad", 9, ""),
    ("ok cost:1..x", 8, "\"1..x\" is no range of numbers such as 1..5."),
    ("zzzz:1", 0, "there is no field \"zzzz\"."),
  ])
  func saysWhatIsWrong(text: String, offset: Int, sentence: String) {
    do {
      _ = try Query.parse(text)
      Issue.record("\(text) was read")
    } catch {
      #expect(error.offset == offset, "\(text)")
      if !sentence.isEmpty { #expect(error.description == sentence) }
      #expect(error.length > 0 && !error.message.isEmpty)
    }
  }

  @Test func timesOfDayAreMeantWhereThePersonIs() throws {
    // 1_778_353_600_000 is 2026-05-09T19:06:40Z.
    let now = Self.nowMs
    let iso = WireTime(milliseconds: now).iso
    let midnight = QueryTime.clock(seconds: 0, lengthMs: 60_000).spans(nowMs: now, in: .utc)
    #expect(midnight.first.map { $0.lowerBound <= now } == true)
    let query = try Query.parse("since:\(iso.dropLast(8)) before:\(iso)")
    #expect(query.lowerBound(nowMs: now).map { now - $0 < 60_000 && now >= $0 } == true)
    let berlin = try Query.parse("since:00:30", in: QueryZone(name: "Berlin") { _ in 7200 })
      .lowerBound(nowMs: now)
    let london = try Query.parse("since:00:30", in: .utc).lowerBound(nowMs: now)
    #expect(berlin.map { $0 <= now && now - $0 < 86_400_000 } == true)
    #expect(berlin != london)
    #expect(try Query.parse("at:2026-05-09").terms.count == 1)
  }

  /// Berlin in 2026: UTC+2 from 29 March, 01:00 UTC, to 25 October, 01:00 UTC; else UTC+1.
  private static let berlin = QueryZone(name: "Berlin") { moment in
    (1_774_746_000..<1_792_890_000).contains(moment) ? 7200 : 3600
  }

  private func spans(_ time: QueryTime, now: String) throws -> [String] {
    let now = try #require(WireTime(iso: now)).milliseconds
    return time.spans(nowMs: now, in: Self.berlin).map { span in
      [span.lowerBound, span.upperBound].map {
        WireTime(milliseconds: $0).iso.dropLast(8).suffix(11)
      }
      .joined(separator: " ")
    }
  }

  @Test("when clocks change, a time means all moments at which it is shown")
  func clockChanges() throws {
    let half = QueryTime.clock(seconds: 2 * 3600 + 1800, lengthMs: 60_000)
    // Shown twice, skipped, and not yet shown for the second time.
    #expect(
      try spans(half, now: "2026-10-25T12:00:00Z") == [
        "10-25T00:30 10-25T00:31", "10-25T01:30 10-25T01:31",
      ])
    #expect(
      try spans(half, now: "2026-10-25T01:10:00Z") == ["10-25T00:30 10-25T00:31"])
    #expect(
      try spans(half, now: "2026-03-29T12:00:00Z") == ["03-29T01:00 03-29T01:00"])
    #expect(
      try spans(half, now: "2026-07-01T00:10:00Z") == ["06-30T00:30 06-30T00:31"])
    // Days of 25, 23 and 24 hours.
    for (day, words) in [
      ("2026-10-25", "10-24T22:00 10-25T23:00"), ("2026-03-29", "03-28T23:00 03-29T22:00"),
      ("2026-07-01", "06-30T22:00 07-01T22:00"),
    ] {
      let query = try Query.parse("at:\(day)", in: Self.berlin)
      guard case .time(let times) = query.terms[0].test, let time = times.first else { continue }
      #expect(try spans(time, now: "2026-12-01T00:00:00Z") == [words])
    }
    // What names its offset is meant where it says.
    let exact = try Query.parse("at:2026-07-01T12:00:00Z", in: Self.berlin)
    guard case .time(let times) = exact.terms[0].test, let time = times.first else { return }
    #expect(try spans(time, now: "2026-12-01T00:00:00Z") == ["07-01T12:00 07-01T12:00"])
    #expect(try Query.parse("chip:llm").and(exact).zone == .utc)
    #expect(exact.and(try Query.parse("chip:llm")).zone == Self.berlin)
  }

  @Test(arguments: 0..<4) func anyTextIsReadOrRefused(seed: UInt64) {
    var random = SeededRandom(seed)
    let pieces = [
      "kind", ":", "\"", "|", "-", ">", "=", "meta.", "a b", " ", "*", "\\", "1", "since:", "é",
      "..", "👍", "cost",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        pieces.randomElement(using: &random)!
      }
      .joined()
      do { _ = try Query.parse(text) } catch {
        #expect(error.offset <= text.count && !error.description.isEmpty)
      }
    }
  }

  @Test func globsAreNotSlow() {
    let pattern = Pattern(String(repeating: "a*", count: 100) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 2000)))
    #expect(Pattern("l?m_*").matches("LLM_call") && !Pattern("llm").matches("llm_call"))
    #expect(
      Pattern("a*", isQuoted: true).matches("A*") && !Pattern("a*", isQuoted: true).matches("ab"))
  }

  @Test(arguments: 0..<6) func aFilterFollowedByStepsIsTheFilterOfTheWhole(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let log = ActionLog(memory: 4 << 20)
    let query = try Query.parse(
      ["kind:llm_*", "user:7 -text:c3", "is:stored", "since:1m"].randomElement(using: &random)!)
    var filtered = FilteredLog(query: query)
    let padding = String(repeating: "p", count: 700)
    for id in 1...9000 {
      let fact = Fact(
        id: id, timeMs: startMs + Int64(id * 20 + Int.random(in: -300...0, using: &random)),
        kind: ["llm_call", "voice_runtime", "x"].randomElement(using: &random)!,
        content: "c\(id % 7) \(padding)", user: ["7", "8"].randomElement(using: &random)!,
        channel: "1")
      switch Int.random(in: 0...3, using: &random) {
      case 0: log.rows([fact])
      case 1:
        try log.live(fact.live)
        log.rows([fact])
      default: try log.live(fact.live)
      }
      if Int.random(in: 0...80, using: &random) == 0 || id % 3000 == 0 {
        let now = startMs + Int64(id * 20)
        let budget = id % 3000 == 0 ? 100_000 : 150
        filtered.sync(with: log, nowMs: now, rowBudget: budget)
        let ids = (0..<filtered.count).map { filtered.rowID(at: $0) }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { log.key($0) > log.key($1) })
        if id % 3000 == 0 {
          #expect(filtered.isComplete)
          #expect(ids == log.all.filter { query.matches($0, nowMs: now) }.map(\.id))
          if let middle = ids.dropFirst(ids.count / 2).first {
            #expect(filtered.index(of: middle, in: log) == ids.count / 2)
          }
        }
      }
    }
    #expect(log.totals.evicted > 0)
  }

  @Test func findsWhatIsDrawn() throws {
    let log = try log()
    func find(_ text: String, from: Int = 0, _ direction: LogFind.Direction = .older) throws -> Int?
    {
      let find = try #require(LogFind(text: text, names: Self.names))
      switch find.next(in: log, from: from, direction: direction) {
      case .found(let index, _): return log.row(at: index).actionID ?? 0
      default: return nil
      }
    }
    #expect(try find("RUST") == 4 && find("grüsse") == 4 && find("llm_") == 1 && find("Ann") == 2)
    #expect(try find("llm_", from: 1) == 2 && find("claude", from: log.count - 1, .newer) == 1)
    #expect(try find("\"ist\" da") == 4 && find("nowhere") == nil && find("grüsse\n") == 4)
    #expect(LogFind(text: "") == nil)
    let slow = try #require(LogFind(text: "nowhere"))
    #expect(slow.next(in: log, from: 0, direction: .older, rowBudget: 2) == .more(from: 2))
  }

  @Test(arguments: 0..<3) func needlesAgreeWithStrings(seed: UInt64) {
    var random = SeededRandom(seed)
    let letters = ["a", "A", "b", "B", "é", "É", "x", "\n", "ab"]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in letters.randomElement(using: &random)! }.joined()
    }
    for _ in 0..<3000 {
      let needle = text(Int.random(in: 1...4, using: &random))
      let hay = text(Int.random(in: 0...60, using: &random))
      let expected = hay.lowercased().contains(needle.lowercased())
      #expect(TextNeedle(needle).isIn(hay) == expected, "\(needle) in \(hay)")
      if needle.utf8.count >= 3 {
        let found = Array(hay.utf8).withUnsafeBytes { ByteSearch.contains($0, Array(needle.utf8)) }
        #expect(found == hay.contains(needle))
      }
    }
  }

  @Test func completionOffersWhatIsThere() throws {
    let log = try log()
    func inserts(_ text: String) -> [String] {
      QueryCompletion.items(for: text, cursor: text.count, log: log, names: Self.names).items.map(
        \.insert)
    }
    #expect(
      inserts("ki") == ["kind:"] && inserts("-ki") == ["kind:"] && inserts("x cos") == ["cost>"])
    #expect(inserts("kind:llm").sorted() == ["llm_call", "llm_error"])
    #expect(
      inserts("user:") == ["\"the name\"", "Ann"] || inserts("user:") == ["Ann", "\"the name\""])
    #expect(inserts("user:\"the") == ["\"the name\""] && inserts("kind:a|sent") == ["sent_reply"])
    let (replace, items) = QueryCompletion.items(for: "kind:sent x", cursor: 9, log: log)
    #expect(replace == 5..<9 && items.first?.count == 1)
    #expect(
      inserts("nofield:x").isEmpty && inserts("event:voice").contains("voice_brain_tool_call"))
  }
}
