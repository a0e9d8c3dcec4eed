import CockpitAnswers
import CockpitStores
import CockpitText
import Foundation
import Testing

/// Why something that waited at a gateway ended as it did, and what its run did.
@MainActor @Suite struct WhyRequestTests {
  private func why(_ table: String, _ asks: Int) throws -> Why {
    let log = WhyLog(WhyFixture(carriers: [], table).rows)
    return try #require(log.why(asks, nowMs: WhyFixture.startMs + WhyFixture.laterMs + 1000))
  }

  private static let run = """
    0 llm_run_started@bot run begins {"source":"openclaw","triggerMessageId":"$T"}
    400 tool_started@bot exec: git push {"source":"openclaw","triggerMessageId":"$T"}
    500 approval_requested git push {"source":"openclaw","approvalId":"ap-1","runId":"$T"}
    192500 approval_answered deny by desk: git push {"source":"openclaw","approvalId":"ap-1",
      "decision":"deny","resolvedBy":"desk"}
    193000 tool_failed@bot exec denied {"source":"openclaw","triggerMessageId":"$T"}
    194000 sent_reply@bot It was not allowed. {"source":"openclaw","triggerMessageId":"$T"}
    """

  @Test("each row of it gives the same sentence: answer, time, what was asked, before, afterwards")
  func answered() throws {
    for row in [3, 4] {
      #expect(
        try why(Self.run, row).answer.sentence
          == "Denied by \"desk\" after 3m12s: \"77\" asked to be allowed \"git push\"; before that its run did \"exec: git push\"; afterwards it did \"exec denied\"; the run answered."
      )
    }
    let found = try why(Self.run, 4)
    #expect(
      found.answer.evidence.map(\.kind) == [
        "approval_answered", "approval_requested", "tool_started", "tool_failed", "sent_reply",
      ])
    #expect(found.answer.state == .observed)
  }

  @Test("the id of what waited is a subject, whatever it looks like")
  func subjects() throws {
    for id in ["ap-1", "plugin:7", "6a1f0c52-9a3e-4f44-8a51-0c9be7a9e111"] {
      let table = Self.run.replacing("ap-1", with: id)
      let log = WhyLog(WhyFixture(carriers: [], table).rows)
      let rows = log.rows(nowMs: WhyFixture.startMs + WhyFixture.laterMs)
      let exchange = rows.find(WhySubject(id), ClockFormat(zone: .gmt))
      #expect(exchange?.request?.id == id)
    }
  }

  @Test("one that nobody answered, one whose end is not known, a device, a question")
  func others() throws {
    let expired = try why(
      """
      0 question_requested Which branch? {"source":"openclaw","questionId":"q-1"}
      300000 question_timeout expired {"source":"openclaw","questionId":"q-1"}
      """, 2)
    #expect(expired.answer.sentence.hasPrefix("Expired after 5m"))
    #expect(expired.answer.sentence.contains("which run asked is not on record"))
    let device = try why(
      """
      0 pairing_requested desk asks for operator.read {"source":"openclaw","requestId":"pr-1"}
      60000 pairing_answered approved {"source":"openclaw","requestId":"pr-1"}
      """, 1)
    #expect(device.answer.sentence.hasPrefix("Approved after 1m"))
    #expect(!device.answer.sentence.contains("run"))
    let lost = try why(
      """
      0 approval_answered allow-once by desk: ls {"source":"openclaw","approvalId":"ap-2",
        "decision":"allow-once"}
      """, 1)
    #expect(lost.answer.sentence.contains("what was asked is not on record"))
    #expect(lost.answer.sentence.contains("a time that is not on record"))
  }

  @Test("a Clanky row of such a kind is none of it")
  func foreign() {
    let log = WhyLog(
      WhyFixture(carriers: [], #"0 approval_requested ls {"approvalId":"ap-1"}"#).rows)
    #expect(log.why(1, nowMs: WhyFixture.startMs) == nil)
  }
}
