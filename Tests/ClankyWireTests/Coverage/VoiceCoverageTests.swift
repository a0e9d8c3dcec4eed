import ClankyWire
import Foundation
import LenientJSON
import Testing

@Suite("Nothing the backend sends about voice and figures is dropped")
struct VoiceCoverageTests {
  @Test("a session with every member of contract 5.2 arrives whole")
  func fullSession() throws {
    let json = try FullSession.json()
    let session = try #require(VoiceSession(json))
    var walker = CoverageWalker()
    walker.compare(json, with: session)
    #expect(walker.lost.isEmpty, "\(walker.lost)")
    #expect(walker.compared > 500)
  }

  @Test("the walker notices a new member, a changed value, a lost row and a wrong property")
  func walkerNotices() throws {
    let json = try FullSession.json()
    let session = try #require(VoiceSession(json))
    func lost(_ change: (inout VoiceSession) -> Void) -> Set<String> {
      var changed = session
      change(&changed)
      var walker = CoverageWalker()
      walker.compare(json, with: changed)
      return Set(walker.lost.keys)
    }
    #expect(lost { $0.music.lastQuery = $0.music.pendingQuery } == [".music.lastQuery"])
    #expect(lost { $0.participants.removeLast() } == [".participants"])
    #expect(lost { $0.streamWatch.noteCount = nil } == [".streamWatch.noteCount"])
    #expect(
      lost { $0.lastGenerationContext?.memoryFacts?.userFacts[0].isLegacy = false }
        == [".lastGenerationContext.memoryFacts.userFacts[].metadata.isLegacy"])
    var walker = CoverageWalker()
    walker.compare(
      try .parse(#"{"userId": "1", "shoeSize": 43}"#), with: VoiceParticipant(userID: "1"))
    #expect(Set(walker.lost.keys) == [".shoeSize"])
  }

  @Test("the March spelling of the same session arrives whole")
  func marchSession() throws {
    let json = try FullSession.marchJSON()
    let session = try #require(VoiceSession(json))
    var walker = CoverageWalker()
    walker.compare(json, with: session)
    #expect(walker.lost.isEmpty, "\(walker.lost)")
    #expect(session.streamWatch.dialect == .march)
  }

  @Test("the recorded voice stream arrives whole", .enabled(if: Recordings.areThere))
  func voiceStream() throws {
    var walker = CoverageWalker()
    let states = try Recordings.payloads(of: "voice_state", in: "voice.sse")
    #expect(states.count == 30)
    for json in states {
      let state = try #require(VoiceState(json))
      #expect(state.sessions.count == 3 && state.omitted == 0)
      #expect(state.dialect == .may)
      walker.compare(json, with: state)
    }
    #expect(walker.lost.isEmpty, "\(walker.lost)")
    #expect(walker.compared > 20_000)
  }

  @Test("the recorded figures arrive whole", .enabled(if: Recordings.areThere))
  func statsStream() throws {
    var walker = CoverageWalker()
    let updates = try Recordings.payloads(of: "stats_update", in: "activity.sse")
    #expect(updates.count == 344)
    for json in updates { walker.compare(json, with: try #require(StatsEnvelope(json))) }
    let snapshots = try Recordings.payloads(of: "activity_snapshot", in: "activity-reconnect.sse")
    #expect(!snapshots.isEmpty)
    for snapshot in snapshots {
      let json = try #require(snapshot["stats"])
      walker.compare(json, with: try #require(StatsEnvelope(json)))
    }
    #expect(walker.lost.isEmpty, "\(walker.lost)")
  }

  @Test(
    "every name in contract 5.2 is a member of the full session or known to be none",
    .enabled(if: Recordings.areThere))
  func contractNames() throws {
    let contract = String(decoding: try Recordings.bytes("CONTRACT.md"), as: UTF8.self)
    let start = try #require(contract.range(of: "### 5.2 VoiceSession"))
    let end = try #require(contract.range(of: "## 6. Memory"))
    let section = contract[start.upperBound..<end.lowerBound]
    var names: Set<String> = []
    for (index, span) in section.split(separator: "`", omittingEmptySubsequences: false)
      .enumerated() where index % 2 == 1
    {
      // Only code spans, and of these only what is not quoted: quoted words are values.
      for (index, part) in span.split(separator: "\"", omittingEmptySubsequences: false)
        .enumerated() where index % 2 == 0
      {
        names.formUnion(part.matches(of: /[A-Za-z_][A-Za-z0-9_]*/).map { String($0.output) })
      }
    }
    #expect(names.count > 250)
    let known = Self.keys(of: try FullSession.json())
      .union(Self.keys(of: try FullSession.marchJSON()))
    let unknown = names.subtracting(known).subtracting(ContractWords.noMembers)
    #expect(unknown.isEmpty, "\(unknown.sorted())")
  }

  private static func keys(of json: JSONValue) -> Set<String> {
    switch json {
    case .object(let object):
      object.members.reduce(into: []) { keys, member in
        keys.insert(member.key)
        keys.formUnion(Self.keys(of: member.value))
      }
    case .array(let array): array.reduce(into: []) { $0.formUnion(Self.keys(of: $1)) }
    default: []
    }
  }
}
