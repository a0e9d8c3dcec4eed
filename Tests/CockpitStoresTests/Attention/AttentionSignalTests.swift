import LenientJSON
import Testing

@testable import CockpitStores

@Suite struct AttentionSignalTests {
  private static let nowMs: Int64 = 1_800_000_000_000

  private func card(_ kind: String, leftMs: Int64? = 300_000, _ more: String = "") throws
    -> ControlBoard.Card
  {
    let expires = leftMs.map { #","expires_ms":\#(Self.nowMs + $0)"# } ?? ""
    let text =
      #"{"waiting":[{"id":"a","kind":"\#(kind)","subject":"make","agent":"moss","fingerprint":"f"\#(expires)\#(more)}]}"#
    return try #require(ControlBoard(JSONValue.parse(Array(text.utf8)))?.waiting.first)
  }

  private func level(_ card: ControlBoard.Card, isCurrent: Bool = true) -> AttentionLevel {
    AttentionSignal(card, isCurrent: isCurrent, nowMs: Self.nowMs).level
  }

  @Test("what waits interrupts; an approval that is critical or nearly over is urgent")
  func levels() throws {
    for kind in ["exec", "plugin", "question", "pairing"] {
      #expect(level(try card(kind)) == .interrupt)
      #expect(level(try card(kind, leftMs: nil)) == .interrupt)
      #expect(level(try card(kind, leftMs: 0)) == .passive, "expired")
      #expect(level(try card(kind), isCurrent: false) == .passive, "not connected")
      let isApproval = kind == "exec" || kind == "plugin"
      #expect(level(try card(kind, leftMs: 29_999)) == (isApproval ? .urgent : .interrupt))
      #expect(level(try card(kind, leftMs: 30_000)) == .interrupt)
    }
    let severity = #","details":[{"name":"severity","value":"critical"}]"#
    #expect(level(try card("plugin", leftMs: 300_000, severity)) == .urgent)
    #expect(level(try card("exec", leftMs: 300_000, severity)) == .interrupt)
  }

  @Test("only what an event announced is news")
  func heard() throws {
    let listed = AttentionSignal(try card("exec"), isCurrent: true, nowMs: Self.nowMs)
    let heard = AttentionSignal(
      try card("exec", leftMs: 300_000, #","heard":true"#), isCurrent: true, nowMs: Self.nowMs)
    #expect(listed.isPast && !heard.isPast && heard.detail == "moss: make")
  }
}
