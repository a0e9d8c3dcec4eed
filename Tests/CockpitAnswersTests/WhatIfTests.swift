import ClankyWire
import CockpitAnswers
import CockpitDomain
import CockpitStores
import LenientJSON
import Testing

/// What would have been, from planted scores and prices.
@MainActor
@Suite struct WhatIfTests {
  private let coverage = Answer.Coverage(fromMs: 0, toMs: 1_000_000, isComplete: true)

  private func decisions(_ rows: [(kind: String, content: String, metadata: String)])
    throws -> [ScoredDecision]
  {
    let log = ActionLog()
    for (place, row) in rows.enumerated() {
      let json = """
        {"id":\(place + 1),"kind":"\(row.kind)","content":"\(row.content)",\
        "created_at":"2026-03-01T12:00:0\(place % 10).000Z","metadata":\(row.metadata)}
        """
      try Array(json.utf8).withUnsafeBytes {
        _ = try log.restore($0, actionID: place + 1, origins: .activity, nowMs: 0)
      }
    }
    return (0..<log.count).reversed().compactMap { ScoredDecision(log.row(at: $0)) }
  }

  private func voice(_ allow: Bool, _ score: String, _ more: String = "")
    -> (kind: String, content: String, metadata: String)
  {
    let score = score.isEmpty ? "" : #","directedConfidence":\#(score)"#
    return (
      "voice_runtime", "voice_turn_addressing",
      #"{"allow":\#(allow),"heard":"words"\#(score)\#(more)}"#
    )
  }

  @Test("exactly the planted rows flip; names, locks and rows without a score do not")
  func voiceFlips() throws {
    let all = try decisions([
      voice(false, "0.65"), voice(false, "0.4"), voice(true, "0.7"), voice(true, "0.5"),
      voice(true, "0.1", #","directAddressed":true"#),
      voice(false, "0.9", #","outputLockReason":"bot_turn_open""#), voice(false, ""),
    ])
    let answer = ThresholdAnswer(all, asked: [.voice: 0.6], coverage: coverage)
    let family = try #require(answer.families.first)
    #expect(answer.families.count == 1)
    #expect((family.decided, family.scored) == (7, 6))
    #expect((family.unknown, family.otherwise) == (1, 2))
    let flips = try #require(family.flips)
    #expect(
      Set(flips.map { "\($0.decision.evidence.actionID ?? 0) \($0.flip)" })
        == ["1 answered", "4 lost"])
    #expect(answer.answer.state == .inferred)
    #expect(
      answer.answer.sentence
        == "Modelled: voice at 0.60: 1 of 7 would have passed, 1 would have been lost; of 1 without a score nothing can be said."
    )
  }

  @Test("a logged threshold: what stood against its own score was decided by something else")
  func textFlips() throws {
    func text(_ kind: String, _ score: Double, _ direct: Bool = false)
      -> (kind: String, content: String, metadata: String)
    {
      (
        kind, "hello",
        #"{"addressing":{"direct":\#(direct),"confidence":\#(score),"threshold":0.62,"confidenceSource":"llm"}}"#
      )
    }
    let all = try decisions([
      text("reply_skipped", 0.5), text("reply_skipped", 0.7), text("sent_reply", 0.7),
      text("sent_reply", 0.3), text("sent_message", 0.95, true), ("sent_reply", "x", "{}"),
    ])
    let low = try #require(
      ThresholdAnswer(all, asked: [.text: 0.45], coverage: coverage).families.first)
    #expect(low.flips?.map(\.decision.evidence.actionID) == [1])
    let high = try #require(
      ThresholdAnswer(all, asked: [.text: 0.8], coverage: coverage).families.first)
    #expect(high.flips?.map(\.decision.evidence.actionID) == [3])
    #expect(high.flips?.first?.decision.words == "hello")
    #expect((high.decided, high.unknown, high.otherwise) == (6, 1, 3))
    let table = ThresholdAnswer(all, coverage: coverage)
    let family = try #require(table.families.first { $0.family == .text })
    #expect(family.steps.map(\.answered) == [1, 1, 1, 1, 0, 0, 0, 0])
    #expect(family.steps.map(\.lost) == [0, 0, 0, 0, 0, 0, 1, 1])
    #expect(table.json["families"]?.array?.first?["flips"] == .null)
  }

  @Test(
    "log-probabilities of dropped speech; accepted speech has none, and nothing can be said of it")
  func recognition() throws {
    let all = try decisions([
      (
        "voice_runtime", "voice_turn_dropped_asr_low_confidence",
        #"{"meanLogprob":-1.42,"threshold":-1,"transcript":"mm"}"#
      ),
      ("voice_runtime", "openai_realtime_asr_final_segment", #"{"transcript":"hi"}"#),
    ])
    let family = try #require(
      ThresholdAnswer(all, asked: [.recognition: -1.5], coverage: coverage).families.first)
    #expect(family.flips?.map(\.decision.words) == ["mm"])
    #expect((family.decided, family.unknown) == (2, 1))
    let nothing = ThresholdAnswer([], coverage: coverage)
    #expect(nothing.answer.state == .unknown)
  }

  @Test("a price counts from its date; the cache has its own; what cannot be priced is counted")
  func prices() {
    func tokens(_ input: Int, _ output: Int, _ read: Int = 0, _ write: Int = 0)
      -> CostSummary.Tokens
    {
      var tokens = CostSummary.Tokens()
      (tokens.input, tokens.output) = (input, output)
      (tokens.cacheRead, tokens.cacheWrite) = (read, write)
      return tokens
    }
    let table = PriceTable([
      "a/m": [
        .init(fromMs: 2000, input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2),
        .init(fromMs: 1000, input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75),
      ]
    ])
    let calls = [
      CallTokens(timeMs: 500, usd: 9, tokens: tokens(1, 1)),
      // 3 + 15
      CallTokens(timeMs: 1000, usd: 1, tokens: tokens(1_000_000, 1_000_000)),
      // 0.6 plain + 0.04 read
      CallTokens(timeMs: 2000, usd: 2, tokens: tokens(1_000_000, 0, 400_000)),
      // read beside the input: 0.1 plain + 0.2 read + 1 written
      CallTokens(timeMs: 3000, usd: 3, tokens: tokens(100_000, 0, 2_000_000, 500_000)),
      CallTokens(timeMs: 3000, usd: 4, tokens: nil),
    ]
    let answer = ModelCostAnswer(calls, on: "a/m", table, coverage: coverage)
    #expect(abs(answer.modelledUSD - (18 + 0.64 + 1.3)) < 1e-9, "\(answer.modelledUSD)")
    #expect(answer.usd == 6)
    #expect((answer.calls, answer.priced) == (5, 3))
    #expect((answer.withoutTokens, answer.withoutPrice) == (1, 1))
    #expect(answer.answer.sentence.hasPrefix("Modelled: 3 of 5 model calls"))
    #expect(
      ModelCostAnswer(calls, on: "b/m", table, coverage: coverage).answer.state == .unknown)
  }
}
