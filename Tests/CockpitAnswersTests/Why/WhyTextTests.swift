import ClankyWire
import CockpitText
import Foundation
import TerminalCore
import Testing

@testable import CockpitAnswers

/// The lines of an answer.
@MainActor @Suite struct WhyTextTests {
  @Test("a private fact of the owner is named without its text")
  func ownerFact() throws {
    let facts = [
      Fact(id: 7, scope: .owner, fact: "Keeps the spare key under the fern"),
      Fact(id: 8, fact: "Likes rye with caraway seeds"),
    ]
    let used = PromptFacts.find(
      in: ["Facts:\n- Keeps the spare key under the fern\n- Likes rye with caraway seeds"],
      among: facts, guild: nil, said: [])
    #expect(used.map(\.isOwnerPrivate) == [true, false])

    let fixture = try #require(WhyRule.all.first).fixture
    var exchange = try #require(WhyLog(fixture.rows).why(fixture.asks, nowMs: fixture.nowMs))
      .exchange
    exchange.facts = used
    exchange.knownFacts = facts.count
    exchange.prompt = Exchange.Source(
      row: nil, actionID: 1, timeMs: 0, kind: "llm_call", event: "llm_call")
    let lines = WhyText(Why(exchange), clock: ClockFormat(zone: .gmt)).facts.description
    #expect(lines.contains("#7 (private)") && lines.contains("#8 \"Likes rye"))
    #expect(!lines.contains("fern"))
  }
}
