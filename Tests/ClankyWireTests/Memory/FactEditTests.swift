import ClankyWire
import LenientJSON
import Testing

@Suite("Editing facts")
struct FactEditTests {
  private static func edit(
    subject: String = "198", fact: String = "likes tea", factType: String = "preference",
    evidenceText: String = "", confidence: Double? = 0.8, guild: String = "7"
  ) -> FactEdit {
    FactEdit(
      factID: 3, target: .guild(guild), subject: subject, fact: fact, factType: factType,
      evidenceText: evidenceText, confidence: confidence)
  }

  @Test("the body is the whole fact in camelCase, as the backend would store it")
  func body() throws {
    let edit = Self.edit(fact: " likes\n\u{A0} tea ", factType: " Preference", evidenceText: " ")
    #expect(edit.problems.isEmpty)
    let expected = try JSONValue.parse(
      #"""
      {"guildId": "7", "subject": "198", "fact": "likes tea", "factType": "preference",
      "evidenceText": null, "confidence": 0.8}
      """#
    )
    #expect(try edit.body() == expected)
    #expect(edit.path == "/api/memory/facts/3")
  }

  @Test("the owner's facts have another path and no guild")
  func ownerPrivate() throws {
    var edit = Self.edit()
    edit.target = .ownerPrivate
    #expect(edit.path == "/api/memory/owner-private/facts/3")
    #expect(try edit.body()["guildId"] == nil)
    #expect(FactDeletion(factID: 3, target: .ownerPrivate).body == .object(JSONObject()))
    let deletion = FactDeletion(factID: 3, target: .guild("7"))
    #expect(deletion.body == (try JSONValue.parse(#"{"guildId": "7"}"#)))
    #expect(deletion.path == "/api/memory/facts/3")
  }

  @Test("an edit starts from the fact as it was read")
  func editing() throws {
    let fact = Fact(
      id: 9, subject: "1", fact: "f", factType: .project, evidenceText: "e", confidence: 0.5)
    let edit = try #require(FactEdit(editing: fact, target: .guild("7")))
    #expect(
      edit
        == FactEdit(
          factID: 9, target: .guild("7"), subject: "1", fact: "f", factType: "project",
          evidenceText: "e", confidence: 0.5))
    #expect(FactEdit(editing: Fact(fact: "f"), target: .guild("7")) == nil)
  }

  @Test("limits are UTF-16 units: exactly the limit goes, one more does not")
  func limits() {
    let emoji = "\u{1F600}"  // two units
    #expect(Self.edit(fact: String(repeating: emoji, count: 200)).problems.isEmpty)
    #expect(
      Self.edit(fact: String(repeating: emoji, count: 200) + "x").problems
        == [.tooLong(.fact, units: 401)])
    #expect(Self.edit(evidenceText: String(repeating: "e", count: 240)).problems.isEmpty)
    #expect(
      Self.edit(evidenceText: String(repeating: "e", count: 241)).problems
        == [.tooLong(.evidenceText, units: 241)])
    #expect(Self.edit(subject: String(repeating: "s", count: 120)).problems.isEmpty)
    #expect(
      Self.edit(subject: String(repeating: "s", count: 121)).problems
        == [.tooLong(.subject, units: 121)])
    #expect(Self.edit(factType: String(repeating: "t", count: 40)).problems.isEmpty)
    #expect(
      Self.edit(factType: String(repeating: "t", count: 41)).problems
        == [.tooLong(.factType, units: 41)])
    let padded = String(repeating: " \n", count: 500) + String(repeating: "x y ", count: 100)
    #expect(Self.edit(fact: padded).units(of: .fact) == 399)
    #expect(Self.edit(fact: padded).problems.isEmpty)
  }

  @Test("what the backend would refuse or clamp is not sent")
  func refused() {
    #expect(Self.edit(guild: " ").problems == [.guildMissing])
    #expect(Self.edit(subject: "\u{FEFF}").problems == [.empty(.subject)])
    #expect(Self.edit(fact: "\n").problems == [.empty(.fact)])
    #expect(Self.edit(confidence: nil).problems == [.confidenceNotANumber])
    #expect(Self.edit(confidence: .nan).problems == [.confidenceNotANumber])
    #expect(Self.edit(confidence: .infinity).problems == [.confidenceNotANumber])
    #expect(Self.edit(confidence: 1.01).problems == [.confidenceOutOfRange(1.01)])
    #expect(Self.edit(confidence: 0).problems.isEmpty)
    #expect(Self.edit(confidence: 1).problems.isEmpty)
    #expect(throws: FactProblem.confidenceOutOfRange(7)) { try Self.edit(confidence: 7).body() }
    #expect(Self.edit(factType: "  ").normalized.factType == "other")
  }

  @Test("every problem is one sentence that says what to do")
  func sentences() {
    let problems: [FactProblem] = [
      .guildMissing, .empty(.fact), .tooLong(.fact, units: 412), .confidenceNotANumber,
      .confidenceOutOfRange(7),
    ]
    for problem in problems {
      #expect(problem.description.hasSuffix("."))
    }
    #expect(
      "\(FactProblem.tooLong(.fact, units: 412))".contains("12 characters too long (412 of 400)"))
  }

  @Test("refusals are told apart")
  func refusals() {
    func refusal(_ status: Int, _ message: String?) -> FactRefusal {
      FactRefusal(status: status, body: ErrorBody(dialect: .okError, message: message))
    }
    #expect(refusal(404, "not_found") == .notFound)
    #expect(refusal(404, "Not found.") == .other(status: 404))
    #expect(refusal(409, "duplicate") == .duplicate)
    #expect(refusal(400, "subject required") == .invalid("subject required"))
    #expect(refusal(500, "UNIQUE constraint failed: memory_facts.fact") == .collision)
    #expect(refusal(500, "disk I/O error") == .other(status: 500))
    #expect(refusal(502, nil) == .other(status: 502))
    #expect(refusal(409, "duplicate").description.hasSuffix("."))
  }

  @Test("a snapshot request sends only what is known and refuses what would be cut")
  func snapshot() throws {
    let request = SnapshotRequest(
      guildID: "7", userID: "1", queryText: "lantern  walk", mode: .voice,
      recentMessages: [.init(authorID: "1", content: "hi")], participantIDs: ["1", "2"])
    let expected = try JSONValue.parse(
      #"""
      {"guildId": "7", "userId": "1", "queryText": "lantern walk", "mode": "voice",
      "recentMessages": [{"authorId": "1", "content": "hi"}], "participantIds": ["1", "2"]}
      """#
    )
    #expect(try request.body() == expected)
    #expect(throws: SnapshotRequest.Problem.guildMissing) {
      try SnapshotRequest(guildID: "").body()
    }
    #expect(throws: SnapshotRequest.Problem.queryTooLong(units: 421)) {
      try SnapshotRequest(guildID: "7", queryText: String(repeating: "q", count: 421)).body()
    }
  }

  @Test("an edit sends back half a surrogate pair, and knows its length (promise P8)")
  func halves() throws {
    let long = String(repeating: "x", count: 399)
    let json = try JSONValue.parse(
      #"{"id":4,"subject":"s \udc00","fact":"\#(long)\ud83d","fact_type":"other","confidence":0.5}"#
    )
    let fact = try #require(Fact(json))
    var edit = try #require(FactEdit(editing: fact, target: .guild("g")))
    #expect(edit.problems == [])
    let body = try edit.body().serialized()
    #expect(body.contains(#""subject":"s \udc00""#))
    #expect(body.contains(#"\ud83d""#))
    edit.fact += "y"
    #expect(edit.problems == [.tooLong(.fact, units: 401)])
  }
}
