import Testing

@testable import CockpitStores

@Suite struct StageParserTests {
  @Test(
    "what is wrong with a stage, and where",
    arguments: [
      ("kind:a | cuont by kind", "cuont", "there is no stage", "count"),
      ("kind:a | count by modle", "modle", "there is no field", "model"),
      ("kind:a | count by", "y", "by what?", nil),
      ("kind:a |", "|", "a stage is missing", nil),
      ("| top 5", "top", "needs a table before it", "| count by kind | top"),
      ("| count by kind | top many", "many", "is no number from 1", nil),
      ("| count by kind | top", "p", "top how many", nil),
      ("| count by kind | sum cost", "sum", "only the first stage", nil),
      ("| sum kind", "kind", "kind is no number", nil),
      ("| p95", "5", "p95 of what?", nil),
      ("| p0 ms", "p0", "there is no stage", "p50"),
      ("| count by cost", "cost", "cost is a number", nil),
      ("| count by since", "since", "no lines by since", "hour"),
      ("| count by 7m", "7m", "a day is not made of stretches", "1h"),
      ("| count by kind user", "user", "too much here", nil),
      ("| count by kind,kind", "kind", "twice", nil),
      ("| count by kind | sort model", "model", "no column", "count"),
      ("| count by kind | sort kind down", "down", "asc or desc", nil),
      ("kind:a| count", "|", "a value is missing behind |", nil),
      ("kind:llm_call|count by model", "|count", "means \"or\"", nil),
      ("kind:llm_call|count", "|count", "means \"or\"", nil),
      ("kind:a|top 5", "|top", "means \"or\"", nil),
      ("cosst>1 | count", "cosst", "there is no field", "cost"),
    ])
  func errors(text: String, at: String, part: String, suggestion: String?) throws {
    let error = #expect(throws: QueryError.self, "\(text)") { try Query.parse(piped: text) }
    let found = try #require(error)
    #expect(found.message.contains(part), "\(found.message)")
    #expect(found.suggestion == suggestion)
    let characters = Array(text)
    #expect(found.offset + found.length <= characters.count, "\(text)")
    #expect(
      String(characters[found.offset..<found.offset + found.length]) == at, "\(text) \(found)")
  }

  @Test(
    "| without a blank before it is still an alternative",
    arguments: [
      "kind:a|b", "rust|count", "text:top|down", "kind:a|\"count\"", "user:\"a b\"|\"c d\" x",
      "http|https", "kind:a|max",
    ])
  func alternatives(text: String) throws {
    if text == "kind:a|max" {
      #expect(throws: QueryError.self) { try Query.parse(piped: text) }
    } else {
      #expect(try Query.parse(piped: text).terms == Query.parse(text).terms)
    }
    #expect(try Query.parse(text).pipeline == nil)
  }

  @Test("a filter of rows refuses stages and says where they belong")
  func filters() {
    let error = #expect(throws: QueryError.self) { try Query.parse("kind:a | count") }
    #expect(error?.offset == 7 && error?.message.contains("has no stages") == true)
  }

  @Test("a view stands for its query: terms are added to its own, and stages to its stages")
  func views() throws {
    let views = QueryViews([
      "slow": "kind:llm_call ms>2s | p95 ms by model", "calls": "kind:llm_call", "me": "@me",
      "bad": "cosst>1", "deep": "@slow cost>1",
    ])
    func same(_ text: String, _ other: String) throws {
      let (one, two) = (
        try Query.parse(piped: text, views: views), try Query.parse(piped: other)
      )
      #expect(one.terms == two.terms && one.filterText == two.filterText)
      #expect(one.pipeline?.figure == two.pipeline?.figure)
      #expect(one.pipeline?.keys == two.pipeline?.keys)
      #expect(one.pipeline?.steps == two.pipeline?.steps)
      #expect(one.text == text)
    }
    try same("@slow", "kind:llm_call ms>2s | p95 ms by model")
    try same("@slow since:1h | top 3", "kind:llm_call ms>2s since:1h | p95 ms by model | top 3")
    try same("@calls | count", "kind:llm_call | count")
    try same("@deep", "kind:llm_call ms>2s cost>1 | p95 ms by model")
    for (text, part) in [
      ("@slo", "there is no view"), ("@me", "stands for itself"), ("@bad x", "cannot be read"),
      ("@slow | count", "only the first stage"),
    ] {
      let error = #expect(throws: QueryError.self) { try Query.parse(piped: text, views: views) }
      #expect(error?.message.contains(part) == true, "\(text) \(error?.message ?? "")")
    }
    #expect(throws: QueryError.self) { try Query.parse(piped: "@slow", views: QueryViews()) }
    #expect(try Query.parse(piped: "\"@slow\"", views: views).terms.count == 1)
  }
}
