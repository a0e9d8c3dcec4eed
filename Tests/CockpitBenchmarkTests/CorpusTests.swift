import Foundation
import Testing

@testable import cockpit_benchmark

@Suite("What the benchmark feeds")
struct CorpusTests {
  private func object(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  @Test("Both shapes of an action say the same")
  func shapes() throws {
    var corpus = ActionCorpus()
    for index in 1...200 {
      let action = corpus.both(timeMs: 1_793_491_200_123)
      let (live, stored) = (try object(action.live), try object(action.stored))
      #expect(live["id"] == nil)
      #expect(stored["id"] as? Int == index)
      #expect(live["createdAt"] as? String == "2026-11-01T00:00:00.123Z")
      #expect(stored["created_at"] as? String == "2026-11-01T00:00:00.123Z")
      for (camel, snake) in [("kind", "kind"), ("content", "content"), ("userId", "user_id")] {
        #expect(live[camel] as? String == stored[snake] as? String)
      }
      #expect(live["metadata"] as? NSDictionary == stored["metadata"] as? NSDictionary)
    }
  }

  @Test("The measuring backend begins with a snapshot and counts what it tells")
  func world() throws {
    var world = BackendWorld()
    let rows = try #require(try object(world.snapshot)["actions"] as? [[String: Any]])
    #expect(rows.map { $0["id"] as? Int } == (1...220).reversed().map { $0 })
    #expect(try object(world.stats)["runtime"] != nil)
    for _ in 0..<3000 { _ = world.next() }
    #expect(world.count == 3220)
    let list = try JSONSerialization.jsonObject(with: Data(world.list(limit: 5000)))
    #expect((list as? [[String: Any]])?.first?["id"] as? Int == 3220)
    #expect((list as? [[String: Any]])?.count == 1000)
  }
}
