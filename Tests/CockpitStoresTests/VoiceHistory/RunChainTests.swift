import ClankyWire
import Testing

@testable import CockpitStores

/// Chains of runs of a gateway's agents.
@MainActor
@Suite struct RunChainTests {
  private func row(_ id: Int, _ at: Int64, _ kind: String, _ content: String, _ metadata: String)
    -> Fact
  {
    Fact(
      id: id, timeMs: startMs + at, kind: kind, content: content, user: "main", channel: "s",
      metadata: #"{"source":"openclaw","triggerMessageId":"r"\#(metadata)}"#)
  }

  private func chain(_ rows: [Fact]) throws -> ToolChain {
    let activity = ActivityStore()
    activity.log.rows(rows)
    let last = try #require(activity.log.rowID(actionID: rows.last?.id ?? 0))
    return try #require(ToolChain.text(of: last, in: activity.log))
  }

  @Test(
    "tools have the times of their rows, those at once stand side by side, the rest is the model's")
  func tools() throws {
    let chain = try chain([
      row(1, 0, "llm_run_started", "run begins", ""),
      row(2, 700, "tool_started", "read", #","toolName":"read""#),
      row(3, 1_000, "tool_finished", "read: a", #","toolName":"read","durationMs":300"#),
      row(4, 2_500, "tool_failed", "exec: b", #","toolName":"exec","durationMs":1200"#),
      row(5, 2_700, "tool_finished", "web_fetch: c", #","toolName":"web_fetch","durationMs":900"#),
      row(6, 2_900, "tool_unknown", "late: the run ended", #","toolName":"late""#),
      row(
        7, 4_200, "llm_call", "p:m",
        #","messageId":"r","model":"m","durationMs":4200,"usage":{"outputTokens":23}"#),
      row(8, 4_200, "sent_reply", "here", ""),
    ])
    #expect(
      chain.nodes.map(\.name) == ["m", "read", "exec", "web_fetch", "late", "sent_reply"])
    #expect(chain.groups == [[0], [1], [2, 3], [4], [5]])
    #expect(chain.nodes.map(\.durationMs) == [700, 300, 1_200, 900, nil, 1_300])
    #expect(chain.nodes.map(\.isSuccess) == [true, true, false, true, nil, true])
    #expect(chain.nodes.map(\.isApproximate) == [true, false, false, false, false, true])
    #expect(chain.criticalMs == 700 + 300 + 1_200 + 1_300 && chain.spanMs == 4_200)
    #expect(chain.tokensOut == 23 && chain.unknownDurations == 1)
  }

  @Test("a run without tools is its model's time; one that goes on after an answer has both calls")
  func plain() throws {
    let call = #","messageId":"r","model":"m","durationMs":"#
    let one = try chain([
      row(1, 900, "llm_call", "p:m", call + "900"), row(2, 900, "sent_reply", "here", ""),
    ])
    #expect(one.nodes.map(\.durationMs) == [900, nil] && one.criticalMs == 900)
    let two = try chain([
      row(1, 900, "llm_call", "p:m", call + "900"), row(2, 900, "sent_reply", "here", ""),
      row(3, 1_500, "tool_finished", "read", #","toolName":"read","durationMs":400"#),
      row(4, 2_000, "llm_call", "p:m", call + "2000"), row(5, 2_000, "sent_reply", "more", ""),
    ])
    #expect(two.nodes.map(\.name) == ["m", "m", "read", "sent_reply"])
    #expect(two.nodes.map(\.durationMs) == [900, 200, 400, 500] && two.criticalMs == 2_000)
  }
}
