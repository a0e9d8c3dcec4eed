import ElevenLabsWire
import JSONTestKit
import LenientJSON
import Testing

@Suite struct ServiceAnswerTests {
  private func json(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

  @Test func aPageHasItsRows() throws {
    let page = try #require(
      ConversationPage(
        json(
          """
          {"conversations":[{"conversation_id":"c1","agent_id":"a","agent_name":"Juniper",
          "start_time_unix_secs":1790000000,"call_duration_secs":62,"message_count":4,
          "status":"done","call_successful":"success","termination_reason":"ended",
          "tool_names":["find_slot",3]},{"agent_id":"without an id"},{"conversation_id":"c2"}],
          "has_more":true,"next_cursor":"n"}
          """)))
    #expect(page.conversations.map(\.id) == ["c1", "c2"] && page.hasMore && page.nextCursor == "n")
    let row = try #require(page.conversations.first)
    #expect(row.agentName == "Juniper" && row.durationSeconds == 62 && row.tools == ["find_slot"])
    #expect(ConversationPage(try json("{}")) == nil)
  }

  @Test func detailsHaveTurnsMetricsAndTools() throws {
    let details = try #require(
      ConversationDetails(
        json(
          """
          {"conversation_id":"c1","status":"done","metadata":{"start_time_unix_secs":5,
          "call_duration_secs":9,"cost":120,"termination_reason":"client ended"},
          "analysis":{"call_successful":"success","transcript_summary":"All well."},
          "transcript":[{"role":"user","message":"Hi","time_in_call_secs":1},
          {"role":"agent","message":"Hello","time_in_call_secs":2,
          "tool_calls":[{"tool_name":"lamp"}],
          "conversation_turn_metrics":{"metrics":{"convai_llm_service_ttf_sentence":
          {"elapsed_time":0.42}}}}]}
          """)))
    #expect(details.terminationReason == "client ended" && details.cost == 120)
    #expect(details.turns.map(\.role) == ["user", "agent"])
    #expect(details.turns.last?.tools == ["lamp"] && details.turns.last?.latency == 0.42)
  }

  @Test func quotaIsWhatIsLeft() throws {
    let subscription = try #require(
      Subscription(
        json(
          #"{"character_count":900,"character_limit":1000,"next_character_count_reset_unix":7}"#)))
    #expect(subscription.left == 100 && subscription.resetSeconds == 7)
    #expect(Subscription(try json(#"{"character_count":9}"#))?.left == nil)
    #expect(
      Subscription(try json(#"{"character_count":9,"character_limit":3}"#))?.left == 0)
  }

  @Test func listsLeaveOutWhatHasNoID() throws {
    #expect(
      ServiceAgent.list(try json(#"{"agents":[{"agent_id":"a","name":"A"},{}]}"#))?.map(\.id)
        == ["a"])
    #expect(ServiceVoice.list(try json(#"{"voices":[{"voice_id":"v"}]}"#))?.count == 1)
    #expect(ServiceAgent.list(try json("[]")) == nil)
  }

  @Test("any JSON is read without harm", arguments: 0..<50)
  func anyJSON(seed: Int) throws {
    var random = RandomJSON(UInt64(seed) + 1)
    guard let value = try? JSONValue.parse(Array(random.value(depth: 4).utf8)) else { return }
    _ = ConversationPage(value)
    _ = ConversationDetails(value)
    _ = Subscription(value)
    _ = ServiceAgent.list(value)
  }
}
