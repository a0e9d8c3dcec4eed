import CockpitChat
import Foundation
import JSONTestKit
import LenientJSON
import OpenClawWire
import Testing

@testable import OpenClawSource

@Suite struct RunDecoderTests {
  typealias Told = CockpitChat.ChatEvent

  /// Plays payloads of `chat` and `agent`, 100 ms apart.
  private func play(_ payloads: [String], run: String = "r") -> [Told] {
    var decoder = RunDecoder(runId: run)
    var told: [Told] = []
    var nowNs: UInt64 = 1_000_000_000
    for payload in payloads {
      nowNs += 100_000_000
      guard let value = try? JSONValue.parse(payload) else { continue }
      if let event = AgentEvent(value) {
        told += decoder.take(event, nowNs: nowNs)
      } else if let event = OpenClawWire.ChatEvent(value) {
        told += decoder.take(event, nowNs: nowNs)
      }
    }
    return told
  }

  private func text(_ events: [Told]) -> String {
    events.reduce(into: "") { text, event in
      switch event {
      case .text(let more): text += more
      case .replaced(let whole): text = whole
      default: break
      }
    }
  }

  private func message(_ text: String) -> String {
    #""message":{"role":"assistant","content":[{"type":"text","text":"\#(text)"}]}"#
  }

  private func chat(_ state: String, _ more: String = "") -> String {
    #"{"runId":"r","sessionKey":"agent:wren:main","state":"\#(state)"\#(more.isEmpty ? "" : "," + more)}"#
  }

  private func agent(_ stream: String, _ data: String) -> String {
    #"{"runId":"r","stream":"\#(stream)","data":{\#(data)}}"#
  }

  // MARK: Text

  private static let words = ["Two ", "jars ", "of ", "Tenmoku ", "— ", "and ", "no ", "lid."]

  @Test func bothProtocolsGiveTheSameText() {
    var whole = ""
    var v3: [String] = []
    var v4: [String] = []
    var bare: [String] = []
    for word in Self.words {
      whole += word
      v3.append(chat("delta", message(whole)))
      v4.append(chat("delta", #""deltaText":"\#(word)","# + message(whole)))
      bare.append(chat("delta", #""deltaText":"\#(word)""#))
    }
    let told = play(v3 + [chat("final", message(whole))])
    #expect(told == play(v4 + [chat("final", message(whole))]))
    #expect(told == play(bare + [chat("final")]))
    #expect(told == [.started(run: "r")] + Self.words.map { .text($0) } + [.ended(.completed)])
  }

  @Test func aReplacementReplaces() {
    let events = play([
      chat("delta", #""deltaText":"Yes, ""#),
      chat("delta", #""deltaText":"No.","replace":true"#), chat("final"),
    ])
    #expect(
      events == [.started(run: "r"), .text("Yes, "), .replaced("No."), .ended(.completed)])
  }

  @Test func theCumulativeTextIsRight() {
    let events = play([
      chat("delta", #""deltaText":"One ","# + message("One ")),
      // A delta was lost.
      chat("delta", #""deltaText":"three","# + message("One two three")),
      chat("final", message("One, two, three.")),
    ])
    #expect(events.contains(.text("two three")))
    #expect(text(events) == "One, two, three.")
  }

  @Test func afterTheEndNothingIsTold() {
    let events = play([
      chat("delta", #""deltaText":"One""#), chat("final"),
      chat("delta", #""deltaText":" late""#), chat("final", message("Again")), chat("aborted"),
      agent("tool", #""phase":"start","name":"read","toolCallId":"t""#),
    ])
    #expect(events == [.started(run: "r"), .text("One"), .ended(.completed)])
  }

  @Test func aYieldedRunGoesOn() {
    let events = play([
      chat("final", #""yielded":true,"# + message("I wait for Tally.")),
      chat("delta", #""deltaText":"x","# + message("The sum is 59.")),
      chat("final", message("The sum is 59.")),
    ])
    #expect(text(events) == "The sum is 59.")
    #expect(events.count { if case .ended = $0 { true } else { false } } == 1)
    #expect(events.last == .ended(.completed))
  }

  @Test func anAbortedRunKeepsItsText() {
    let events = play([
      chat("delta", #""deltaText":"It began in""#),
      chat("aborted", #""stopReason":"rpc","# + message("It began")),
    ])
    #expect(text(events) == "It began in" && events.last == .ended(.aborted))
  }

  @Test func anEmptyFinalIsNoAnswer() {
    #expect(
      play([chat("final")]).last
        == .ended(
          .failed(ChatFailure(.agent, "The agent gave no answer; see the gateway's log."))))
  }

  @Test(arguments: [
    ("rate_limit", ChatFailure.Kind.rateLimit, "try again later."),
    ("context_length", .agent, "begin a new one."), ("timeout", .agent, "send the message again."),
    ("refusal", .agent, "put the message in other words."),
    ("unknown", .agent, "See the gateway's log, then send the message again."),
  ])
  func errorsSayWhatToDo(kind: String, expected: ChatFailure.Kind, end: String) {
    let events = play([
      chat("delta", #""deltaText":"One""#),
      chat("error", #""errorMessage":"provider says no","errorKind":"\#(kind)""#),
    ])
    guard case .ended(.failed(let failure)) = events.last else {
      Issue.record("no failure")
      return
    }
    #expect(failure.kind == expected && failure.sentence.hasSuffix(end))
    #expect(failure.sentence.contains("provider says no") && text(events) == "One")
  }

  // MARK: What happens besides

  @Test func toolsAreToldOnceEachFromBothStreams() {
    let events = play([
      agent(
        "item", #""itemId":"tool:t1","toolCallId":"t1","phase":"start","kind":"tool","name":"read""#
      ),
      agent("tool", #""phase":"start","name":"read","toolCallId":"t1","args":{}"#),
      agent("tool", #""phase":"update","toolCallId":"t1","partialResult":"…""#),
      agent("tool", #""phase":"result","name":"read","toolCallId":"t1","isError":false"#),
      agent("item", #""itemId":"tool:t1","toolCallId":"t1","phase":"end","status":"completed""#),
      agent("tool", #""phase":"result","name":"exec","toolCallId":"t2","isError":true"#),
      agent("tool", #""phase":"start","name":"web_fetch","toolCallId":"t3""#),
      chat("final", message("Done.")),
    ])
    #expect(
      events == [
        .started(run: "r"), .tool(ChatTool(id: "t1", name: "read", state: .running)),
        .tool(ChatTool(id: "t1", name: "read", state: .done, durationMs: 300)),
        .tool(ChatTool(id: "t2", name: "exec", state: .failed)),
        .tool(ChatTool(id: "t3", name: "web_fetch", state: .running)), .text("Done."),
        .tool(ChatTool(id: "t3", name: "web_fetch", state: .unknown, durationMs: 100)),
        .ended(.completed),
      ])
  }

  @Test func phasesThoughtsModelAndUsageAreTold() {
    let events = play([
      chat("status", #""phase":"preparing_context""#),
      agent("thinking", #""text":"The list","delta":"The list""#),
      agent("thinking", #""text":"The list is","delta":" is""#),
      agent("usage", #""outputTokens":12"#),
      #"{"runId":"r","state":"final","usage":{"input":3200,"output":12,"totalTokens":3212,"cost":{"total":0.01}},"message":{"content":"Yes.","model":"birch-1"}}"#,
    ])
    #expect(
      events == [
        .started(run: "r"), .phase("preparing_context"), .thinking("The list"),
        .thinking(" is"), .usage(ChatUsage(outputTokens: 12)), .text("Yes."), .model("birch-1"),
        .usage(
          ChatUsage(inputTokens: 3200, outputTokens: 12, totalTokens: 3212, costUSD: 0.01)),
        .ended(.completed),
      ])
  }

  @Test func otherRunsAreNotHeard() {
    #expect(play([chat("delta", #""deltaText":"One""#)], run: "other").isEmpty)
  }

  @Test func anEndOfTheLifeWithoutAWordIsAnEnd() throws {
    var decoder = RunDecoder(runId: "r")
    let delta = try #require(
      OpenClawWire.ChatEvent(try JSONValue.parse(chat("delta", #""deltaText":"One""#))))
    _ = decoder.take(delta, nowNs: 1)
    #expect(decoder.graceMs == nil)
    let end = try #require(AgentEvent(try JSONValue.parse(agent("lifecycle", #""phase":"end""#))))
    _ = decoder.take(end, nowNs: 2)
    #expect(decoder.graceMs != nil)
    #expect(decoder.graceIsOver(nowNs: 3) == [.ended(.completed)])
  }

  // MARK: For every input

  @Test(arguments: 0..<300)
  func shuffledAndBrokenEventsEndAtMostOnce(seed: Int) {
    var random = SeededRandom(UInt64(seed))
    let pool = [
      chat("status", #""phase":"starting_model""#), chat("delta", #""deltaText":"a""#),
      chat("delta", message("abc")), chat("delta", #""deltaText":"z","replace":true"#),
      chat("final"), chat("final", message("abc")), chat("aborted"), chat("error"), chat("odd"),
      chat("delta", #""deltaText":7,"message":{"content":3}"#), #"{"runId":"r"}"#, "[]", "{",
      agent("tool", #""phase":"start","toolCallId":"t""#), agent("tool", #""phase":"result""#),
      agent("item", #""phase":"end","itemId":"t","status":"blocked""#), agent("odd", ""),
      agent("lifecycle", #""phase":"error","error":"x""#), agent("usage", #""outputTokens":"x""#),
    ]
    let payloads = (0..<40).map { _ in pool[Int(random.next() % UInt64(pool.count))] }
    let events = play(payloads)
    let ends = events.count { if case .ended = $0 { true } else { false } }
    #expect(ends <= 1)
    if ends == 1 {
      if case .ended = events.last {} else { Issue.record("the end is not last") }
    }
    #expect(events.first == .started(run: "r") || events.isEmpty)
  }

  // MARK: Recordings

  private static let folder = "/work/shared/wire/openclaw"

  /// The runs of a recording that this program started, with what is told of each.
  private func recorded(_ name: String) throws -> [String: [Told]]? {
    let path = "\(Self.folder)/\(name).jsonl"
    guard let file = try? String(contentsOfFile: path, encoding: .utf8) else {
      print("\(path) is not here; its recording is not played")
      return nil
    }
    var decoders: [String: RunDecoder] = [:]
    var told: [String: [Told]] = [:]
    for (number, line) in file.split(separator: "\n").enumerated() {
      let entry = try JSONValue.parse(String(line))
      guard let text = entry["frame"]?.string, entry["dir"]?.string == "gateway",
        case .event(let event) = GatewayFrame(Array(text.utf8))
      else { continue }
      let run = event.payload["runId"]?.string ?? ""
      var decoder = decoders[run] ?? RunDecoder(runId: run)
      let nowNs = UInt64(number) * 1_000_000
      switch event.name {
      case "chat":
        if let chat = OpenClawWire.ChatEvent(event.payload) {
          told[run, default: []] += decoder.take(chat, nowNs: nowNs)
        }
      case "agent", "session.tool":
        if let agent = AgentEvent(event.payload) {
          told[run, default: []] += decoder.take(agent, nowNs: nowNs)
        }
      default: continue
      }
      decoders[run] = decoder
    }
    return told
  }

  @Test func theRunsOfProtocol4() throws {
    guard let runs = try recorded("02-runs.v4") else { return }
    #expect(
      text(runs["desk-7c1a-1"] ?? [])
        == "Two things are left: glaze the bowls, and answer Tobias about the crate.")
    #expect(runs["desk-7c1a-1"]?.last == .ended(.completed))
    let tools = (runs["desk-7c1a-2"] ?? []).compactMap {
      if case .tool(let tool) = $0, tool.state != .running { tool.state } else { nil }
    }
    #expect(tools.count == 3 && tools.count { $0 == .failed } == 1)
    #expect(runs["desk-7c1a-4"]?.last == .ended(.aborted))
    #expect(text(runs["desk-7c1a-4"] ?? []) == "It began in a wet October, when the ")
    #expect(text(runs["disc-1f00"] ?? []) == "The crate is ready; the lid is drying.")
    #expect(runs["disc-1f00"]?.contains { if case .replaced = $0 { true } else { false } } == true)
    #expect(text(runs["announce-9d2e"] ?? []) == "Ledger says: 59.70 for both crates.")
  }

  @Test func theRunsOfProtocol3() throws {
    guard let runs = try recorded("07-cumulative-deltas.v3") else { return }
    #expect(text(runs["desk-v3-1"] ?? []) == "No news. The clay arrived at noon.")
    #expect(runs["desk-v3-1"]?.last == .ended(.completed))
    #expect(text(runs["desk-v3-2"] ?? []) == "Two bags: stoneware and porcelain.")
    #expect(runs["desk-v3-2"]?.last == .ended(.completed))
    guard case .ended(.failed(let failure)) = runs["desk-v3-3"]?.last else {
      Issue.record("the failed run did not fail")
      return
    }
    #expect(failure.sentence.hasPrefix("The agent failed: LLM request failed"))
  }
}
