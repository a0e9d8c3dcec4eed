import CockpitDomain
import CockpitHistory
import Foundation
import Synchronization
import Testing

@testable import CockpitSinks

/// A history that is read back from the database of a team is the one that was recorded: each answer is compared with the
/// files that were sent.
@Suite(.serialized) struct SharedHistoryTests {
  @Test(
    "a history read back from PostgreSQL gives the answers of the files that were sent",
    .enabled(if: PostgresServer.isInstalled))
  func postgres() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    try PostgresSetup.run(dsn: server.dsn)
    let place = SharedSample.recorded()
    let (dsn, folder) = (server.dsn, place.path)
    try await place.deliver("postgres") { known throws(SinkProblem) in
      try SinkTargets.postgres(
        dsn: dsn, bot: "prod", botName: known.name,
        records: try SinkTargets.records(folder: folder, bot: known, level: .none))
    }
    _ = server.query("create role reader login; grant clanky_read to reader")
    let reader = try PostgresReader(
      dsn: "host=\(server.folder) port=5432 dbname=postgres user=reader")
    let bots = try SharedBot.all(in: reader)
    let bot = try SharedBot.find(nil, orKnownAs: ["clanky#0001"], in: bots, of: "team history")
    let shared = SharedHistory(reader, bot: bot, name: "team history")
    try SharedSample.compare(shared, with: try HistoryFolder(place.path))
    // A later document is packed on an earlier one.
    #expect(server.query("select count(*) > 0 from clanky.document where base is not null") == "t")
    #expect(server.query("select count(*) from clanky.outage") == "1")
    #expect(throws: HistoryError.self) { try reader.rows("delete from clanky.action") }
    let unknown = #expect(throws: HistoryError.self) {
      try SharedBot.find("x", orKnownAs: [], in: bots, of: "team history")
    }
    #expect(unknown?.description == "team history has no bot 'x'; it has: prod")
  }

  @Test(
    "a history read back from ClickHouse gives the answers of the files that were sent",
    .enabled(if: ClickHouseServer.isInstalled))
  func clickHouse() async throws {
    let server = try ClickHouseServer()
    defer { server.stop() }
    for statement in ClickHouseSchema.statements { #expect(server.run(statement) != nil) }
    let place = SharedSample.recorded()
    let (url, folder) = ("http://127.0.0.1:\(server.port)", place.path)
    let http = server.http
    // A second time: twins that are not merged yet are not seen.
    for name in ["events", "again"] {
      try await place.deliver(name) { known throws(SinkProblem) in
        try SinkTargets.clickHouse(
          url: url, allowsPlainHTTP: false, bot: "prod", name: name,
          records: try SinkTargets.records(folder: folder, bot: known, level: .none),
          http: http)
      }
    }
    let reader = try ClickHouseReader(url: url, allowsPlainHTTP: false, http: http, stop: {})
    let bot = try SharedBot.find(
      "prod", orKnownAs: [], in: try SharedBot.all(in: reader), of: "team history")
    try SharedSample.compare(
      SharedHistory(reader, bot: bot, name: "team history"), with: try HistoryFolder(place.path))
  }

  @Test(
    "PostgreSQL: a statement ends by cancel, a server that is down is said, and one that is back is read again",
    .enabled(if: PostgresServer.isInstalled))
  func cancelled() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let reader = try PostgresReader(dsn: server.dsn)
    #expect(
      throws: HistoryError(.refused, "the database has no schema clanky; 'sinks init' makes it")
    ) {
      try reader.rows("select 1")
    }
    try PostgresSetup.run(dsn: server.dsn)
    let sleeper = Task.detached { Result { try reader.rows("select pg_sleep(4)") } }
    while server.query(
      "select count(*) from pg_stat_activity where query like '%sleep(4)' and pid <> pg_backend_pid() and state = 'active'"
    ) != "1" {
      try await Task.sleep(for: .milliseconds(20))
    }
    reader.cancel()
    let end = await sleeper.value
    #expect(throws: HistoryError(.cancelled, "another wish came first")) { try end.get() }
    server.kill()
    let down = #expect(throws: HistoryError.self) { try reader.rows("select 1") }
    #expect(down?.reason == .unreachable)
    try server.start()
    #expect(try reader.rows("select 1").count == 1)
  }

  @Test("an outage of one recorder is none where another one heard the bot")
  func coverage() {
    func outage(_ from: Int64, _ to: Int64) -> RecordedOutage {
      RecordedOutage(fromMs: from, toMs: to, reason: .stopped)
    }
    let one = RecorderCoverage(
      recorder: "a", fromMs: 0, toMs: 1000, outages: [outage(100, 200), outage(400, 600)])
    #expect(RecorderCoverage.missing([one]) == [outage(100, 200), outage(400, 600)])
    let two = RecorderCoverage(
      recorder: "b", fromMs: 150, toMs: 700, outages: [outage(500, 550)])
    #expect(
      RecorderCoverage.missing([one, two]).sorted { $0.fromMs < $1.fromMs }
        == [outage(100, 150), outage(500, 550), outage(500, 550)])
  }

  @Test("ClickHouse's escapes become the bytes that they stand for")
  func tabSeparated() {
    let rows = TabSeparated.rows(Array("a\\tb\\\\\\n\t\\N\t\nx\t\\'y\t7\n".utf8))
    #expect(rows.count == 2)
    #expect(rows[0] == [Array("a\tb\\\n".utf8), nil, []])
    #expect(rows[1] == [Array("x".utf8), Array("'y".utf8), Array("7".utf8)])
  }
}

/// A history with what a replay asks for.
enum SharedSample {
  private static let startMs = SinkPlace.nowMs

  static func recorded() -> SinkPlace {
    let place = SinkPlace()
    let now = Mutex(startMs)
    let recorder = HistoryRecorder(
      folder: place.path,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, windowMs: 5, syncMs: nil, what: "test", version: "0",
        bot: "http://127.0.0.1:1")
    ) { now.withLock { $0 } }
    for number in 0..<2500 {
      // Three rows in a millisecond, in each of which the order of arrival counts.
      let atMs = startMs + Int64(number / 3) * 40
      let receivedMs = atMs + 5
      now.withLock { $0 = receivedMs }
      bytes(row(number, atMs)) {
        recorder.row(number: number, receivedMs: receivedMs, channels: [.activity], json: $0)
      }
      if number % 5 == 0 {
        recorder.learned(number: number, actionID: 1000 + number, channels: [.activity])
      }
      if number % 50 == 0 {
        let state = #"{"number":\#(number),"text":"\#(String(repeating: "state ", count: 400))"}"#
        bytes(state) {
          recorder.document(name: "voice_state", atMs: atMs, receivedMs: receivedMs, body: $0)
        }
        bytes(#"[{"guild":"\#(number / 500)"}]"#) {
          recorder.document(
            name: "GET /api/guilds", atMs: atMs, receivedMs: receivedMs, body: $0)
        }
        recorder.link(
          .state, atMs: atMs, receivedMs: receivedMs,
          value: Array(#"{"state":"\#(number % 100 == 0 ? "live" : "stale")"}"#.utf8))
      }
    }
    for (number, content) in HostileTexts.contents.enumerated() {
      bytes(HostileTexts.row(100_000 + number, content)) {
        recorder.row(
          number: 2500 + number, receivedMs: startMs + 100_100, channels: .activity, json: $0)
      }
    }
    recorder.outage(
      RecordedOutage(fromMs: startMs + 500, toMs: startMs + 900, reason: .lineDown, rows: 3))
    recorder.stop(waiting: 60)
    return place
  }

  private static let words = ["Über", "silent", "gate", "Müller", "tokens", "我喜欢", "naïve"]

  private static func row(_ number: Int, _ atMs: Int64) -> String {
    let word = words[number % words.count]
    let session = number % 4 == 0 ? #""sessionId":"s-\#(number / 400)","# : ""
    return switch number % 6 {
    case 0:
      SinkRows.plain(
        number, atMs: atMs, kind: "sent_reply",
        metadata: #"{\#(session)"replyText":"\#(word) is here"}"#)
    case 1:
      SinkRows.plain(
        number, atMs: atMs, kind: "bot_error", metadata: #"{"error":"\#(word) failed"}"#)
    case 2:
      """
      {"kind":"voice_runtime","content":"voice_turn_finalized","createdAt":"\(SinkRows.iso(atMs))",\
      "metadata":{\(session)"transcript":"so \(word) and \(number)"}}
      """
    default:
      SinkRows.plain(
        number, atMs: atMs, metadata: #"{\#(session)"model":"m-\#(number % 9)","usdCost":0.25}"#)
    }
  }

  private static func bytes(_ text: String, _ work: (UnsafeRawBufferPointer) -> Void) {
    Array(text.utf8).withUnsafeBytes(work)
  }

  /// Asks both the same.
  static func compare(_ shared: SharedHistory, with local: HistoryFolder) throws {
    func same<Value: Equatable>(
      _ line: Int = #line, _ ask: (any HistoryReading) throws -> Value
    ) throws {
      let (wanted, found) = (try ask(local), try ask(shared))
      // Not compared in the macro: it would print both.
      let isSame = found == wanted
      #expect(isSame, "line \(line)")
    }
    let span = try #require(try local.span())
    try same { try $0.span() }
    let times = [
      span.lowerBound - 1, startMs + 200, startMs + 20_001, span.upperBound,
      span.upperBound + 5000,
    ]
    for ms in times {
      try same { try $0.rows(notAfterMs: ms, limit: 10_000, skipping: 0) }
      try same { try $0.rows(notAfterMs: ms, limit: 100, skipping: 7) }
      try same { try $0.document("voice_state", notAfterMs: ms) }
      try same { try $0.document("GET /api/guilds", notAfterMs: ms) }
      try same { try $0.documentNames(notAfterMs: ms) }
      try same { try $0.link(.state, notAfterMs: ms) }
      try same { try $0.outages(after: ms - 1, through: ms) }
      try same { try $0.sessionRows("s-1", notAfterMs: ms, limit: 30) }
      for isOlder in [true, false] {
        for mark in HistoryMark.allCases {
          try same { try $0.next(mark, from: ms, isOlder: isOlder) }
        }
      }
      for limit in [1, 2, 3, 100, 5000] {
        try same { try $0.rows(after: ms, through: ms &+ 10_000, limit: limit) }
      }
      try same { history in
        let found = try history.rows(after: ms - 5000, through: ms, limit: 1000) {
          $0.isFailure || $0.event == "voice_turn_finalized"
        }
        return found.rows.map(\.json) + [Array(String(found.throughMs).utf8)]
      }
    }
    // Pages end within a millisecond.
    var place = HistoryPlace(atMs: .max, seq: .max)
    for _ in 0..<12 {
      let from = place
      try same { try $0.rows(before: from, limit: 7) }
      place = try local.rows(before: from, limit: 7).last?.place ?? place
    }
    try same { try $0.links(after: .min, through: .max) }
    try same { try $0.documents(after: startMs, through: startMs + 9000) }
    try same { try $0.outages(after: .min, through: .max) }
    try same { try $0.density(after: startMs, through: startMs + 40_000, buckets: 60) }
    try same { try $0.costNanos(after: .min, through: .max) }
    try same { try $0.row(actionID: 1500)?.json }
    try same { try $0.row(actionID: 7)?.json }
    for text in searches {
      var query = HistorySearch(terms: text)
      try same { try $0.search(query, limit: 5000).rows.map(\.json) }
      query.labels = ["bot_error", "voice_turn_finalized"]
      query.afterMs = startMs + 1000
      query.throughMs = startMs + 20_000
      try same { try $0.search(query, limit: 5000).rows.map(\.json) }
    }
  }

  private static let searches: [[HistorySearch.Term]] = [
    [], [.init(words: ["silent"])], [.init(words: ["uber"])],
    [.init(words: ["sil"], isPrefix: true)],
    [.init(words: ["gate", "failed"])], [.init(words: ["failed", "gate"])], [.init(words: ["喜"])],
    [.init(words: ["muller"]), .init(words: ["failed"], isExcluded: true)], [.init(words: ["红"])],
    [.init(words: ["drop", "table"])], [.init(words: ["naive"]), .init(words: ["here"])],
  ]
}

extension SinkPlace {
  /// Sends all of it.
  func deliver(
    _ name: String,
    _ target: @escaping @Sendable (HistoryNotes.SinkBot) throws(SinkProblem) -> any SinkTarget
  ) async throws {
    var plan = SinkThread.Plan(
      name: name, kind: "test", folder: path, botName: "clanky#0001", level: .none,
      keepsPrompts: true, maxLagMs: 86_400_000, target: target)
    plan.fromMs = 0
    plan.isOnce = true
    let sink = SinkThread(plan, nowMs: { SinkPlace.nowMs })
    #expect(await sink.end(within: 900))
    #expect(sink.state.problem == nil)
    #expect(sink.state.parked == 0)
  }
}
