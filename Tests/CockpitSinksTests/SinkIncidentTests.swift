import CockpitHistory
import Foundation
import LenientJSON
import Synchronization
import Testing

@testable import CockpitSinks

/// What rules found, on its way to Prometheus, Loki and OTLP.
@Suite struct SinkIncidentTests {
  private static let now: @Sendable () -> Int64 = { SinkPlace.nowMs + 60_000 }

  private static func finding(
    _ id: String, rule: String = "reply_missing_after_direct_address", level: String = "critical",
    atMs: Int64 = SinkPlace.nowMs
  ) -> HistoryNotes.Finding {
    SinkIncident.finding(
      id: id, rule: rule, level: level,
      sentence: "\"hello Marguerite\" got no answer within 60 s", session: "s-1",
      guild: "812345678901234567", channel: "930000000000000001", person: "198765432109876543",
      fromMs: atMs, toMs: atMs + 60_000)
  }

  /// A history with a row that gives the person a name.
  private static func place() -> SinkPlace {
    let place = SinkPlace()
    place.record([
      """
      {"kind":"voice_runtime","content":"openai_realtime_asr_final_segment","createdAt":"\(SinkRows.iso(SinkPlace.nowMs))",\
      "userId":"198765432109876543","metadata":{"sessionId":"s-1","speakerName":"Marguerite","transcript":"hi"}}
      """
    ])
    return place
  }

  private static func run(
    _ place: SinkPlace, level: RedactionLevel = .none, fromStart: Bool = true,
    _ target: @escaping @Sendable () -> any SinkTarget
  ) async -> SinkThread.State {
    let sink = SinkThread(
      place.plan(level: level, fromStart: fromStart, target), nowMs: now)
    #expect(await sink.end())
    return sink.state
  }

  @Test("metrics count each finding once, by rule and level, over restarts")
  func metrics() async throws {
    let place = Self.place()
    let page = MetricsPage()
    func run() async {
      _ = await Self.run(place) {
        SinkTargets.prometheus(file: nil, page: page, bot: "prod", live: LiveFigures())
      }
    }
    try HistoryNotes.note([Self.finding("a"), Self.finding("b")], in: place.path)
    await run()
    await run()
    try HistoryNotes.note(
      [Self.finding("b"), Self.finding("c", rule: "error_burst", level: "warning")],
      in: place.path)
    await run()
    let lines = page.current.split(separator: "\n").filter {
      $0.hasPrefix("clanky_anomalies_total")
    }
    #expect(
      lines == [
        #"clanky_anomalies_total{bot="prod",rule="error_burst",level="warning"} 1"#,
        #"clanky_anomalies_total{bot="prod",rule="reply_missing_after_direct_address",level="critical"} 2"#,
      ])
  }

  @Test("Loki gets a line for each, redacted as rows are, once although the first push fails")
  func loki() async throws {
    let place = Self.place()
    try HistoryNotes.note([Self.finding("a"), Self.finding("b", level: "info")], in: place.path)
    let receiver = LokiReceiver { [204, 503, 1204, 204][min($0, 3)] }
    let url = try SinkURL("http://127.0.0.1:3100", allowsPlainHTTP: false)
    for _ in 0..<2 {
      _ = await Self.run(place, level: .people) {
        LokiTarget(url: url, bot: "prod", http: { receiver.http($0) })
      }
    }
    let content = receiver.content.withLock { $0 }
    #expect(content.problems.isEmpty)
    let own = content.streams.filter { $0.key["domain"] == "anomaly" }
    #expect(Set(own.keys.compactMap { $0["level"] }) == ["error", "info"])
    #expect(own.values.allSatisfy { $0.count == 1 })
    let text = content.bodies.map { String(decoding: $0, as: UTF8.self) }.joined()
    #expect(text.contains("reply_missing_after_direct_address"))
    #expect(text.contains("got no answer within 60 s"))
    for word in ["arguerite", "198765432109876543", "812345678901234567", "930000000000000001"] {
      #expect(!text.contains(word), "\(word)")
    }
  }

  @Test("OTLP gets a span with an event for each; the sentence only with words, and by sample")
  func otlp() async throws {
    let place = Self.place()
    try HistoryNotes.note([Self.finding("a")], in: place.path)
    let url = try SinkURL("http://127.0.0.1:4318/v1/traces", allowsPlainHTTP: false)
    let cases: [(hasWords: Bool, sample: Set<String>?, level: RedactionLevel)] = [
      (true, nil, .none), (false, ["anomaly"], .people), (true, ["answered"], .none),
    ]
    for (index, one) in cases.enumerated() {
      let bodies = Mutex<[String]>([])
      var plan = place.plan("far\(index)", level: one.level) {
        OTLPTarget(
          url: url, bot: "prod", fingerprint: RowFingerprint.bot("clanky#0001"), resource: [],
          sample: one.sample, hasWords: one.hasWords,
          http: { request in
            bodies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
            return .answer(status: 200, headers: [], body: [], retryAfterMs: nil)
          })
      }
      plan.fromMs = 0
      let sink = SinkThread(plan, nowMs: Self.now)
      #expect(await sink.end())
      let text = bodies.withLock { $0.joined() }
      let isSent = one.sample?.contains("anomaly") ?? true
      #expect(text.contains("clanky.anomaly.rule") == isSent)
      #expect(text.contains("anomaly reply_missing_after_direct_address") == isSent)
      #expect(text.contains("got no answer") == (isSent && one.hasWords))
      #expect(text.contains("198765432109876543") == (isSent && one.level == .none))
    }
  }

  @Test("a new sink gets what begins from then on; what somebody was taken out of is not sent")
  func bounds() async throws {
    let place = Self.place()
    try HistoryNotes.note([Self.finding("old")], in: place.path)
    let receiver = LokiReceiver()
    let url = try SinkURL("http://127.0.0.1:3100", allowsPlainHTTP: false)
    func run() async -> SinkThread.State {
      await Self.run(place, fromStart: false) {
        LokiTarget(url: url, bot: "prod", http: { receiver.http($0) })
      }
    }
    _ = await run()
    // Found later, but it began before the sink.
    try HistoryNotes.note([Self.finding("late", atMs: SinkPlace.nowMs - 1)], in: place.path)
    try HistoryNotes.note([Self.finding("new", atMs: Self.now() + 1)], in: place.path)
    _ = await run()
    #expect(receiver.entries == 1)
    try HistoryNotes.note([Self.finding("gone", atMs: Self.now() + 2)], in: place.path)
    let forget = try HistoryForget(place.path, nowMs: Self.now)
    _ = try forget.forget(try forget.person("198765432109876543"))
    try HistoryNotes.note([Self.finding("gone", atMs: Self.now() + 2)], in: place.path)
    _ = await run()
    #expect(receiver.entries == 1)
    let kept = try HistoryNotes.findings(after: 0, limit: 10, in: place.path)
    #expect(kept.map(\.id) == ["old", "late", "new", "gone"])
    #expect(kept.allSatisfy { $0.body.isEmpty })
  }
}
