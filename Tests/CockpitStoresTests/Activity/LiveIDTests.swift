import ClankyWire
import Testing

@testable import CockpitStores

@Suite("live rows with ids") struct LiveIDTests {
  /// The live shape with an id, as no backend of today sends it.
  private func live(_ id: Int, _ content: String = "row", _ kind: String = "voice_turn_in")
    -> String
  {
    #"{"id":\#(id),"createdAt":"2026-03-01T14:30:00.00\#(id % 10)Z","kind":"\#(kind)","content":"\#(content)"}"#
  }

  private func stored(_ id: Int, _ content: String = "row", _ kind: String = "voice_turn_in")
    -> String
  {
    #"{"id":\#(id),"created_at":"2026-03-01T14:30:00.00\#(id % 10)Z","kind":"\#(kind)","content":"\#(content)"}"#
  }

  @Test("H1: an id that comes again is the same action, on either stream, in any order")
  func repeated() throws {
    for streams in [
      [ActionSource.activity, .activity], [.activity, .voice], [.voice, .activity],
      [.activity, .voice, .activity, .voice],
    ] {
      let log = ActionLog()
      for id in 1...3 { for stream in streams { try log.live(live(id), stream) } }
      try log.live(live(2), streams[0])
      #expect(log.all.map(\.actionID) == [3, 2, 1])
      log.endConnection(.activity)
      log.endConnection(.voice)
      try log.live(live(2), .activity)
      let report = log.rows("[" + [3, 2, 1].map { stored($0) }.joined(separator: ",") + "]")
      #expect(report.added == 0 && report.contradictions == 0)
      #expect(log.all.map(\.actionID) == [3, 2, 1], "a snapshot agrees")
      log.checkInvariants()
    }
  }

  @Test("H1: what a snapshot told is not told again, and its id is not given away")
  func afterSnapshot() throws {
    let log = ActionLog()
    log.rows("[" + [2, 1].map { stored($0) }.joined(separator: ",") + "]")
    #expect(try log.live(live(2)) == nil)
    // Another action with an id that is known: it is a row, and the id stays where it was.
    #expect(try log.live(live(2, "another", "sent_reply")) != nil)
    #expect(log.all.count == 3)
    #expect(log.all.compactMap(\.actionID).sorted() == [1, 2])
    log.checkInvariants()
  }
}
