import ClankyWire
import LenientJSON
import Testing

@Suite("Facts")
struct FactTests {
  @Test("four spellings, one fact")
  func spellings() throws {
    let snake = Fact(
      try .parse(
        #"""
        {"id": 3, "created_at": "2026-05-01T10:00:00.000Z", "guild_id": "7", "fact_type": "other",
        "evidence_text": "e", "source_message_id": "9", "fact": "f"}
        """#
      ))
    let camel = Fact(
      try .parse(
        #"""
        {"id": 3, "createdAt": "2026-05-01T10:00:00.000Z", "guildId": "7", "factType": "other",
        "evidenceText": "e", "sourceMessageId": "9", "fact": "f"}
        """#
      ))
    let profile = Fact(
      try .parse(
        #"""
        {"id": 3, "factType": "other", "fact": "f",
        "metadata": {"createdAt": "2026-05-01T10:00:00.000Z", "guildId": "7", "evidenceText": "e",
        "sourceMessageId": "9"}}
        """#
      ))
    let search = SearchFact(
      try .parse(
        #"""
        {"id": 3, "created_at": "2026-05-01T10:00:00.000Z", "guild_id": "7", "fact_type": "other",
        "evidence_text": "e", "source_message_id": "9", "fact": "f", "score": 0.5,
        "lexicalScore": 1}
        """#
      ))
    #expect(snake != nil && snake == camel && camel == profile)
    #expect(search == SearchFact(fact: try #require(snake), score: 0.5, lexicalScore: 1))
  }

  @Test("a scope tells May, even if it is null; its absence tells nothing")
  func dialect() throws {
    #expect(Fact(try .parse(#"{"scope": null}"#))?.dialect == .may)
    #expect(Fact(try .parse(#"{"id": 1}"#))?.dialect == nil)
  }

  @Test("special subjects")
  func subjects() {
    #expect(Fact(subject: "__lore__").specialSubject == .lore)
    #expect(Fact(subject: "198765432109876543").specialSubject == nil)
    #expect(Fact().specialSubject == nil)
  }

  @Test("a bad fact in a page is left out and counted, an odd member costs itself")
  func page() throws {
    let page = try #require(
      FactPage(
        try .parse(
          #"""
          {"guildId": "7", "facts": [{"id": "x", "fact": "a"}, 5, {"id": 2, "confidence": "0.5"}]}
          """#
        )))
    #expect(page.facts == [Fact(fact: "a"), Fact(id: 2, confidence: 0.5)])
    #expect(page.omitted == 1)
  }

  @Test("a reply that has no list is none", arguments: ["{}", #"{"facts":null,"error":"x"}"#])
  func noList(_ text: String) throws {
    let json = try JSONValue.parse(text)
    #expect(FactPage(json) == nil && SearchResult(json) == nil && ReflectionPage(json) == nil)
    #expect(SubjectPage(json) == SubjectPage())
  }

  @Test("the total of all subjects neither traps nor goes below zero")
  func total() {
    let page = { (counts: [Int?]) in SubjectPage(subjects: counts.map { Subject(factCount: $0) }) }
    #expect(page([2, nil, 3, -7]).factCount == 5)
    #expect(page([.max, 1]).factCount == .max)
    #expect(page([]).factCount == 0)
  }

  @Test("a search without embeddings is told apart")
  func search() {
    #expect(!SearchResult(results: [SearchFact(semanticScore: 0), SearchFact()]).usedEmbeddings)
    #expect(SearchResult(results: [SearchFact(semanticScore: 0.1)]).usedEmbeddings)
  }

  @Test("a May fact profile without voice summaries is a March one's shape")
  func profile() throws {
    let profile = try #require(
      FactProfile(
        try .parse(
          #"{"guildId": "", "durableProfile": {"userFacts": [{"fact": "f"}]}, "promptContext": {}}"#
        )))
    #expect(profile.guildID == nil)
    #expect(profile.durableProfile.userFacts == [Fact(fact: "f")])
    #expect(profile.promptContext.recentVoiceSessionContext.isEmpty)
  }

  @Test("the owner's facts are read from their wrapper")
  func owner() throws {
    let reply = OwnerProfileReply(
      try .parse(
        #"{"ownerProfile": {"ownerFacts": [{"fact": "f", "metadata": {"isLegacy": true}}]}}"#))
    #expect(reply?.ownerProfile.ownerFacts == [Fact(fact: "f", isLegacy: true)])
  }
}
