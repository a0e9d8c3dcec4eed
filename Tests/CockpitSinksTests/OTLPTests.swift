import CockpitHistory
import Foundation
import LenientJSON
import Synchronization
import Testing

@testable import CockpitSinks

@Suite struct OTLPTests {
  private static let vectors = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Vectors")

  @Test("a request has the bytes that the official descriptors give")
  func bytes() throws {
    let path = Self.vectors.appending(path: "otlp-request.hex")
    let expected = try String(contentsOf: path, encoding: .utf8)
    var first = OTLPSpan(
      traceID: Array(0..<16), spanID: Array(0..<8), name: "invoke_agent Käse", kind: .internal,
      startNs: 1_790_000_000_000_000_001, endNs: 1_790_000_001_000_000_001)
    first.attributes = [
      .init("text", .string("")), .init("number", .int(-7)), .init("zero", .int(0)),
      .init("big", .int(9_007_199_254_740_993)), .init("cost", .double(0.0084)),
      .init("yes", .bool(true)), .init("no", .bool(false)),
    ]
    first.events = [
      .init(
        timeNs: 1_790_000_000_500_000_000, name: "exception",
        attributes: [
          .init("exception.message", .string(String(repeating: "x", count: 300)))
        ])
    ]
    first.error = "failed"
    let second = OTLPSpan(
      traceID: Array(0..<16), spanID: Array(8..<16), parentID: Array(0..<8), name: "chat opus",
      kind: .client, startNs: 1, endNs: 2)
    let bytes = OTLPTraces.request(
      [first, second], resource: [.init("service.name", .string("clanky"))])
    #expect(RowFingerprint.hexadecimal(bytes) + "\n" == expected)
  }

  @Test("a partial success is read; what is none is not")
  func partial() {
    var writer = ProtoWriter()
    writer.message(1) {
      $0.int(1, 3)
      $0.string(2, "too old")
    }
    #expect(OTLPTraces.rejected(writer.bytes) == (3, "too old"))
    #expect(OTLPTraces.rejected([]) == (0, ""))
    for length in 0..<writer.bytes.count {
      _ = OTLPTraces.rejected(Array(writer.bytes.prefix(length)) + [0xFF, 0xFF])
    }
  }

  @Test("the pinned names: a change of the conventions is a change here")
  func names() {
    #expect(GenAI.version == "0.1.0")
    #expect(GenAI.schema == "https://opentelemetry.io/schemas/gen-ai/0.1.0")
    #expect(
      [
        GenAI.operation, GenAI.agent, GenAI.conversation, GenAI.provider, GenAI.requestModel,
        GenAI.inputTokens, GenAI.outputTokens, GenAI.finishReasons, GenAI.toolName, GenAI.toolCall,
        GenAI.toolType, GenAI.errorType,
      ] == [
        "gen_ai.operation.name", "gen_ai.agent.name", "gen_ai.conversation.id",
        "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.usage.input_tokens",
        "gen_ai.usage.output_tokens", "gen_ai.response.finish_reasons", "gen_ai.tool.name",
        "gen_ai.tool.call.id", "gen_ai.tool.type", "error.type",
      ])
  }

  // MARK: turns

  private static let start = SinkPlace.nowMs

  private static func row(
    _ ms: Int64, _ kind: String, _ content: String, _ metadata: String, cost: String = "0"
  ) -> String {
    """
    {"kind":"\(kind)","content":"\(content)","createdAt":"\(SinkRows.iso(start + ms))","channelId":"930000000000000001",\
    "userId":"198765432109876543","metadata":\(metadata),"usdCost":\(cost)}
    """
  }

  private static let voice = [
    row(0, "voice_turn_in", "voice_activity_started", #"{"sessionId":"s1"}"#),
    row(
      900, "voice_runtime", "openai_realtime_asr_final_segment",
      #"{"sessionId":"s1","transcript":"what is new today"}"#),
    row(950, "voice_runtime", "voice_turn_addressing", #"{"sessionId":"s1","allow":true}"#),
    row(
      2000, "llm_call", "m",
      #"{"sessionId":"s1","model":"opus","provider":"anthropic","stopReason":"end","usage":{"inputTokens":10,"outputTokens":4}}"#,
      cost: "0.25"),
    row(
      2100, "voice_runtime", "voice_brain_tool_call",
      #"{"sessionId":"s1","toolName":"web_search","durationMs":700,"toolInput":{"q":"rust"}}"#),
    row(2200, "voice_runtime", "realtime_reply_requested", #"{"sessionId":"s1","requestId":1}"#),
    row(2300, "voice_turn_out", "bot_audio_started", #"{"sessionId":"s1"}"#),
    row(
      2310, "voice_runtime", "voice_latency_stage",
      #"{"sessionId":"s1","stage":"audio_started","generationToReplyRequestMs":890}"#),
    row(
      5000, "voice_runtime", "bot_utterance_completed",
      #"{"sessionId":"s1","estimatedPlaybackMs":2500}"#),
    // Somebody else, who gets no answer.
    row(6000, "voice_turn_in", "voice_activity_started", #"{"sessionId":"s1"}"#),
    row(
      6900, "voice_runtime", "voice_turn_addressing",
      #"{"sessionId":"s1","allow":false,"reason":"not_addressed"}"#),
  ]

  private static let text = [
    row(
      10_000, "text_runtime", "reply_admission_decision",
      #"{"triggerMessageId":"m1","allow":true,"reason":"direct"}"#),
    row(11_000, "llm_call", "m", #"{"messageId":"m1","model":"opus"}"#, cost: "0.5"),
    row(11_500, "search_call", "q", #"{"query":"rust","latencyMs":400}"#),
    row(
      12_000, "sent_reply", "hi",
      #"{"triggerMessageId":"m1","performance":{"queueMs":12,"llm1Ms":900,"sendMs":100}}"#),
    row(13_000, "bot_error", "gateway_reconnect_failed: gone", "{}"),
  ]

  /// Receives requests, and answers them in turn.
  private final class Receiver: Sendable {
    struct Content {
      var bodies: [[UInt8]] = []
      var taken: [[UInt8]] = []
    }

    let content = Mutex(Content())
    private let reply: @Sendable (Int) -> SinkReply

    init(_ reply: @escaping @Sendable (Int) -> SinkReply) { self.reply = reply }

    func http(_ request: SinkRequest) -> SinkReply {
      content.withLock { content in
        let reply = reply(content.bodies.count)
        content.bodies.append(request.body)
        if case .answer(200...299, _, _, _) = reply { content.taken.append(request.body) }
        return reply
      }
    }
  }

  private static let fine = SinkReply.answer(status: 200, headers: [], body: [], retryAfterMs: nil)

  private static func run(
    _ place: SinkPlace, _ receiver: Receiver, sample: Set<String>? = nil, hasWords: Bool = false,
    level: RedactionLevel = .none, isAgain: Bool = false
  ) async throws -> SinkThread {
    let url = try SinkURL("http://127.0.0.1:4318/v1/traces", allowsPlainHTTP: false)
    var plan = place.plan("traces", level: level) {
      OTLPTarget(
        url: url, bot: "prod",
        fingerprint: RowFingerprint.bot("clanky#0001"), resource: [("team", "x")], sample: sample,
        hasWords: hasWords, http: { receiver.http($0) })
    }
    plan.beginsAgain = isAgain
    let sink = SinkThread(plan, nowMs: { start + 3_600_000 })
    #expect(await sink.end())
    return sink
  }

  /// The spans as the official descriptors read them; nil where they are not installed.
  static func decoded(_ bodies: [[UInt8]]) throws -> [JSONValue]? {
    let file = FileManager.default.temporaryDirectory.path + "/otlp-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try bodies.map { RowFingerprint.hexadecimal($0) }.joined(separator: "\n")
      .write(toFile: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", vectors.appending(path: "otlp-request.py").path(), file]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return try JSONValue.parse([UInt8](output)).array
  }

  @Test(
    "turns become traces that the official descriptors read: spans, parents, times, usage, outcomes"
  )
  func traces() async throws {
    let place = SinkPlace()
    place.record(Self.voice + Self.text)
    let receiver = Receiver { _ in Self.fine }
    _ = try await Self.run(place, receiver)
    guard let spans = try Self.decoded(receiver.content.withLock { $0.taken }) else { return }
    let names = spans.compactMap { $0["name"]?.string }
    #expect(
      names.sorted() == [
        "chat opus", "chat opus", "clanky.model", "clanky.queue", "clanky.send",
        "execute_tool search_call", "execute_tool web_search", "invoke_agent prod",
        "invoke_agent prod", "invoke_agent prod", "invoke_agent prod", "speech_to_text",
        "text_to_speech",
      ])
    #expect(Set(spans.compactMap { $0["trace"]?.string }).count == 4)
    #expect(Set(spans.compactMap { $0["span"]?.string }).count == spans.count)
    let roots = spans.filter { $0["parent"]?.string == "" }
    #expect(
      roots.compactMap { $0["attributes"]?["clanky.turn.outcome"]?.string }.sorted()
        == ["answered", "answered", "denied", "failed"])
    for span in spans where span["parent"]?.string != "" {
      let root = roots.first { $0["trace"] == span["trace"] }
      #expect(span["parent"] == root?["span"])
    }
    let answered = try #require(
      roots.first { $0["attributes"]?["gen_ai.conversation.id"]?.string == "s1" })
    #expect(answered["start"]?.int == Int(Self.start))
    // The audio began at 2.3 s and took 2.5 s.
    #expect(answered["end"]?.int == Int(Self.start + 4800))
    #expect(answered["attributes"]?["clanky.settled"]?.bool == true)
    let chat = try #require(
      spans.first {
        $0["attributes"]?["clanky.duration.known"]?.bool == true
          && $0["name"]?.string == "chat opus"
      })
    #expect(chat["start"]?.int == Int(Self.start + 2000 - 890))
    #expect(chat["attributes"]?["gen_ai.usage.input_tokens"]?.int == 10)
    #expect(chat["attributes"]?["clanky.cost_usd"]?.double == 0.25)
    #expect(chat["attributes"]?["gen_ai.provider.name"]?.string == "anthropic")
    #expect(chat["kind"]?.int == 3)
    let tool = try #require(spans.first { $0["name"]?.string == "execute_tool web_search" })
    #expect(tool["start"]?.int == Int(Self.start + 1400))
    #expect(tool["attributes"]?["gen_ai.tool.call.arguments"] == nil)
    let failed = try #require(roots.first { $0["status"]?.int == 2 })
    #expect(failed["events"]?.array?.count == 1)
    #expect(spans.allSatisfy { $0["version"]?.string == "0.1.0" })
    #expect(spans.allSatisfy { $0["resource"]?["team"]?.string == "x" })
  }

  @Test("what is sent again has the same ids; a far end that fails gets each turn")
  func again() async throws {
    let place = SinkPlace()
    place.record(Self.voice + Self.text)
    let receiver = Receiver { number in
      number == 0 ? .answer(status: 503, headers: [], body: [], retryAfterMs: nil) : Self.fine
    }
    _ = try await Self.run(place, receiver)
    let once = receiver.content.withLock { $0.taken }
    _ = try await Self.run(place, receiver, isAgain: true)
    let twice = receiver.content.withLock { $0.taken }
    #expect(!once.isEmpty)
    #expect(Array(twice.dropFirst(once.count)) == once)
    let record = try #require(try HistoryNotes.sinks(in: place.path).first)
    #expect(record.place.seq == (try place.recorded().last?.seq))
  }

  @Test("a turn that waits holds the place, so that a restart has its rows again")
  func held() throws {
    let place = SinkPlace()
    place.record(Self.voice + Self.text)
    let bot = try HistoryNotes.sinkBot(named: "x", in: place.path)
    let source = try SinkSource(folder: place.path, bot: bot, level: .none, keepsPrompts: true)
    let rows = try source.page(after: SequencePlace(), nowMs: 0).rows
    var fold = TurnFold()
    #expect(fold.add(rows[..<9]).isEmpty)
    #expect(fold.held?.seq == rows[0].place.seq - 1)
    // Nothing new from rows that came before.
    #expect(fold.add(rows[..<9]).isEmpty)
    #expect(fold.open.values.first?.rows.count == 9)
    #expect(fold.due(atMs: Self.start + 20_000).isEmpty)
    let due = fold.due(atMs: Self.start + 40_000)
    #expect(due.map(\.outcome) == [.answered])
    #expect(due.map(\.isSettled) == [true])
    #expect(fold.held == nil)
    // Without an outcome it waits ten minutes, and says that it is not settled.
    _ = fold.add(rows[9..<10])
    #expect(fold.due(atMs: Self.start + 500_000).isEmpty)
    #expect(fold.due(atMs: Self.start + 700_000).map(\.isSettled) == [false])
  }

  @Test("samples, and what a far end refuses or leaves out")
  func samples() async throws {
    let place = SinkPlace()
    place.record(Self.voice + Self.text)
    for (sample, outcomes) in [
      ("silent", ["denied", "failed"]), ("anomaly", ["failed"]),
      ("answered", ["answered", "answered"]),
    ] {
      let receiver = Receiver { _ in Self.fine }
      _ = try await Self.run(place, receiver, sample: [sample], isAgain: true)
      guard let spans = try Self.decoded(receiver.content.withLock { $0.taken }) else { return }
      #expect(
        spans.compactMap { $0["attributes"]?["clanky.turn.outcome"]?.string }.sorted() == outcomes)
    }
    let receiver = Receiver { number in
      number < 3
        ? .answer(status: 400, headers: [], body: Array("bad".utf8), retryAfterMs: nil) : Self.fine
    }
    let sink = try await Self.run(place, receiver, isAgain: true)
    // The failure that belongs to no turn, and the first of the turns.
    #expect(sink.state.rejected == 2)
  }

  @Test("transcripts and arguments only when they are asked for; pseudonyms for people")
  func words() async throws {
    let place = SinkPlace()
    place.record(Self.voice)
    for (hasWords, level) in [(true, RedactionLevel.none), (false, .people)] {
      let receiver = Receiver { _ in Self.fine }
      _ = try await Self.run(
        place, receiver, hasWords: hasWords, level: level, isAgain: true)
      let text = receiver.content.withLock { $0.taken }.map { String(decoding: $0, as: UTF8.self) }
        .joined()
      #expect(text.contains("what is new today") == hasWords)
      #expect(text.contains("rust") == hasWords)
      #expect(text.contains("198765432109876543") == hasWords)
    }
  }
}
