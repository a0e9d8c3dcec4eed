import ClankyWire
import CockpitDomain
import CockpitHistory
import CockpitStores
import HistorySource
import HistoryTestKit
import Networking
import Testing

/// A history played into stores: compared with the same rows as they came live.
@MainActor @Suite struct HistorySourceTests {
  /// A clock that stands, and whose timers fire at once.
  private final class StillClock: LinkClock {
    private final class Timer: LinkTimer { func cancel() {} }
    let nowNs: UInt64 = 1_000_000_000
    let wallMs: Int64 = 1_800_000_000_000
    func schedule(
      afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
    ) -> any LinkTimer {
      Task { @MainActor in body() }
      return Timer()
    }
  }

  private static let start: Int64 = 1_795_600_800_000

  private static func row(_ number: Int, kind: String = "sent_reply") -> RecordedRow {
    let at = start + Int64(number) * 1000
    let time = "2026-11-25T10:00:\(String(number / 10))\(number % 10).000Z"
    let json = """
      {"kind":"\(kind)","guildId":"1","usdCost":0.0\(number % 10)1,"content":"row \(number)",\
      "createdAt":"\(time)"}
      """
    return RecordedRow(
      seq: Int64(number), atMs: at, receivedMs: at + 20,
      actionID: number % 3 == 0 ? 100 + number : nil,
      channels: number % 3 == 0 ? [.activity, .stored] : .activity, json: Array(json.utf8))
  }

  private static let rows = (0..<60).map { row($0, kind: $0 % 7 == 0 ? "bot_error" : "sent_reply") }

  /// What the recorder noted when it started: all rows since the first one are there.
  private static let proven = RecordedLink(
    seq: 1, atMs: start + 1, receivedMs: start + 1, what: .proven,
    value: Array("{\"from_ms\": \(start)}".utf8))

  private static func document(_ name: String, _ second: Int64, _ body: String) -> RecordedDocument
  {
    let at = start + second * 1000
    return RecordedDocument(
      seq: second, name: name, atMs: at, receivedMs: at, body: Array(body.utf8))
  }

  private func session(
    _ history: some HistoryReading, at second: Int64, rows: Int = 100
  ) -> (BotSession, HistorySource, ReplayClock) {
    let clock = ReplayClock(atMs: Self.start + second * 1000, real: StillClock())
    let source = HistorySource(history, clock: clock, rows: rows)
    let session = BotSession(
      .init(address: "past", memory: 64 << 20, isReadOnly: true, zone: .utc), source: source,
      storage: nil, clock: clock)
    session.start()
    return (session, source, clock)
  }

  private func ask(
    _ source: HistorySource, _ request: RestRequest
  ) async -> Result<RestAnswer, RestFailure> {
    await withCheckedContinuation { continuation in
      source.request(request) { continuation.resume(returning: $0) }
    }
  }

  /// What a screen can tell of the rows, newest first.
  private func told(_ session: BotSession) -> [String] {
    let log = session.activity.log
    return log.rows(in: 0..<log.count).map { row in
      "\(row.timeMs) \(row.kind) \(row.content() ?? "-") \(row.actionID ?? -1) \(row.isFailure) \(row.costUSD ?? 0)"
    }
  }

  /// The rows as they came live, up to a second.
  private func live(through second: Int) -> BotSession {
    let clock = ReplayClock(atMs: Self.start, real: StillClock())
    let source = HistorySource(MemoryHistory(), clock: clock)
    let session = BotSession(
      .init(address: "live", memory: 64 << 20, isReadOnly: true, zone: .utc), source: source,
      storage: nil, clock: clock)
    for row in Self.rows.prefix(second + 1) {
      let time = ReceiveTime(wallMs: row.receivedMs, ns: ReplayClock.ns(row.receivedMs))
      row.json.withUnsafeBytes { session.sink.receive(.row($0, from: .activity), at: time) }
      guard let id = row.actionID else { continue }
      let stored = "[" + String(decoding: row.json, as: UTF8.self).dropLast() + ",\"id\":\(id)}]"
      Array(stored.utf8).withUnsafeBytes {
        _ = session.sink.ingest(RowBatch($0, source: .reconcile), at: time)
      }
    }
    return session
  }

  @Test("at any second the rows are those that were there live", arguments: [0, 6, 29, 59])
  func state(second: Int) {
    let (past, source, _) = session(MemoryHistory(rows: Self.rows), at: Int64(second))
    let live = live(through: second)
    #expect(told(past) == told(live))
    #expect(
      past.activity.log.totals.retained.failures == live.activity.log.totals.retained.failures)
    #expect(past.serverNowMs == Self.start + Int64(second) * 1000)
    #expect(past.connection.hasRows)
    #expect(source.problem == nil)
  }

  @Test("playing on gives what seeking there gives")
  func playing() {
    let history = MemoryHistory(
      rows: Self.rows,
      documents: (0..<20).map {
        Self.document("stats", $0 * 3, "{\"stats\":{\"last24h\":{\"sent_reply\":\($0)}}}")
      })
    let (played, source, clock) = session(history, at: 4)
    for second in [5, 5, 17, 40] { source.play(toMs: Self.start + Int64(second) * 1000) }
    let (sought, _, _) = session(history, at: 40)
    #expect(told(played) == told(sought))
    #expect(played.activity.stats?.stats?.last24h == sought.activity.stats?.stats?.last24h)
    #expect(sought.activity.stats?.stats?.last24h == ["sent_reply": 13])
    #expect(clock.wallMs == Self.start + 40_000)
    // The clock does not go back, and nothing comes twice.
    source.play(toMs: Self.start + 20_000)
    #expect(told(played) == told(sought))
  }

  @Test("with more rows than are read, coverage begins behind the oldest one")
  func coverage() {
    let (unproven, _, _) = session(MemoryHistory(rows: Self.rows), at: 50)
    #expect(unproven.activity.coverage.beginMs() == nil)
    let history = MemoryHistory(rows: Self.rows, links: [Self.proven])
    let (whole, _, _) = session(history, at: 50)
    #expect(whole.activity.coverage.beginMs() == Self.start)
    let (part, source, _) = session(history, at: 50, rows: 10)
    #expect(part.activity.coverage.beginMs() == Self.start + 41_001)
    #expect(source.oldest?.atMs == Self.start + 41_000)
    // Older rows are read on request, in their places.
    source.fetchHistory(HistoryRequest(sinceMs: Self.start + 30_000))
    #expect(told(part) == told(whole).dropLast(30))
    #expect(part.activity.coverage.beginMs() == Self.start + 30_000)
  }

  @Test("an outage is a hole, and the source says why while it stands in one")
  func outages() {
    let history = MemoryHistory(
      rows: Self.rows, links: [Self.proven],
      outages: [
        RecordedOutage(
          fromMs: Self.start + 10_500, toMs: Self.start + 12_500, reason: .diskFull)
      ])
    #expect(
      session(history, at: 30).0.activity.coverage.beginMs() == Self.start + 12_500)
    let status = session(history, at: 11).1.status
    #expect(status.overall == .stopped)
    #expect(status.detail == "not recorded: disk full")
    #expect(session(history, at: 14).1.status.overall == .live)
  }

  @Test("a request is answered with what was recorded for it by then; nothing else is")
  func requests() async {
    let history = MemoryHistory(
      rows: Self.rows,
      documents: [
        Self.document("GET /api/memory/subjects?guildId=1", 5, "{\"a\":1}"),
        Self.document("GET /api/memory/subjects?guildId=1", 30, "{\"a\":2}"),
      ])
    let target = RequestTarget(["api", "memory", "subjects"], query: [.init("guildId", "1")])
    for (second, body) in [(2, nil), (20, "{\"a\":1}"), (31, "{\"a\":2}")] as [(Int64, String?)] {
      let (session, source, _) = session(history, at: second)
      let answer = await ask(source, RestRequest(.get, target))
      #expect((try? answer.get())?.body == body.map { Array($0.utf8) })
      let change = await ask(source, RestRequest(.put, target, body: []))
      #expect(throws: RestFailure(failure: .notRecorded, mayHaveArrived: false)) {
        try change.get()
      }
      _ = session
    }
  }
}
