import CockpitHistory
import CockpitSinks
import Foundation
import LenientJSON
import Synchronization
import Testing

@Suite struct LokiTests {
  private static let now: @Sendable () -> Int64 = { SinkPlace.nowMs }

  private static func run(
    _ place: SinkPlace, _ receiver: LokiReceiver, level: RedactionLevel = .none
  )
    async throws -> SinkThread
  {
    var plan = SinkThread.Plan(
      name: "loki", kind: "loki", folder: place.path, botName: "clanky#0001", level: level,
      keepsPrompts: false, maxLagMs: 1
    ) { _ throws(SinkProblem) in
      try SinkTargets.loki(
        url: "http://127.0.0.1:3100", allowsPlainHTTP: false, bot: "prod",
        http: { receiver.http($0) })
    }
    plan.fromMs = 0
    plan.isOnce = true
    let sink = SinkThread(plan, nowMs: now)
    #expect(await sink.end())
    return sink
  }

  @Test(
    "entries have the labels, the order of their rows, and each is there once whatever happens to answers"
  )
  func entries() async throws {
    let place = SinkPlace()
    // Three rows a millisecond, two of them equal.
    place.record(
      (0..<600).map {
        SinkRows.plain($0 % 3 == 1 ? $0 - 1 : $0, atMs: SinkPlace.nowMs + Int64($0 / 3))
      })
    let receiver = LokiReceiver { [503, 1204, 204][$0 % 3] }
    _ = try await Self.run(place, receiver)
    #expect(receiver.entries == 600)
    let content = receiver.content.withLock { $0 }
    #expect(content.problems.isEmpty)
    #expect(content.keys.count == 600)
    #expect(
      Array(content.streams.keys) == [
        ["app": "clanky", "bot": "prod", "domain": "llm", "level": "info"]
      ])
    let sorted = try #require(content.streams.values.first).sorted { $0.time < $1.time }
    let contents = try sorted.map { entry in
      try #require(try JSONValue.parse(Array(entry.line.utf8))["content"]?.string)
    }
    #expect(contents == (0..<600).map { "row \($0 % 3 == 1 ? $0 - 1 : $0)" })
  }

  @Test("rows that came late are a stream of their own, so that none is refused for its age")
  func late() async throws {
    let place = SinkPlace()
    place.record([SinkRows.plain(0)])
    place.record(
      [SinkRows.plain(1, atMs: SinkPlace.nowMs - 86_400_000)], first: 10,
      receivedMs: SinkPlace.nowMs + 1000)
    let receiver = LokiReceiver()
    let sink = try await Self.run(place, receiver)
    #expect(sink.state.parked == 0)
    #expect(receiver.entries == 2)
    #expect(receiver.content.withLock { $0.streams.keys.contains { $0["origin"] == "repair" } })
  }

  @Test("an entry that Loki refuses is parked with its words; the rest is there")
  func refused() async throws {
    let place = SinkPlace()
    let late = SinkPlace.nowMs - 7_300_000
    place.record(
      [SinkRows.plain(0)] + [SinkRows.plain(1, atMs: late)] + [SinkRows.plain(2)],
      receivedMs: SinkPlace.nowMs - 7_290_000)
    let receiver = LokiReceiver()
    let sink = try await Self.run(place, receiver)
    #expect(sink.state.parked == 1)
    #expect(receiver.entries == 2)
    #expect(
      try HistoryNotes.parkedRows(in: place.path).map(\.answer) == ["400: entry too far behind"])
  }

  @Test("hostile text arrives as strict JSON, whole")
  func hostile() async throws {
    let place = SinkPlace()
    let texts = HostileTexts.contents
    place.record(texts.enumerated().map { HostileTexts.row($0.offset, $0.element) })
    let receiver = LokiReceiver()
    let sink = try await Self.run(place, receiver)
    #expect(sink.state.parked == 0)
    #expect(receiver.entries == texts.count)
    for body in receiver.content.withLock({ $0.bodies }) {
      #expect(body.allSatisfy { (0x20...0x7E).contains($0) })
    }
  }

  @Test("an address over plain http is refused beyond loopback")
  func plainHTTP() {
    #expect(throws: SinkProblem.self) {
      try SinkTargets.loki(
        url: "http://logs.example", allowsPlainHTTP: false, bot: "", http: { _ in .failed("") })
    }
    #expect(throws: Never.self) {
      try SinkTargets.loki(
        url: "http://logs.example", allowsPlainHTTP: true, bot: "", http: { _ in .failed("") })
    }
  }
}

/// What strangers write.
enum HostileTexts {
  /// JSON strings, with their quotes.
  static let contents: [String] = [
    #""lone \ud83d half""#, #""\udc00""#, #""zero \u0000 in it""#, #""\u001b[31mred\u0007""#,
    #""quote \" and \\ backslash""#, "\"\"", #""\u202eright to left""#, "\"new\\nline\"",
    "\"" + String(repeating: "x", count: 900_000) + "\"", "\"🔥 Grüße 我喜欢\"",
    #""'; drop table clanky.action; --""#, #""\\N\\.""#, #""tab\tand\rreturn""#,
  ]

  static func row(_ number: Int, _ content: String) -> String {
    """
    {"kind":"sent_reply","content":\(content),"createdAt":"\(SinkRows.iso(SinkPlace.nowMs + Int64(number)))",\
    "userId":"198765432109876543","metadata":{"speakerName":\(content.utf8.count > 200 ? "\"\"" : content)}}
    """
  }
}
