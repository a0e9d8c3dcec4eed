import ClankyWire
import CockpitAnswers
import CockpitStores
import Testing

/// The changes of the memory and of the backend's own code, as rows show them.
@MainActor
@Suite struct ChangeLedgerTests {
  private static let startMs: Int64 = 1_767_614_400_000

  private func fact(_ id: Int, _ metadata: String) -> String {
    let time = WireTime(milliseconds: Self.startMs + Int64(id) * 60_000).iso
    return #"{"id":\#(id),"created_at":"\#(time)","guild_id":"g1","channel_id":null,"#
      + #""message_id":null,"user_id":"u1","kind":"memory_fact","content":"likes tea","metadata":{\#(metadata)},"#
      + #""usd_cost":0}"#
  }

  private func changes(_ rows: [String]) -> [LedgerChange] {
    ChangeLedger.changes(in: WhyLog(rows).rows(nowMs: Self.startMs + 86_400_000))
  }

  @Test("a fact that took another's place is a change; a new one is none")
  func facts() throws {
    let found = changes([
      fact(1, #""fact":"likes tea","reason":"added_new","memoryScope":"user""#),
      fact(2, #""fact":"likes coffee","reason":"updated_existing","memoryScope":"user""#),
      fact(
        3,
        #""fact":"likes mate","reason":"merged_superseded","supersededFact":"likes coffee","memoryScope":"user""#
      ),
    ])
    #expect(found.map(\.kind) == [.memory, .memory])
    #expect(found.map(\.evidence.actionID) == [2, 3])
    #expect(found.first?.words == #"a fact is now "likes coffee""#)
    #expect(found.last?.words == #"a fact was "likes coffee", is now "likes mate""#)
    #expect(found.allSatisfy { !$0.endsEpoch })
  }

  @Test("the other dialect is a change where it lasts, and ends an epoch")
  func dialect() throws {
    let march = (1...4).map { fact($0, #""fact":"a","reason":"added_new""#) }
    let may = (5...8).map { fact($0, #""fact":"a","reason":"added_new","memoryScope":"user""#) }
    let found = changes(march + may)
    #expect(found.map(\.kind) == [.dialect])
    #expect(found.first?.evidence.actionID == 5)
    #expect(found.first?.words == "the backend's rows are those of May, before of March")
    #expect(found.first?.endsEpoch == true)
    // A single row without a scope is no other backend.
    let stray = march + [may[0]] + (6...9).map { fact($0, #""fact":"a","reason":"added_new""#) }
    #expect(changes(stray).isEmpty)
  }
}
