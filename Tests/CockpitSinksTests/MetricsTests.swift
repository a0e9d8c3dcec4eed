import CockpitHistory
import Foundation
import Testing

@testable import CockpitSinks

@Suite struct MetricsTests {
  private static func counts(_ rows: [String]) throws -> MetricCounts {
    let place = SinkPlace()
    place.record(rows)
    let bot = try HistoryNotes.sinkBot(named: "x", in: place.path)
    let source = try SinkSource(folder: place.path, bot: bot, level: .none, keepsPrompts: true)
    var counts = MetricCounts()
    for row in try source.page(after: SequencePlace(), nowMs: 0).rows { counts.add(row) }
    return counts
  }

  private static func row(
    _ ms: Int64, _ kind: String, _ content: String, _ metadata: String = "{}", cost: String = "0"
  ) -> String {
    """
    {"kind":"\(kind)","content":"\(content)","createdAt":"\(SinkRows.iso(SinkPlace.nowMs + ms))",\
    "metadata":\(metadata),"usdCost":\(cost)}
    """
  }

  private static let rows = [
    row(
      0, "llm_call", "m",
      #"{"model":"opus","usage":{"inputTokens":10,"outputTokens":4,"cacheReadTokens":0,"cacheWriteTokens":2}}"#,
      cost: "0.25"),
    row(1, "llm_call", "m", #"{"model":"opus","usage":{"inputTokens":5}}"#, cost: "0.5"),
    row(2, "llm_error", "429 too many"),
    row(3, "sent_reply", "hi", #"{"performance":{"totalMs":6120,"llm1Ms":2100,"queueMs":null}}"#),
    row(4, "reply_skipped", "llm_skip"), row(5, "reply_skipped", "Some free text of a person"),
    row(6, "voice_turn_out", "bot_audio_started"),
    row(
      7, "voice_runtime", "voice_turn_addressing", #"{"allow":false,"reason":"not_addressed"}"#),
    row(
      8, "voice_runtime", "voice_latency_stage",
      #"{"stage":"audio_started","finalizedToAsrStartMs":45,"asrToGenerationStartMs":120,"generationToReplyRequestMs":890,"replyRequestToAudioStartMs":80}"#
    ),
    row(
      9, "voice_runtime", "voice_latency_stage",
      #"{"stage":"reply_requested","finalizedToAsrStartMs":45}"#),
    row(10, "search_call", "q", #"{"latencyMs":1240}"#),
    row(11, "browser_browse_call", "q", #"{"model":"opus"}"#, cost: "9"),
  ]

  @Test("counters and histograms hold what the rows say")
  func fold() throws {
    let counts = try Self.counts(Self.rows)
    #expect(counts.counters["clanky_cost_usd_total"] == ["model=\"opus\"": 0.75])
    #expect(
      counts.counters["clanky_tokens_total"] == [
        "model=\"opus\",direction=\"in\"": 15, "model=\"opus\",direction=\"out\"": 4,
        "model=\"opus\",direction=\"cache_write\"": 2,
      ])
    #expect(
      counts.counters["clanky_replies_total"] == ["surface=\"text\"": 1, "surface=\"voice\"": 1])
    #expect(
      counts.counters["clanky_skips_total"] == [
        "surface=\"text\",reason=\"llm_skip\"": 1, "surface=\"text\",reason=\"other\"": 1,
        "surface=\"voice\",reason=\"not_addressed\"": 1,
      ])
    #expect(counts.counters["clanky_actions_total"]?.values.reduce(0, +) == 12)
    #expect(counts.counters["clanky_errors_total"]?.values.reduce(0, +) == 1)
    let turn = try #require(counts.histograms["clanky_voice_turn_seconds"]?[""])
    // 1.135 s: from the border of 2.5 s on.
    #expect(turn.buckets == [0, 0, 0, 1, 1, 1, 1, 1, 1])
    #expect(turn.sum == 1.135)
    let reply = try #require(counts.histograms["clanky_reply_seconds"])
    #expect(reply.keys.sorted() == ["phase=\"model\"", "phase=\"total\""])
    let tool = try #require(counts.histograms["clanky_tool_seconds"])
    #expect(tool.keys.sorted() == ["tool=\"search_call\",ok=\"true\""])
  }

  @Test("counters go on from what was kept; what cannot be read begins at 0")
  func kept() throws {
    let counts = try Self.counts(Self.rows)
    let again = MetricCounts(json: counts.json)
    #expect(again.counters == counts.counters)
    #expect(again.histograms == counts.histograms)
    #expect(MetricCounts(json: "no").counters.isEmpty)
  }

  @Test("the text format escapes what people could put into labels")
  func text() {
    #expect(MetricText.escaped("a\"b\\c\nd\u{1b}e") == "a\\\"b\\\\c\\nd e")
    let text = MetricText.page(
      MetricCounts(), gauges: [.up: [([("stream", "voice")], 0.5)]], bot: "pr\"od")
    #expect(
      text == """
        # HELP clanky_up Whether the stream is heard: 1 live, 0.5 stale or polled, 0 down.
        # TYPE clanky_up gauge
        clanky_up{bot="pr\\"od",stream="voice"} 0.5

        """)
    #expect(MetricText.number(3) == "3")
    #expect(MetricText.number(0.25) == "0.25")
  }

  @Test("labels that strangers fill have a bounded number of values")
  func bounded() throws {
    let counts = try Self.counts(
      (0..<900).map { Self.row(Int64($0), "llm_call", "m", "{\"model\":\"m\($0)\"}", cost: "1") })
    let models = try #require(counts.counters["clanky_cost_usd_total"])
    #expect(models.count <= 201)
    #expect(models.values.reduce(0, +) == 900)
    #expect(models["model=\"other\""] == 700)
  }

  @Test("the file is replaced as a whole, and counts survive the sink")
  func file() async throws {
    let place = SinkPlace()
    place.record(Self.rows)
    let path = place.path + "/clanky.prom"
    let live = LiveFigures()
    for round in 1...2 {
      let sink = SinkThread(
        place.plan { SinkTargets.prometheus(file: path, page: nil, bot: "prod", live: live) },
        nowMs: { SinkPlace.nowMs })
      #expect(await sink.end())
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("clanky_replies_total{bot=\"prod\",surface=\"text\"} \(round)\n"))
      place.record([Self.row(100, "sent_reply", "more")], first: 100)
    }
    #expect(!FileManager.default.fileExists(atPath: path + ".tmp"))
  }

  @Test("the endpoint serves GET /metrics on loopback, and nothing else anywhere else")
  func endpoint() throws {
    for address in ["0.0.0.0:0", "192.168.0.1:0", "example.org:1", "127.0.0.1", "[::]:1"] {
      #expect(throws: SinkProblem.self) { try MetricsServer(address) { "" } }
    }
    let server = try MetricsServer("127.0.0.1:0") { "clanky_up 1\n" }
    defer { server.stop() }
    let answer = try Self.ask(server.port, "GET /metrics HTTP/1.1\r\nHost: localhost:1\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4"))
    #expect(answer.hasSuffix("\r\n\r\nclanky_up 1\n"))
    for (request, status) in [
      ("GET / HTTP/1.1\r\n\r\n", "404"), ("POST /metrics HTTP/1.1\r\n\r\n", "405"),
      ("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n", "403"),
      ("GET /metrics HTTP/1.1\r\nHost: 127.evil.example\r\n\r\n", "403"),
      ("GET /metrics/more HTTP/1.1\r\n\r\n", "404"), ("nonsense\r\n\r\n", "405"),
    ] {
      #expect(try Self.ask(server.port, request).hasPrefix("HTTP/1.1 \(status)"), "\(request)")
    }
    // Too long a request gets no answer.
    let long = "GET /metrics HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 3000)
    #expect(try Self.ask(server.port, long) == "")
  }

  private static func ask(_ port: Int, _ request: String) throws -> String {
    try #require(ServerProcess.exchange(port, Array(request.utf8)))
  }
}
