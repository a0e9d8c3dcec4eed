import CockpitHistory
import Foundation
import LenientJSON
import Synchronization
import Testing

@testable import CockpitSinks

/// What holds for each kind of far end.
@Suite(.serialized) struct EverySinkTests {
  enum Kind: String, CaseIterable, Sendable {
    case prometheus, ndjson, loki, otlp, postgres, clickhouse
  }

  /// A far end, and all that it got.
  private final class End {
    private let kind: Kind
    private let file: String
    private let bodies = Bodies()
    private let page = MetricsPage()
    private var postgres: PostgresServer?
    private var clickHouse: ClickHouseServer?

    private final class Bodies: Sendable {
      let list = Mutex<[[UInt8]]>([])
    }

    /// nil where its engine is not installed.
    init?(_ kind: Kind, in place: SinkPlace) throws {
      self.kind = kind
      file = place.path + "/far.ndjson"
      switch kind {
      case .postgres:
        guard PostgresServer.isInstalled else { return nil }
        let server = try PostgresServer()
        try PostgresSetup.run(dsn: server.dsn)
        postgres = server
      case .clickhouse:
        guard ClickHouseServer.isInstalled else { return nil }
        let server = try ClickHouseServer()
        for statement in ClickHouseSchema.statements { _ = server.run(statement) }
        clickHouse = server
      case .prometheus, .ndjson, .loki, .otlp: break
      }
    }

    func stop() {
      postgres?.stop()
      clickHouse?.stop()
    }

    func run(_ place: SinkPlace, _ level: RedactionLevel) async throws -> SinkThread.State {
      let bodies = bodies
      let port = clickHouse?.port ?? 0
      let http: SinkHTTP = { [kind] request in
        bodies.list.withLock { $0.append(request.body) }
        guard kind != .clickhouse else { return ClickHouseServer.http(request, port) }
        return .answer(status: 200, headers: [], body: [], retryAfterMs: nil)
      }
      let url = "http://127.0.0.1:1"
      let (kind, file, page, dsn) = (kind, file, page, postgres?.dsn ?? "")
      let folder = place.path
      var plan = SinkThread.Plan(
        name: "far", kind: kind.rawValue, folder: place.path, botName: "clanky#0001", level: level,
        keepsPrompts: level == .none, maxLagMs: 1
      ) { known throws(SinkProblem) in
        switch kind {
        case .prometheus:
          SinkTargets.prometheus(file: nil, page: page, bot: "prod", live: LiveFigures())
        case .ndjson: SinkTargets.ndjson(file: file, bot: "prod", maxBytes: 1 << 30)
        case .loki:
          try SinkTargets.loki(url: url, allowsPlainHTTP: false, bot: "prod", http: http)
        case .otlp:
          try SinkTargets.otlp(
            url: url, allowsPlainHTTP: false, bot: "prod", botName: known.name, resource: [],
            sample: nil, hasWords: level == .none, http: http)
        case .postgres:
          try SinkTargets.postgres(
            dsn: dsn, bot: "prod", botName: known.name,
            records: try SinkTargets.records(folder: folder, bot: known, level: level))
        case .clickhouse:
          try SinkTargets.clickHouse(
            url: url, allowsPlainHTTP: false, bot: "prod", name: "far",
            records: try SinkTargets.records(folder: folder, bot: known, level: level), http: http)
        }
      }
      plan.fromMs = 0
      plan.isOnce = true
      let sink = SinkThread(plan, nowMs: { SinkPlace.nowMs + 3_600_000 })
      #expect(await sink.end())
      return sink.state
    }

    /// All bytes that it has or was sent.
    func received() throws -> [UInt8] {
      switch kind {
      case .prometheus: return Array(page.current.utf8)
      case .ndjson: return Array(try Data(contentsOf: URL(filePath: file)))
      case .loki, .otlp: return bodies.list.withLock { $0.flatMap(\.self) }
      case .postgres:
        let sql =
          "select row_to_json(a)::text from clanky.action a; select row_to_json(b)::text from clanky.bot b"
        return Array((postgres?.query(sql) ?? "").utf8)
      case .clickhouse:
        let stored = clickHouse?.run("SELECT * FROM clanky.action FORMAT JSONEachRow") ?? ""
        return Array(stored.utf8) + bodies.list.withLock { $0.flatMap(\.self) }
      }
    }

    /// The contents of its rows, in the order of their times; nil if it has none.
    func contents() throws -> [String]? {
      let rows: [[UInt8]]
      switch kind {
      case .prometheus, .otlp: return nil
      case .ndjson: rows = try received().split(separator: UInt8(ascii: "\n")).map(Array.init)
      case .loki:
        rows = try bodies.list.withLock(\.self).flatMap { body in
          try JSONValue.parse(body)["streams"]?.array?.flatMap { stream in
            stream["values"]?.array?.compactMap { entry in
              entry.array.map { Array(($0[1].string ?? "").utf8) }
            } ?? []
          } ?? []
        }
      case .postgres:
        rows = (postgres?.query("select body from clanky.action order by at") ?? "")
          .split(separator: "\n").map { Array($0.utf8) }
      case .clickhouse:
        // As hexadecimal digits, so that nothing is escaped on the way.
        rows = (clickHouse?.run("SELECT hex(body) FROM clanky.action FINAL ORDER BY at") ?? "")
          .split(separator: "\n").map { line in
            let digits = Array(line.utf8)
            return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
              UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
            }
          }
      }
      return try rows.map { try JSONValue.parse($0)["content"]?.string ?? "" }
    }
  }

  // MARK: what strangers write

  @Test("hostile contents come back as they were recorded", arguments: Kind.allCases)
  func hostile(kind: Kind) async throws {
    let place = SinkPlace()
    let long = "\"" + String(repeating: "0123456789abcdef", count: 131_072) + "\""
    let contents = HostileTexts.contents + [long]
    place.record(contents.enumerated().map { HostileTexts.row($0.offset, $0.element) })
    guard let end = try End(kind, in: place) else { return }
    defer { end.stop() }
    let state = try await end.run(place, .none)
    #expect(state.parked == 0)
    #expect(state.problem == nil)
    guard let found = try end.contents() else { return }
    let truth = try place.recorded().map {
      try JSONValue.parse($0.json)["content"]?.string ?? ""
    }
    #expect(truth.count == contents.count)
    #expect(truth.last?.count == 2 << 20)
    #expect(found == truth)
  }

  @Test("hostile names, models and failures leave metrics and traces well-formed")
  func labels() async throws {
    let place = SinkPlace()
    let names =
      HostileTexts.contents.filter { $0.utf8.count < 1000 } + [
        "\"" + String(repeating: "n", count: 300) + "\""
      ]
    place.record(
      names.enumerated().flatMap { index, name in
        let at = SinkRows.iso(SinkPlace.nowMs + Int64(index))
        return [
          #"{"kind":"llm_call","content":"m","createdAt":"\#(at)","usdCost":0.1,"metadata":{"model":\#(name)}}"#,
          #"{"kind":"bot_error","content":\#(name),"createdAt":"\#(at)","metadata":{"toolName":\#(name)}}"#,
        ]
      })
    let metrics = try #require(try End(.prometheus, in: place))
    _ = try await metrics.run(place, .none)
    let page = String(decoding: try metrics.received(), as: UTF8.self)
    let pattern = try Regex(
      #"^([a-z_]+(\{([a-z]+="([^"\\\n]|\\.)*",?)*\}) [0-9.e+-]+|# (HELP|TYPE) .*)$"#)
    for line in page.split(separator: "\n") {
      #expect(try pattern.wholeMatch(in: line) != nil, "\(line)")
      #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
    if ServerProcess.works("command -v promtool") {
      let path = place.path + "/page"
      try page.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(ServerProcess.output("promtool check metrics < '\(path)' 2>&1") == "")
    }
    let again = SinkPlace()
    again.record(try place.recorded().map { String(decoding: $0.json, as: UTF8.self) })
    let traces = try #require(try End(.otlp, in: again))
    _ = try await traces.run(again, .none)
    guard let spans = try OTLPTests.decoded([try traces.received()]) else { return }
    #expect(spans.count == names.count)
    #expect(spans.allSatisfy { $0["status"]?.int == 2 })
  }

  // MARK: who and what is left out

  private static let markers = [
    "198765432109876543", "812345678901234567", "812345678901234999", "1360000000000000001",
    "arguerite", "SECRETIVE", "Grove Hall", "288765432109876543",
  ]

  private static let people = [
    """
    {"kind":"voice_turn_in","content":"voice_activity_started","createdAt":"2026-09-21T10:00:00.000Z",\
    "userId":"198765432109876543","guildId":"812345678901234567","metadata":{"sessionId":"s-1",\
    "speakerName":"Marguerite"}}
    """,
    """
    {"kind":"voice_runtime","content":"openai_realtime_asr_final_segment","createdAt":"2026-09-21T10:00:01.000Z",\
    "userId":"198765432109876543","guildId":"812345678901234567","channelId":"812345678901234999","metadata":\
    {"sessionId":"s-1","speakerName":"Marguerite","transcript":"hi from Marguerite to 198765432109876543",\
    "guildName":"Grove Hall"}}
    """,
    """
    {"kind":"llm_call","content":"m","createdAt":"2026-09-21T10:00:02.000Z","userId":"198765432109876543",\
    "messageId":"1360000000000000001","usdCost":0.25,"metadata":{"model":"opus","messageId":"1360000000000000001",\
    "systemPrompt":"You are SECRETIVE.","userPrompt":"marguerite: hello"}}
    """,
    """
    {"kind":"sent_reply","content":"hello marguerite, and <@288765432109876543>","createdAt":"2026-09-21T10:00:03.000Z",\
    "userId":"198765432109876543","messageId":"1360000000000000001","channelId":"812345678901234999",\
    "metadata":{"triggerMessageId":"1360000000000000001"}}
    """,
    """
    {"kind":"bot_error","content":"Marguerite broke it in 812345678901234999","createdAt":"2026-09-21T10:00:04.000Z",\
    "userId":"198765432109876543","metadata":{"errorMessage":"no 198765432109876543"}}
    """,
  ]

  @Test(
    "redact = people: no id, name or prompt of the source is in what the far end got",
    arguments: Kind.allCases)
  func redacted(kind: Kind) async throws {
    for level in [RedactionLevel.none, .people] {
      let place = SinkPlace()
      place.record(Self.people)
      try HistoryNotes.note(
        [
          SinkIncident.finding(
            id: "i", rule: "error_burst", level: "critical", sentence: "Marguerite got no answer",
            session: "s-1", guild: "812345678901234567", channel: "812345678901234999",
            person: "198765432109876543", fromMs: SinkPlace.nowMs, toMs: SinkPlace.nowMs)
        ], in: place.path)
      guard let end = try End(kind, in: place) else { return }
      defer { end.stop() }
      let state = try await end.run(place, level)
      #expect(state.parked == 0)
      let text = String(decoding: try end.received(), as: UTF8.self)
      #expect(!text.isEmpty)
      let found = Self.markers.filter { text.contains($0) }
      if level == .none, kind != .prometheus {
        // They would be found.
        #expect(found.contains("198765432109876543"), "\(kind)")
      } else {
        #expect(found == [], "\(kind)")
      }
    }
  }
}
