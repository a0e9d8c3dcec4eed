import ClankyWire
import Foundation
import LenientJSON
import OpenClawWire
import Testing

@testable import OpenClawSource

/// The recordings of the contract, which are not in this repository.
private let recordings = URL(filePath: "/work/shared/wire/openclaw")

@Suite struct GatewayFeedTests {
  /// What a feed makes of events; the payload of each as JSON.
  private func rows(_ events: [(String, String)]) throws -> [LiveRow] {
    var feed = GatewayFeed()
    var rows: [LiveRow] = []
    for (index, (name, payload)) in events.enumerated() {
      let value = try JSONValue.parse(Array(payload.utf8))
      rows += feed.take(
        GatewayEvent(name: name, payload: value, sequence: index + 1),
        nowMs: 1_790_000_000_000 + Int64(index))
    }
    return rows
  }

  @Test("a run is a start, its tools, a call and an answer, in one turn")
  func run() throws {
    let rows = try rows([
      (
        "agent",
        #"{"runId":"r1","stream":"lifecycle","ts":1790000001000,"data":{"phase":"start"},"sessionKey":"agent:wren:main"}"#
      ),
      (
        "agent",
        #"{"runId":"r1","stream":"tool","ts":1790000001500,"data":{"phase":"start","name":"exec","toolCallId":"c1","args":{"command":"ls -l"}},"sessionKey":"agent:wren:main"}"#
      ),
      // Every reader hears of the same call as an item.
      (
        "agent",
        #"{"runId":"r1","stream":"item","ts":1790000001501,"data":{"itemId":"tool:c1","toolCallId":"c1","phase":"start","kind":"tool","title":"list","name":"exec"}}"#
      ),
      (
        "agent",
        #"{"runId":"r1","stream":"tool","ts":1790000002000,"data":{"phase":"result","name":"exec","toolCallId":"c1","isError":true,"result":{"content":[{"type":"text","text":"no such folder"}]}}}"#
      ),
      (
        "agent",
        #"{"runId":"r1","stream":"item","ts":1790000002001,"data":{"itemId":"tool:c1","toolCallId":"c1","phase":"end","status":"failed","name":"exec"}}"#
      ),
      (
        "chat",
        #"{"runId":"r1","sessionKey":"agent:wren:main","state":"final","stopReason":"stop","message":{"role":"assistant","content":[{"type":"text","text":"There is none."}]},"usage":{"input":100,"output":7}}"#
      ),
      (
        "chat",
        #"{"runId":"r1","sessionKey":"agent:wren:main","state":"final","message":{"content":"There is none."}}"#
      ),
    ])
    #expect(
      rows.map(\.kind) == [
        "llm_run_started", "tool_started", "tool_failed", "llm_call", "sent_reply",
      ])
    #expect(rows.map(\.agent) == Array(repeating: "wren", count: 5))
    let turns = rows.map { row in row.metadata.first { $0.key == "triggerMessageId" }?.value?.string
    }
    #expect(turns == Array(repeating: "r1", count: 5))
    #expect(rows[1].content == "exec: ls -l" && rows[2].content == "exec: no such folder")
    #expect(rows[2].metadata.first { $0.key == "durationMs" }?.value?.int == 500)
    let usage = rows[3].metadata.first { $0.key == "usage" }?.value
    #expect(usage?["inputTokens"]?.int == 100 && usage?["outputTokens"]?.int == 7)
    #expect(rows[4].content == "There is none.")
  }

  @Test("a final without a message keeps what the deltas told; one that goes on has a second row")
  func finals() throws {
    let rows = try rows([
      ("chat", #"{"runId":"r1","state":"delta","deltaText":"Half "}"#),
      ("chat", #"{"runId":"r1","state":"delta","deltaText":"a word"}"#),
      ("chat", #"{"runId":"r1","state":"final"}"#),
      ("chat", #"{"runId":"r1","state":"delta","deltaText":" too late"}"#),
      ("chat", #"{"runId":"r1","state":"final","message":{"content":"And the rest."}}"#),
    ])
    #expect(
      rows.filter { $0.kind == "sent_reply" }.map(\.content) == ["Half a word", "And the rest."])
  }

  @Test("an error of chat and of the lifecycle is one failure; open tools end as unknown")
  func failure() throws {
    let rows = try rows([
      (
        "agent",
        #"{"runId":"r1","stream":"tool","data":{"phase":"start","name":"exec","toolCallId":"c1"}}"#
      ),
      (
        "agent",
        #"{"runId":"r1","stream":"lifecycle","data":{"phase":"error","error":"overloaded"}}"#
      ),
      ("chat", #"{"runId":"r1","state":"error","errorMessage":"overloaded"}"#),
    ])
    #expect(rows.map(\.kind) == ["tool_started", "tool_unknown", "llm_error"])
  }

  @Test("no row holds a secret, wherever it stands")
  func secrets() throws {
    let secret = "s3cr3t-value"
    let rows = try rows([
      (
        "question.resolved",
        #"{"id":"q1","status":"answered","answers":{"answers":{"a":["s3cr3t-value"]}}}"#
      ),
      (
        "agent",
        #"{"runId":"r1","stream":"patch","data":{"deviceToken":"s3cr3t-value","list":[{"Authorization":"s3cr3t-value"}],"auth":{"token":"s3cr3t-value"}}}"#
      ),
      ("device.pair.requested", #"{"requestId":"pr","publicKey":"k","signature":"s3cr3t-value"}"#),
      ("strange.event", #"{"bootstrapToken":"s3cr3t-value","any":"s3cr3t-value"}"#),
    ])
    #expect(rows.count == 4)
    for row in rows {
      #expect(!String(decoding: row.json, as: UTF8.self).contains(secret), "\(row)")
    }
  }

  @Test("a flood of runs, tools and names takes bounded memory")
  func bounds() throws {
    var feed = GatewayFeed()
    for index in 0..<3_000 {
      for stream in ["tool", "odd\(index)"] {
        let payload = JSONValue.body([
          ("runId", .string("r\(index)")), ("stream", .string(stream)),
          (
            "data",
            .body([
              ("phase", .string("start")), ("toolCallId", .string("c")), ("name", .string("n")),
            ])
          ),
        ])
        _ = feed.take(GatewayEvent(name: "agent", payload: payload, sequence: nil), nowMs: 1)
      }
    }
    #expect(feed.runs.byID.count == GatewayRuns.maximum)
  }

  @Test("the metadata that protocol 3 puts before a message is folded away and kept")
  func preamble() throws {
    let text =
      "Sender (untrusted metadata):\\n```json\\n{\\\"id\\\":1}\\n```\\n[Tue 2026-04-14 10:02 UTC] Hello [there]"
    let rows = try rows([
      (
        "session.message",
        #"{"sessionKey":"agent:a:main","messageId":"m1","message":{"role":"user","content":"\#(text)"}}"#
      )
    ])
    #expect(rows.map(\.content) == ["Hello [there]"])
    #expect(rows[0].metadata.first { $0.key == "raw" }?.value?.string?.hasPrefix("Sender") == true)
  }

  /// Counted in the recordings by hand: rows by kind.
  private static let expected: [(file: String, counts: [String: Int])] = [
    ("01-connect-and-snapshot.v4", ["sent_reply": 0, "gateway_update": 1]),
    (
      "02-runs.v4",
      [
        "sent_reply": 6, "llm_error": 0, "llm_run_aborted": 1, "llm_run_started": 7,
        "tool_started": 5, "tool_finished": 4, "tool_failed": 1, "tool_unknown": 0,
        "text_message": 5,
      ]
    ),
    (
      "03-approvals-and-questions.v4",
      [
        "sent_reply": 1, "tool_started": 1, "tool_finished": 1, "approval_requested": 4,
        "approval_answered": 4, "approval_timeout": 1, "question_requested": 4,
        "question_answered": 3, "question_timeout": 1,
      ]
    ),
    (
      "06-gap-restart-recovery.v4",
      [
        "sent_reply": 1, "llm_run_started": 2, "automation_error": 1, "automation_run": 0,
        "gateway_restart_warning": 1,
      ]
    ),
    (
      "07-cumulative-deltas.v3",
      [
        "sent_reply": 2, "llm_error": 1, "llm_run_started": 3, "tool_started": 1,
        "tool_finished": 1, "text_message": 1, "approval_requested": 1, "approval_answered": 1,
      ]
    ),
    ("08-errors.v4", ["sent_reply": 0, "llm_error": 5, "llm_run_started": 5]),
  ]

  @Test(
    "the contract's recordings give the rows that were counted in them",
    .enabled(
      if: FileManager.default.fileExists(atPath: recordings.path),
      "the contract's recordings are not on this machine"), arguments: expected.map(\.file))
  func recording(file: String) throws {
    let wanted = try #require(Self.expected.first { $0.file == file }?.counts)
    let text = try String(contentsOf: recordings.appending(path: file + ".jsonl"), encoding: .utf8)
    var feed = GatewayFeed()
    var counts: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      let entry = try JSONValue.parse(Array(line.utf8))
      guard entry["dir"]?.string == "gateway", let frame = entry["frame"]?.string,
        case .event(let event) = GatewayFrame(Array(frame.utf8))
      else { continue }
      for row in feed.take(event, nowMs: 1_790_000_000_000) { counts[row.kind, default: 0] += 1 }
    }
    for (kind, count) in wanted {
      #expect(counts[kind, default: 0] == count, "\(kind): \(counts.sorted { $0.key < $1.key })")
    }
  }
}
