import CockpitHistory
import CockpitSinks
import Foundation
import Synchronization
import Testing

@Suite struct SinkThreadTests {
  private static let now: @Sendable () -> Int64 = { SinkPlace.nowMs }

  @Test("all rows are delivered once, in batches of at most 1,000")
  func once() async throws {
    let place = SinkPlace()
    place.record((0..<2500).map { SinkRows.plain($0) })
    let end = FarEnd()
    let sink = SinkThread(place.plan { end.target() }, nowMs: Self.now)
    #expect(await sink.end())
    let content = end.content.withLock { $0 }
    #expect(content.keys.count == 2500)
    #expect(content.largest == 1000)
    let record = try #require(try HistoryNotes.sinks(in: place.path).first)
    #expect(record.delivered == 2500)
    #expect(record.place.seq == (try place.recorded().last?.seq))
    #expect(record.problem == nil)
    // What comes later is delivered by the next run, and nothing else.
    place.record((0..<10).map { SinkRows.plain(3000 + $0) }, first: 3000)
    let second = SinkThread(place.plan { end.target() }, nowMs: Self.now)
    #expect(await second.end())
    #expect(end.content.withLock { $0.keys.count } == 2510)
    #expect(end.content.withLock { $0.twins } == 0)
  }

  @Test(
    "a far end that fails, and answers that are lost after the rows were taken: each row there once"
  )
  func faults() async throws {
    let place = SinkPlace()
    place.record((0..<300).map { SinkRows.plain($0 / 2) })
    let end = FarEnd { number, _ in number == 0 ? .busy : number == 1 ? .lostAnswer : .none }
    let sink = SinkThread(place.plan { end.target() }, nowMs: Self.now)
    #expect(await sink.end())
    let content = end.content.withLock { $0 }
    #expect(content.keys.count == 300)
    #expect(content.twins == 300)
  }

  @Test("a refused row is parked with the answer, and all others are delivered")
  func parked() async throws {
    let place = SinkPlace()
    place.record((0..<100).map { SinkRows.plain($0) })
    let end = FarEnd { _, rows in
      rows.contains { $0.content == "row 37" } ? .refused : .none
    }
    let sink = SinkThread(place.plan { end.target() }, nowMs: Self.now)
    #expect(await sink.end())
    #expect(end.content.withLock { $0.keys.count } == 99)
    let parked = try HistoryNotes.parkedRows(in: place.path)
    #expect(parked.map(\.answer) == ["400: bad row"])
    #expect(parked.map(\.sink) == ["far"])
    #expect(parked.map(\.kind) == ["llm_call"])
    let record = try #require(try HistoryNotes.sinks(in: place.path).first)
    #expect(record.parked == 1)
    #expect(record.delivered == 99)
  }

  @Test(
    "killed between the far end's answer and the kept place: the rows are sent again and dropped")
  func killed() async throws {
    let place = SinkPlace()
    let end = FarEnd()
    for round in 0..<5 {
      place.record((0..<50).map { SinkRows.plain(round * 50 + $0) }, first: round * 50)
      let notes = place.path + "/notes.db"
      let before = FileManager.default.contents(atPath: notes)
      let sink = SinkThread(place.plan { end.target() }, nowMs: Self.now)
      #expect(await sink.end())
      // As if it had been killed before it could keep its place.
      if let before { try before.write(to: URL(filePath: notes)) }
    }
    let sink = SinkThread(place.plan { end.target() }, nowMs: Self.now)
    #expect(await sink.end())
    let content = end.content.withLock { $0 }
    #expect(content.keys.count == 250)
    #expect(content.twins > 0)
    let bot = try HistoryNotes.sinkBot(named: "other", in: place.path)
    #expect(bot.name == "clanky#0001")
  }

  @Test("a sink keeps what it called the bot first, until it is forgotten")
  func label() throws {
    let place = SinkPlace()
    place.record([SinkRows.plain(0)])
    try HistoryNotes.keep(.init(name: "events", kind: "clickhouse"), in: place.path)
    func label(_ bot: String) throws -> String {
      try HistoryNotes.sinkLabel(of: "events", else: bot, in: place.path)
    }
    #expect(try label("prod") == "prod")
    #expect(try label("/var/history") == "prod")
    #expect(try HistoryNotes.sinkLabel(of: "other", else: "x", in: place.path) == "x")
    #expect(try HistoryNotes.dropSink("events", in: place.path))
    #expect(try label("new") == "new")
  }

  @Test("a new sink begins with what comes from then on")
  func beginsNow() async throws {
    let place = SinkPlace()
    place.record((0..<20).map { SinkRows.plain($0) })
    let end = FarEnd()
    let sink = SinkThread(place.plan(fromStart: false) { end.target() }, nowMs: Self.now)
    #expect(await sink.end())
    #expect(end.content.withLock { $0.keys.count } == 0)
    place.record([SinkRows.plain(99)], first: 99)
    let second = SinkThread(place.plan(fromStart: false) { end.target() }, nowMs: Self.now)
    #expect(await second.end())
    #expect(end.content.withLock { $0.keys.count } == 1)
  }

  @Test("the lag is that of the oldest row that is not delivered")
  func lag() async throws {
    let place = SinkPlace()
    place.record((0..<5).map { SinkRows.plain($0) })
    let end = FarEnd { _, _ in .busy }
    let sink = SinkThread(place.plan(isOnce: false) { end.target() }) {
      SinkPlace.nowMs + 720_000
    }
    let deadline = Date(timeIntervalSinceNow: 20)
    while sink.state.problem == nil, Date() < deadline {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(sink.state.behindMs == 720_000)
    #expect(sink.state.problem == "503")
    #expect(sink.stop(waiting: 10))
    let record = try #require(try HistoryNotes.sinks(in: place.path).first)
    #expect(record.behindMs == 720_000)
    #expect(record.problem == "503")
  }

  @Test(
    "redact = people: no id, no name, no prompt of the source is in what is sent, and pseudonyms stay"
  )
  func redaction() async throws {
    let place = SinkPlace()
    place.record([
      """
      {"kind":"voice_runtime","content":"openai_realtime_asr_final_segment","createdAt":"2026-05-09T18:00:00.000Z",\
      "userId":"198765432109876543","guildId":"812345678901234567","channelId":"812345678901234999","metadata":\
      {"sessionId":"s-1","speakerName":"Marguerite","transcript":"hi from Marguerite to 198765432109876543"}}
      """,
      """
      {"kind":"llm_call","content":"m","createdAt":"2026-05-09T18:00:01.000Z","userId":"198765432109876543",\
      "metadata":{"systemPrompt":"You are SECRETIVE.","userPrompt":"marguerite: hello"}}
      """,
    ])
    let seen = Texts()
    for _ in 0..<2 {
      var plan = place.plan(level: .people) { Collector(seen) }
      plan.beginsAgain = true
      let sink = SinkThread(plan, nowMs: Self.now)
      #expect(await sink.end())
    }
    let texts = seen.list.withLock { $0 }
    #expect(texts.count == 4)
    for text in texts {
      for word in [
        "198765432109876543", "812345678901234567", "812345678901234999", "arguerite", "SECRETIVE",
      ] {
        #expect(!text.contains(word), "\(word) in \(text)")
      }
    }
    #expect(Array(texts[..<2]) == Array(texts[2...]))
    #expect(texts[0].contains("\"userId\":\"90"))
  }

  private final class Texts: Sendable {
    let list = Mutex<[String]>([])
  }

  private final class Collector: SinkTarget {
    private let seen: Texts
    init(_ seen: Texts) { self.seen = seen }

    func send(_ rows: ArraySlice<SinkRow>, nowMs: Int64) -> SinkAnswer {
      seen.list.withLock { list in
        list += rows.map { String(decoding: $0.json, as: UTF8.self) }
      }
      return .accepted()
    }
  }
}
