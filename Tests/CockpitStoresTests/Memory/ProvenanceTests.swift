import ClankyWire
import LenientJSON
import Testing

@testable import CockpitStores

@Suite @MainActor struct ProvenanceTests {
  private let fact = madeUpFact(312, "james is learning \"Rust\" שלום", subject: "u1", source: "m1")

  private func row(
    _ id: Int, _ kind: String, message: String? = nil, content: String = "", _ metadata: String
  ) -> String {
    let quoted = String(decoding: JSONText.quote(content), as: UTF8.self)
    return
      "{\"id\":\(id),\"created_at\":\"\(WireTime(milliseconds: startMs + Int64(id) * 1000).iso)\","
      + "\"guild_id\":\"g1\",\"channel_id\":\"c1\","
      + "\"message_id\":\(message.map { "\"\($0)\"" } ?? "null"),\"user_id\":\"u1\","
      + "\"kind\":\"\(kind)\",\"content\":\(quoted),\"metadata\":\(metadata),\"usd_cost\":0}"
  }

  private func log(_ rows: [String]) -> ActionLog {
    let log = ActionLog()
    log.rows("[" + rows.joined(separator: ",") + "]")
    return log
  }

  private func ids(_ rows: [RowID], _ log: ActionLog) -> [Int] {
    rows.compactMap { log.row($0)?.actionID }
  }

  private var rows: [String] {
    let text = #"james is learning \"Rust\" שלום"#
    return [
      row(1, "message", message: "m1", content: "i started the rust book", "{}"),
      row(2, "llm_call", "{\"messageId\":\"m1\",\"provider\":\"x\"}"),
      row(
        3, "memory_fact", message: "m1",
        "{\"factId\":312,\"fact\":\"\(text)\",\"subject\":\"u1\",\"reason\":\"added_new\",\"source\":\"reply\"}"
      ),
      row(
        4, "memory_fact", message: "m1", "{\"factId\":313,\"fact\":\"\(text)\",\"subject\":\"u2\"}"),
      row(
        5, "sent_reply", message: "m9",
        "{\"replyPrompts\":{\"systemPrompt\":\"You know: \(text). Be kind.\"}}"),
      row(
        6, "voice_runtime",
        "{\"memoryFacts\":{\"userFacts\":[{\"id\":312,\"fact\":\"an older text\"}]}}"),
      row(7, "voice_runtime", "{\"queue\":[{\"id\":312,\"title\":\"a song\"}]}"),
      row(8, "message", message: "m8", content: "james is learning \"Rust\" שלום", "{}"),
      row(9, "memory_reflection_complete", "{\"runId\":\"r1\"}"),
      row(10, "memory_reflection_complete", "{\"runId\":\"r2\"}"),
    ]
  }

  @Test func everyTraceIsFound() {
    let log = log(rows)
    let run = ReflectionRun(
      runID: "r1",
      savedFacts: [ReflectionFact(fact: fact.fact, storedFact: fact.fact, storedSubject: "u1")])
    let found = Provenance(of: fact, in: log, reflections: [ReflectionRun(runID: "r2"), run])
    #expect(ids(found.sourceRows, log) == [2, 1])
    #expect(ids(found.writes.map(\.row), log) == [3])
    #expect(found.writes.first?.reason == "added_new" && found.writes.first?.source == "reply")
    #expect(ids(found.uses.map(\.row), log) == [6, 5])
    #expect(found.uses.map(\.evidence) == [.listed, .text(key: "replyPrompts")])
    #expect(found.runID == "r1")
    #expect(ids(found.runRows, log) == [9])
    #expect(found.rowsSearched == log.count && found.unknown.isEmpty)
  }

  @Test func whatIsNotKnownIsSaid() {
    let log = log(rows)
    var bare = madeUpFact(900, "short")
    bare.sourceMessageID = nil
    let none = Provenance(of: bare, in: log)
    #expect(none.uses.isEmpty && none.writes.isEmpty && none.sourceRows.isEmpty)
    #expect(none.unknown.count == 4)
    let some = Provenance(of: fact, in: log, reflections: [], rowLimit: 3)
    #expect(some.rowsSearched == 3)
    #expect(some.unknown.first?.contains("3 of 10") == true)
  }

  @Test func sessionsThatHaveItNow() {
    let used = GenerationContext(
      capturedAt: WireTime(milliseconds: 5), incomingTranscript: "what about rust",
      memoryFacts: MemoryFacts(relevantFacts: [WireFact(id: 312)]))
    let voice = VoiceState(sessions: [
      VoiceSession(
        sessionID: "s1",
        memory: VoiceMemory(factProfiles: [SpeakerFacts(userFacts: [WireFact(id: 312)])])),
      VoiceSession(sessionID: "s2", lastGenerationContext: used), VoiceSession(sessionID: "s3"),
    ])
    let sessions = Provenance(of: fact, in: log([]), voice: voice).sessions
    #expect(sessions.map(\.sessionID) == ["s1", "s2"])
    #expect(sessions.map(\.isLoaded) == [true, false])
    #expect(sessions.map(\.generatedAtMs) == [nil, 5])
    #expect(sessions.last?.transcript == "what about rust")
  }

  @Test func fromARowBackToFacts() throws {
    let log = log(rows)
    var table = FactTable()
    table.merge([fact, madeUpFact(313, source: "m5"), madeUpFact(400)], guild: "g1")
    func facts(_ id: Int) throws -> [Int] {
      let rowID = try #require(log.rowID(actionID: id))
      let row = try #require(log.row(rowID))
      return Provenance.facts(of: row, in: table)
    }
    #expect(try facts(1) == [312])
    #expect(try facts(4) == [312, 313])
    #expect(try facts(6) == [312])
    #expect(try facts(7).isEmpty)
    #expect(try facts(8).isEmpty)
  }
}
