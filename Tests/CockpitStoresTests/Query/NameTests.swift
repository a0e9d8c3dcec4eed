import ClankyWire
import Foundation
import LenientJSON
import Testing

@testable import CockpitStores

/// Who is who: every way in which a name is on the wire teaches it.
@MainActor
@Suite struct NameTests {
  private func row(
    _ id: Int, _ kind: String, user: String = "47616", content: String = "x", _ metadata: String
  ) -> String {
    #"{"id":\#(id),"created_at":"2026-05-09T18:00:0\#(id).000Z","user_id":"\#(user)","#
      + #""kind":"\#(kind)","content":"\#(content)","metadata":\#(metadata)}"#
  }

  private func names(_ rows: [String]) -> [String: String] {
    let activity = ActivityStore()
    Array("[\(rows.joined(separator: ","))]".utf8).withUnsafeBytes {
      _ = activity.applyRows($0, nowMs: 0)
    }
    let connection = ConnectionStore(address: "")
    NameRequests(readsVoice: true).follow(activity.log, into: connection, budget: .max)
    return connection.names.users
  }

  @Test(
    "S9: a row that spells a name beside an id teaches it",
    arguments: [
      ("text_runtime", #"{"displayName":"Nadia Vale"}"#),
      ("voice_runtime", #"{"memberUserId":"47616","displayName":"Nadia Vale"}"#),
      (
        "voice_runtime",
        #"{"runtimeEventContext":{"actorUserId":"47616","actorDisplayName":"Nadia Vale"}}"#
      ),
      ("voice_runtime", #"{"heardPerSpeaker":[{"userId":"47616","userName":"Nadia Vale"}]}"#),
      (
        "memory_reflection_complete",
        #"{"savedFacts":[{"userId":"47616","subjectName":"Nadia Vale","fact":"x"}]}"#
      ),
      ("memory_fact", #"{"actorName":"Nadia Vale"}"#),
      ("unheard_of", #"{"deep":{"deeper":[{"authorId":"47616","authorName":"Nadia Vale"}]}}"#),
      (
        "llm_call",
        #"{"userPrompt":"=== LATEST MESSAGE (TURN ANCHOR) ===\nMessage from Nadia Vale: hi: you"}"#
      ),
      (
        "llm_call", #"{"userPrompt":"=== CURRENT MESSAGE ===\n\nNadia Vale: hi\n\n=== RECENT ==="}"#
      ),
    ])
  func teaches(kind: String, metadata: String) {
    #expect(names([row(1, kind, metadata)])["47616"] == "Nadia Vale")
  }

  @Test("S9: the speaker of a recogniser's row has its name, the bot that forwards it has not")
  func speaker() {
    let details = #"{"speakerName":"Orin"}"#
    let asr = row(
      1, "voice_runtime", content: "openai_realtime_asr_final_segment", details)
    #expect(names([asr]) == ["47616": "Orin"])
    let other = row(
      1, "voice_runtime", user: "9", content: "openai_realtime_text_turn_forwarded", details)
    #expect(names([other]).isEmpty)
  }

  @Test("S9: an id, a role or the name of somebody else is no name")
  func noNames() {
    #expect(names([row(1, "memory_fact", #"{"actorName":"810000000000000005"}"#)]).isEmpty)
    #expect(
      names([row(1, "memory_reflection_complete", #"{"userId":"4","subjectName":"author"}"#)])
        .isEmpty)
    let other = row(1, "voice_runtime", user: "9", #"{"memberUserId":"4","displayName":"Orin"}"#)
    #expect(names([other]) == ["4": "Orin"])
    #expect(PersonNames.author(of: "Incoming speech: Nadia: hello") == nil)
    #expect(PersonNames.author(of: "") == nil)
  }

  @Test("S9: of two names the later one counts, in whichever order they come")
  func latest() {
    let old = row(1, "text_runtime", #"{"displayName":"nadia_v"}"#)
    let new = row(5, "text_runtime", #"{"displayName":"Nadia Vale"}"#)
    #expect(names([old, new])["47616"] == "Nadia Vale")
    #expect(names([new, old])["47616"] == "Nadia Vale")

    let connection = ConnectionStore(address: "")
    connection.learn(user: "1", name: "new", atMs: 20)
    connection.learn(user: "1", name: "old", atMs: 10)
    #expect(connection.names.users["1"] == "new")
    let json = #"""
      {"sessions":[{"sessionId":"s","startedAt":"2026-05-09T18:00:00.000Z",
      "participants":[{"userId":"1","displayName":"now"}],
      "memory":{"factProfiles":[{"userId":"2","displayName":"then","loadedAt":"2026-05-09T18:00:01.000Z"}]},
      "membershipEvents":[{"userId":"3","displayName":"left","at":"2026-05-09T18:00:02.000Z"}]}]}
      """#
    let state = try? VoiceState(JSONValue.parse(Array(json.utf8)))
    connection.learn(user: "2", name: "later", atMs: .max - 1)
    connection.learn(state ?? VoiceState(), atMs: 1_800_000_000_000)
    #expect(connection.names.users == ["1": "now", "2": "later", "3": "left"])
  }

  @Test("S9: the events of earlier sessions teach names, those that are summed up and let go too")
  func sessions() {
    let voice = VoiceStore()
    let rows = [
      #"{"id":1,"created_at":"2026-05-09T18:00:01.000Z","user_id":"4","kind":"voice_runtime","#
        + #""content":"openai_realtime_asr_final_segment","metadata":{"sessionId":"s","#
        + #""speakerName":"Wren","transcript":"hello"}}"#
    ]
    Array("[\(rows.joined(separator: ","))]".utf8).withUnsafeBytes {
      voice.applySummary($0, of: "s")
    }
    #expect(voice.log.takeNames()["4"]?.name == "Wren")
  }

  @Test("S9: rows are looked through a few at a time and each once")
  func budget() {
    let activity = ActivityStore()
    let rows = (0..<9).map {
      #"{"id":\#($0 + 1),"created_at":"2026-05-09T18:00:0\#($0).000Z","user_id":"u\#($0)","#
        + #""kind":"text_runtime","content":"x","metadata":{"displayName":"n\#($0)"}}"#
    }
    Array("[\(rows.joined(separator: ","))]".utf8).withUnsafeBytes {
      _ = activity.applyRows($0, nowMs: 0)
    }
    let connection = ConnectionStore(address: "")
    let nameRequests = NameRequests()
    nameRequests.follow(activity.log, into: connection, budget: 4)
    #expect(connection.names.users.count == 4)
    for _ in 0..<3 { nameRequests.follow(activity.log, into: connection, budget: 4) }
    #expect(connection.names.users.count == 9)
  }
}
